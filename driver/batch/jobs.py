"""The jobs of a batch: one model each, with its output below the output folder."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ...formats.file_names import weights_beside
from ...frontends import frontends
from ...frontends.unsupported import check_supported
from ...targets import targets
from ...targets.output_checks import weights_beside_mlir
from ..errors import UsageError

Figures = Mapping[str, int | str | tuple[int, int]]
"""The results of a job by name: a number, a text, or numbers before and after."""

Status = Literal["done", "failed", "up to date", "not run"]


@dataclass(frozen=True)
class Job:
    """A model and the file to write."""

    path: str
    output: str
    name: str = ""
    """The path below the folder that the user named."""
    others: tuple[str, ...] = ()
    """The models that it is compared with."""
    options: tuple[str, ...] = ()
    """The options of this model, from a file of options."""


@dataclass(frozen=True)
class JobOutcome:
    """The result of a job."""

    status: Status
    messages: str = ""
    """The text on standard error."""
    figures: Figures = field(default_factory=dict[str, "int | str | tuple[int, int]"])
    seconds: float = 0.0
    lost: bool = False
    """Whether the process of the job ended without an outcome."""

    @property
    def failed(self) -> bool:
        """Whether the model has no up-to-date output because of an error."""
        return self.status == "failed"


def failure(command: str, job: Job, reason: str, lost: bool = False) -> JobOutcome:
    """Return the outcome of a job that fails. A reason that names the model stays as it is."""
    about = "" if job.path in reason else f"{job.path}: "
    return JobOutcome("failed", f"{command}: error: {about}{reason}", lost=lost)


def ending(status: int) -> str:
    """Return the end of a process with this exit status in words."""
    return f"killed by signal {-status}" if status < 0 else f"exit status {status}"


class FailedWithFigures(UsageError):
    """The failure of a model whose figures are known: the outputs of two models differ."""

    def __init__(self, reason: str, figures: Figures) -> None:
        super().__init__(reason)
        self.figures = figures


NOT_RUN, UP_TO_DATE = JobOutcome("not run"), JobOutcome("up to date")

Work = Callable[[Job], Figures]
"""Writes the output of a job. Raises one of `USER_ERRORS`."""


def plan(inputs: Sequence[str], folder: str, kind: str | None = None) -> list[Job]:
    """Return the job of each model, with an output of this kind, by default the model's. Models in
    a folder keep their places below it. Raises `UsageError` if two jobs would write the same file,
    or one would replace the model of another one."""
    jobs: list[Job] = []
    writers: dict[str, str] = {}
    seen: set[str] = set()
    for path, name in _models(inputs, folder):
        output = os.path.join(folder, _output_name(path, name, kind))
        beside = weights_beside_mlir if output.endswith(".mlir") else weights_beside
        weights = output if kind else beside(output)
        other = writers.setdefault(os.path.realpath(weights), path)
        if other != path or path in seen:
            both = f"'{other}' and '{path}'" if other != path else f"'{path}', given twice,"
            raise UsageError(f"{both} would both write '{weights}'")
        seen.add(path)
        jobs.append(Job(path, output, name))
    if not jobs:
        raise UsageError(f"there are no models in {', '.join(inputs)}: .param or .mlir")
    outputs = {os.path.realpath(job.output): job for job in jobs}
    for job in jobs:
        if (other_job := outputs.get(os.path.realpath(job.path), job)) is not job:
            raise UsageError(f"'{other_job.path}' would replace '{job.path}', which is read too")
    return jobs


def with_counterparts(jobs: Sequence[Job], folder: str) -> list[Job]:
    """Return the jobs with their counterparts below a folder: the models of the same name, or, for
    outputs of another kind, of the same stem."""
    found: list[Job] = []
    for job in jobs:
        stem = model_name(job.name)
        names = [job.name, *(f"{stem}.{kind}" for kind in ("param", "param.bin", "mlir"))]
        paths = [os.path.join(folder, name) for name in names]
        other = next((path for path in paths if os.path.isfile(path)), paths[0])
        found.append(replace(job, others=(other,)))
    return found


def model_name(path: str) -> str | None:
    """Return a path without its ending, by which models of other kinds are its counterparts; `None`
    for a file that is no model by its name."""
    kind = _kind_of(os.path.basename(path))
    return None if kind is None else path.removesuffix(f".{kind}")


def _models(inputs: Sequence[str], folder: str) -> Iterator[tuple[str, str]]:
    """Yield the path of each model, and its path below the folder that the user named."""
    for path in inputs:
        if os.path.isdir(path):
            yield from _models_below(path, os.path.realpath(folder))
        else:
            yield path, os.path.basename(path)


def _models_below(root: str, excluded: str) -> Iterator[tuple[str, str]]:
    """Yield the models in a folder and its subfolders, except hidden and `excluded` ones. Of files
    with the same stem only one is a model: the `.param`, the `.param.bin`, or the `.mlir`."""
    for folder, below, names in os.walk(root):
        below[:] = sorted(
            name
            for name in below
            if not name.startswith(".") and os.path.realpath(os.path.join(folder, name)) != excluded
        )
        for name in sorted(names):
            kind = _kind_of(name)
            if kind is None or kind == "pnnx.param" or name.startswith("."):
                continue
            stem = name.removesuffix(f".{kind}")
            preferred = ("param", "param.bin", "mlir")
            if any(f"{stem}.{k}" in names for k in preferred[: preferred.index(kind)]):
                continue
            path = os.path.join(folder, name)
            yield path, os.path.relpath(path, root)


def _kind_of(name: str) -> str | None:
    return next((k for k in frontends() if name.endswith(f".{k}") and name != f".{k}"), None)


def _output_name(path: str, name: str, wanted: str | None) -> str:
    """Return the path of a model's output below the output folder. Raises `UsageError` for a file
    that is no model by its name."""
    kind = _kind_of(os.path.basename(name))
    if kind is None:
        check_supported(path)
        if path.endswith(("/", os.sep)) and not os.path.exists(path):
            raise UsageError(f"there is no folder '{path.rstrip('/' + os.sep)}'")
        raise UsageError(f"what '{path}' is cannot be told from its name; .param or .mlir")
    if wanted is not None:
        return f"{name.removesuffix(kind)}{wanted}"
    if kind not in targets() or kind == "param.bin":  # whose names are numbers
        return f"{name.removesuffix(kind)}param"
    return name
