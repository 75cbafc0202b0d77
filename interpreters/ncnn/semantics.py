"""Which function computes a layer, and how it is called.

A layer's function stands in the file of the same name as the layer's own in `dialects/ncnn/`:

    @semantics(AbsValOp)
    def absval(op: AbsValOp, inputs: Sequence[Array], weights: Weights) -> Array:
        return np.abs(inputs[0])
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...dialects.ncnn.by_layer import ByLayer
from ...dialects.ncnn.interfaces import HasFormula
from ...dialects.ncnn.layer import LayerOp

Array: TypeAlias = NDArray[Any]
"""A blob, row-major in the order of its tensor type: float32, or int8, int32 and
float16 where the layer makes those."""
Weights: TypeAlias = Mapping[str, Array | None]
"""A layer's weights by name, `None` for one it does not have: float32, or int8 as stored."""
Semantics: TypeAlias = Callable[[Any, Sequence[Array], Weights], Array | Sequence[Array]]
"""What a layer makes of its input blobs and its weights: one blob, or several."""

semantics = ByLayer[Semantics](__name__.rpartition(".")[0])
"""Declares the functions that compute layers."""


class NoSemantics(Exception):
    """Nothing here computes this layer."""


def needed(weights: Weights, name: str) -> Array:
    """A weight that the layer always has, or has by its parameters."""
    value = weights[name]
    assert value is not None
    return value


def semantics_of(layer: type[LayerOp]) -> Semantics | None:
    """The function that computes a layer, if it has none of its own, by its formula; `None` if
    there is neither."""
    own = semantics.of(layer)
    if own is None and issubclass(layer, HasFormula):
        from .formulas import by_formula

        return by_formula
    return own


def evaluate(op: LayerOp, operands: Sequence[Array]) -> tuple[Array, ...]:
    """The results of a layer for the values of its operands (blobs first, then weights, as they
    stand on the operation), float32 and contiguous unless the layer makes other elements. The
    arguments are left as they are; results may share memory with them.

    Raises `NoSemantics` if nothing here computes the layer, and what NumPy raises if the
    operands do not fit it."""
    function = semantics_of(type(op))
    if function is None:
        raise NoSemantics(f"{op.label()}: no reference semantics")
    inputs = [_widened(value) for value in operands[: len(op.data_operands())]]
    rest = iter(operands[len(inputs) :])
    weights = {
        name: None if value is None else _widened(next(rest))
        for name, value in op.weight_operands().items()
    }
    with np.errstate(all="ignore"):  # NaN and infinities are values, as in the runtime
        results = function(op, inputs, weights)
    several = (results,) if isinstance(results, np.ndarray | np.generic) else tuple(results)
    if any(value.ndim == 0 for value in several):  # a product of two vectors, say
        raise ValueError(f"{op.label()}: its inputs have too few dims")
    return tuple(np.ascontiguousarray(_narrowed(value)) for value in several)


def _widened(value: Array) -> Array:
    """float16 as the float32 that the runtime makes of it when it loads the weight."""
    return value.astype("f4") if value.dtype == np.float16 else value


def _narrowed(value: Array) -> Array:
    """What was computed in float64 as float32."""
    return value.astype("f4") if value.dtype == np.float64 else value
