"""`ncnn-run`: run a model in NumPy, the ncnn runtime or IREE, compare and time it."""

import sys
from argparse import Namespace
from collections.abc import Sequence

from ..formats.languages import LANGUAGES
from ..runtime import DEVICES, ENGINES, PRECISIONS
from .batch import OneModel, add_batch_options
from .parsers import (
    CUSTOM_LAYER,
    IMAGE_VALUES,
    IMAGES,
    ON_DEVICE,
    READING,
    Parser,
    add_options,
    first_of,
    positive,
    tolerance,
)
from .process import Command, run_command

TOLERANCES = {"float32": 1e-3, "float16-storage": 1e-2, "float16": 1e-2, "bfloat16": 5e-2}
"""The default of `--tolerance` by `--precision`: the largest accepted error, relative to a blob's
largest value."""

DESCRIPTION = """\
Runs a model on given or random inputs.

  ncnn-run model.param --input data=x.npy --output out.npz
  ncnn-run model.param --input data=cat.jpg --mean 104,117,123 --top 5 --labels names.txt
  ncnn-run model.param --input random --compare ncnn
  ncnn-run model.param --input random --engine iree --compare numpy
  ncnn-run model.param --compare fast.param
  ncnn-run zoo/ --compare fast/
  ncnn-run model.param --engine ncnn --repeat 50 --against fast.param
  ncnn-run model.param --engine ncnn --repeat 50 --trace layers.json
  ncnn-run model.param --on-device ssh://pi@pi --against fast.param
  ncnn-run model.param --snippet cpp
  ncnn-run model.vmfb --repeat 50 --against model.param
  ncnn-run decoder.param --decode 7+20 --compare full
  ncnn-run qwen3/ --decode 50 --prompt "The capital of France is"

A model is a .param (with its .bin), .param.bin or .mlir; or a .vmfb of ncnn-compile.
"""


INPUTS = f"""
inputs:
  --input NAME=SOURCE...  a .npy, a .npz with an array of that name, an image, or random; without a
      name, for the only input, or a .npz or random for all other inputs (may be given several
      times)
  --seed  the seed of random inputs (0)
  --input-shape INPUT=EXTENTS...  the shape of an input that the model does not declare, outermost
      extent first: data=3,224,224 (may be given several times)
{IMAGES}
weights:
{READING}
"""

RUNNING = f"""
running:
  --engine  run with NumPy, the ncnn runtime, or native code by IREE (%(default)s)
  --compare ncnn|FILE  ncnn, numpy or iree: compare all blobs with that engine (native code: the
      outputs or the blobs of --blob); a model: compare the blobs that both models have, by default
      on random inputs (of a .vmfb: the outputs); a .pnnx.param or TorchScript .pt: name the first
      layer that differs from PyTorch. Of many blobs it prints the outputs, the worst and the first
      that differs; with --all-blobs all
  --tolerance ERROR  the largest error relative to a blob's largest value (float32:
      {TOLERANCES["float32"]:g}, float16: {TOLERANCES["float16"]:g}, bfloat16:
      {TOLERANCES["bfloat16"]:g}; with --on-device, and for models of which only one has 16-bit
      weights, 0.05)
  --precision  the element type of blobs and weights in the ncnn runtime; with float16-storage, the
      arithmetic is float32 (%(default)s)
  --device  the device of the ncnn runtime (%(default)s)
{CUSTOM_LAYER}
  --no-packing  disable packed layouts in the ncnn runtime, so that depthwise int8 layers are exact
"""

LATENCY = """
latency:
  --repeat N  measure N runs in the ncnn runtime, and the slowest layers; or, with --engine iree or
      for a .vmfb, of native code
  --on-device ADDRESS...  measure on this device, and compare the outputs there with the reference:
      ssh://[USER@]HOST[:PORT], adb://SERIAL or local (may be given several times; see ncnn-device)
  --scheduler ADDRESS  for --on-device: measure on each device by the worker of this
      dask.distributed scheduler that carries the device's address as a resource
  --against FILE  another model, run in turn with the first; beside a .vmfb: another .vmfb, or a
      model in the ncnn runtime (with --engine iree: compiled first)
  --threads N  the number of threads of the runtime (1)
  --trace FILE  write the times of layers as a trace, for Perfetto: .json
  --report FILE  write a report with the figures: .html, .json or text
"""

DECODING = """
decoding:
  --decode PREFILL+STEPS  call a decoder with its own caches in the ncnn runtime, first for PREFILL
      tokens, then STEPS times for one: inputs have a row for each of these tokens, or are the same
      in each call; masks without values are causal. Prints times and the size of the caches.
      --compare full: one call for all tokens gives the same outputs; --compare FILE: so do the
      calls of another decoder (docs/decoders.md). A folder with a model.json is a bundle: STEPS
      tokens follow the prompt, or PREFILL random tokens; --compare takes full or another folder
  --tokens IDS  the prompt of a bundle: ids with commas between them, or a .npy
  --prompt TEXT  the prompt of a bundle as text, if it has a tokenizer.json
"""

RESULTS = """
results:
  -o, --output FILE  write the outputs to this .npz, by name
  --blob NAME[,NAME…]...  these blobs instead of the outputs (may be given several times)
  --all-blobs  all blobs, including inputs; with --compare, also print all of them
  --top N  print the N largest scores of each output
  --labels FILE  the labels for --top, one per line in a file
  --snippet  print an example that loads and runs the model
"""


def make_parser() -> Parser:
    """Return the parser of the command line."""
    parser = Parser("ncnn-run", DESCRIPTION)
    parser.add_argument("model", metavar="MODEL", nargs="?", help="the model")
    add_options(parser, INPUTS, seed={"type": int, "default": 0}, **IMAGE_VALUES)
    add_options(
        parser,
        RUNNING,
        engine=first_of(ENGINES),
        tolerance=tolerance,
        precision=first_of(PRECISIONS),
        device=first_of(DEVICES),
    )
    add_options(parser, LATENCY, on_device=ON_DEVICE, repeat=positive, threads=positive)
    add_options(parser, DECODING)
    add_options(parser, RESULTS, top=positive, snippet=LANGUAGES)
    add_batch_options(parser, scheduled=False)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake, and where a
    comparison finds errors."""
    words = sys.argv[1:] if arguments is None else arguments
    a_bundle = any(word.partition("=")[0] == "--decode" for word in words)
    run_command(make_parser, arguments, work, one_of_many, takes_folders=not a_bundle)


def one_of_many() -> OneModel:
    """Return the comparison of one of many models."""
    from .run_command import COMPARE_ONE

    return COMPARE_ONE


def work(args: Namespace, process: Command) -> bool:
    """Do what the arguments specify. Return `False` if a comparison found errors. Raises one of
    `USER_ERRORS`."""
    from .run_command import print_snippet, run

    if args.snippet is not None:
        print_snippet(args, process)
        return True
    return run(args, process).agrees
