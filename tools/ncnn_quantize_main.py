"""`ncnn-quantize`: models in integers of few bits, step by step or all at once."""

import os
import sys
from collections.abc import Sequence

from ..driver.errors import UsageError
from .messages import quiet
from .process import expect_a_model, print_version, running, set_up
from .quantize.command_parsers import DEFAULT, PARSERS, make_help


def split_command(arguments: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Which of the commands is meant, and its arguments: a word before all others says it, else it
    is the one that does everything."""
    if arguments and arguments[0] in PARSERS:
        return arguments[0], arguments[1:]
    if "--weights-only" in arguments:
        return "weights", arguments
    return DEFAULT, arguments


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake, and where an error
    is larger than it may be."""
    arguments = sys.argv[1:] if arguments is None else arguments
    set_up()
    expect_a_model()
    if arguments and arguments[0] in ("-h", "--help"):
        print(make_help())
        return
    with running("ncnn-quantize") as process:
        name, rest = split_command(arguments)
        args = PARSERS[name]().parse_args(rest)
        if args.version:
            print_version("ncnn-quantize")
            return
        if args.model is None:
            raise UsageError("there is no model; see --help")
        process.input = args.model
        os.stat(args.model)  # if it is not there, nothing more is needed
        from .quantize.commands import COMMANDS  # not for the help

        with quiet(args.quiet):
            if COMMANDS[name](args) is False:
                sys.exit(1)
