"""The shapes that the dialect infers, for blobs that are there."""

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX

from ...dialects.ncnn.blob import extents_in
from ...dialects.ncnn.extents import AXES, positive_axis
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.slots import Shape
from ...dialects.shapes.analysis import numbers
from .semantics import Array


def result_shapes(op: LayerOp, inputs: Sequence[Array]) -> list[Shape]:
    """The shapes of a layer's results for inputs of these values, `DYNAMIC_INDEX` for an extent
    that their shapes do not tell. Raises `ValueError` if they do not even tell the rank."""
    weights = [extents_in(v.type) for v in op.operands[len(op.data_operands()) :]]
    found = op.infer_shapes([*(value.shape for value in inputs), *weights]) or ()
    shapes = [None if extents is None else numbers(extents) for extents in found]
    if not shapes or None in shapes:
        given = ", ".join(str(value.shape) for value in inputs)
        raise ValueError(f"{op.label()}: no shape follows from inputs of {given}")
    return [shape for shape in shapes if shape is not None]


def result_shape(op: LayerOp, inputs: Sequence[Array]) -> Shape:
    """The shape of a layer's one result; see `result_shapes`."""
    return result_shapes(op, inputs)[0]


def static_result_shape(op: LayerOp, inputs: Sequence[Array]) -> Shape:
    """Like `result_shape`, but raises `ValueError` unless every extent is known."""
    shape = result_shape(op, inputs)
    if DYNAMIC_INDEX in shape:
        given = ", ".join(str(value.shape) for value in inputs)
        raise ValueError(f"{op.label()}: inputs of {given} do not fit")
    return shape


def axis_of(op: LayerOp, axis: int, rank: int) -> int:
    """An axis counted from the outermost. Raises `ValueError` if the blob has none such."""
    positive = positive_axis(axis, rank)
    if positive is None:
        raise ValueError(f"{op.label()}: a blob of {rank} dims has no axis {axis}")
    return positive


def extents(value: Array) -> dict[str, int]:
    """The extents of a blob by axis, outermost first."""
    return dict(zip(AXES[value.ndim], value.shape, strict=True))
