"""The evaluation of layers by their reference semantics."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from ...dialects.ncnn.interfaces import HasFormula
from ...dialects.ncnn.layer import LayerOp
from . import (
    activation,
    attention,
    audio,
    constant,
    conversion,
    convolution,
    cropping,
    deconvolution,
    detection,
    elementwise,
    embedding,
    innerproduct,
    joining,
    matmul,
    normalization,
    pooling,
    quantization,
    recurrent,
    reduction,
    regions,
    resampling,
    reshaping,
    structure,
)
from .formulas import by_formula
from .semantics import SEMANTICS, Array, NoSemantics, Semantics

FILES = (
    activation,
    attention,
    audio,
    constant,
    conversion,
    convolution,
    cropping,
    deconvolution,
    detection,
    elementwise,
    embedding,
    innerproduct,
    joining,
    matmul,
    normalization,
    pooling,
    quantization,
    recurrent,
    reduction,
    regions,
    resampling,
    reshaping,
    structure,
)
"""The files that add functions to `SEMANTICS` when they are imported."""


def semantics_of(layer: type[LayerOp]) -> Semantics | None:
    """Return the function that computes a layer, by default by its formula; `None` if there is
    neither."""
    own = next((SEMANTICS[cls] for cls in layer.mro() if cls in SEMANTICS), None)
    return by_formula if own is None and issubclass(layer, HasFormula) else own


def evaluate(op: LayerOp, operands: Sequence[Array]) -> tuple[Array, ...]:
    """Return the results of a layer for its operands' values (blobs, then weights, in operand
    order).

    Results are contiguous float32 unless the layer computes other elements; they may share memory
    with the arguments, which are not modified. Raises `NoSemantics` if the layer has no reference
    semantics, and NumPy's errors if the operands do not fit.
    """
    function = semantics_of(type(op))
    if function is None:
        raise NoSemantics(f"{op.label()}: no reference semantics")
    with np.errstate(all="ignore"):  # NaN and infinities are values, as in the runtime
        several = apply(function, op, operands)
    if any(value.ndim == 0 for value in several):  # for example a product of two vectors
        raise ValueError(f"{op.label()}: its inputs have too few dims")
    return tuple(_contiguous(_narrowed(value)) for value in several)


def apply(function: Semantics, op: LayerOp, operands: Sequence[Any]) -> Sequence[Any]:
    """Return the results of a layer's function for its operands' values, which may be traced
    arrays. float16 is read as float32, as the runtime loads weights."""
    values = [v.astype("f4") if v.dtype == np.float16 else v for v in operands]
    count = len(op.data_operands())
    rest = iter(values[count:])
    weights = {n: None if v is None else next(rest) for n, v in op.weight_operands().items()}
    results = function(op, values[:count], weights)
    return results if isinstance(results, Sequence) else [results]


def _contiguous(value: Any) -> Any:
    """Return an array that is contiguous; other array-likes (exact numbers) as they are."""
    plain = isinstance(value, np.ndarray | np.generic)
    return cast(Any, np.ascontiguousarray)(value) if plain else value


def _narrowed(value: Array) -> Array:
    """Return float64 results as float32."""
    return value.astype("f4") if value.dtype == np.float64 else value
