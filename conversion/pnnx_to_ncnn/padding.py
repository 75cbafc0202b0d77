"""Padding and rolling along any axes.

ncnn pads the innermost axes of a blob. For another axis the tensor becomes a blob `outer x n x
inner`, whose middle axis is padded; several axes take one layer each.
"""

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from ...dialects.ncnn.cropping import CropOp, PaddingOp
from ...dialects.ncnn.joining import ConcatOp
from ...dialects.pnnx.operations import OperatorOp
from ...transforms.pnnx_legalization.legalization import as_ints, resized
from ...transforms.rewriting.layer_builder import Shape
from .lowering import Lowering, OperatorBuilder, Refusal, rows_around

MODES = {"constant": 0, "replicate": 1, "reflect": 2, "circular": None}
"""The layer's `type` of each mode; `None`: several layers."""

Pads = Mapping[int, tuple[int, int]]
"""The elements to add before and after, by axis; negative numbers remove elements."""


def pad(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `F.pad`."""
    mode = str(op.param("mode", "constant"))
    value = op.param("value", 0.0)
    return [_pad(op, b, mode, 0.0 if value is None else b.number("value", 0.0), "pad")]


def module(mode: str) -> Lowering:
    """Return the lowering of `nn.ReflectionPad2d` and its siblings."""

    def lower(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
        value = b.number("value", 0.0) if mode == "constant" else 0.0
        return [_pad(op, b, mode, value, "padding")]

    return lower


def _pad(op: OperatorOp, b: OperatorBuilder, mode: str, value: float, key: str) -> SSAValue:
    numbers = as_ints(op.param(key, None))
    shape = b.inputs[0]
    if numbers is None:
        raise Refusal(f"'{key}' is {op.param(key, None)}")
    if len(numbers) == 1 and op.type.data.startswith("nn."):
        numbers *= 2 * int(op.type.data[-2])
    if len(numbers) % 2 or len(numbers) > 2 * len(shape):
        raise Refusal(f"'{key}' has {len(numbers)} numbers")
    pads = {
        len(shape) - 1 - i // 2: (numbers[i], numbers[i + 1]) for i in range(0, len(numbers), 2)
    }
    result, shape = padded(b, op.inputs[0], shape, pads, mode, value)
    b.expect(shape)
    return result


def padded(
    b: OperatorBuilder, x: SSAValue, shape: Shape, pads: Pads, mode: str, value: float
) -> tuple[SSAValue, Shape]:
    """Return a padded tensor and its shape."""
    if mode not in MODES:
        raise Refusal(f"'mode' is {mode}")
    pads = {axis: pair for axis, pair in pads.items() if any(pair)}
    for axis, pair in pads.items():
        cut = (max(-pair[0], 0), shape[axis] - max(-pair[1], 0))
        if cut != (0, shape[axis]):
            if cut[0] >= cut[1]:
                raise Refusal("nothing remains of an axis")
            x, shape = cropped(b, x, shape, axis, cut), resized(shape, axis, cut[1] - cut[0])
    pads = {axis: (max(a, 0), max(c, 0)) for axis, (a, c) in pads.items()}
    pads = {axis: pair for axis, pair in pads.items() if any(pair)}
    for axis, (before, after) in pads.items():
        most = {"reflect": shape[axis] - 1, "circular": shape[axis]}.get(mode)
        if most is not None and max(before, after) > most:
            raise Refusal(f"it pads {max(before, after)} elements of {shape[axis]} by {mode}")
    kind, last = MODES[mode], len(shape) - 1
    is_image = len(pads) == 2 or (pads and len(b.fold(shape)) == 3)
    if kind is not None and len(shape) >= 2 and is_image and set(pads) <= {last - 1, last}:
        outer, h, w = rows_around(shape, last - 1)
        (top, bottom), (left, right) = (pads.get(axis, (0, 0)) for axis in (last - 1, last))
        out = (outer, h + top + bottom, w + left + right)
        how = {"top": top, "bottom": bottom, "left": left, "right": right}
        y = b.layer(PaddingOp, [b.reshape(x, (outer, h, w))], out, type=kind, value=value, **how)
        return y[0], (*shape[:-2], *out[1:])
    for axis, pair in pads.items():
        x = _along(b, x, shape, axis, pair, mode, value)
        shape = resized(shape, axis, shape[axis] + sum(pair))
    return x, shape


def _along(
    b: OperatorBuilder,
    x: SSAValue,
    shape: Shape,
    axis: int,
    pair: tuple[int, int],
    mode: str,
    value: float,
) -> SSAValue:
    """Return a tensor padded along one axis."""
    outer, n, inner = rows_around(shape, axis)
    before, after = pair
    kind = MODES[mode]
    if kind is None:
        parts = [(n - before, n), (0, n), (0, after)]
        blobs = [
            b.reshape(cropped(b, x, shape, axis, cut), (outer, cut[1] - cut[0], inner))
            for cut in parts
            if cut[0] < cut[1]
        ]
        return b.layer(ConcatOp, blobs, (outer, n + before + after, inner), axis=1)[0]
    if inner == 1:
        out, how = (outer, n + before + after), {"left": before, "right": after}
        source = b.reshape(x, (outer, n))
    else:
        out, how = (outer, n + before + after, inner), {"top": before, "bottom": after}
        source = b.reshape(x, (outer, n, inner))
    return b.layer(PaddingOp, [source], out, type=kind, value=value, **how)[0]


def cropped(
    b: OperatorBuilder, x: SSAValue, shape: Shape, axis: int, cut: tuple[int, int]
) -> SSAValue:
    """Return the elements of a range along an axis."""
    if cut == (0, shape[axis]):
        return x
    whole, at = b.fold_around(shape, axis)
    part = resized(whole, at, cut[1] - cut[0])
    source = b.reshape(x, whole)
    return b.layer(CropOp, [source], part, starts=cut[:1], ends=cut[1:], axes=(at,))[0]


def roll(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `torch.roll`: the two parts of each axis change places."""
    shape, x = b.inputs[0], op.inputs[0]
    shifts, dims = as_ints(op.param("shifts", None)), as_ints(op.param("dims", None))
    if shifts is None or dims is None or len(shifts) != len(dims):
        raise Refusal("its shifts and axes are not integers for each axis")
    b.expect(shape)
    for shift, dim in zip(shifts, dims, strict=True):
        axis = dim % len(shape)
        cut = -shift % shape[axis]
        if cut:
            whole, at = b.fold_around(shape, axis)
            parts = [(cut, shape[axis]), (0, cut)]
            blobs = [cropped(b, x, shape, axis, p) for p in parts]
            blobs = [
                b.reshape(v, resized(whole, at, p[1] - p[0]))
                for v, p in zip(blobs, parts, strict=True)
            ]
            x = b.layer(ConcatOp, blobs, whole, axis=at)[0]
    return [x]


LOWERINGS: Mapping[str, Lowering] = {
    "F.pad": pad,
    "torch.roll": roll,
    **{f"nn.ZeroPad{n}d": module("constant") for n in (1, 2, 3)},
    **{f"nn.ConstantPad{n}d": module("constant") for n in (1, 2, 3)},
    **{f"nn.ReflectionPad{n}d": module("reflect") for n in (1, 2, 3)},
    **{f"nn.ReplicationPad{n}d": module("replicate") for n in (1, 2, 3)},
    **{f"nn.CircularPad{n}d": module("circular") for n in (1, 2, 3)},
}
