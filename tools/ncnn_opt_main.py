"""`ncnn-opt`: the command. The compiler is imported (`driver.py`) once it is known what it is to
do."""

import os
import sys
from collections.abc import Sequence

from .process import expect_a_model, set_up


def forget_stdout() -> None:
    """Lets what is still in the buffer of standard output go nowhere: the interpreter would try
    once more to write it when it ends, and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_version() -> None:
    """Our version and that of xDSL."""
    from importlib.metadata import version

    print(f"ncnn-opt {version('ncnn-opt')} (xdsl {version('xdsl')})")


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake."""
    arguments = sys.argv[1:] if arguments is None else arguments
    path = ""
    set_up()
    if "-v" in arguments or "--version" in arguments:
        print_version()
        return
    expect_a_model()

    from .batch_arguments import is_batch
    from .command_line import CommandLine
    from .errors import USER_ERRORS, describe

    try:
        if is_batch(arguments):
            from .batch import run_batch

            sys.exit(run_batch(arguments))
        command = CommandLine.of(arguments)
        if command.args.input_file is not None:
            os.stat(command.args.input_file)  # if it is not there, nothing more is needed

        from .driver import NcnnOptMain

        driver = NcnnOptMain(command)
        path = driver.get_input_name()
        driver.run()
    except BrokenPipeError:
        forget_stdout()  # its reader has gone; nothing is left to say
        sys.exit(1)
    except USER_ERRORS as e:
        print(f"ncnn-opt: error: {describe(e, path)}", file=sys.stderr)
        forget_stdout()
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
