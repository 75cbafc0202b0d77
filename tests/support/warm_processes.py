"""Processes of Python programs without the time that Python takes to start and to import them.

A program of this environment (`ncnn-opt`, `filecheck`) is forked off a process that has imported
what it may need, and run nothing of it. All else is as in a process that was started: memory,
standard streams, folder, environment, signals and exit status are its own, so nothing of one run
is left in the next. `WarmPopen` is a `subprocess.Popen` that does so where this comes to the same,
and starts the program where it does not: in an environment in which Python would find other
modules or encode text otherwise, and on systems without `fork`.
`warm_server.run` is the `subprocess.run` of processes that are not fit to be forked themselves.

Two things differ. A module is there that the program forgot to import, and the seed of hashes is
that of the process that forks. With `PROCESSES=new` in the environment every program is started.
"""

import atexit
import gc
import io
import json
import os
import runpy
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, distribution
from pathlib import Path
from typing import Any, NoReturn, TextIO, TypedDict, cast

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = Path(FOLDER).parents[1]
BIN = os.path.dirname(sys.executable)
DISTRIBUTIONS = ("ncnn-opt", "filecheck", "xdsl")
"""Whose programs are kept warm."""

WARM = os.environ.get("PROCESSES") != "new" and hasattr(os, "fork")

DECISIVE = ("PYTHON", "LC_", "LANG", "LD_", "DYLD_")
"""How the names of the variables begin on which it depends what Python is when it starts."""


class Interpreter(TypedDict):
    """What Python makes of its environment when it starts."""

    path: list[str]
    """`sys.path` behind the folder of the program."""
    streams: list[tuple[str, str, bool]]
    """How the standard streams are encoded, what becomes of what they cannot say, and whether they
    have no buffers."""
    added: dict[str, str]
    """What it adds to the environment: the locale that it takes in place of `C`."""
    rest: list[object]
    """What only a new process can have otherwise."""


DESCRIBE = """
import json, locale, os, sys
streams = sys.stdin, sys.stdout, sys.stderr
free = "dont_write_bytecode", "hash_randomization", "utf8_mode"
text = json.dumps({
    "path": sys.path[1:],
    "streams": [(s.encoding, s.errors, s.write_through) for s in streams],
    "added": {name: os.environ[name] for name in ("LC_CTYPE",) if name in os.environ},
    "rest": [
        [(n, getattr(sys.flags, n)) for n in sys.flags.__match_args__ if n not in free],
        sys.warnoptions,
        sorted((k, v) for k, v in os.environ.items() if k.startswith(("LD_", "DYLD_"))),
        sys.getfilesystemencoding().lower(),
        locale.getpreferredencoding(False).lower(),
    ],
})
"""
"""Makes the `text` of an `Interpreter`."""


class WarmPopen(subprocess.Popen[Any]):
    """A process with a program of this environment, or with any other."""

    def __init__(
        self,
        args: Sequence[str],
        *,
        executable: str | None = None,
        env: Mapping[str, str] | None = None,
        preexec_fn: Callable[[], None] | None = None,
        **options: Any,
    ) -> None:
        environment = dict(os.environ if env is None else env)
        program = Program.of([executable or args[0], *args[1:]])
        if program and (python := forked_python(decisive(environment))):
            # `Popen` calls this in the new process before `exec`, which it does not come to.
            preexec_fn = partial(program.run, environment, python, preexec_fn)
        super().__init__(args, executable=executable, env=env, preexec_fn=preexec_fn, **options)


def decisive(environment: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """The variables that decide what Python is when it starts, and those of the loader."""
    names = sorted(name for name in environment if name == "HOME" or name.startswith(DECISIVE))
    return tuple((name, environment[name]) for name in names)


@cache
def forked_python(environment: tuple[tuple[str, str], ...]) -> Interpreter | None:
    """What Python is when it starts in this environment; `None` if forks of this process would be
    something else."""
    if not WARM:
        return None
    if not all(map(os.path.isabs, dict(environment).get("PYTHONPATH", "/").split(os.pathsep))):
        return None  # depends on the folder
    warm_up()
    there = description(dict(environment))
    here = description(None)
    elsewhere = ({*there["path"]} ^ {*here["path"]}) - {FOLDER}
    modules = {name.partition(".")[0] for name in sys.modules} - {"__main__"}
    if any(PathFinder.find_spec(name, [*elsewhere]) for name in modules):
        return None
    return there if there["rest"] == here["rest"] else None


def description(environment: dict[str, str] | None) -> Interpreter:
    """What Python is in this environment, or in this process."""
    if environment is None:
        told: dict[str, Any] = {}
        exec(DESCRIBE, told)
        return json.loads(told["text"])
    code = [sys.executable, "-c", f"{DESCRIBE}print(text)"]
    return json.loads(subprocess.run(code, env=environment, capture_output=True, check=True).stdout)


@cache
def warm_up() -> None:
    """Imports all that programs may need."""
    # As the commands do. The threads of NumPy would not be there after a fork.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name in (*modules(), *(script.module for script in scripts().values())):
        with suppress(Exception):  # is for the program to tell, if it needs the module
            import_module(name)
    # Nothing of this is garbage, and what nobody looks at the forks have in common.
    gc.collect()
    gc.freeze()


def modules() -> Iterator[str]:
    """The modules of the package."""
    for init in sorted(ROOT.glob("[a-z]*/__init__.py")):
        if init.parent.name == "benchmarks":
            continue
        for path in sorted(init.parent.rglob("*.py")):
            parts = [p for p in path.relative_to(ROOT).with_suffix("").parts if p != "__init__"]
            yield ".".join(parts if parts[0] == "ncnn_opt" else ["ncnn_opt", *parts])


@cache
def scripts() -> dict[str, EntryPoint]:
    """The programs by name."""
    entries = (entry for name in DISTRIBUTIONS for entry in distribution(name).entry_points)
    return {entry.name: entry for entry in entries if entry.group == "console_scripts"}


@dataclass(frozen=True)
class Program:
    """A program in Python with its arguments."""

    argv: list[str]
    main: Callable[[], object]

    @staticmethod
    def of(argv: list[str]) -> "Program | None":
        """That of a command: one of `scripts`, or a file that Python is to run."""
        folder, name = os.path.split(argv[0])
        if folder == BIN and name in scripts():
            return Program(argv, lambda: sys.exit(scripts()[name].load()()))
        if argv[0] == sys.executable and len(argv) > 1 and argv[1].endswith(".py"):
            return Program(argv[1:], lambda: runpy.run_path(argv[1], run_name="__main__"))
        return None

    def run(
        self,
        environment: dict[str, str],
        python: Interpreter,
        before: Callable[[], None] | None,
    ) -> NoReturn:
        """Runs the program in a process that was forked for it, up to the end of the process."""
        status = 1
        try:
            if before is not None:
                before()
            self._begin(environment, python)
            status = self._end(self._status())
        finally:
            os._exit(status)

    def _begin(self, environment: dict[str, str], python: Interpreter) -> None:
        """Makes the process one that has just started. The files of the one before it go first:
        then `Popen` there sees that this one runs."""
        for number in map(int, os.listdir("/dev/fd")):
            if number > 2:
                with suppress(OSError):
                    os.close(number)
        gc.enable()  # `Popen` has switched it off
        for name in ("SIGPIPE", "SIGXFSZ"):  # as Python does; `Popen` has undone it for `exec`
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.SIG_IGN)
        # What was to be done at the end of the process before is not for this one to do.
        cast(Any, atexit)._clear()
        finalize: Any = weakref.finalize
        finalize._registry.clear()
        finalize._registered_with_atexit = False
        os.environ.clear()
        os.environ.update(environment | python["added"])
        sys.argv[:] = self.argv
        sys.path[:] = [os.path.dirname(os.path.realpath(self.argv[0])), *python["path"]]
        for number, how in enumerate(python["streams"]):
            name = ("stdin", "stdout", "stderr")[number]
            stream = standard_stream(number, *how)
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)

    def _status(self) -> int:
        """Runs the program; returns the status with which its process is to end."""
        try:
            self.main()
        except SystemExit as e:
            if isinstance(e.code, int):
                return e.code & 0xFF
            if e.code is None:
                return 0
            print(e.code, file=sys.stderr)
            return 1
        except BaseException as e:
            sys.excepthook(type(e), e, e.__traceback__)
            return 1
        return 0

    def _end(self, status: int) -> int:
        """Does what Python does at the end of a process; returns its status."""
        cast(Any, threading)._shutdown()
        with suppress(Exception):
            cast(Any, atexit)._run_exitfuncs()
        with suppress(Exception):
            if sys.stderr is not None and not sys.stderr.closed:
                sys.stderr.flush()
        try:
            if sys.stdout is not None and not sys.stdout.closed:
                sys.stdout.flush()
        except Exception as e:
            with suppress(Exception):
                print(f"Exception ignored in: {sys.stdout!r}\n{e!r}", file=sys.stderr)
            return 120
        return status


def standard_stream(number: int, encoding: str, errors: str, unbuffered: bool) -> TextIO | None:
    """A stream as Python opens it when it starts: none for a file that is closed."""
    mode = "w" if number else "r"
    try:
        file: Any = io.FileIO(number, mode, closefd=False)
    except OSError:
        return None
    file.name = ("<stdin>", "<stdout>", "<stderr>")[number]
    if number == 0:
        buffer = io.BufferedReader(file)
    else:
        buffer = file if unbuffered else io.BufferedWriter(file)
    by_lines = not unbuffered and (number == 2 or file.isatty())
    stream: Any = io.TextIOWrapper(buffer, encoding, errors, None, by_lines, unbuffered)
    stream.mode = mode
    return stream
