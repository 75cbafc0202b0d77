"""Reference semantics of the layers in `dialects/ncnn/resampling.py`."""

from collections.abc import Sequence
from functools import reduce
from itertools import product

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from ...dialects.ncnn.resampling import (
    FoldOp,
    GridSampleOp,
    InterpOp,
    PixelShuffleOp,
    ReorgOp,
    ShuffleChannelOp,
    UnfoldOp,
)
from ...dialects.shapes.analysis import numbers
from .interpolation import blend, cubic_taps, linear_taps
from .semantics import Array, Inputs, NoSemantics, Weights, semantics
from .shapes import extents, result_shape, static_result_shape
from .windows import pad, window_of, windows

NEAREST, BILINEAR, BICUBIC = 1, 2, 3


@semantics(InterpOp)
def interp(op: InterpOp, inputs: Inputs, weights: Weights) -> Array:
    x, target = inputs[0], _target(op, inputs)
    if x.ndim == 1:
        return np.broadcast_to(x[:, None, None], target)
    if target == x.shape and (op.resize_type != BICUBIC or _is_identity(op, x)):
        return x
    if op.resize_type == 0:
        raise NoSemantics(f"{op.label()}: resize_type none leaves the elements uninitialized")
    axes = "hw" if x.ndim == 3 else "w"
    for i, axis in reversed(list(enumerate(axes, x.ndim - len(axes)))):
        x = _resize(op, x, i, target[i], _step(op, axis, x.shape[i], target[i]))
    return x


def _target(op: InterpOp, inputs: Sequence[Array]) -> tuple[int, ...]:
    """Return the shape of the result. The runtime may use a packed blob's extent by mistake; here
    it is the logical extent."""
    target = list(result_shape(op, inputs))
    if op.dynamic_target_size == 1 and not op.size_expr:
        target[-1] = extents(inputs[1]).get("w", 1)
        if len(target) > 2:
            target[-2] = extents(inputs[1]).get("h", 1)
    if DYNAMIC_INDEX in target:
        raise NoSemantics(f"{op.label()}: '{op.size_expr}' depends on the C library")
    return tuple(target)


def _is_identity(op: InterpOp, x: Array) -> bool:
    """Whether bicubic sampling to the same extents is the identity."""
    if op.align_corner or op.dynamic_target_size or op.size_expr:
        return True
    by_width = op.output_width or op.width_scale == 1
    return bool(by_width and (x.ndim == 2 or op.output_height or op.height_scale == 1))


def _step(op: InterpOp, axis: str, extent: int, wanted: int) -> float:
    """Return the distance between samples."""
    if op.align_corner and op.resize_type != NEAREST:
        return (extent - 1) / (wanted - 1) if wanted > 1 else 0.0
    if op.resize_type == BILINEAR and extent == wanted:
        return 1.0
    given = op.output_width if axis == "w" else op.output_height
    if given or op.dynamic_target_size or op.size_expr:
        return extent / wanted
    return 1 / (op.width_scale if axis == "w" else op.height_scale)


def _resize(op: InterpOp, x: Array, axis: int, wanted: int, step: float) -> Array:
    """Return samples along one axis."""
    extent, places = x.shape[axis], np.arange(wanted)
    if op.resize_type == NEAREST:
        indices = (places.astype("f4") * np.float32(step)).astype("i8")
        return np.take(x, np.minimum(indices, extent - 1), axis)
    positions = places * step if op.align_corner else (places + 0.5) * step - 0.5
    taps = (cubic_taps if op.resize_type == BICUBIC else linear_taps)(positions.astype("f4"))
    shape = (-1, *(1,) * (x.ndim - 1 - axis))
    parts = (np.take(x, np.clip(i, 0, extent - 1), axis) * part.reshape(shape) for i, part in taps)
    return reduce(np.add, parts)


@semantics(PixelShuffleOp)
def pixel_shuffle(op: PixelShuffleOp, inputs: Inputs, weights: Weights) -> Array:
    (x,), r = inputs, op.upscale_factor
    c, h, w = static_result_shape(op, inputs)
    used = x[: c * r * r]
    if op.mode == 0:
        return used.reshape(c, r, r, h // r, w // r).transpose(0, 3, 1, 4, 2).reshape(c, h, w)
    return used.reshape(r, r, c, h // r, w // r).transpose(2, 3, 0, 4, 1).reshape(c, h, w)


@semantics(ShuffleChannelOp)
def shuffle_channel(op: ShuffleChannelOp, inputs: Inputs, weights: Weights) -> Array:
    (x,) = inputs
    if x.ndim not in (3, 4):
        raise ValueError(f"{op.label()} takes a blob of 3 or 4 dims, and gets one of {x.ndim}")
    if len(x) % op.group:
        raise ValueError(f"{op.label()}: {op.group} groups do not divide {len(x)} channels")
    rows = len(x) // op.group if op.reverse else op.group
    return x.reshape(rows, -1, *x.shape[1:]).swapaxes(0, 1).reshape(x.shape)


@semantics(ReorgOp)
def reorg(op: ReorgOp, inputs: Inputs, weights: Weights) -> Array:
    (x,), s = inputs, op.stride
    shape = static_result_shape(op, inputs)
    h, w = shape[1:]
    blocks = x[:, : h * s, : w * s].reshape(len(x), h, s, w, s)
    return blocks.transpose((0, 2, 4, 1, 3) if op.mode == 0 else (2, 4, 0, 1, 3)).reshape(shape)


@semantics(UnfoldOp)
def unfold(op: UnfoldOp, inputs: Inputs, weights: Weights) -> Array:
    (x,) = inputs
    window = window_of(op, x)
    padded = pad(x, window.pads, op.pad_value)
    view = windows(padded, window.kernel, window.strides, window.dilations)
    return view.transpose(0, 3, 4, 1, 2).reshape(static_result_shape(op, inputs))


@semantics(FoldOp)
def fold(op: FoldOp, inputs: Inputs, weights: Weights) -> Array:
    channels, *extents = static_result_shape(op, inputs)
    window = op.window_on(extents)
    counts = numbers(window.places(extents))
    if DYNAMIC_INDEX in counts:
        raise ValueError(f"{op.label()}: a window of {window.spans} does not fit into {extents}")
    full = [n + before + after for n, (before, after) in zip(extents, window.pads, strict=True)]
    columns = inputs[0].reshape(channels, *window.kernel, *counts)
    result = np.zeros((channels, *full), columns.dtype, like=columns)
    for place in product(*map(range, window.kernel)):
        target = tuple(
            slice(p * d, p * d + (n - 1) * s + 1, s)
            for p, d, n, s in zip(place, window.dilations, counts, window.strides, strict=True)
        )
        where = (slice(None), *target)
        result[where] = result[where] + columns[(slice(None), *place)]
    inner = (slice(before, before + n) for (before, _), n in zip(window.pads, extents, strict=True))
    return result[(slice(None), *inner)]


@semantics(GridSampleOp)
def grid_sample(op: GridSampleOp, inputs: Inputs, weights: Weights) -> Array:
    x, grid = inputs
    if x.ndim == 4 and op.sample_type == 3:
        raise ValueError(f"{op.label()}: bicubic sampling needs 2-D positions")
    coordinates = grid if op.permute_fusion else np.moveaxis(grid, -1, 0)
    taps: list[list[tuple[Array, Array]]] = []
    for extent, position in zip(x.shape[:0:-1], coordinates, strict=False):  # x first
        edge = np.float32(extent - 1)
        if op.align_corner:
            position = (position + 1) / 2 * edge
        else:
            position = ((position + 1) * np.float32(extent) - 1) / 2
        if op.sample_type == 3:  # moves the taps instead of the position
            pairs = cubic_taps(position)
            taps.append([(_moved(op, i.astype("f4"), extent).astype("i8"), p) for i, p in pairs])
            continue
        position = _moved(op, position, extent)
        if op.sample_type == 2:
            taps.append([(np.floor(position + np.float32(0.5)).astype("i8"), np.ones((), "f4"))])
        else:
            taps.append(linear_taps(position))
    return blend(x, taps[::-1])


def _moved(op: GridSampleOp, position: Array, extent: int) -> Array:
    """Return a position moved into the blob according to `padding_mode`."""
    match op.padding_mode:
        case 2:
            return np.clip(position, 0, np.float32(extent - 1))
        case 3 if op.align_corner:
            return _reflected(position, extent - 1)
        case 3:
            half = np.float32(0.5)
            return np.clip(_reflected(position + half, extent) - half, 0, np.float32(extent - 1))
        case _:
            return position


def _reflected(position: Array, end: int) -> Array:
    """Reflect once at 0, then once at the end."""
    return np.float32(end) - np.abs(np.abs(position) - np.float32(end))
