"""`ncnn-quantize`: quantized models, in one command or step by step."""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from functools import partial

from ..driver.errors import UsageError
from .batch import OneModel
from .parsers import OUTPUT_DIR
from .process import Command, expect_a_model, run_command, running, set_up
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
    """Return the processing of one of many models by a command. Raises `UsageError`."""
    if name not in MANY:
        raise UsageError(f"{OUTPUT_DIR} is for quantizing models, not for '{name}'")
    from .quantize.commands import run_one

    return OneModel(partial(run_one, name), PARSERS[name]().parse_args, parallel=False)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command. Exits with status 1 after one message for a user's mistake, and if an error
    exceeds its limit."""
    arguments = sys.argv[1:] if arguments is None else arguments
    expect_a_model()
    if arguments and arguments[0] in ("-h", "--help"):
        set_up()
        with running("ncnn-quantize", arguments):
            print(make_help())
        return
    name, rest = split_command(arguments)
    run_command(PARSERS[name], rest, partial(work, name), partial(one_of_many, name))


def work(name: str, args: Namespace, process: Command) -> bool | None:
    """Do what the arguments specify. Return `False` if the error exceeds its limit. Raises one of
    `USER_ERRORS`."""
    if args.model is None:
        raise UsageError("there is no model; see --help")
    process.input = args.model
    os.stat(args.model)  # a missing file needs no imports
    from .quantize.commands import COMMANDS  # not for the help

    return COMMANDS[name](args)
