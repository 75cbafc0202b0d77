"""`ncnn-compile`: native code of a model."""

from argparse import Namespace
from collections.abc import Sequence

from ..native import TARGETS
from .parsers import Parser, add_input_shape, add_reading_options, count
from .process import Command, expect_a_model, run_command

DESCRIPTION = """\
Compiles a model to native code, through linalg and IREE.

  ncnn-compile model.param -o model.vmfb
  ncnn-compile model.param -o model.vmfb --input-shape data=3,224,224 --target-cpu haswell
  ncnn-compile model.param -o model.vmfb --target cuda --target-cpu sm_80
  ncnn-compile model.param -o model.mlir         linalg, for a pipeline of one's own
  ncnn-compile model.param -o model.so           a function of C, with its header; needs LLVM 22

A model is a .param, .param.bin or .mlir. It goes through the passes of ncnn-opt -O first. Weights
that are as they were stay in its .bin; others go to OUTPUT.bin, and OUTPUT.json says where each of
them is. The code is for inputs of the shapes that the model has, or --input-shape gives it.
"""

STYLES = ("parameters", "args", "resources", "dense")


def make_parser() -> Parser:
    """The parser of the command line."""
    parser = Parser("ncnn-compile", DESCRIPTION)
    parser.add_argument("model", metavar="MODEL", nargs="?", help="the model")
    files = parser.add_argument_group("files")
    files.add_argument(
        "-o",
        "--output",
        metavar="OUTPUT",
        help="what to write: .vmfb for IREE's runtime, .mlir for other compilers, .so for a C "
        "program, with OUTPUT.h (by mlir-opt, mlir-translate and clang)",
    )
    add_reading_options(files)
    files.add_argument(
        "--copy-weights",
        action="store_true",
        help="all weights into OUTPUT.bin, so that the files of OUTPUT need no other",
    )
    files.add_argument(
        "--externalize",
        choices=STYLES,
        default=STYLES[0],
        help="where weights are: parameters in files, further args of the function, resources or "
        "dense values in OUTPUT itself (%(default)s)",
    )

    code = parser.add_argument_group("code")
    code.add_argument(
        "--target", choices=list(TARGETS), default=next(iter(TARGETS)), help="what runs it"
    )
    code.add_argument(
        "--target-cpu",
        metavar="NAME",
        help="a processor of that kind as IREE calls it: host (of a CPU the default), haswell, "
        "sm_80, gfx1100",
    )
    code.add_argument(
        "--target-triple",
        metavar="TRIPLE",
        help="the kind of CPU and system, if not those of this machine: aarch64-linux-android",
    )
    add_input_shape(
        code,
        "the shape of an input, outermost extent first: data=3,224,224; ? for an extent that may "
        "be any, which is slow (may be given several times)",
    )
    code.add_argument(
        "--tune",
        action="store_true",
        help="run convolutions in several forms here, between their neighbours, then the whole "
        "model in the best ones and in those that it has otherwise, and write the fastest; what "
        "was measured is kept",
    )
    code.add_argument(
        "--tune-seconds",
        metavar="S",
        type=count,
        help="for how long single convolutions are tried, those with the most multiply-adds first "
        "(120); whole models come on top",
    )
    code.add_argument(
        "--tune-cache",
        metavar="FOLDER",
        help="where measurements are kept (ncnn-opt in $XDG_CACHE_HOME, or in ~/.cache)",
    )
    code.add_argument("--no-optimize", action="store_true", help="without the passes of -O")
    code.add_argument(
        "--iree-flag",
        metavar="FLAG",
        action="append",
        default=[],
        help="a further option of iree-compile: --iree-flag=--iree-opt-level=O2 (may be given "
        "several times)",
    )
    code.add_argument(
        "--print-pipeline",
        action="store_true",
        help="print the passes, as ncnn-opt -p takes them, and exit",
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake."""
    expect_a_model()
    run_command(make_parser, arguments, work)


def work(args: Namespace, process: Command) -> None:
    """Do what the arguments specify. Raises one of `USER_ERRORS`."""
    from .compiling import Compile

    Compile(args, process).compile()
