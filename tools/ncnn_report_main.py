"""`ncnn-report`: what a model costs, or what two models differ in."""

from argparse import Namespace
from collections.abc import Sequence

from .parsers import Parser, add_input_shape, add_reading_options
from .process import Command, expect_a_model, run_command

DESCRIPTION = """\
Says what a model costs: operations, parameters, weights and memory, a layer at a time.

  ncnn-report model.param                            a table and what it sums up to
  ncnn-report model.param --html report.html         a page with the graph
  ncnn-report model.param fast.param --html it.html  what became of each layer
  ncnn-report model.param --input-shape data=3,224,224

A model is a .param, .param.bin or .mlir. Its weights are not needed: without the .bin, figures are
those of the parameters.
"""


def make_parser() -> Parser:
    """The parser of the command line."""
    parser = Parser("ncnn-report", DESCRIPTION)
    parser.add_argument("model", metavar="MODEL", nargs="?", help="the model")
    parser.add_argument("other", metavar="OTHER", nargs="?", help="what became of it")
    add_reading_options(parser, several=True)
    add_input_shape(
        parser,
        "the shape of an input, outermost extent first: data=3,224,224 (may be given several "
        "times)",
    )
    parser.add_argument("--json", action="store_true", help="JSON instead of text")
    parser.add_argument("--html", metavar="FILE", help="a page to write; then no text is printed")
    parser.add_argument(
        "--errors",
        metavar="FILE",
        help="what `ncnn-quantize --json` measured: on the page a bar a layer, the longer the more "
        "noise there is",
    )
    parser.add_argument(
        "-o",
        "--output-file",
        metavar="FILE",
        help="where text goes; what ends with .html is a page, with .json JSON",
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake."""
    expect_a_model()
    run_command(make_parser, arguments, work)


def work(args: Namespace, process: Command) -> None:
    """Do what the arguments specify. Raises one of `USER_ERRORS`."""
    from .reporting import Report

    Report(args, process).write()
