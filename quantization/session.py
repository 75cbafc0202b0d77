"""The processes that run models (see `worker.py`), one or several at once."""

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeVar

from ..interpreters.errors import RunError
from ..runtime.process import ask, describe_end, last_words

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class Session:
    """One process. Failures raise `RunError` with the reason."""

    def __init__(self) -> None:
        self._words = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ncnn_opt.quantization.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._words,
            start_new_session=True,  # Ctrl-C goes to the parent, which ends it
            # There is a process for each CPU. NumPy's threads would only wait, and use their time.
            env={"OPENBLAS_NUM_THREADS": "1", **os.environ},
        )

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            self.kill()
        self.close()

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    def close(self) -> None:
        """Wait for the end of the idle process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):
            self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._words.close()

    def call(self, method: str, *arguments: object) -> Any:
        """Return the result of a method of `Worker`."""
        try:
            done, answer = ask(self._process, (method, arguments))
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            done, answer = False, describe_end(self._process.wait())
        if not done:
            raise RunError(answer + last_words(self._words))
        return answer


class Sessions:
    """Several processes that share work."""

    def __init__(self, jobs: int | None, items: int) -> None:
        """Start `jobs` processes, by default one for each CPU, but not more than there are items of
        work."""
        count = max(1, min(jobs or _cpus(), items))
        self.sessions = [Session() for _ in range(count)]
        self._threads = ThreadPoolExecutor(count)

    def __enter__(self) -> "Sessions":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            for session in self.sessions:
                session.kill()
        self._threads.shutdown(wait=True)
        for session in self.sessions:
            session.close()

    def call_all(self, method: str, *arguments: object) -> list[Any]:
        """Return the results of a method in all processes."""
        calls = [self._threads.submit(s.call, method, *arguments) for s in self.sessions]
        return [call.result() for call in calls]

    def map(
        self, work: Callable[[Session, _Item], _Result], items: Iterable[_Item]
    ) -> Iterator[tuple[_Item, _Result]]:
        """Yield each item with the result of `work`, in the order of completion. An item is taken
        from `items` when a process is free."""
        free = list(self.sessions)
        running: dict[Future[_Result], tuple[_Item, Session]] = {}
        pending = iter(items)
        while True:
            while free and (item := next(pending, _END)) is not _END:
                session = free.pop()
                running[self._threads.submit(work, session, item)] = (item, session)  # pyright: ignore
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                item, session = running.pop(done)
                free.append(session)
                yield item, done.result()


def _cpus() -> int:
    """Return the number of CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_END: Any = object()
