"""The first difference between a model and its source model."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...interpreters.source.source_steps import Array, SourceStep, as_array, as_tensor
from ..differences import relative_error
from .blobs import RunLayer
from .operand_values import OperandValues, blobs_behind

CANDIDATES = 24
"""The number of blobs that are tried in place of an operand."""
FUSED = 4
"""The number of operators that one layer computes."""


@dataclass(frozen=True)
class OperatorDifference:
    """An operator of PyTorch whose result the model does not compute."""

    step: SourceStep
    operand: str
    layers: Sequence[RunLayer]
    """The layers that compute the blob, the last one last; for an absent operator, the layer that
    computes its input."""
    blob: str | None
    """The blob in place of the operand; `None` if the model has none, or if none is known."""
    kind: str
    """`differs`, `absent` (no layer computes the operator), `exchanged` (the layers of two
    operators are in each other's place) or `fails` (the layer does not run)."""
    error: float | None
    """The largest difference, relative to the operand's largest value."""
    shape: tuple[int, ...] = ()
    """The operand's shape in PyTorch."""
    value: Any = None
    """The value with which the comparison goes on; `None` if it ends here."""
    expected: Array | None = None
    """PyTorch's value of the operand."""


@dataclass(frozen=True)
class _Bad:
    """Operands and blobs without a partner from which wrong outputs are computed."""

    operands: set[str]
    blobs: set[str]


def wrong_outputs(found: OperandValues) -> list[int]:
    """Return the positions of outputs whose values differ."""
    wrong: list[int] = []
    for i, name in enumerate(found.outputs):
        array = found.arrays.get(name)
        blob = found.blobs.outputs[i] if i < len(found.blobs.outputs) else None
        if array is None or blob is None or blob not in found.pairs.get(name, ()):
            wrong.append(i)
    return wrong


def first_difference(found: OperandValues) -> OperatorDifference | None:
    """Return the first operator whose result differs; `None` if all outputs agree, or if all wrong
    outputs depend on operators that PyTorch does not compute."""
    bad = _bad(found)
    if (exchanged := _exchanged_layers(found, bad)) is not None:
        return exchanged
    steps = [step for step in found.source.steps if _is_frontier(step, bad, found)]
    if not steps:
        return _misplaced_output(found)
    layers = [layer for layer in found.blobs.layers if _begins(layer, bad)]
    for step in steps:
        if (tested := _tested(found, bad, step)) is not None:
            return tested
    return _untested(found, bad, steps, layers)


def _bad(found: OperandValues) -> _Bad:
    wrong = wrong_outputs(found)
    constants = {n for s in found.source.steps if not s.inputs for n in s.outputs}
    operands: set[str] = set()
    pending = [found.outputs[i] for i in wrong]
    while pending:
        name = pending.pop()
        step = found.producer.get(name)
        if name in operands or name in found.pairs or name in constants or step is None:
            continue
        if name in found.arrays:
            operands.add(name)
        pending += step.inputs
    paired = found.paired_blobs()
    blobs: set[str] = set()
    pending = [found.blobs.outputs[i] for i in wrong if i < len(found.blobs.outputs)]
    while pending:
        name = pending.pop()
        layer = found.blobs.producer.get(name)
        if name not in blobs and name not in paired and layer is not None:
            blobs.add(name)
            pending += layer.inputs
    return _Bad(operands, blobs)


def _is_frontier(step: SourceStep, bad: _Bad, found: OperandValues) -> bool:
    """Whether a step has a wrong result, and no wrong input."""
    if not bad.operands.intersection(step.outputs):
        return False
    return not bad.operands.intersection(step.inputs) and not found.lost.intersection(step.inputs)


def _begins(layer: RunLayer, bad: _Bad) -> bool:
    """Whether a layer has a wrong result, and no wrong input."""
    return bool(bad.blobs.intersection(layer.outputs)) and not bad.blobs.intersection(layer.inputs)


def _tested(found: OperandValues, bad: _Bad, step: SourceStep) -> OperatorDifference | None:
    """Return a difference at this operator, or at one behind it that the same layer computes, such
    that the rest of the model agrees with a blob in place of its result: the first one of a single
    layer, else of the fewest layers. (Among repeated blocks, a blob of the next block may take the
    place of an operator's result, too.)"""
    best: OperatorDifference | None = None
    near = set(blobs_behind(found, step.inputs))
    blobs = [n for n in found.index.values if n in near and n in bad.blobs][:CANDIDATES]
    paired = found.paired_blobs()
    for each in _followers(found, bad, step):
        for operand in each.outputs:
            if operand not in bad.operands:
                continue
            array = found.arrays[operand]
            for value, source in _inputs_as_result(found, each, operand):
                if best is None and found.continues(operand, value, paired):
                    layers = _producers(found, source)
                    return OperatorDifference(
                        each, operand, layers, None, "absent", None, array.shape, value
                    )
            for blob in blobs:
                value = _as_operand(found, blob, array, operand)
                if value is None:
                    continue
                own = found.index.find(found.index.values[blob]).keys()
                if found.continues(operand, value, paired | own):
                    made = _difference(found, bad, each, operand, blob, value)
                    if len(made.layers) == 1:
                        return made
                    if best is None or len(made.layers) < len(best.layers):
                        best = made
    return best


def _followers(found: OperandValues, bad: _Bad, step: SourceStep) -> Iterator[SourceStep]:
    """Yield a step and the wrong steps behind it, as long as each has one user."""
    for _ in range(FUSED):
        yield step
        users = [u for name in step.outputs for u in found.users.get(name, ())]
        if len(users) != 1 or not bad.operands.intersection(users[0].outputs):
            return
        step = users[0]


def _inputs_as_result(
    found: OperandValues, step: SourceStep, operand: str
) -> Iterator[tuple[Any, str]]:
    """Yield the values and names of inputs that have the result's shape."""
    for name in dict.fromkeys(step.inputs):
        array = as_array(found.values.get(name))
        if array is not None and array.shape == found.arrays[operand].shape:
            yield found.values[name], name


def _as_operand(found: OperandValues, blob: str, array: Array, operand: str) -> Any:
    """Return a blob's values as an operand, of another size only if the number of dims fits."""
    value = found.index.values[blob]
    if value.size == array.size:
        return as_tensor(value.reshape(array.shape), found.values[operand])
    if value.ndim == array.ndim - 1 and array.shape[0] == 1:
        return as_tensor(value[None], found.values[operand])
    return None


def _difference(
    found: OperandValues, bad: _Bad, step: SourceStep, operand: str, blob: str, value: Any
) -> OperatorDifference:
    array = found.arrays[operand]
    made = found.index.values[blob]
    same = made.size == array.size
    error = relative_error(array.reshape(-1), made.reshape(-1)) if same else float("inf")
    return OperatorDifference(
        step, operand, _region(found, bad, blob), blob, "differs", error, array.shape, value
    )


def _region(found: OperandValues, bad: _Bad, blob: str) -> list[RunLayer]:
    """Return the layers without paired results that compute a blob, in order."""
    reached, pending = set[str](), [blob]
    while pending:
        name = pending.pop()
        layer = found.blobs.producer.get(name)
        if name not in reached and name in bad.blobs and layer is not None:
            reached.add(name)
            pending += layer.inputs
    return [layer for layer in found.blobs.layers if reached.intersection(layer.outputs)]


def _producers(found: OperandValues, operand: str) -> list[RunLayer]:
    """Return the last layer that computes an operand."""
    blobs = found.pairs.get(operand, {})
    layers = [layer for layer in found.blobs.layers if set(layer.outputs) & blobs.keys()]
    return layers[-1:]


def _untested(
    found: OperandValues, bad: _Bad, steps: Sequence[SourceStep], layers: Sequence[RunLayer]
) -> OperatorDifference:
    """Return a difference at the first operator and the first layer with the same inputs."""
    for step in steps:
        read = {blob for name in step.inputs for blob in found.pairs.get(name, ())}
        for layer in layers:
            if read.intersection(layer.inputs):
                return _pair(found, bad, step, [layer])
    return _pair(found, bad, steps[0], layers[:1])


def _pair(
    found: OperandValues, bad: _Bad, step: SourceStep, layers: Sequence[RunLayer]
) -> OperatorDifference:
    operand = next(name for name in step.outputs if name in bad.operands)
    shape = found.arrays[operand].shape
    if not layers:
        near = next(
            (_producers(found, n) for n in step.inputs if n in found.pairs), list[RunLayer]()
        )
        return OperatorDifference(step, operand, near, None, "absent", None, shape)
    made = [name for name in layers[0].outputs if name in found.index.values]
    if not made:
        return OperatorDifference(step, operand, layers, None, "fails", None, shape)
    return _difference(found, bad, step, operand, made[0], None)


def _misplaced_output(found: OperandValues) -> OperatorDifference | None:
    """Return a difference for an output that the model computes, but not as this output."""
    for i in wrong_outputs(found):
        name = found.outputs[i]
        step = found.producer.get(name)
        if name not in found.pairs or step is None or i >= len(found.blobs.outputs):
            continue
        blob = found.blobs.outputs[i]
        layer = found.blobs.producer.get(blob)
        layers, array = [layer] if layer else [], found.arrays[name]
        if blob not in found.index.values:
            return OperatorDifference(step, name, layers, None, "fails", None, array.shape)
        error = relative_error(array.reshape(-1), found.index.values[blob].reshape(-1))
        return OperatorDifference(step, name, layers, blob, "differs", error, array.shape)
    return None


def _exchanged_layers(found: OperandValues, bad: _Bad) -> OperatorDifference | None:
    """Return the first of two operators with the same inputs whose layers are in each other's
    place: the model's order of their results is the opposite of PyTorch's."""
    if not bad.operands:
        return None
    order = {name: i for i, layer in enumerate(found.blobs.layers) for name in layer.outputs}
    groups: dict[
        tuple[str, tuple[str, ...], tuple[int, ...]], list[tuple[SourceStep, str, int]]
    ] = {}
    for step in found.source.steps:
        for name in step.outputs:
            pair: Mapping[str, float] = found.pairs.get(name, {})
            places = {order[blob] for blob in pair if blob in order}
            if len(places) == 1 and step.inputs:
                key = (step.type, step.inputs, found.arrays[name].shape)
                groups.setdefault(key, []).append((step, name, places.pop()))
    for group in groups.values():
        for (step, name, place), (other, _, later) in zip(group, group[1:], strict=False):
            if place > later and step is not other and _leads_to(found, bad, name):
                layers = [found.blobs.layers[later], found.blobs.layers[place]]
                blob = next(iter(found.pairs[name]))
                shape = found.arrays[name].shape
                return OperatorDifference(step, name, layers, blob, "exchanged", None, shape)
    return None


def _leads_to(found: OperandValues, bad: _Bad, name: str) -> bool:
    """Whether a wrong operand is computed from an operand."""
    reached, pending = set[str](), [name]
    while pending:
        for step in found.users.get(pending.pop(), ()):
            new = [output for output in step.outputs if output not in reached]
            if bad.operands.intersection(new):
                return True
            reached.update(new)
            pending += new
    return False
