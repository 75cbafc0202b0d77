"""The inferred result shapes for given input arrays."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from ...dialects.ncnn.blob import extents_in
from ...dialects.ncnn.extents import AXES, positive_axis
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.weight_specs import Shape
from ...dialects.shapes.analysis import numbers
from ...dialects.shapes.terms import UNKNOWN, Extents
from .semantics import Array
from .traceable import traceable


def result_shapes(op: LayerOp, inputs: Sequence[Array]) -> list[Shape]:
    """Return the shapes of a layer's results for these inputs, `DYNAMIC_INDEX` for an extent that
    depends on values. Raises `ValueError` if even the rank is unknown."""
    weights = [extents_in(v.type) for v in op.operands[len(op.data_operands()) :]]
    found = op.infer_shapes([*(value.shape for value in inputs), *weights]) or ()
    shapes = [None if extents is None else plain(extents, inputs) for extents in found]
    if not shapes or None in shapes:
        given = ", ".join(str(value.shape) for value in inputs)
        raise ValueError(f"{op.label()}: the result shape is unknown for inputs of {given}")
    return [shape for shape in shapes if shape is not None]


def plain(extents: Extents, inputs: Sequence[Array]) -> Shape:
    """Return extents as integers, `DYNAMIC_INDEX` for others. Traced arrays of unknown extents also
    take terms."""
    traced = any(not isinstance(n, int) for value in inputs for n in value.shape)  # pyright: ignore
    return cast(Shape, extents) if traced and UNKNOWN not in extents else numbers(extents)


@traceable
def as_float(extent: int, like: Array) -> np.float32:
    """Return an extent as a number that arrays like this one compute with."""
    return np.float32(extent)


def result_shape(op: LayerOp, inputs: Sequence[Array]) -> Shape:
    """Return the shape of a layer's only result; see `result_shapes`."""
    return result_shapes(op, inputs)[0]


def static_result_shape(op: LayerOp, inputs: Sequence[Array]) -> Shape:
    """Like `result_shape`, but raises `ValueError` unless all extents are static."""
    shape = result_shape(op, inputs)
    if DYNAMIC_INDEX in shape:
        given = ", ".join(str(value.shape) for value in inputs)
        raise ValueError(f"{op.label()}: inputs of {given} do not fit")
    return shape


def axis_of(op: LayerOp, axis: int, rank: int) -> int:
    """Return an axis counted from the outermost. Raises `ValueError` if the blob lacks it."""
    positive = positive_axis(axis, rank)
    if positive is None:
        raise ValueError(f"{op.label()}: a blob of {rank} dims has no axis {axis}")
    return positive


def extents(value: Array) -> dict[str, int]:
    """Return the extents of a blob by axis, outermost first."""
    return dict(zip(AXES[value.ndim], value.shape, strict=True))
