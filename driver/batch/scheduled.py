"""A batch over a dask.distributed scheduler: each model is one task.

Models are read and outputs are written on this machine; workers need ncnn-opt, but no files. A
worker runs the ordinary command in a process of its own. If a worker is lost, the scheduler moves
its tasks to others; if the process on a worker is lost (out of memory), another worker retries.
Models that are measured on devices go to the workers beside these (`device_places.py`).
"""

import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ...formats.file_names import weights_beside
from ...runtime.scheduler import asking, begin, connected
from ...targets.atomic_files import OutputFiles
from ...targets.output_checks import weights_beside_mlir
from ..errors import describe
from .device_places import Anywhere, DevicePlaces, Place, split_devices
from .jobs import Figures, Job, JobOutcome, ending, failure

RETRIES = 2
"""The number of further workers that try a model after its process was lost."""

FETCHING = 10.0
"""The time in seconds for a result to arrive, before the first look at its worker."""

_MAIN = "import sys; from importlib import import_module; import_module(sys.argv.pop(1)).main()"
_MODEL, _COUNTERPART, _RESULT, _SUMMARY = "model", "counterpart", "result", "summary.json"

FileContents = dict[str, bytes]
"""The contents of files by name."""


class SentModel(NamedTuple):
    """A model with its weights, on its way to a worker."""

    name: str
    """The name of its graph's file."""
    files: FileContents


class Answer(NamedTuple):
    """The result of a task."""

    files: FileContents
    facts: Mapping[str, Any]
    """The model's row in the summary of the worker's command."""
    lost: str = ""
    """The way in which the command ended early."""
    worker: str = ""


def run_scheduled(
    address: str, command: str, jobs: Sequence[Job], options: Sequence[str]
) -> Generator[tuple[Job, JobOutcome]]:
    """Run a command on each model over the scheduler at this address. Yield each job when it ends.
    With devices (`--on-device`) each model has one of them, and a worker beside it. Raises
    `RunError` if there is no scheduler, it has no workers, or none of them carries a device."""
    module = f"{__name__.partition('.')[0]}.tools.{command.replace('-', '_')}_main"
    devices, options = split_devices(options)
    with connected(address) as client:
        with asking(address):
            _, running = begin(client, address)
            places = DevicePlaces(client, address, devices) if devices else Anywhere(client)
        pending: list[tuple[Job, Sequence[str]]] = [(job, ()) for job in reversed(jobs)]
        tasks: dict[Any, tuple[Job, Sequence[str], Place]] = {}
        while pending or tasks:
            taken = [place for _, _, place in tasks.values()]
            while pending and (place := places.free(taken, pending[-1][1])) is not None:
                job, tried = pending.pop()
                models: list[SentModel] = []
                try:
                    for path in (job.path, *job.others):
                        models.append(SentModel(os.path.basename(path), _read(path)))
                except OSError as e:
                    failed = (job.path, *job.others)[len(models)]
                    yield job, failure(command, job, describe(e, failed))
                    continue
                given = [*job.options, *options, *place.options]
                task = client.submit(run_model, module, given, models, pure=False, **place.keywords)
                tasks[task] = job, tried, place
                taken.append(place)
                running.add(task)
            if not places.wait(running, bool(tasks)):
                for task in [t for t, (_, _, place) in tasks.items() if places.has_lost(place)]:
                    job, tried, _ = tasks.pop(task)
                    pending.append((job, tried))
                    task.cancel()
                if not tasks and places.are_gone:
                    for job, _ in reversed(pending):
                        yield job, failure(command, job, places.reason)
                    return
                continue
            task = next(running)
            if task not in tasks:  # cancelled
                continue
            job, tried, place = tasks.pop(task)
            try:
                answer = _result_of(task, place, places)
            except Exception as e:  # a worker's exception, or the loss of several workers
                yield job, failure(command, job, (str(e) or type(e).__name__).splitlines()[0])
                continue
            if answer is None:
                pending.append((job, tried))
                continue
            if answer.lost and len(tried) < RETRIES:
                pending.append((job, [*tried, answer.worker]))
                continue
            yield job, _outcome_of(command, job, answer)


def _result_of(task: Any, place: Place, places: Anywhere | DevicePlaces) -> Answer | None:
    """Return the result of a finished task; `None` if its place is lost before the result is here.
    Raise the exception of the task."""
    seconds = FETCHING
    while True:
        try:
            return task.result(timeout=seconds)
        except TimeoutError:
            if task.status == "error":
                raise
        places.look()
        if places.has_lost(place):
            task.cancel()
            return None
        seconds *= 2  # the result may be large


def _outcome_of(command: str, job: Job, answer: Answer) -> JobOutcome:
    """Write the files of a task, and return its outcome."""
    if answer.lost:
        return failure(command, job, f"its process ended early ({answer.lost})")
    facts = dict(answer.facts)
    model, output = facts.pop("model", ""), facts.pop("output", "")
    messages = str(facts.pop("message", "")).replace(output, job.output).replace(model, job.path)
    status, seconds = facts.pop("status", "failed"), float(facts.pop("seconds", 0.0))
    figures: Figures = {
        name: value if isinstance(value, int | str) else (value["before"], value["after"])
        for name, value in facts.items()
    }
    if status == "done":
        folder = os.path.dirname(job.output)
        try:
            with OutputFiles() as files:  # the graph is created last (see `OutputFiles`)
                graph = os.path.basename(job.output)
                for name in sorted(answer.files, key=lambda name: name == graph):
                    files.create(os.path.join(folder, name), "wb").write(answer.files[name])
        except OSError as e:
            return failure(command, job, describe(e, job.output))
    return JobOutcome("done" if status == "done" else "failed", messages, figures, seconds)


def _read(path: str) -> FileContents:
    """Return the files of a model. Raises `OSError`."""
    found = {os.path.basename(path): Path(path).read_bytes()}
    for beside in {weights_beside(path), weights_beside_mlir(path)}:
        with suppress(FileNotFoundError, IsADirectoryError):
            found[os.path.basename(beside)] = Path(beside).read_bytes()
    return found


def run_model(module: str, options: Sequence[str], models: Sequence[SentModel]) -> Answer:
    """Run a command for one model on this worker; for a model and its counterpart if there are
    two."""
    with tempfile.TemporaryDirectory(prefix="ncnn-opt-") as folder:
        places = [Path(folder, each) for each in (_MODEL, _COUNTERPART)][: len(models)]
        for place, model in zip(places, models, strict=True):
            place.mkdir()
            for name, content in model.files.items():
                (place / name).write_bytes(content)
        if module.endswith("ncnn_compile_main"):
            options = [*options, "--copy-weights"]  # the model's own file stays on the worker
        read = [place.name for place in places] if models[1:] else [f"{_MODEL}/{models[0].name}"]
        arguments = ["--output-dir", _RESULT, "--summary", _SUMMARY, "--", *read]
        done = subprocess.run(
            [sys.executable, "-c", _MAIN, module, *options, *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        worker = str(importlib.import_module("distributed").get_worker().address)
        try:
            facts = json.loads(Path(folder, _SUMMARY).read_text("utf-8"))["models"][0]
        except (OSError, ValueError, LookupError):
            words = done.stderr.decode(errors="replace").strip().splitlines()
            return Answer({}, {}, ": ".join([ending(done.returncode), *words[-1:]]), worker)
        if facts.pop("lost", False):
            return Answer({}, {}, facts["message"].rpartition("(")[2].rstrip(")"), worker)
        below = Path(folder, _RESULT)
        found = (p for p in below.iterdir() if p.is_file() and not p.name.startswith("."))
        return Answer({p.name: p.read_bytes() for p in found}, facts, "", worker)
