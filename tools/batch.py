"""Many models in one command: `ncnn-opt -O a.param b.param --output-dir OUT --jobs 4`.

Each model is optimized in a process of its own, so that one which fails, or takes too much memory,
leaves the others alone.
"""

import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from shutil import get_terminal_size

from ..dialects.ncnn import BY_TYPE
from ..driver.errors import UsageError
from ..driver.files import Change
from ..driver.optimizing import Optimizer
from ..driver.processes import Job, Outcome, run_jobs
from ..formats.columns import columns_of, left_aligned, printable, truncated_suffix
from ..frontends import frontends
from ..frontends.unsupported import check_supported
from ..targets import targets
from .batch_arguments import BatchArguments
from .command_line import CommandLine
from .console import StandardStreams
from .messages import print_result, quiet
from .progress import Bar


def command_of(common: Sequence[str], job: Job) -> CommandLine:
    """Return the command line of one model, with the options for all models. Raises `UsageError`
    and `OutputError`."""
    command = CommandLine.of([*common, "-o", job.output, "--", job.path])
    reading = replace(command.request.reading, custom_types_optional=True)
    return command._replace(request=replace(command.request, reading=reading))


def optimize_job(common: Sequence[str], job: Job) -> Change:
    """Optimize one model. Raises one of `USER_ERRORS`."""
    command = command_of(common, job)
    with quiet(command.quiet):
        return Optimizer(command.request, StandardStreams()).optimize()


def run_batch(arguments: Sequence[str]) -> int:
    """Run a command line with `--output-dir`. Return the exit status: 1 if a model failed. Raises
    `UsageError` before the first model."""
    batch = BatchArguments.of(arguments)
    jobs = plan(batch.inputs, batch.folder)
    common = batch.common
    for job in jobs[:1]:  # the options are the same for all
        command_of(common, job)
    os.makedirs(batch.folder, exist_ok=True)
    for layer in BY_TYPE.values():
        layer.get_canonicalization_patterns()  # imported once for all processes
    start = time.monotonic()
    outcomes: dict[Job, Outcome] = {}
    with Bar("optimizing", len(jobs)) as bar:
        for job, outcome in run_jobs(jobs, partial(optimize_job, list(common)), batch.jobs):
            outcomes[job] = outcome
            if outcome.messages:
                bar.say(_heading(job, common, outcome) + outcome.messages.rstrip("\n"))
            bar.step()
    width = get_terminal_size().columns if sys.stdout.isatty() else None
    print_result(table({job: outcomes[job] for job in jobs}, time.monotonic() - start, width))
    return int(any(outcome.failed for outcome in outcomes.values()))


def plan(inputs: Sequence[str], folder: str) -> list[Job]:
    """Return the job of each input. Raises `UsageError` if two jobs would write the same file."""
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


def _heading(job: Job, common: Sequence[str], outcome: Outcome) -> str:
    """Return a line with the model's name before its messages, in the format of remarks."""
    if outcome.failed and outcome.messages.count("\n") <= 1:
        return ""
    if "--remarks=json" in common:
        return json.dumps({"model": job.path}) + "\n"
    return f"{job.path}:\n"


def table(outcomes: dict[Job, Outcome], seconds: float, width: int | None = None) -> str:
    """Return the summary: a line per model, and a line for all. Long model names are cut at the
    beginning to keep lines within `width` columns."""
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
    models = "1 model" if len(outcomes) == 1 else f"{len(outcomes)} models"
    failures = f"{failed} failed" if failed else "none failed"
    lines.append(f"{models} in {seconds:.1f} s, {failures}")
    return "\n".join(line.rstrip() for line in lines)


def _end_of(text: str, width: int) -> str:
    return text if columns_of(text) <= width else "…" + truncated_suffix(text, width - 1)
