"""One input under the limits: which outcomes are right, and what one is that is not."""

import gc
import os
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import FrameType

import numpy as np

from .readers import accepted

SECONDS = 10
"""The longest that reading and optimizing an input may take."""

ROOMS = ("dialects", "formats", "frontends", "interpreters", "targets", "tools", "transforms")

SLACK = 64 << 20
FACTOR = 4
"""An input may take up to its size times the factor, and the slack."""

_PAGE = resource.getpagesize()


class TooSlow(BaseException):
    """Out of time. A `BaseException`, so that nothing on the way takes it for one of its own."""


@dataclass(frozen=True)
class Finding:
    """An outcome that must not be."""

    what: str
    """The exception and where it comes from: the same for the same defect, more or less."""
    details: str

    @property
    def slug(self) -> str:
        """A name for a file."""
        return re.sub(r"\W+", "-", self.what).strip("-")[:100]


def judge(reader: str, data: bytes) -> bool | Finding:
    """Whether an input is accepted, or what is wrong."""
    load_all()
    try:
        with limited(len(data)):
            return accepted(reader, data)
    except KeyboardInterrupt:
        raise
    except BaseException as e:
        gc.collect()
        return Finding(_describe(e), "".join(traceback.format_exception(e)[-30:]))


@cache
def load_all() -> None:
    """Has whatever is loaded when it is first needed: the first input shall not pay for it."""
    for room in ROOMS:
        package = import_module(f"ncnn_opt.{room}")
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    # NumPy's library of linear algebra gets its working memory, tens of MB, when it is first used.
    _ = np.ones((256, 256), np.float32) @ np.ones((256, 256), np.float32)


@contextmanager
def limited(size: int) -> Generator[None]:
    """Within the block there is no more time and memory than an input of that size may take."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = _address_space()
    bound = soft if used is None else used + SLACK + FACTOR * size
    # Of the processor: on a machine with other work the clock tells nothing. A file that has to be
    # waited for takes none, so the clock has a say too.
    before = signal.signal(signal.SIGPROF, _alarm), signal.signal(signal.SIGALRM, _alarm)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.setitimer(signal.ITIMER_REAL, 30 * SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGPROF, before[0])
        signal.signal(signal.SIGALRM, before[1])


def _alarm(number: int, frame: FrameType | None) -> None:
    raise TooSlow(f"more than {SECONDS} s")


def _address_space() -> int | None:
    """Bytes of the process's address space; `None` where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as f:
            return int(f.read().split()[0]) * _PAGE
    except FileNotFoundError:
        return None


def _describe(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "fuzz" not in f.filename]
    place = " < ".join(f"{os.path.basename(f.filename)}:{f.name}" for f in reversed(own[-3:]))
    message = str(error).splitlines()[0][:60] if str(error) else ""
    short = re.sub(r"\d+|'[^']*'", "_", message)
    return f"{type(error).__name__} {short} in {place}"


def main() -> None:
    """Judges the files named on the command line: `READER FILE …`."""
    reader, *paths = sys.argv[1:]
    for path in paths:
        with open(path, "rb") as f:
            data = f.read()
        start = time.perf_counter()
        result = judge(reader, data)
        seconds = time.perf_counter() - start
        print(f"{path}: {result if isinstance(result, bool) else result.what} ({seconds:.2f} s)")
        if isinstance(result, Finding):
            print(result.details)


if __name__ == "__main__":
    main()
