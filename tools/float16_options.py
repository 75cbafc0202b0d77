"""The options of `ncnn-opt` for float16."""

import argparse
from math import isfinite

from ..driver.errors import UsageError
from ..driver.float16 import MARGIN, MAX_ERROR, Float16Request
from .parsers import add_options, check_used

OPTIONS = f"""
float16:
  --fp16-safe  after all passes, rescale weights and set the fewest feature masks (parameter 31)
      with which the outputs for the samples of --data stay within --max-error of float32, with
      float16 storage and arithmetic on a GPU
  --data FILE  the samples of --fp16-safe: a .npy for the only input, or a .npz with an array for
      each input; the outermost axis counts samples
  --margin FACTOR  magnitudes stay below float16's limit by this factor, for inputs that no sample
      has ({MARGIN:g})
  --max-error ERROR  the largest error relative to an output's largest value ({MAX_ERROR:g})
"""


def add_float16_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser."""
    add_options(parser, OPTIONS, margin=float, max_error=float)


def float16_request(args: argparse.Namespace) -> Float16Request | None:
    """Return the request of `--fp16-safe`. Raises `UsageError`."""
    check_used(args, args.fp16_safe, "--fp16-safe", "data", "margin", "max_error")
    if not args.fp16_safe:
        return None
    path: str | None = args.data
    if path is None:
        raise UsageError("--fp16-safe needs samples: --data FILE")
    margin: float = MARGIN if args.margin is None else args.margin
    max_error: float = MAX_ERROR if args.max_error is None else args.max_error
    if not (isfinite(margin) and margin >= 1):
        raise UsageError(f"--margin takes a factor from 1 on, not {margin:g}")
    if not (isfinite(max_error) and max_error > 0):
        raise UsageError(f"--max-error takes a positive number, not {max_error:g}")
    return Float16Request(path, margin, max_error)
