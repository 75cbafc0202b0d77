"""`ncnn-quantize`: quantized models, in one command or step by step."""

import os
import sys
from collections.abc import Sequence
from functools import partial

from ..driver.errors import UsageError
from .batch import OUTPUT_DIR, OneModel, check_single, is_batch, run_many
from .messages import quiet
from .process import expect_a_model, print_version, running, set_up
from .quantize.command_parsers import DEFAULT, PARSERS, make_help

MANY = (DEFAULT, "weights")
"""The commands that process many models."""


def split_command(arguments: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the name of a command and its arguments. The first word may be the name; the default
    command does all steps."""
    if arguments and arguments[0] in PARSERS:
        return arguments[0], arguments[1:]
    if "--weights-only" in arguments:
        return "weights", arguments
    return DEFAULT, arguments


def one_of_many(name: str) -> OneModel:
    """Return the processing of one of many models by a command."""
    from .quantize.commands import run_one

    return OneModel(partial(run_one, name), PARSERS[name]().parse_args, parallel=False)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command. Exits with status 1 after one message for a user's mistake, and if an error
    exceeds its limit."""
    arguments = sys.argv[1:] if arguments is None else arguments
    set_up()
    expect_a_model()
    if arguments and arguments[0] in ("-h", "--help"):
        print(make_help())
        return
    with running("ncnn-quantize") as process:
        name, rest = split_command(arguments)
        parser = PARSERS[name]()
        if is_batch(rest):
            if name not in MANY:
                raise UsageError(f"{OUTPUT_DIR} is for quantizing models, not for '{name}'")
            sys.exit(run_many(parser, rest, one_of_many(name)))
        args = parser.parse_args(rest)
        if args.version:
            print_version("ncnn-quantize")
            return
        if args.model is None:
            raise UsageError("there is no model; see --help")
        check_single(args)
        process.input = args.model
        os.stat(args.model)  # a missing file needs no imports
        from .quantize.commands import COMMANDS  # not for the help

        with quiet(args.quiet):
            if COMMANDS[name](args) is False:
                sys.exit(1)
