"""The ranges of a model's blobs in float32, and the magnitudes inside layers, for float16."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.func import FuncOp

from ...dialects.ncnn.function import input_layer, input_name, outputs_of
from ...dialects.ncnn.layer import LayerOp
from .emulation import EXACT, Blobs, walk
from .half_array import MAX, Array

"""Float32, with the magnitudes of sums and intermediate values."""


@dataclass(frozen=True)
class LayerRange:
    """The values of a layer."""

    low: float
    high: float
    """The smallest and the largest element of the outputs."""
    peak: float
    """The largest magnitude of a sum, an intermediate value or an output."""
    mask: int = 0
    """The layer's feature mask."""

    @property
    def share(self) -> float:
        """The peak relative to the largest float16."""
        return self.peak / MAX

    def joined(self, other: "LayerRange | None") -> "LayerRange":
        """Return the range of both."""
        if other is None:
            return self
        low, high = min(self.low, other.low), max(self.high, other.high)
        return LayerRange(low, high, max(self.peak, other.peak), self.mask | other.mask)


def ranges_of(
    func: FuncOp, samples: Iterable[tuple[str, Blobs]]
) -> tuple[Mapping[str, LayerRange], Sequence[str]]:
    """Return the ranges of a model by layer name over samples, and the names of samples whose
    float32 outputs are not finite; these are not used. Raise `RunError`."""
    found: dict[str, LayerRange] = {}
    unused: list[str] = []
    for name, inputs in samples:
        one = _of_sample(func, inputs)
        if one is None:
            unused.append(name)
            continue
        for layer, each in one.items():
            found[layer] = each.joined(found.get(layer))
    return found, unused


def _of_sample(func: FuncOp, inputs: Blobs) -> Mapping[str, LayerRange] | None:
    """Return the ranges for one sample; `None` if an output is not finite."""
    found: dict[str, LayerRange] = {}
    for i in range(len(func.body.block.args)):
        name = input_name(func, i)
        given = _range([inputs[name]], 0.0) if name in inputs else None
        if given is not None:
            layer = input_layer(func, i) or name
            found[layer] = given.joined(found.get(layer))
    outputs = {value for value, _ in outputs_of(func)}
    for step, _ in walk(func, inputs, EXACT):
        read = zip(step.op.results, step.results, strict=True)
        if any(v in outputs and not np.isfinite(values).all() for v, values in read):
            return None
        layer, each = name_of(step.op), _range(step.results, step.peak, step.op.featmask)
        found[layer] = each.joined(found.get(layer))
    return found


def name_of(op: LayerOp) -> str:
    """Return the name of a layer as in reports."""
    return op.layer_name.data if op.layer_name is not None else ""


def _range(values: Sequence[Array], peak: float, mask: int = 0) -> LayerRange:
    finite = [v[np.isfinite(v)] for v in values]
    low = min((float(v.min()) for v in finite if v.size), default=0.0)
    high = max((float(v.max()) for v in finite if v.size), default=0.0)
    return LayerRange(low, high, max(peak, -low, high), mask)
