"""The command lines of `ncnn-quantize`: a parser for each of its commands. What a command does is
in the module of its name, which is imported when it is called."""

import argparse
from collections.abc import Callable, Mapping

from ..parsers import Group, Parser, add_reading_options

DESCRIPTION = """\
Quantizes ncnn models to int8.

  ncnn-quantize apply model.param --table model.table -o int8.param

A model is a .param (with its .bin), .param.bin or .mlir. `ncnn-quantize COMMAND --help` says the
options of each command.
"""

DEFAULT = "apply"
"""The command where none is named."""


def add_model(parser: Parser) -> None:
    """Adds the model that is read."""
    parser.add_argument("model", metavar="MODEL", help="the model, of floats")
    add_reading_options(parser.add_argument_group("weights"))


def add_output(parser: Parser) -> Group:
    """Adds the model that is written, and what is done to it beside. Returns the group."""
    group = parser.add_argument_group("the model that is written")
    group.add_argument("-o", "--output", metavar="FILE", help=".param or .mlir to write")
    group.add_argument(
        "--output-weights", metavar="FILE", help="by default the .bin beside the output"
    )
    group.add_argument(
        "--keep",
        metavar="LAYER[,LAYER…]",
        action="append",
        default=[],
        help="layers that stay float (may be given several times)",
    )
    group.add_argument(
        "--remarks", action="store_true", help="a line on standard error for each layer"
    )
    return group


def apply_parser() -> Parser:
    """The parser of `apply`."""
    parser = Parser(
        "ncnn-quantize apply",
        "Makes layers int8 with the scales of a table, as ncnn2table or `calibrate` writes it.",
    )
    add_model(parser)
    parser.add_argument("--table", metavar="FILE", help="the table of scales")
    add_output(parser)
    return parser


PARSERS: Mapping[str, Callable[[], Parser]] = {"apply": apply_parser}
"""The parser of each command."""


def names(values: list[str]) -> list[str]:
    """What options list that have names with commas between them."""
    return [name for value in values for name in value.split(",") if name]


def make_help() -> str:
    """What there is to know of the command without another word."""
    lines = [DESCRIPTION, "commands:"]
    for name, make in PARSERS.items():
        text = (make().description or "").strip().splitlines()[0]
        lines.append(f"  {name:<10} {text}")
    return "\n".join(lines)


def check_given(args: argparse.Namespace, **options: str) -> None:
    """Raises `UsageError` for an option that is needed and not there: the flag of each, by the name
    that its value has."""
    from ...driver.errors import UsageError

    for name, flag in options.items():
        if getattr(args, name) is None:
            raise UsageError(f"{flag} is missing; see --help")
