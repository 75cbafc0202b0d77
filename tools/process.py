"""The process of a command: how it is set up, and how it ends."""

import atexit
import gc
import os
import signal
import sys
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from types import TracebackType
from typing import Any, cast

from ..driver.signals import end_in_order
from .messages import check_shown, drop, quiet, tell

_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def set_up() -> None:
    """Prepares the process of a command that does one thing and ends."""
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    # What is there at the end goes with the process. Python would look for garbage among it first.
    atexit.register(_keep_garbage)
    _open_streams()
    end_in_order()
    sys.excepthook = _tell


def _keep_garbage() -> None:
    """Lets Python not look for garbage at its end, unless IREE's runtime is there, which complains
    of what is left of it."""
    if "iree.runtime" not in sys.modules:
        gc.freeze()


@dataclass
class Command:
    """A command that runs."""

    name: str
    input: str = ""
    """What a message is about that names no file."""


@contextmanager
def running(name: str) -> Generator[Command]:
    """Runs a command in the block. One that fails by a user's mistake ends with one message and
    status 1; one whose reader has gone, or that is ended by Ctrl-C, without a word."""
    from ..driver.errors import USER_ERRORS, describe

    command = Command(name)
    starting = signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    try:
        if starting:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            yield command
        except SystemExit:
            check_shown()
            raise
        check_shown()
    except BrokenPipeError:
        _forget_stdout()
        sys.exit(1)
    except USER_ERRORS as e:
        tell(f"{name}: error: {describe(e, command.input)}")
        _forget_stdout()
        _end_at_once()
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        if starting:  # all is done, and Python takes its time to end
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _forget_stdout() -> None:
    """Lets what is still in the buffer of standard output go nowhere: the interpreter would try
    once more to write it when it ends, and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        drop(sys.stdout)


def _end_at_once() -> None:
    """End the process without Python's clean-up where IREE would abort in it."""
    loading = sys.modules.get("ncnn_opt.native.loading")
    if loading is not None and "vulkan" in loading.broken_devices:
        os._exit(1)


def run_command(
    make_parser: Callable[[], ArgumentParser],
    arguments: Sequence[str] | None,
    work: Callable[[Namespace, Command], bool | None],
) -> None:
    """Run a command: parse its arguments and work. Exits with status 1 after one message for a
    user's mistake, and if `work` returns `False`."""
    set_up()
    parser = make_parser()
    with running(parser.prog) as process:
        args = parser.parse_args(arguments)
        if args.version:
            print_version(parser.prog)
            return
        with quiet(args.quiet):
            if work(args, process) is False:
                sys.exit(1)


def run_drop_in(
    name: str, usage: str, arguments: Sequence[str], run: Callable[[Sequence[str]], None]
) -> None:
    """Runs a command whose arguments are those of one of ncnn's own tools: places, the first one
    the model."""
    set_up()
    expect_a_model()
    if any(word in ("-h", "--help") for word in arguments):
        print(usage)
        return
    with running(name) as process:
        process.input = arguments[0] if arguments else ""
        run(arguments)


def print_version(name: str) -> None:
    """Our version and that of xDSL."""
    from importlib.metadata import version

    print(f"{name} {version('ncnn-opt')} (xdsl {version('xdsl')})")


def expect_a_model() -> None:
    """Prepares for a model."""
    # Many small objects that live to the end: looking for garbage among them takes a tenth of the
    # time.
    gc.set_threshold(100_000, 20, 100)
    # No pass multiplies large matrices. The threads that NumPy starts for that would only wait, and
    # burn time doing so.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _open_streams() -> None:
    """Opens the standard streams that the process was started without: the next files would take
    their numbers, and get what is printed. What a stream cannot say is escaped."""
    for name, mode in _STREAMS:
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, os.O_RDWR), mode, closefd=False))
    out: Any = sys.stdout
    if isinstance(out, TextIOWrapper) and out.errors == "strict":
        cast(Any, out).reconfigure(errors="backslashreplace")


def _tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Ends that are no defects need no traceback."""
    if issubclass(kind, MemoryError):
        details = f": {error}" if str(error) else ""
        program = os.path.basename(sys.argv[0])
        tell(f"{program}: error: there is not enough memory{details}")
    elif not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
