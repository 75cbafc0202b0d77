"""Running a batch: skip models that are up to date, process the others, record and summarize."""

import json
import os
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib.metadata import version

from ...targets.atomic_files import check_writable, write_file
from ...targets.output_checks import check_unread
from ..progress import ProgressBar
from .jobs import NOT_RUN, UP_TO_DATE, Job, JobOutcome, Work, failure
from .manifest import BatchManifest
from .processes import run_jobs
from .summary import BatchSummary, check_kind


@dataclass(frozen=True)
class Batch:
    """The options of a batch."""

    command: str
    jobs: Sequence[Job]
    folder: str
    options: Sequence[str]
    """The options for each model."""
    at_once: int = 1
    resume: bool = False
    keep_going: bool = True
    summary: str | None = None
    """The file of the summary."""
    kind: str | None = None
    """The kind of outputs, if the command can write several."""
    scheduler: str | None = None
    """The address of a dask.distributed scheduler."""
    keeps_outputs: bool = True
    """Whether the folder stays."""
    refused: Mapping[Job, str] = field(default_factory=dict[Job, str])
    """The models whose own options are mistakes, with the reasons. They fail without a process."""

    @property
    def index(self) -> str | None:
        """The page that links the pages of all models, unless it would replace one of them."""
        path = os.path.join(self.folder, "index.html")
        is_taken = any(os.path.realpath(job.output) == os.path.realpath(path) for job in self.jobs)
        return path if self.kind == "html" and self.keeps_outputs and not is_taken else None

    def check(self) -> None:
        """Raise one of `USER_ERRORS` if the summary or the folder cannot be written."""
        if self.summary is not None:
            check_kind(self.summary)
            check_unread(self.summary, [job.path for job in self.jobs])
        os.makedirs(self.folder, exist_ok=True)
        if self.summary is not None:  # it may be in the folder
            check_writable(self.summary)


def run_batch(batch: Batch, work: Work, bar: ProgressBar) -> BatchSummary:
    """Run a batch and write its summary, also if the user interrupts it."""
    start, release = time.monotonic(), version("ncnn-opt")
    outcomes: dict[Job, JobOutcome] = {}
    manifest = BatchManifest(batch.folder, batch.command, release, batch.options)
    for job in batch.jobs if batch.resume else ():
        if job not in batch.refused and manifest.is_current(job):
            outcomes[job] = replace(UP_TO_DATE, figures=manifest.figures(job))
            bar.step()
    refused = [job for job in batch.jobs if job in batch.refused]
    pending = [job for job in batch.jobs if job not in outcomes and job not in batch.refused]
    for folder in {os.path.dirname(job.output): None for job in pending}:
        os.makedirs(folder or ".", exist_ok=True)
    states = {job: manifest.states(job) for job in pending}
    for job in refused:
        outcomes[job] = failure(batch.command, job, batch.refused[job])
        bar.say(outcomes[job].messages)
        bar.step()
    try:
        with closing(_results(batch, pending, work)) as results:
            for job, outcome in results:
                outcomes[job] = outcome
                if outcome.status == "done":
                    manifest.add(job, states[job], outcome.figures)
                if outcome.messages:
                    bar.say(heading(job, batch.options, outcome) + outcome.messages.rstrip("\n"))
                bar.step()
                if outcome.failed and not batch.keep_going:
                    break
        manifest.compact()
    finally:
        found = {job: outcomes.get(job, NOT_RUN) for job in batch.jobs}
        seconds = time.monotonic() - start
        summary = BatchSummary(
            batch.command, release, batch.options, found, seconds, batch.keeps_outputs
        )
        if batch.summary is not None:
            write_file(batch.summary, summary.render(batch.summary))
        if batch.index is not None:
            write_file(batch.index, summary.render(batch.index))
    return summary


def _results(batch: Batch, jobs: Sequence[Job], work: Work) -> Generator[tuple[Job, JobOutcome]]:
    """Yield each job when it ends, on this machine or on a cluster."""
    if batch.scheduler is None or not jobs:
        return run_jobs(batch.command, jobs, work, batch.at_once)
    from .scheduled import run_scheduled

    kind = [] if batch.kind is None else ["--output-kind", batch.kind]
    return run_scheduled(batch.scheduler, batch.command, jobs, [*batch.options, *kind])


def heading(job: Job, options: Sequence[str], outcome: JobOutcome) -> str:
    """Return a line with the model's name before its messages, in the format of remarks."""
    if outcome.failed and outcome.messages.count("\n") <= 1:
        return ""
    if "--remarks=json" in options:
        return json.dumps({"model": job.path}) + "\n"
    return f"{job.path}:\n"
