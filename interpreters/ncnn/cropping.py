"""Reference semantics of the layers in `dialects/ncnn/cropping.py`."""

from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from ...dialects.ncnn.cropping import CopyToOp, CropOp, PaddingOp
from ...dialects.ncnn.expressions import evaluate
from ...dialects.ncnn.extents import ABSENT, AXES, Box
from ...dialects.shapes.analysis import numbers
from .channels import along_outermost
from .quantization import as_int32
from .semantics import Array, Inputs, NoSemantics, Weights, semantics
from .shapes import axis_of, extents, result_shape, static_result_shape


@semantics(CropOp)
def crop(op: CropOp, inputs: Inputs, weights: Weights) -> Array:
    x = inputs[0]
    if not _by_expression(op) and not op.has_size() and op.woffset == ABSENT and len(inputs) > 1:
        begins, box = _box_in_blob(inputs[1], x.ndim)
    else:
        begins, box = _begins(op, inputs), result_shape(op, inputs)
    if box == x.shape:
        return x
    if x.ndim > 2 and box[1:] == x.shape[1:]:
        begins[1:] = [0] * (x.ndim - 1)
    if DYNAMIC_INDEX in box:
        raise ValueError(f"{op.label()}: the box is empty in a blob of {x.shape}")
    return x[_slices(op, begins, box, x)]


def _by_expression(op: CropOp) -> bool:
    return bool(op.starts_expr and op.ends_expr)


def _begins(op: CropOp, inputs: Sequence[Array]) -> list[int]:
    """Return the start of the box along each axis."""
    x = inputs[0]
    if not _by_expression(op):
        return _offsets(op, x)
    shapes = [value.shape for value in inputs]
    starts, axes = (evaluate(text, shapes) for text in (op.starts_expr, op.axes_expr))
    if starts is None or axes is None:
        raise ValueError(f"{op.label()}: its expressions cannot be evaluated")
    starts, axes = numbers(starts), numbers(axes)
    if DYNAMIC_INDEX in (*starts, *axes):
        raise NoSemantics(f"{op.label()}: its expressions depend on the C library")
    return _starts(op, starts, axes, x)


def _offsets(op: Box, x: Array) -> list[int]:
    if op.starts:
        return _starts(op, op.starts, op.axes, x)
    offsets = op.offsets()
    return [offsets[axis] for axis in AXES[x.ndim]]


def _starts(op: Box, starts: Sequence[int], axes: Sequence[int], x: Array) -> list[int]:
    begins = [0] * x.ndim
    for axis, start in zip(axes or range(x.ndim), starts, strict=False):
        axis = axis_of(op, axis, x.ndim)
        begins[axis] = 0 if start == ABSENT else start if start >= 0 else x.shape[axis] + start
    return begins


def _box_in_blob(values: Array, rank: int) -> tuple[list[int], tuple[int, ...]]:
    """Return the offsets and extents stored in an int32 blob, w first."""
    bits = as_int32(values).reshape(-1).tolist()
    places: Mapping[str, int] = {axis: i for i, axis in enumerate("whdc" if rank == 4 else "whc")}
    axes = AXES[rank]
    box = tuple(bits[len(places) + places[axis]] for axis in axes)
    return [bits[places[axis]] for axis in axes], box


def _slices(op: Box, begins: Sequence[int], box: Sequence[int], x: Array) -> tuple[slice, ...]:
    """Return the indices of a box. Raises `ValueError` if it is not within the blob."""
    for begin, n, extent in zip(begins, box, x.shape, strict=True):
        if begin < 0 or n < 0 or begin + n > extent:
            raise ValueError(f"{op.label()}: the box {tuple(box)} at {begins} exceeds {x.shape}")
    return tuple(slice(b, b + n) for b, n in zip(begins, box, strict=True))


@semantics(PaddingOp)
def padding(op: PaddingOp, inputs: Inputs, weights: Weights) -> Array:
    (x,) = inputs
    pads = {
        "w": (op.left, op.right),
        "h": (op.top, op.bottom),
        "c" if x.ndim == 3 else "d": (op.front, op.behind),
    }
    widths = [pads.get(axis, (0, 0)) for axis in AXES[x.ndim]]
    if op.type != 0:
        return np.pad(x, widths, "edge" if op.type == 1 else "reflect")
    value = np.asarray(op.value, "f4")
    if (values := weights["per_channel_pad"]) is not None and x.ndim > 2:
        value = along_outermost(values, x.ndim)
    result = np.full(static_result_shape(op, inputs), 0, x.dtype, like=x)
    result[...] = value.astype(x.dtype)
    begins = [before for before, _ in widths]
    result[tuple(slice(b, b + n) for b, n in zip(begins, x.shape, strict=True))] = x
    return result


@semantics(CopyToOp)
def copy_to(op: CopyToOp, inputs: Inputs, weights: Weights) -> Array:
    x, part = inputs
    if x.shape == part.shape:
        return part
    box = [extents(part).get(axis, 1) for axis in AXES[x.ndim]]
    result = x.copy()
    result[_slices(op, _offsets(op, x), box, x)] = part.reshape(box)
    return result
