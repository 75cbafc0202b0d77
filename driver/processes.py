"""Jobs in processes of their own: a job that fails or exceeds the memory does not affect others."""

import os
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass
from io import StringIO
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from .errors import USER_ERRORS, describe
from .files import Change
from .signals import end_in_order, held_back, let_through

_SECONDS_TO_END = 10.0
"""The time for a process to remove unfinished files."""


@dataclass(frozen=True)
class Job:
    """A model to optimize."""

    path: str
    output: str


Work = Callable[[Job], Change]


@dataclass(frozen=True)
class Outcome:
    """The result of a job."""

    failed: bool
    messages: str
    """The text on standard error."""
    change: Change = Change()
    seconds: float = 0.0


def run_jobs(jobs: Sequence[Job], work: Work, at_once: int) -> Generator[tuple[Job, Outcome]]:
    """Run `work` on each job, `at_once` jobs in parallel. Yield each job when it ends."""
    # A fork costs next to nothing, but is safe on Linux only.
    context = get_context("fork") if sys.platform == "linux" else get_context("spawn")
    pending = deque(jobs)
    running: dict[Connection, tuple[Job, BaseProcess]] = {}
    try:
        while pending or running:
            while pending and len(running) < at_once:
                job = pending.popleft()
                receiver, sender = context.Pipe(duplex=False)
                process = context.Process(target=_run_job, args=(job, work, sender), daemon=True)
                with held_back():
                    process.start()
                    running[receiver] = job, process
                sender.close()  # otherwise the receiver would not see the end of the process
            for receiver in wait(list(running)):
                assert isinstance(receiver, Connection)
                job, process = running.pop(receiver)
                try:
                    outcome: Outcome = receiver.recv()
                except (EOFError, OSError):  # it ended before or within its message
                    outcome = _outcome_of_crash(job, process)
                receiver.close()
                process.join()
                yield job, outcome
    finally:
        for _, process in running.values():
            process.terminate()
        for _, process in running.values():
            process.join(_SECONDS_TO_END)
            if process.exitcode is None:
                process.kill()
                process.join()


def _run_job(job: Job, work: Work, sender: Connection) -> None:
    """Run a job in this process, and send its outcome."""
    # Ctrl-C reaches all processes at once, but the first process ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_in_order()
    start = time.monotonic()
    messages = StringIO()
    failed = True
    change = Change()
    with redirect_stderr(messages):
        try:
            let_through()
            change = work(job)
            failed = False
        except USER_ERRORS as e:
            message = describe(e, job.path)
            about = "" if job.path in message else f"{job.path}: "
            print(f"ncnn-opt: error: {about}{message}", file=messages)
        except MemoryError as e:
            details = f": {e}" if str(e) else ""
            print(f"ncnn-opt: error: {job.path}: not enough memory{details}", file=messages)
        except (KeyboardInterrupt, SystemExit):
            os._exit(1)  # the whole command ends
        except BaseException:
            print(traceback.format_exc(), file=messages)
    with suppress(BrokenPipeError):  # the first process has ended
        sender.send(Outcome(failed, messages.getvalue(), change, time.monotonic() - start))


def _outcome_of_crash(job: Job, process: BaseProcess) -> Outcome:
    """Return the outcome of a process that ended without a message."""
    process.join()
    code = process.exitcode or 0
    how = f"killed by signal {-code}" if code < 0 else f"exit status {code}"
    return Outcome(True, f"ncnn-opt: error: {job.path}: its process ended early ({how})")
