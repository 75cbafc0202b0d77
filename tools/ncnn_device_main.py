"""`ncnn-device`: prepare and probe the devices that models run on."""

from argparse import Namespace
from collections.abc import Sequence

from .parsers import Parser, add_options
from .process import Command, run_command

DESCRIPTION = """\
Prepares and probes devices for measurements (--on-device of the other commands).

  ncnn-device probe ssh://pi@raspberrypi.local        processor, memory, ncnn
  ncnn-device prepare ssh://pi@pi --python venv/bin/python
  ncnn-device prepare adb://SERIAL --runner FILE      a runner in C++

ADDRESS is ssh://[USER@]HOST[:PORT], adb://SERIAL or local (this machine). Without preparation, the
runner is Python's, with `python3` and the package ncnn there. docs/devices.md has more.
"""

RUNNERS = """
  --runner FILE  prepare: a runner for the device, built from the sources in runtime/runner/
  --python PATH  prepare: the Python there that has the package ncnn (python3; for local: this one)
"""


def make_parser() -> Parser:
    """Return the parser of the command line."""
    parser = Parser("ncnn-device", DESCRIPTION)
    parser.add_argument(
        "action",
        metavar="ACTION",
        nargs="?",
        choices=["probe", "prepare"],
        help="probe: print the processor, its clusters, memory, temperature, ncnn and GPU; "
        "prepare: copy a runner or select a Python, and start it once",
    )
    parser.add_argument("address", metavar="ADDRESS", nargs="?", help="the device")
    add_options(parser.add_mutually_exclusive_group(), RUNNERS)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake."""
    run_command(make_parser, arguments, work)


def work(args: Namespace, process: Command) -> None:
    """Do what the arguments specify. Raises one of `USER_ERRORS`."""
    from ..driver.device_commands import prepare_device, probe_device
    from ..driver.errors import UsageError
    from ..driver.messages import print_note, print_result

    def note(text: str) -> None:
        print_note(f"ncnn-device: {text}")

    if args.action is None or args.address is None:
        raise UsageError("give probe or prepare, and an address; see --help")
    if args.action == "probe":
        if args.runner is not None or args.python is not None:
            raise UsageError("--runner and --python are for prepare")
        print_result("\n".join(probe_device(args.address, note)))
    else:
        print_result(prepare_device(args.address, args.runner, args.python, note))
