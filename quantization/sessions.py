"""The processes that run models (see `worker.py`), one or several at once.

The runtime works in other processes, so that a crash in it becomes a message, and samples are
computed in parallel.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Any, TypeVar

from ..runtime.process import Process

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def start() -> Process:
    """Return a process that answers the requests of a `Worker`."""
    # Ctrl-C goes to the parent, which ends the process. There is one for each CPU: NumPy's threads
    # would only wait, and use their time.
    env = {"OPENBLAS_NUM_THREADS": "1", **os.environ}
    return Process([sys.executable, "-P", "-m", "ncnn_opt.quantization.worker"], 0, env, True)


class Sessions:
    """Several processes that share work."""

    def __init__(self, jobs: int | None, items: int) -> None:
        """Start `jobs` processes, by default one for each CPU, but not more than there are items of
        work."""
        count = max(1, min(jobs or _cpus(), items))
        self.sessions = [start() for _ in range(count)]
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
        self, work: Callable[[Process, _Item], _Result], items: Iterable[_Item]
    ) -> Iterator[tuple[_Item, _Result]]:
        """Yield each item with the result of `work`, in the order of completion. An item is taken
        from `items` when a process is free."""
        free = list(self.sessions)
        running: dict[Future[_Result], tuple[_Item, Process]] = {}
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
