"""A process that runs programs in warm processes for this one, which has run too much itself."""

import atexit
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import PurePath
from types import NoneType
from typing import Any, cast

from warm_processes import WARM, WarmPopen

Completed = subprocess.CompletedProcess[Any]

start = cast(Callable[..., Completed], subprocess.run)

PLAIN = (NoneType, bool, int, float, str, bytes, PurePath, dict, partial)
"""What another process can be told: no open file, and of functions calls of those of Python."""


def run(args: Sequence[str], **options: Any) -> Completed:
    """As `subprocess.run`."""
    if not WARM or not all(isinstance(option, PLAIN) for option in options.values()):
        return start(args, **options)
    return _server().run(args, {"cwd": os.getcwd(), "env": dict(os.environ), **options})


@cache
def _server() -> "_Server":
    server = _Server()
    atexit.register(server.stop)
    return server


class _Server:
    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([sys.executable, __file__], stdin=pipe, stdout=pipe)

    def run(self, args: Sequence[str], options: Mapping[str, Any]) -> Completed:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump((args, options), process.stdin)
        process.stdin.flush()
        result: Completed | Exception = pickle.load(process.stdout)
        if isinstance(result, Exception):
            raise result
        return result

    def stop(self) -> None:
        self._process.communicate()


def serve() -> None:
    """Answers requests on standard input until it ends."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    subprocess.Popen = WarmPopen
    while True:
        try:
            args, options = pickle.load(requests)
        except EOFError:
            return
        result: Completed | Exception
        try:
            result = start(args, **options)
        except (OSError, subprocess.SubprocessError) as e:
            result = e
        pickle.dump(result, answers)
        answers.flush()


if __name__ == "__main__":
    serve()
