"""`ncnn-run`: what a model computes, in NumPy or in the ncnn runtime, and where the two differ."""

import argparse
import math
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from .errors import USER_ERRORS, UsageError, describe
from .process import set_up
from .run import ENGINES

if TYPE_CHECKING:
    from .run.command import Run

TOLERANCE = 1e-3

DESCRIPTION = """\
Runs a model on given or random inputs.

  ncnn-run model.param --input data=x.npy --output out.npz
  ncnn-run model.param --input data=cat.jpg --mean 104,117,123 --top 5 --labels names.txt
  ncnn-run model.param --input random --compare ncnn

A model is a .param (with its .bin), .param.bin or .mlir.
"""


class _Parser(argparse.ArgumentParser):
    """Mistakes are `UsageError`s."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def make_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = _Parser(
        prog="ncnn-run",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("model", metavar="MODEL", nargs="?", help="the model")
    parser.add_argument("-v", "--version", action="store_true", help="print versions and exit")

    inputs = parser.add_argument_group("inputs")
    inputs.add_argument(
        "--input",
        metavar="NAME=SOURCE",
        action="append",
        default=[],
        help="a .npy, a .npz with an array of that name, an image, or random; without a name for "
        "the only input, a .npz or random for all that are not named (may be given several times)",
    )
    inputs.add_argument("--seed", type=int, default=0, help="of random inputs (0)")
    inputs.add_argument(
        "--input-shape",
        metavar="INPUT=EXTENTS",
        action="append",
        default=[],
        help="the shape of an input where the model does not say it, outermost extent first: "
        "data=3,224,224 (may be given several times)",
    )
    inputs.add_argument(
        "--mean",
        metavar="V[,V…]",
        type=_floats,
        default=(),
        help="subtracted from images, a value a channel or one for all",
    )
    inputs.add_argument(
        "--norm", metavar="V[,V…]", type=_floats, default=(), help="what the difference is times"
    )
    inputs.add_argument(
        "--to-rgb", action="store_true", help="red is the first channel of an image, not blue"
    )

    weights = parser.add_argument_group("weights")
    weights.add_argument(
        "--weights",
        metavar="FILE|random[:SEED]",
        help="the weights of a .param: by default the .bin beside it",
    )
    weights.add_argument(
        "--custom-weights",
        metavar="TYPE=COUNT[,COUNT…]",
        action="append",
        default=[],
        help="floats of each weight of a custom layer type (may be given several times)",
    )
    weights.add_argument(
        "--allow-trailing-weights",
        action="store_true",
        help="ignore bytes left over at the end of a .bin",
    )

    running = parser.add_argument_group("running")
    running.add_argument("--engine", choices=ENGINES, default=ENGINES[0], help="what computes")
    running.add_argument(
        "--compare",
        metavar="ENGINE",
        choices=("ncnn",),
        help="ncnn: compare all blobs with those of the ncnn runtime",
    )
    running.add_argument(
        "--tolerance",
        metavar="ERROR",
        type=_tolerance,
        default=TOLERANCE,
        help=f"the largest error relative to a blob's largest value ({TOLERANCE:g})",
    )

    running.add_argument(
        "--no-packing",
        action="store_true",
        help="no packed layouts in the ncnn runtime: its depthwise int8 layers are exact then",
    )

    results = parser.add_argument_group("results")
    results.add_argument(
        "-o", "--output", metavar="FILE", help=".npz to write the outputs to, by name"
    )
    results.add_argument(
        "--blob",
        metavar="NAME[,NAME…]",
        action="append",
        default=[],
        help="these blobs instead of the outputs (may be given several times)",
    )
    results.add_argument("--all-blobs", action="store_true", help="all blobs, inputs as well")
    results.add_argument(
        "--top", metavar="N", type=_positive, help="the N largest scores of each output"
    )
    results.add_argument("--labels", metavar="FILE", help="a label a line, for --top")
    return parser


def _floats(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"numbers are expected, not '{text}'") from None


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not value >= 0:
        raise argparse.ArgumentTypeError(f"a number of at least 0 is expected, not '{text}'")
    return value


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a positive number is expected, not '{text}'")
    return int(text)


def print_version() -> None:
    """Our version and that of xDSL."""
    from importlib.metadata import version

    print(f"ncnn-run {version('ncnn-opt')} (xdsl {version('xdsl')})")


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake, and where a
    comparison finds errors."""
    set_up()
    run: Run | None = None
    agree = True
    try:
        args = make_parser().parse_args(arguments)
        if args.version:
            print_version()
            return

        from .run import command

        run = command.Run(args)
        agree = run.run()
    except BrokenPipeError:
        # The reader of our output has gone; nothing is left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except USER_ERRORS as e:
        print(f"ncnn-run: error: {describe(e, '' if run is None else run.path)}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    if not agree:
        sys.exit(1)
