"""The comparison of a model with the PyTorch model that it was converted from.

`differences.py` finds the first difference. This file continues behind it, so that one comparison
lists several.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...formats.columns import printable
from ...formats.displays import Displayed
from ...interpreters.errors import RunError
from ...interpreters.source.source_steps import Array, SourceModel, as_tensor
from ..differences import relative_error
from .blobs import BlobIndex, RunBlobs, run_all
from .comparison_text import lines_of
from .differences import OperatorDifference, first_difference, wrong_outputs
from .operand_values import OperandValues, Unknown, evaluate, outputs_of

TOLERANCE = 1e-3
"""The largest accepted error of a blob, relative to its largest value."""
MOST = 8
"""The number of differences that are looked for."""


@dataclass(repr=False)
class SourceAgreement(Displayed):
    """The result of a comparison. It is true if no operator differs and all outputs agree."""

    model: str
    source: str
    tolerance: float
    differences: Sequence[OperatorDifference] = ()
    """In order. Each begins at the model's blobs, so one fault gives one difference."""
    unknown: Sequence[Unknown] = ()
    """The operators that PyTorch does not compute."""
    lost_outputs: Sequence[str] = ()
    """The operands of outputs that are not compared."""
    compared: int = 0
    """The number of paired operands, without constants."""
    operands: int = 0
    """The number of operands with a value."""
    errors: Mapping[str, float] = field(default_factory=dict[str, float])
    """The error of each output of the whole model, by blob, with all rounding errors."""
    unrounded: Mapping[str, float] = field(default_factory=dict[str, float])
    """The same errors without the rounding of weights to float16; empty if no weight is rounded."""
    worst: float = 0.0
    """The largest error of a paired operand."""
    failure: str = ""
    """The reason why the model does not run to its end."""
    inputs: str = ""
    """The description of random inputs."""
    arrays: Mapping[str, Array] = field(default_factory=dict[str, Array], repr=False)
    """The blobs of `differences`, and those that their layers read."""

    def __bool__(self) -> bool:
        agrees = not self.differences and not self.lost_outputs and not self.failure
        return agrees and not self.wrong_outputs()

    def wrong_outputs(self) -> list[str]:
        """Return the outputs of the whole model with a larger error than accepted, unless weights
        are rounded to float16: a deep model amplifies the rounding, and each operator agrees."""
        if self.unrounded:
            return []
        return [name for name, error in self.errors.items() if not error <= self.tolerance]

    @property
    def layers(self) -> list[str]:
        """The labels of the layers at fault, in the order of the differences."""
        found = [layer.label for each in self.differences for layer in each.layers]
        return [*dict.fromkeys(found)]

    def __str__(self) -> str:
        """Return the first difference, and a summary."""
        return "\n".join(map(printable, lines_of(self)))

    def heading(self) -> str:
        """Return the verdict."""
        return [*lines_of(self)][-1]

    def table_rows(self) -> Sequence[Sequence[str]]:
        """Return the outputs of the whole model, with the largest error first."""
        found = sorted(self.errors.items(), key=lambda item: item[1], reverse=True)
        return [("output", "error"), *((name, f"{error:.3g}") for name, error in found)]


def compare_with_source(
    module: ModuleOp,
    path: str,
    inputs: Mapping[str, Array],
    source: SourceModel,
    exact: SourceModel,
    *,
    tolerance: float = TOLERANCE,
    engine: str = "numpy",
    files: tuple[str, str] | None = None,
) -> SourceAgreement:
    """Compare a model with its source model. `exact` is the source model with its own weights;
    `source` may have weights that are rounded as the model's are. Raises `RunError`."""
    blobs = run_all(module, inputs, engine, files)
    index = BlobIndex(blobs.values, tolerance)
    given = tensors_of(source, [blobs.values[name] for name in blobs.inputs], path)
    found, differences = _all_differences(source, blobs, index, given)
    result = SourceAgreement(path, source.origin, tolerance, differences, found.unknown)
    result.lost_outputs = [
        found.outputs[i] for i in wrong_outputs(found) if found.outputs[i] not in found.arrays
    ]
    result.failure = blobs.failure
    constants = {n for s in source.steps if not s.inputs for n in s.outputs}
    names = [n for n in found.arrays if n not in constants and n not in source.inputs]
    paired = [n for n in names if n in found.pairs]
    result.compared, result.operands = len(paired), len(names)
    result.worst = max((min(found.pairs[n].values()) for n in paired), default=0.0)
    result.errors = _output_errors(exact, blobs, given)
    if source is not exact:
        result.unrounded = _output_errors(source, blobs, given)
    used = [
        name for d in differences for name in (d.blob, *(n for x in d.layers for n in x.inputs))
    ]
    result.arrays = {n: blobs.values[n] for n in used if n is not None and n in blobs.values}
    return result


def _all_differences(
    source: SourceModel, blobs: RunBlobs, index: BlobIndex, inputs: Sequence[Any]
) -> tuple[OperandValues, list[OperatorDifference]]:
    """Return the differences, each behind the one before, and the last evaluation."""
    overrides: dict[str, Any] = {}
    differences: list[OperatorDifference] = []
    while True:
        found = evaluate(source, blobs, index, inputs, overrides)
        if len(differences) == MOST or not wrong_outputs(found):
            return found, differences
        difference = first_difference(found)
        if difference is None or difference.operand in overrides:
            return found, differences
        expected = found.arrays.get(difference.operand)
        differences.append(replace(difference, expected=expected))
        if difference.value is None:
            return found, differences
        overrides[difference.operand] = difference.value


def tensors_of(source: SourceModel, values: Sequence[Array], path: str) -> list[Any]:
    """Return a model's inputs as PyTorch's, with the axes of extent 1 that ncnn omits. Raises
    `RunError`."""
    if len(values) != len(source.inputs):
        raise RunError(
            f"{source.origin} has {len(source.inputs)} inputs, {path} has {len(values)}: this is "
            "not the model that it was converted from"
        )
    types = source.input_types or [(None, None)] * len(values)
    return [
        as_tensor(_with_batch(value, shape), dtype=dtype)
        for value, (shape, dtype) in zip(values, types, strict=True)
    ]


def _with_batch(value: Array, shape: tuple[int | None, ...] | None) -> Array:
    if shape is None:
        return value[None]
    if None not in shape and np.prod([n or 0 for n in shape]) == value.size:
        return value.reshape([n or 0 for n in shape])
    return value if len(shape) == value.ndim else value[None]


def _output_errors(exact: SourceModel, blobs: RunBlobs, inputs: Sequence[Any]) -> dict[str, float]:
    """Return the errors of the outputs, with PyTorch's own values in between."""
    arrays = outputs_of(exact, inputs).values()
    return {
        blob: output_error(array, blobs.values[blob])
        for array, blob in zip(arrays, blobs.outputs, strict=False)
        if array is not None and blob in blobs.values
    }


def output_error(expected: Array, actual: Array) -> float:
    """Return the error of an output whose blob has the same elements in other axes."""
    return relative_error(expected.reshape(-1), actual.reshape(-1))
