"""The effects of single roundings on the outputs of a model.

A model in float16 has two kinds of roundings:

- A blob is rounded if its writer or a reader runs on the GPU (on arm: has code for float16 blobs).
  A layer that only moves elements rounds no blob that is rounded already.
- The arithmetic of such a layer adds an error, which includes the rounding of its weights.

Each effect is measured alone: the rest of the model computes in float32. To first order, the error
of the outputs is the sum of the effects with signs that depend on the device.

Example: `x`, a Convolution that writes `c`, and a ReLU that writes `y`. A ReLU only moves elements:
`y` is 0 or an element of `c`. If both layers run on the GPU, there are three effects: rounding `x`,
the arithmetic of the Convolution, and rounding `c`. Rounding `y` has none, because `c` is rounded
already. If only the ReLU runs there, the effect of rounding `c` remains.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from xdsl.ir import SSAValue

from ...analysis.float16.emulation import DEVICES, EXACT, ComputedLayer, computed, walk
from ...analysis.float16.half_array import Arithmetic, Array
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.function import outputs_of
from ...dialects.ncnn.layer import LayerOp
from ...interpreters.ncnn import evaluate
from .float16_errors import Blobs, Float16Evaluator, exactly

Source: TypeAlias = SSAValue | LayerOp
"""The blob or the layer that is rounded."""

ELEMENTS = 4096
"""The number of output elements whose errors are recorded, over all samples."""

LOOKED_AT = 1 << 16
"""The number of output elements of a sample of which these are chosen."""


@dataclass
class Roundings:
    """The effects of the roundings of a model, each a row of errors of output elements relative to
    the largest element. An effect that is not finite is infinite."""

    layers: Sequence[LayerOp]
    """The layers that compute blobs, in program order."""
    effects: Mapping[Source, Array]
    """The effect of rounding a blob, and of the float16 arithmetic of a layer."""
    float32: Mapping[LayerOp, Array]
    """The effect of a layer with float16 blobs and float32 arithmetic."""
    moves: frozenset[LayerOp]
    """The layers that only move elements."""

    def blobs_of(self, op: LayerOp) -> Iterator[SSAValue]:
        """Yield the blobs that a layer reads and writes."""
        yield from (v for v in (*op.operands, *op.results) if v in self.effects)

    def rounds(self, blob: SSAValue, rounded: "set[SSAValue]") -> bool:
        """Whether rounding a blob has an effect if `rounded` blobs are rounded."""
        op = blob.owner
        if not isinstance(op, LayerOp) or op not in self.moves:
            return True
        return not all(v in rounded for v in op.operands if v in self.effects)


def roundings_of(evaluator: Float16Evaluator, most: float) -> Roundings:
    """Measure the effects of all roundings. Effects larger than `most` do not decide which output
    elements are recorded."""
    size = max(ELEMENTS // len(evaluator.samples), 1)
    parts = [_Sample(evaluator, inputs).roundings(size, most) for inputs in evaluator.samples]
    return Roundings(
        parts[0].layers,
        {key: np.concatenate([part.effects[key] for part in parts]) for key in parts[0].effects},
        {key: np.concatenate([part.float32[key] for part in parts]) for key in parts[0].float32},
        frozenset(op for op in parts[0].layers if all(op in part.moves for part in parts)),
    )


class _Sample:
    """The float32 blobs of one sample, from which changed blobs are followed to the outputs."""

    def __init__(self, evaluator: Float16Evaluator, inputs: Blobs) -> None:
        self.setting, func = evaluator.setting, evaluator.func
        self.store = Arithmetic(self.setting.limit)
        self.steps: list[ComputedLayer] = []
        self.blobs: dict[SSAValue, Array] = {}
        for step, values in walk(func, inputs, EXACT, lambda op, x, _: exactly(op, x)):
            self.steps.append(step)
            self.blobs |= values
        self.places = {step.op: i for i, step in enumerate(self.steps)}
        self.outputs = [v for v, _ in outputs_of(func)]
        size = sum(self.blobs[v].size for v in self.outputs)
        draw = np.random.default_rng(0)
        self.looked_at = draw.permutation(size)[:LOOKED_AT] if size > LOOKED_AT else np.arange(size)

    def roundings(self, size: int, most: float) -> Roundings:
        """Measure the effects on the `size` output elements with the largest errors."""
        blobs = [v for v in self.blobs if not isinstance(v.owner, ConstantOp)]
        effects: dict[Source, Array] = {
            blob: self.follow({blob: self.round(self.blobs[blob])}) for blob in blobs
        }
        moves = {step.op for step in self.steps if self.is_move(step)}
        layers = [step for step in self.steps if step.op not in moves]
        effects |= {step.op: self.arithmetic(step, half=True) for step in layers}
        float32 = {step.op: self.arithmetic(step, half=False) for step in layers}
        power = sum(np.square(np.minimum(np.abs(row), most)) for row in effects.values())
        chosen = np.argsort(-np.asarray(power), kind="stable")[:size]
        return Roundings(
            [step.op for step in self.steps],
            {source: row[chosen] for source, row in effects.items()},
            {op: row[chosen] for op, row in float32.items()},
            frozenset(moves),
        )

    def round(self, values: Array) -> Array:
        """Return values as float16 represents them."""
        return self.store.stored(values.astype("f4")) if values.dtype.kind == "f" else values

    def rounded(self, step: ComputedLayer) -> Sequence[Array]:
        """Return the rounded operands of a layer, and its weights."""
        count = len(step.op.data_operands())
        return [self.round(v) if i < count else v for i, v in enumerate(step.operands)]

    def is_move(self, step: ComputedLayer) -> bool:
        """Whether float16 represents the results of a layer for rounded operands, and the layer has
        no weights."""
        if len(step.op.data_operands()) < len(step.operands):
            return False
        results = exactly(step.op, self.rounded(step)).results
        return all(np.array_equal(self.round(v), v) for v in results)

    def arithmetic(self, step: ComputedLayer, half: bool) -> Array:
        """Return the effect of the arithmetic of a layer that reads and writes float16."""
        if not DEVICES[self.setting.device].stores_float16(step.op):
            return self.follow({})
        given = self.rounded(step)
        setting = replace(self.setting, arithmetic=half and self.setting.arithmetic)
        results = computed(step.op, given, setting).results
        exact = [self.round(v) for v in exactly(step.op, given).results]
        changed: dict[SSAValue, Array] = {}
        for blob, made, wanted in zip(step.op.results, results, exact, strict=True):
            if not np.array_equal(made, wanted):
                with np.errstate(invalid="ignore"):
                    changed[blob] = self.blobs[blob] + (made - wanted)
        return self.follow(changed)

    def follow(self, changed: Mapping[SSAValue, Array]) -> Array:
        """Return the errors of the outputs if blobs have other values."""
        found = {k: v for k, v in changed.items() if not np.array_equal(v, self.blobs[k])}
        places = [self.places[v.owner] if isinstance(v.owner, LayerOp) else -1 for v in found]
        for step in self.steps[min(places) + 1 :] if places else ():
            if not any(v in found for v in step.op.operands):
                continue
            pairs = zip(step.op.operands, step.operands, strict=True)
            with np.errstate(all="ignore"):
                results = evaluate(step.op, [found.get(v, old) for v, old in pairs])
            for blob, new, old in zip(step.op.results, results, step.results, strict=True):
                if blob not in changed and not np.array_equal(new, old):
                    found[blob] = new
        return np.concatenate([self._error(v, found) for v in self.outputs])[self.looked_at]

    def _error(self, blob: SSAValue, found: Mapping[SSAValue, Array]) -> Array:
        expected = self.blobs[blob].astype("f4")
        largest = np.abs(expected).max(initial=0) or 1
        if blob not in found:
            return np.zeros(expected.size, "f4")
        with np.errstate(all="ignore"):
            error = (found[blob].astype("f4") - expected).reshape(-1) / largest
        error[~np.isfinite(error)] = np.inf
        return error
