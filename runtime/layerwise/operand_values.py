"""The operands of a source model, computed from a model's blobs where these agree."""

import warnings
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...interpreters.source.source_steps import (
    Array,
    SourceModel,
    SourceStep,
    StepError,
    as_array,
    as_tensor,
    torch,
)
from ...interpreters.source.ties import stable_order
from .blobs import BlobIndex, RunBlobs

DEPTH = 6
"""The number of operators that a test of a value looks ahead."""
NEARBY = 5
"""The number of layers between the inputs and the result of an operator that is not computed."""


@dataclass
class Unknown:
    """An operator that PyTorch does not compute."""

    step: SourceStep
    reason: str
    blob: str | None = None
    """The blob whose value took the place of the result."""


@dataclass
class OperandValues:
    """The values of all operands."""

    source: SourceModel
    blobs: RunBlobs
    index: BlobIndex
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    """The values that later operators read: a paired blob's, else PyTorch's."""
    arrays: dict[str, Array] = field(default_factory=dict[str, Array])
    """PyTorch's values, computed from `values`."""
    pairs: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])
    """The blobs of an operand, and their errors."""
    lost: set[str] = field(default_factory=set[str])
    """Operands without a value: results of unknown operators, and all behind them."""
    unknown: list[Unknown] = field(default_factory=list[Unknown])

    def __post_init__(self) -> None:
        self.producer = {name: step for step in self.source.steps for name in step.outputs}
        self.users: dict[str, list[SourceStep]] = {}
        for step in self.source.steps:
            for name in dict.fromkeys(step.inputs):
                self.users.setdefault(name, []).append(step)
        self.outputs = _flat_outputs(self.source, self.producer)

    def paired_blobs(self) -> set[str]:
        """Return all blobs that belong to an operand."""
        return {name for pair in self.pairs.values() for name in pair}

    def put(self, name: str, value: Any) -> None:
        """Set an operand to a value, and pair it."""
        self.values[name] = value
        array = as_array(value)
        if array is None or array.ndim == 0:
            return
        self.arrays[name] = array
        found = self.index.find(array)
        if found:
            self.pairs[name] = found
            blob = self.index.values[next(iter(found))].reshape(array.shape)
            self.values[name] = as_tensor(blob, value)

    def continues(self, name: str, value: Any, known: Collection[str], depth: int = DEPTH) -> bool:
        """Whether the operators that read operand `name` give blobs that are not in `known`, if the
        operand has this value; for an output, whether the value is the model's output."""
        array = as_array(value)
        if array is None:
            return False
        if name in self.outputs:
            position = self.outputs.index(name)
            if position < len(self.blobs.outputs):
                return self.blobs.outputs[position] in self.index.find(array)
        for step in self.users.get(name, ()):
            inputs = {**self.values, name: value}
            if any(read not in inputs for read in step.inputs):
                continue
            try:
                results = compute(step, inputs)
            except StepError:
                continue
            for output, result in zip(step.outputs, results, strict=True):
                made = as_array(result)
                found = {} if made is None or made.ndim == 0 else self.index.find(made)
                if any(blob not in known for blob in found):
                    return True
                if depth and self.continues(output, result, known, depth - 1):
                    return True
        return False


def compute(step: SourceStep, values: Mapping[str, Any]) -> Sequence[Any]:
    """Return the results of a step. Raises `StepError`."""
    try:
        with torch.inference_mode(), stable_order(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # deprecated functions in PNNX's file
            return step.compute([values[name] for name in step.inputs])
    except StepError:
        raise
    except Exception as e:  # any argument from a file can fail inside PyTorch
        reason = str(e).strip().splitlines() or [type(e).__name__]
        raise StepError(reason[0]) from e


def outputs_of(source: SourceModel, inputs: Sequence[Any]) -> dict[str, Array | None]:
    """Return the outputs of a source model, in order, without the other operands. An output is
    `None` behind an operator that PyTorch does not compute."""
    producer = {name: step for step in source.steps for name in step.outputs}
    outputs = _flat_outputs(source, producer)
    uses = Counter([*outputs, *(name for step in source.steps for name in {*step.inputs})])
    values: dict[str, Any] = dict(zip(source.inputs, inputs, strict=True))
    for step in source.steps:
        if all(name in values for name in step.inputs):
            with suppress(StepError):
                made = zip(step.outputs, compute(step, values), strict=True)
                values |= {name: value for name, value in made if uses[name]}
        for name in {*step.inputs}:
            uses[name] -= 1
            if not uses[name]:
                values.pop(name, None)
    return {name: as_array(values.get(name)) for name in outputs}


def evaluate(
    source: SourceModel,
    blobs: RunBlobs,
    index: BlobIndex,
    inputs: Sequence[Any],
    overrides: Mapping[str, Any],
) -> OperandValues:
    """Compute all operands. `overrides` are the values of operands that are not computed."""
    found = OperandValues(source, blobs, index)
    for name, value in zip(source.inputs, inputs, strict=True):
        found.put(name, value)
    for step in source.steps:
        if any(name in found.lost for name in step.inputs):
            found.lost.update(n for n in step.outputs if n not in overrides)
        else:
            _evaluate_step(found, step, overrides)
        for name in step.outputs:
            if name in overrides:
                found.put(name, overrides[name])
                found.lost.discard(name)
    return found


def _evaluate_step(found: OperandValues, step: SourceStep, overrides: Mapping[str, Any]) -> None:
    if all(name in overrides for name in step.outputs):
        return
    try:
        results = compute(step, found.values)
    except StepError as e:
        unknown = Unknown(step, str(e))
        found.unknown.append(unknown)
        for name in step.outputs:
            _replace(found, unknown, name)
        return
    for name, value in zip(step.outputs, results, strict=True):
        found.put(name, value)


def _replace(found: OperandValues, unknown: Unknown, name: str) -> None:
    """Take a blob's value for the result of an operator that is not computed."""
    step = unknown.step
    shape = step.shapes.get(name)
    known = found.paired_blobs()
    for blob in blobs_behind(found, step.inputs):
        value = found.index.values.get(blob)
        if value is None or blob in known or (shape and value.size != int(np.prod(shape))):
            continue
        wide = value.reshape(shape or (1, *value.shape))
        tensor = as_tensor(wide)
        if found.continues(name, tensor, known | found.index.find(wide).keys()):
            found.put(name, tensor)
            unknown.blob = blob
            return
    found.lost.add(name)


def blobs_behind(found: OperandValues, operands: Sequence[str]) -> Sequence[str]:
    """Return the blobs that layers compute from the blobs of operands, the nearest first."""
    reached = {blob for name in operands for blob in found.pairs.get(name, ())}
    order: list[str] = []
    for _ in range(NEARBY):
        for layer in found.blobs.layers:
            if reached.intersection(layer.inputs):
                order += [blob for blob in layer.outputs if blob not in order]
        reached = {*reached, *order}
    return order


def _flat_outputs(source: SourceModel, producer: Mapping[str, SourceStep]) -> list[str]:
    """Return the outputs, with the elements of tuples in their place."""
    flat: list[str] = []
    pending = [*source.outputs]
    while pending:
        name = pending.pop(0)
        step = producer.get(name)
        if step is not None and step.type in ("prim::TupleConstruct", "prim::ListConstruct"):
            pending = [*step.inputs, *pending]
        else:
            flat.append(name)
    return flat
