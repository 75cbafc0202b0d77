"""Proofs of a run's rewrites: `--verify-rewrites` and `--certificate`.

`proofs/` decides whether a rewrite is correct. This file makes messages, records and files of
counterexamples from the decisions.
"""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import isclose
from typing import Any, cast

import numpy as np

from ..interpreters.errors import RunError
from ..proofs.counterexamples import counterexample, weights_of
from ..proofs.proof import Counterexample, Status
from ..proofs.recorder import RecordedRewrite
from ..targets import Output
from ..targets.atomic_files import OutputFiles, naming
from .model_files import write_model
from .replay import Replay

STATUSES = {Status.PROVEN: "proven", Status.APPROXIMATE: "approximate", Status.REFUTED: "refuted"}


class RewriteError(RunError):
    """A rewrite changes the outputs of the model."""


def status_of(step: RecordedRewrite) -> str:
    """Return the status of a step as in a certificate."""
    verdict = step.verdict
    return STATUSES.get(verdict.status, "checked" if verdict.checked else "unchecked")


def describe(step: RecordedRewrite) -> str:
    """Return the rule and the layers of a step."""
    rule = step.pass_name if step.pattern is None else f"{step.pass_name}, {step.pattern}"
    removed, created = (
        ", ".join(labels[:4]) or "nothing" for labels in (step.removed, step.created)
    )
    return f"{rule}: {removed} -> {created}"


def record_of(step: RecordedRewrite) -> dict[str, Any]:
    """Return a step as JSON data."""
    verdict = step.verdict
    return {
        "pass": step.pass_name,
        "pattern": step.pattern,
        "removed": list(step.removed),
        "created": list(step.created),
        "status": status_of(step),
        "method": verdict.method,
        "reason": verdict.reason,
        "laws": list(verdict.laws),
        "state": list(verdict.state),
        "error": verdict.error,
        "extents": [["x".join(map(str, shape)) for shape in each] for each in verdict.extents],
        "before": step.before,
        "after": step.after,
    }


@dataclass
class RewriteProofs:
    """The proofs of a run. A refuted rewrite ends the run with a `RewriteError`."""

    tell: Callable[[str], None]
    """Prints the steps that have no proof."""
    folder: str | None = None
    """The folder for a counterexample."""
    expected: Sequence[Any] | None = None
    """The steps of a certificate, which this run must repeat."""
    replay: Replay | None = None
    """Repeats each step in the ncnn runtime."""
    steps: list[RecordedRewrite] = field(default_factory=list[RecordedRewrite])

    def receive(self, step: RecordedRewrite) -> None:
        """Receive a step. Raises `RewriteError` for a refuted step, and one that a certificate does
        not have."""
        ground = step.verdict.ground
        step = replace(step, verdict=replace(step.verdict, ground=None))  # it holds whole models
        self.steps.append(step)
        if self.expected is not None:
            self.compare(step)
        if step.verdict.status is Status.REFUTED:
            raise RewriteError(self.refutation(step))
        if self.replay is not None and ground is not None:
            if found := self.replay.difference(ground):
                raise RewriteError(f"step {len(self.steps)} is wrong: {describe(step)}: {found}")
        if self.expected is None and status_of(step) in ("checked", "unchecked"):
            self.tell(f"{status_of(step)} only: {describe(step)} ({step.verdict.reason})")

    def summary(self) -> str:
        """Return the number of steps by status."""
        counts = count(map(status_of, self.steps))
        parts = [f"{number} {status}" for status, number in counts.items()]
        replayed = f"; {self.replay.done} repeated in the ncnn runtime" if self.replay else ""
        return f"{number_of(len(self.steps), 'rewrite')}: {', '.join(parts) or 'none'}{replayed}"

    # -- refutation

    def refutation(self, step: RecordedRewrite) -> str:
        """Return the message for a refuted step, and write its counterexample."""
        lines = [f"rewrite {len(self.steps)} is wrong: {describe(step)}", *refutation_of(step)]
        if step.verdict.difference is None:
            pass
        elif self.folder is None:
            lines.append("  --counterexample DIR writes both models and the inputs")
        else:
            write_counterexample(counterexample_of(step), self.folder)
            lines.append(f"  '{self.folder}' has both models and the inputs")
        return "\n".join(lines)

    # -- certificate

    def compare(self, step: RecordedRewrite) -> None:
        """Compare a step with the step of the certificate. Raises `RewriteError`."""
        assert self.expected is not None
        number = len(self.steps)
        if number > len(self.expected):
            raise RewriteError(f"step {number} is missing in the certificate: {describe(step)}")
        record, own = self.expected[number - 1], record_of(step)
        if not isinstance(record, dict) or cast(Any, record).keys() != own.keys():
            raise RewriteError(f"step {number} of the certificate fails: it has other fields")
        for key, value in own.items():
            other = cast(Any, record)[key]
            if key == "error" and isinstance(other, float | int):
                if isclose(value, other, rel_tol=0.5, abs_tol=1e-9):
                    continue
            elif other == value:
                continue
            raise RewriteError(
                f"step {number} of the certificate fails: {describe(step)} has {key} "
                f"{json.dumps(value)}, not {json.dumps(other)}"
            )


def count(statuses: Any) -> dict[str, int]:
    """Return the number of steps by status."""
    found = list(statuses)
    order = (*STATUSES.values(), "checked", "unchecked")
    return {status: found.count(status) for status in order if status in found}


def number_of(number: int, noun: str) -> str:
    """Return a number with a noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def counterexample_of(step: RecordedRewrite) -> Counterexample:
    """Return the counterexample to a refuted step."""
    assert step.verdict.difference is not None  # the interface is the same
    return counterexample(step.verdict.difference)


def refutation_of(step: RecordedRewrite) -> list[str]:
    """Return the lines about a refuted step."""
    if step.verdict.difference is None:
        return [f"  the interface of the model changes: {step.verdict.reason}"]
    return describe_counterexample(counterexample_of(step))


def describe_counterexample(found: Counterexample) -> list[str]:
    """Return lines with the inputs, the weights, both results, and where they differ most."""
    lines = [
        f"  input in{i} of the rewritten layers: {_array(x)}" for i, x in enumerate(found.inputs)
    ]
    lines += [f"  weight of {label}: {_array(x)}" for label, x in weights_of(found.models[0])]
    before, after = found.outputs
    lines += [f"  output before: {_array(before)}", f"  output after:  {_array(after)}"]
    place = found.difference()
    return [*lines, f"  they differ most at {place}"] if place else lines


def _array(x: Any) -> str:
    shape = "x".join(map(str, x.shape))
    values = np.asarray(x, "f8").reshape(-1)
    shown = " ".join(f"{value:.6g}" for value in values[:6])
    return f"{shape} [{shown}{' …' if values.size > 6 else ''}]"


def write_counterexample(found: Counterexample, folder: str) -> None:
    """Write the models (`before.param`, `after.param`) with the inputs and outputs (`.npy`)."""
    os.makedirs(folder, exist_ok=True)
    for name, module in zip(("before", "after"), found.models, strict=True):
        write_model(module, Output(os.path.join(folder, f"{name}.param")))
    arrays = {f"in{i}": x for i, x in enumerate(found.inputs)}
    arrays |= dict(zip(("out_before", "out_after"), found.outputs, strict=True))
    for name, array in arrays.items():
        path = os.path.join(folder, f"{name}.npy")
        with naming(path), OutputFiles() as files:
            np.save(files.create(path, "wb"), array.astype("f4"))
