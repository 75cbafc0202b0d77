"""`ncnn-report`: what a model costs, or what two models differ in."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from .errors import USER_ERRORS, UsageError, describe
from .process import expect_a_model, set_up

if TYPE_CHECKING:
    from .report.command import Report

DESCRIPTION = """\
Says what a model costs: operations, parameters, weights and memory, a layer at a time.

  ncnn-report model.param                            a table and what it sums up to
  ncnn-report model.param --html report.html         a page with the graph
  ncnn-report model.param fast.param --html it.html  what became of each layer
  ncnn-report model.param --input-shape data=3,224,224

A model is a .param, .param.bin or .mlir. Its weights are not needed: without the .bin, figures are
those of the parameters.
"""


class _Parser(argparse.ArgumentParser):
    """Mistakes are `UsageError`s."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def make_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = _Parser(
        prog="ncnn-report",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("model", metavar="MODEL", nargs="?", help="the model")
    parser.add_argument("other", metavar="OTHER", nargs="?", help="what became of it")
    parser.add_argument(
        "--weights",
        metavar="FILE|none|random[:SEED]",
        action="append",
        default=[],
        help="the weights of a .param: by default the .bin beside it, if there is one; given twice "
        "it is for both models in order, none and random are for both in any case",
    )
    parser.add_argument(
        "--custom-weights",
        metavar="TYPE=COUNT[,COUNT…]",
        action="append",
        default=[],
        help="floats of each weight of a custom layer type (may be given several times)",
    )
    parser.add_argument(
        "--allow-trailing-weights",
        action="store_true",
        help="ignore bytes left over at the end of a .bin",
    )
    parser.add_argument(
        "--input-shape",
        metavar="INPUT=EXTENTS",
        action="append",
        default=[],
        help="the shape of an input, outermost extent first: data=3,224,224 (may be given several "
        "times)",
    )
    parser.add_argument("--json", action="store_true", help="JSON instead of text")
    parser.add_argument("--html", metavar="FILE", help="a page to write; then no text is printed")
    parser.add_argument("-o", "--output-file", metavar="FILE", help="where text or JSON goes")
    parser.add_argument("-v", "--version", action="store_true", help="print versions and exit")
    return parser


def print_version() -> None:
    """Our version and that of xDSL."""
    from importlib.metadata import version

    print(f"ncnn-report {version('ncnn-opt')} (xdsl {version('xdsl')})")


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake."""
    set_up()
    expect_a_model()
    report: Report | None = None
    try:
        args = make_parser().parse_args(arguments)
        if args.version:
            print_version()
            return

        from .report import command

        report = command.Report(args)
        report.run()
    except BrokenPipeError:
        # The reader of our output has gone; nothing is left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except USER_ERRORS as e:
        path = "" if report is None else report.path
        print(f"ncnn-report: error: {describe(e, path)}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
