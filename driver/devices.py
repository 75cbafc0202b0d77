"""Models on devices: latency there, and outputs there compared with the reference here."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.function import output_names
from ..dialects.ncnn.lookup import model_of
from ..formats.columns import aligned, printable
from ..interpreters.run import run
from ..runtime.devices.address import parse_address
from ..runtime.devices.measurements import (
    DeviceMeasurement,
    DeviceModel,
    MeasuringOptions,
    measure,
    with_session,
)
from ..runtime.devices.session import Say, silent
from ..runtime.devices.workers import measure_over
from ..runtime.differences import relative_error
from ..runtime.latency import layer_lines
from ..runtime.trial_shapes import random_inputs, take_shapes
from .latency import timed_model
from .model_files import InputModel

Blobs = Mapping[str, NDArray[Any]]

TOLERANCE = 0.05
"""The default for the largest accepted error, relative to an output's largest value: a device may
compute in float16, which has 11 bits, and errors of layers add up."""
WORSE = 2.0
"""An error above the tolerance is accepted if it is at most this many times the original's."""


@dataclass(frozen=True)
class OnDevice:
    """One or two models on a device."""

    measured: DeviceMeasurement
    errors: Sequence[float]
    """The largest error of each model's outputs, relative to the output's largest value."""
    tolerance: float

    @property
    def agrees(self) -> bool:
        """Whether the outputs of the last model there agree with the reference here, or are about
        as precise as those of the original there."""
        *original, last = self.errors
        return last <= max([self.tolerance, *(WORSE * error for error in original)])


def run_on_devices(
    sources: Sequence[InputModel],
    inputs: Blobs,
    addresses: Sequence[str],
    plan: MeasuringOptions,
    tolerance: float = TOLERANCE,
    say: Say = silent,
    scheduler: str | None = None,
) -> list[OnDevice]:
    """Measure one model, or two in turn, on each device, and compare their outputs there with the
    reference semantics here. The workers of a `scheduler` measure all devices at the same time.
    Raise `RunError`, and the errors of writing a model."""
    devices = [parse_address(text) for text in addresses]
    with ExitStack() as stack:
        timed = [timed_model(source, inputs, stack) for source in sources]
        models = [
            DeviceModel(source.path, Path(each.param), Path(each.weights), each.layers)
            for source, each in zip(sources, timed, strict=True)
        ]
        expected = reference(sources[0].module, inputs)
        fed = {name: value for each in timed for name, value in each.inputs.items()}
        if scheduler is not None:
            everything = measure_over(scheduler, models, fed, devices, plan)
        else:
            everything = [
                with_session(address, lambda s: measure(s, models, fed, plan), say)
                for address in devices
            ]
    return [
        OnDevice(found, [error_of(expected, outputs) for outputs in found.outputs], tolerance)
        for found in everything
    ]


def measured_lines(
    sources: Sequence[InputModel], addresses: Sequence[str], say: Say = silent
) -> list[str]:
    """Measure one model, or two in turn, on each device, on random inputs. Return the figures as
    lines of text. Raise `RunError`, and the errors of writing a model."""
    inputs, words = random_inputs(model_of(sources[0].module), 0)
    for source in sources:
        take_shapes(model_of(source.module), inputs)
    found = run_on_devices(sources, inputs, addresses, MeasuringOptions(by_layer=True), say=say)
    return [line for line in [*lines_of(found), f"measured with {words}"] if line]


def reference(module: ModuleOp, inputs: Blobs) -> Blobs:
    """Return the outputs of a model by the reference semantics. Raise `RunError`."""
    func = model_of(module)
    return run(func, inputs, output_names(func))


def error_of(expected: Blobs, actual: Blobs) -> float:
    """Return the largest error of the expected outputs, infinite if one is missing. Outputs without
    a finite expected value do not count."""
    errors = [
        relative_error(value, actual[name]) if name in actual else float("inf")
        for name, value in expected.items()
        if np.isfinite(value).any() or not value.size
    ]
    return max(errors, default=0.0)


def lines_of(results: Sequence[OnDevice]) -> list[str]:
    """Return measurements as text: a column for each device, then the comparisons."""
    names = results[0].measured.names
    rows: list[list[str]] = [["", *(str(each.measured.address) for each in results)]]
    for i, name in enumerate(names):
        rows.append([f"median ms of {name}", *(f"{r.measured.medians[i]:.3f}" for r in results)])
    if len(names) == 2:
        rows.append(["ratio", *(str(each.measured.ratio) for each in results)])
    for i, name in enumerate(names):
        rows.append([f"error of {name}", *(f"{each.errors[i]:.2g}" for each in results)])
    lines = columns(rows)
    for each in results:
        found = each.measured
        if found.ratio is not None:
            lines.append(f"{found.address}: {found.ratio.sentence(*names)}")
        lines.append(f"{found.address}: {found.conditions()}")
        if not each.agrees:
            lines.append(
                f"{found.address}: the outputs of {names[-1]} there differ from the reference here "
                f"by {each.errors[-1]:.2g}, limit {each.tolerance:g}"
            )
    for each in results:
        for name, layers in zip(names, each.measured.layers, strict=False):
            lines += layer_lines(f"{name} on {each.measured.address}", layers)
    return lines


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table as lines of text."""
    return aligned([[printable(cell) for cell in row] for row in rows], len(rows[0]))
