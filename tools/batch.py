"""Many models in one command: `ncnn-opt -O a.param b.param --output-dir OUT --jobs 4`.

Each model is optimized in a process of its own, so that one which fails, or takes too much memory,
leaves the others alone.
"""

import json
import os
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass, replace
from io import StringIO
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from shutil import get_terminal_size

from ..dialects.ncnn import BY_TYPE
from ..driver.errors import USER_ERRORS, UsageError, describe
from ..driver.files import Change
from ..formats.columns import columns_of, left_aligned, printable, truncated_suffix
from ..frontends import frontends
from ..frontends.unsupported import check_supported
from ..targets import targets
from .batch_arguments import BatchArguments
from .command_line import CommandLine
from .messages import print_result, quiet
from .optimizing import OneModel
from .process import end_in_order, held_back, let_through
from .progress import Bar

_SECONDS_TO_END = 10.0
"""How long a process may take to undo what it has begun when all of it ends."""


@dataclass(frozen=True)
class Job:
    """A model to optimize."""

    path: str
    output: str

    def command(self, common: Sequence[str]) -> CommandLine:
        """The command line for it alone, with the options that are for all. Raises `UsageError`
        and `OutputError`."""
        command = CommandLine.of([*common, "-o", self.output, "--", self.path])
        return command._replace(reading=replace(command.reading, custom_types_optional=True))


@dataclass(frozen=True)
class Outcome:
    """What came of a model."""

    failed: bool
    said: str
    """What went to standard error."""
    change: Change = Change()
    seconds: float = 0.0


def run_batch(arguments: Sequence[str]) -> int:
    """Runs a command line that has `--output-dir`; returns the exit status: 1 if a model failed.
    Raises `UsageError` before anything runs."""
    batch = BatchArguments.of(arguments)
    jobs = plan(batch.inputs, batch.folder)
    common = batch.common
    for job in jobs[:1]:  # the options are the same for all
        job.command(common)
    os.makedirs(batch.folder, exist_ok=True)
    for layer in BY_TYPE.values():
        layer.get_canonicalization_patterns()  # imported once, for all processes
    start = time.monotonic()
    outcomes: dict[Job, Outcome] = {}
    with Bar("optimizing", len(jobs)) as bar:
        for job, outcome in _outcomes(jobs, common, batch.jobs):
            outcomes[job] = outcome
            if outcome.said:
                bar.say(_heading(job, common, outcome) + outcome.said.rstrip("\n"))
            bar.step()
    width = get_terminal_size().columns if sys.stdout.isatty() else None
    print_result(table({job: outcomes[job] for job in jobs}, time.monotonic() - start, width))
    return int(any(outcome.failed for outcome in outcomes.values()))


def plan(inputs: Sequence[str], folder: str) -> list[Job]:
    """What each input becomes. Raises `UsageError` where two would write the same file."""
    if not inputs:
        raise UsageError("--output-dir needs models to optimize")
    writers: dict[str, str] = {}
    jobs: list[Job] = []
    for path in inputs:
        name = os.path.basename(path)
        kind = next((k for k in frontends() if name.endswith(f".{k}") and name != f".{k}"), None)
        if kind is None:
            check_supported(path)
            raise UsageError(f"what '{path}' is cannot be told from its name; .param or .mlir")
        output = os.path.join(folder, name)
        if kind not in targets() or kind == "param.bin":  # whose names are numbers
            output = f"{output.removesuffix(kind)}param"
        weights = f"{os.path.splitext(output)[0]}.bin"
        other = writers.setdefault(os.path.realpath(weights), path)
        if other != path or path in (j.path for j in jobs):
            both = f"'{other}' and '{path}'" if other != path else f"'{path}', given twice,"
            raise UsageError(f"{both} would both write '{weights}'")
        jobs.append(Job(path, output))
    outputs = {os.path.realpath(job.output): job for job in jobs}
    for job in jobs:
        if (other := outputs.get(os.path.realpath(job.path), job)) is not job:
            raise UsageError(f"'{other.path}' would replace '{job.path}', which is read too")
    return jobs


def _outcomes(
    jobs: Sequence[Job], common: Sequence[str], at_once: int
) -> Generator[tuple[Job, Outcome]]:
    """Runs the jobs, so many at once, and gives each as it ends."""
    # A fork costs next to nothing, but is safe on Linux only.
    context = get_context("fork") if sys.platform == "linux" else get_context("spawn")
    pending = deque(jobs)
    running: dict[Connection, tuple[Job, BaseProcess]] = {}
    try:
        while pending or running:
            while pending and len(running) < at_once:
                job = pending.popleft()
                receiver, sender = context.Pipe(duplex=False)
                process = context.Process(
                    target=_work, args=(job, list(common), sender), daemon=True
                )
                with held_back():
                    process.start()
                    running[receiver] = job, process
                sender.close()  # so that its end is seen when the process ends
            for receiver in wait(list(running)):
                assert isinstance(receiver, Connection)
                job, process = running.pop(receiver)
                try:
                    outcome: Outcome = receiver.recv()
                except (EOFError, OSError):  # it ended before its message, or in it
                    outcome = _died(job, process)
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


def _work(job: Job, common: list[str], sender: Connection) -> None:
    """Optimizes a model and sends what came of it."""
    # Ctrl-C goes to all processes at once, but it is the first one that ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_in_order()
    start = time.monotonic()
    said = StringIO()
    failed = True
    change = Change()
    with redirect_stderr(said):
        try:
            let_through()
            command = job.command(common)
            with quiet(command.args.quiet):
                change = OneModel(command).run()
            failed = False
        except USER_ERRORS as e:
            message = describe(e, job.path)
            about = "" if job.path in message else f"{job.path}: "
            print(f"ncnn-opt: error: {about}{message}", file=said)
        except MemoryError as e:
            details = f": {e}" if str(e) else ""
            print(f"ncnn-opt: error: {job.path}: not enough memory{details}", file=said)
        except (KeyboardInterrupt, SystemExit):
            os._exit(1)  # all of it ends
        except BaseException:
            print(traceback.format_exc(), file=said)
    with suppress(BrokenPipeError):  # nobody waits for it any more
        sender.send(Outcome(failed, said.getvalue(), change, time.monotonic() - start))


def _died(job: Job, process: BaseProcess) -> Outcome:
    """The outcome of a process that ended without a word."""
    process.join()
    code = process.exitcode or 0
    how = f"killed by signal {-code}" if code < 0 else f"exit status {code}"
    return Outcome(True, f"ncnn-opt: error: {job.path}: its process ended early ({how})")


def _heading(job: Job, common: Sequence[str], outcome: Outcome) -> str:
    """A line before what a model said that does not name it, in the form of remarks."""
    if outcome.failed and outcome.said.count("\n") <= 1:
        return ""
    if "--remarks=json" in common:
        return json.dumps({"model": job.path}) + "\n"
    return f"{job.path}:\n"


def table(outcomes: dict[Job, Outcome], seconds: float, width: int | None = None) -> str:
    """The summary: a line a model, and one for all. Long names of models lose their beginning where
    lines are to be no longer than `width`."""
    rows = [("model", "layers", "bytes of weights", "seconds")]
    for job, outcome in outcomes.items():
        if outcome.failed:
            rows.append((job.path, "failed", "", ""))
            continue
        before, after = outcome.change.before, outcome.change.after
        layers = weights = ""
        if before is not None and after is not None:
            layers = f"{before.layers:,} -> {after.layers:,}"
            weights = f"{before.weight_bytes:,} -> {after.weight_bytes:,}"
        rows.append((job.path, layers, weights, f"{outcome.seconds:.2f}"))
    rows = [(printable(row[0]), *row[1:]) for row in rows]
    widths = [max(columns_of(row[i]) for row in rows) for i in range(4)]
    if width is not None:
        widths[0] = min(widths[0], max(width - sum(widths[1:]) - 2 * len(widths[1:]), 16))
    lines = [
        "  ".join(
            [
                left_aligned(_end_of(row[0], widths[0]), widths[0]),
                *(c.rjust(w) for c, w in zip(row[1:], widths[1:])),
            ]
        )
        for row in rows
    ]
    failed = sum(outcome.failed for outcome in outcomes.values())
    told = f"{failed} failed" if failed else "none failed"
    many = "1 model" if len(outcomes) == 1 else f"{len(outcomes)} models"
    lines.append(f"{many} in {seconds:.1f} s, {told}")
    return "\n".join(line.rstrip() for line in lines)


def _end_of(text: str, width: int) -> str:
    return text if columns_of(text) <= width else "…" + truncated_suffix(text, width - 1)
