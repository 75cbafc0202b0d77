"""Jobs in processes of their own: a job that fails or exceeds the memory does not affect others."""

import os
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from ..errors import USER_ERRORS, describe
from ..signals import end_in_order, held_back, let_through
from .jobs import FailedWithFigures, Figures, Job, JobOutcome, Work, ending, failure

_SECONDS_TO_END = 10.0
"""The time for a process to remove unfinished files."""


def run_jobs(
    command: str, jobs: Sequence[Job], work: Work, at_once: int
) -> Generator[tuple[Job, JobOutcome]]:
    """Run `work` on each job, `at_once` jobs in parallel. Yield each job when it ends. Errors begin
    with the name of the command."""
    # A fork costs next to nothing, but is safe on Linux only.
    context = get_context("fork") if sys.platform == "linux" else get_context("spawn")
    pending = deque(jobs)
    running: dict[Connection, tuple[Job, BaseProcess]] = {}
    try:
        while pending or running:
            while pending and len(running) < at_once:
                job = pending.popleft()
                receiver, sender = context.Pipe(duplex=False)
                given = command, job, work, sender
                process = context.Process(target=_run_job, args=given, daemon=True)
                with held_back():
                    process.start()
                    running[receiver] = job, process
                sender.close()  # otherwise the receiver would not see the end of the process
            for receiver in wait(list(running)):
                assert isinstance(receiver, Connection)
                job, process = running.pop(receiver)
                try:
                    outcome: JobOutcome = receiver.recv()
                except (EOFError, OSError):  # it ended before or within its message
                    process.join()
                    how = ending(process.exitcode or 0)
                    outcome = failure(command, job, f"its process ended early ({how})", lost=True)
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


def _run_job(command: str, job: Job, work: Work, sender: Connection) -> None:
    """Run a job in this process, and send its outcome."""
    # Ctrl-C reaches all processes at once, but the first process ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_in_order()
    start = time.monotonic()
    messages = StringIO()
    failed = True
    figures: Figures = {}
    with redirect_stderr(messages), redirect_stdout(messages):
        try:
            let_through()
            figures = work(job)
            failed = False
        except USER_ERRORS as e:
            if isinstance(e, FailedWithFigures):
                figures = e.figures
            print(failure(command, job, describe(e, job.path)).messages, file=messages)
        except MemoryError as e:
            details = f": {e}" if str(e) else ""
            print(f"{command}: error: {job.path}: not enough memory{details}", file=messages)
        except (KeyboardInterrupt, SystemExit):
            os._exit(1)  # the whole command ends
        except BaseException:
            print(traceback.format_exc(), file=messages)
    status, seconds = "failed" if failed else "done", time.monotonic() - start
    with suppress(BrokenPipeError):  # the first process has ended
        sender.send(JobOutcome(status, messages.getvalue(), figures, seconds))
