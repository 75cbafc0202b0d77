"""`ncnn-compile`: native code of a model."""

from argparse import Namespace
from collections.abc import Sequence

from ..conversion import WEIGHT_STYLES
from ..driver.messages import print_note
from ..native import TARGETS
from .batch import OneModel, add_batch_options
from .parsers import READING, Parser, add_options, count, first_of
from .process import Command, expect_a_model, run_command

DESCRIPTION = """\
Compiles a model to native code, through linalg and IREE.

  ncnn-compile model.param -o model.vmfb
  ncnn-compile model.param -o model.vmfb --input-shape data=3,224,224 --target-cpu haswell
  ncnn-compile model.param -o model.vmfb --target-device cuda --target-cpu sm_80
  ncnn-compile model.param -o model.mlir         linalg that mlir-opt reads, for your own pipeline
  ncnn-compile model.param -o model.so           a C function with its header; needs LLVM 22
  ncnn-compile models/ --output-dir native/      many models

A model is a .param, .param.bin or .mlir. The passes of ncnn-opt -O run first. Of a .vmfb, unchanged
weights stay in the model's .bin; others go to OUTPUT.bin. OUTPUT.json lists the place of each
weight. The code is for inputs with the shapes of the model or of --input-shape.
"""

KINDS = ("vmfb", "mlir", "so")
"""The kinds of outputs of many models."""

OPTIONS = f"""
files:
  -o, --output OUTPUT  the file to write: .vmfb for IREE's runtime, .mlir for other compilers, .so
      for a C program, with OUTPUT.h (by mlir-opt, mlir-translate and clang)
{READING}
  --copy-weights  copy all weights into OUTPUT.bin, so that the model's .bin is not needed
  --externalize  the place of weights: parameters in files (for IREE only; the default of .vmfb and
      .so), additional args of the function, resources (the default of .mlir) or dense values in
      OUTPUT itself
code:
  --target-device  the kind of device
  --target-cpu NAME  IREE's name of a processor of that kind: host (the default for a CPU), haswell,
      sm_80, gfx1100
  --target-triple TRIPLE  the CPU and system, by default of this machine: aarch64-linux-android
  --input-shape INPUT=EXTENTS...  the shape of an input, outermost extent first: data=3,224,224; ?
      for a dynamic extent, which is slower (may be given several times)
  --autotune  measure convolutions in several forms on this machine, with the layers around them,
      then the whole model with the best and the default forms, and write the fastest;
      measurements are cached
  --autotune-seconds S  the time for single convolutions, with the most multiply-adds first (120 s);
      whole models take additional time
  --autotune-cache FOLDER  the folder of measurements (ncnn-opt in $XDG_CACHE_HOME, or in ~/.cache)
  --no-cache  compile even if the same code was compiled before, and do not keep it (ncnn-opt in
      $XDG_CACHE_HOME, or in ~/.cache)
  --no-optimize  do not run the passes of -O
  --iree-flag FLAG...  an option of iree-compile: --iree-flag=--iree-opt-level=O2 (may be given
      several times)
  --print-pipeline  print the passes in the syntax of ncnn-opt -p, and exit
"""


def make_parser() -> Parser:
    """Return the parser of the command line."""
    parser = Parser("ncnn-compile", DESCRIPTION)
    parser.add_argument("model", metavar="MODEL", nargs="?", help="the model")
    targets = first_of(TARGETS)
    add_options(
        parser, OPTIONS, externalize=WEIGHT_STYLES, target_device=targets, autotune_seconds=count
    )
    add_batch_options(parser, KINDS)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake."""
    expect_a_model()
    run_command(make_parser, arguments, work, one_of_many)


def work(args: Namespace, process: Command) -> None:
    """Do what the arguments specify. Raises one of `USER_ERRORS`."""
    from .compile_command import compile_model

    if written := compile_model(args, process):
        print_note(f"ncnn-compile: wrote {', '.join(written)}")


def one_of_many() -> OneModel:
    """Return the processing of one of many models."""
    from .compile_command import compile_one

    return OneModel(compile_one, make_parser().parse_args, KINDS)
