"""The process of a command: its start and its end."""

import atexit
import gc
import os
import signal
import sys
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from ..driver.messages import LOGS, check_shown, drop, logging, print_requested, quiet
from ..driver.signals import end_in_order
from ..formats.verdicts import verdict
from .spellings import in_new_spelling

if TYPE_CHECKING:
    from argparse import Namespace

    from .batch import OneModel
    from .parsers import Parser

_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def set_up() -> None:
    """Prepare the process of a short command."""
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    # All objects end with the process. Python would search them for garbage first.
    atexit.register(_keep_garbage)
    _open_streams()
    end_in_order()
    sys.excepthook = _report_exception


def _keep_garbage() -> None:
    """Skip Python's garbage collection at the end, unless IREE's runtime is loaded, which reports
    objects that are left."""
    if "iree.runtime" not in sys.modules:
        gc.freeze()


@dataclass
class Command:
    """A running command."""

    name: str
    input: str = ""
    """The file for messages that do not name one."""
    checks: str = ""
    """The options that ask for a check, whose verdict is the last line."""


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether a command line asks for messages in JSON. It may be wrong in other places."""
    words = arguments[: arguments.index("--")] if "--" in arguments else arguments
    pairs = zip(words, words[1:], strict=False)
    return "--log=json" in words or ("--log", "json") in pairs


@contextmanager
def running(name: str, arguments: Sequence[str] = ()) -> Generator[Command]:
    """Run a command in the block, with messages as `--log` specifies. A user's mistake ends it with
    one message and status 1; a closed pipe or Ctrl-C ends it without a message."""
    with logging(name, wants_json(arguments)), _ending(name) as command:
        yield command


@contextmanager
def _ending(name: str) -> Generator[Command]:
    from ..driver.errors import USER_ERRORS, OutputError, UsageError, describe

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
        print_requested(f"{name}: error: {describe(e, command.input)}")
        if command.checks and not isinstance(e, UsageError | OutputError | OSError):
            print_requested(f"{name}: {verdict(False, command.checks)}")
        _forget_stdout()
        _end_at_once()
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        if starting:  # Ctrl-C during Python's own clean-up ends the process silently
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _forget_stdout() -> None:
    """Discard the buffer of standard output if it cannot be written: the interpreter would try to
    write it at its end, and report the error."""
    try:
        sys.stdout.flush()
    except OSError:
        drop(sys.stdout)


def _end_at_once() -> None:
    """End the process without Python's clean-up where IREE would abort in it."""
    loading = sys.modules.get("ncnn_opt.native.loaded_program")
    if loading is not None and "vulkan" in loading.broken_devices:
        os._exit(1)


def run_command(
    make_parser: Callable[[], "Parser"],
    arguments: Sequence[str] | None,
    work: "Callable[[Namespace, Command], bool | None]",
    one_of_many: "Callable[[], OneModel] | None" = None,
    takes_folders: bool = False,
) -> None:
    """Run a command: parse its arguments and work; `one_of_many` processes each of many models,
    `takes_folders`: also without a folder for outputs.
    Exits with status 1 after one message for a user's mistake, and if `work` returns `False`."""
    from .parsers import OPTIONS, OUTPUT_DIR, check_single

    set_up()
    parser = make_parser()
    arguments = sys.argv[1:] if arguments is None else arguments
    name = parser.prog.split()[0]
    with running(name, arguments) as process:
        arguments = in_new_spelling(name, arguments)
        named = {word.partition("=")[0] for word in arguments}
        if takes_folders or OUTPUT_DIR in named or OPTIONS in named:
            from .batch import is_batch, names_many, run_many, with_options

            many = is_batch(arguments) or (takes_folders and names_many(parser, arguments))
            if one_of_many is not None and many:
                sys.exit(run_many(parser, arguments, one_of_many()))
            arguments = with_options(make_parser, arguments)
        args = parser.parse_args(arguments)
        if args.version:
            print_version(name)
            return
        if one_of_many is not None:
            check_single(args)
        with quiet(args.quiet):
            if work(args, process) is False:
                sys.exit(1)


def run_drop_in(
    name: str, usage: str, arguments: Sequence[str], run: Callable[[Sequence[str]], None]
) -> None:
    """Run a command with the positional arguments of one of ncnn's own tools, and `--log` at any
    place; the first is the model."""
    set_up()
    expect_a_model()
    with running(name, arguments) as process:
        if any(word in ("-h", "--help") for word in arguments):
            print(usage)
            return
        if any(word in ("-v", "--version") for word in arguments):
            print_version(name)
            return
        arguments = _without_log(arguments)
        process.input = arguments[0] if arguments else ""
        run(arguments)


def _without_log(arguments: Sequence[str]) -> list[str]:
    """Return the arguments without `--log`. Raises `UsageError` for another value."""
    from ..driver.errors import UsageError

    words: list[str] = []
    rest = iter(arguments)
    for word in rest:
        name, equals, value = word.partition("=")
        if name != "--log":
            words.append(word)
        elif (given := value if equals else next(rest, "")) not in LOGS:
            raise UsageError(f"--log is {' or '.join(LOGS)}, not '{given}'")
    return words


def print_version(name: str) -> None:
    """Print our version and xDSL's version."""
    from importlib.metadata import version

    print(f"{name} {version('ncnn-opt')} (xdsl {version('xdsl')})")


def expect_a_model() -> None:
    """Prepare for a model."""
    # A model has many small objects that live to the end: garbage collection would take a tenth of
    # the time.
    gc.set_threshold(100_000, 20, 100)
    # No pass multiplies large matrices. NumPy's threads would only wait, and use processor time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _open_streams() -> None:
    """Open the standard streams that the process was started without: otherwise the next files
    would get their descriptors, and receive printed text. Characters that standard output cannot
    encode are escaped."""
    for name, mode in _STREAMS:
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, os.O_RDWR), mode, closefd=False))
    out: Any = sys.stdout
    if isinstance(out, TextIOWrapper) and out.errors == "strict":
        cast(Any, out).reconfigure(errors="backslashreplace")


def _report_exception(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print a traceback for defects only."""
    if issubclass(kind, MemoryError):
        details = f": {error}" if str(error) else ""
        program = os.path.basename(sys.argv[0])
        print_requested(f"{program}: error: there is not enough memory{details}")
    elif not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
