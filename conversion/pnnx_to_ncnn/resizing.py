"""Interpolation, and rearrangements of channels and pixels. The images of a batch are further
channels."""

from collections.abc import Mapping, Sequence
from math import prod

from xdsl.ir import SSAValue

from ...dialects.ncnn.joining import ConcatOp, SliceOp
from ...dialects.ncnn.params import Value, to_float32
from ...dialects.ncnn.resampling import (
    FoldOp,
    GridSampleOp,
    InterpOp,
    PixelShuffleOp,
    ReorgOp,
    ShuffleChannelOp,
    UnfoldOp,
)
from ...dialects.pnnx.operations import OperatorOp
from ...transforms.rewriting.layer_builder import Shape
from .convolutions import PADS, along
from .lowering import Lowering, OperatorBuilder, Refusal

TYPES = {"nearest": 1, "bilinear": 2, "linear": 2, "bicubic": 3}
"""The layer's `resize_type` of each mode."""
MAX_IMAGES = 64
"""The most images that are sampled one by one."""


def interpolation(default: str = "nearest", aligned: bool = False) -> Lowering:
    """Return the lowering of an interpolation whose mode and alignment have these defaults."""

    def lower(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
        shape, out = b.inputs[0], b.outputs[0]
        mode = op.param("mode", default)
        if mode not in TYPES or len(shape) not in (3, 4):
            raise Refusal(f"'mode' is {mode} for {len(shape)} axes")
        if op.param("antialias", False):
            raise Refusal("'antialias' is set")
        if out[:2] != shape[:2]:
            raise Refusal("its result has other channels")
        align = bool(op.param("align_corners", aligned))
        params: dict[str, Value] = {"resize_type": TYPES[mode], "align_corner": int(align)}
        params |= _scales(b, shape, out, align)
        channels = prod(shape[:2])
        image, result = (channels, *shape[2:]), (channels, *out[2:])
        return b.layer(InterpOp, [b.reshape(op.inputs[0], image)], result, **params)

    return lower


def _scales(b: OperatorBuilder, shape: Shape, out: Shape, align: bool) -> Mapping[str, Value]:
    """Return the layer's extents, or its scales if they give the same extents."""
    names = ("height", "width")[4 - len(shape) :]
    extents: dict[str, Value] = dict.fromkeys(("output_height", "output_width"), 1)
    extents |= {f"output_{name}": n for name, n in zip(names, out[2:], strict=True)}
    if b.operator.param("scale_factor", None) is None or b.operator.param("size", None) is not None:
        return extents
    rows = list(zip(names, b.numbers("scale_factor", len(names)), shape[2:], out[2:], strict=True))
    if any(n * factor != m for _, factor, n, m in rows):
        # PyTorch samples at distances of 1 / scale; the layer at distances of extents' quotients.
        if align or b.operator.param("recompute_scale_factor", None):
            return extents
        raise Refusal("its scale does not give a whole extent")
    if any(int(to_float32(n * to_float32(factor))) != m for _, factor, n, m in rows):
        return extents
    return {f"{name}_scale": to_float32(factor) for name, factor, _, _ in rows}


def pixel_shuffle(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `pixel_shuffle`: the channels of r x r blocks become pixels."""
    shape, r = b.inputs[0], int(b.number("upscale_factor"))
    *outer, c, h, w = shape
    b.expect((*outer, c // (r * r), h * r, w * r))
    channels = prod(outer) * c
    x = b.reshape(op.inputs[0], (channels, h, w))
    out = (channels // (r * r), h * r, w * r)
    return b.layer(PixelShuffleOp, [x], out, upscale_factor=r)


def pixel_unshuffle(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `pixel_unshuffle`: the pixels of r x r blocks become channels."""
    shape, r = b.inputs[0], int(b.number("downscale_factor"))
    *outer, c, h, w = shape
    b.expect((*outer, c * r * r, h // r, w // r))
    channels = prod(outer) * c
    x = b.reshape(op.inputs[0], (channels, h, w))
    out = (channels * r * r, h // r, w // r)
    return b.layer(ReorgOp, [x], out, stride=r)


def channel_shuffle(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `channel_shuffle` of one image."""
    shape, groups = b.inputs[0], int(b.number("groups"))
    b.expect(shape)
    count, c, inner = shape[0], shape[1], prod(shape[2:])
    if count == 1 and len(shape) == 4:
        return [b.unary_layer(ShuffleChannelOp, op.inputs[0], shape[1:], group=groups)]
    return [b.permute(op.inputs[0], (count, groups, c // groups, inner), (0, 2, 1, 3))]


def _window(b: OperatorBuilder) -> dict[str, Value]:
    params = along(
        "hw",
        kernel=b.ints("kernel_size", 2),
        dilation=b.ints("dilation", 2, 1),
        stride=b.ints("stride", 2, 1),
    )
    for axis, pad in zip("hw", b.ints("padding", 2, 0), strict=True):
        params |= dict.fromkeys(PADS[axis], pad)
    return params


def unfold(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `unfold` (im2col) of images: the rows of each image follow another."""
    shape = b.inputs[0]
    if len(shape) != 4:
        raise Refusal("its input is no image")
    x = b.reshape(op.inputs[0], (shape[0] * shape[1], *shape[2:]))
    _, rows, columns = b.outputs[0]
    return b.layer(UnfoldOp, [x], (shape[0] * rows, columns), **_window(b))


def fold(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `fold` (col2im) of images."""
    count, rows, columns = b.inputs[0]
    h, w = b.ints("output_size", 2)
    out = b.outputs[0]
    x = b.reshape(op.inputs[0], (count * rows, columns))
    image = (count * out[1], *out[2:])
    return b.layer(FoldOp, [x], image, output_h=h, output_w=w, **_window(b))


def grid_sample(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `grid_sample` of images, one after another; the grid has coordinates as its innermost
    axis."""
    shape, grid = b.inputs
    modes = {"bilinear": 1, "nearest": 2, "bicubic": 3}
    pads = {"zeros": 1, "border": 2, "reflection": 3}
    mode, pad = op.param("mode", "bilinear"), op.param("padding_mode", "zeros")
    if mode not in modes or pad not in pads or len(shape) != 4:
        raise Refusal(f"'mode' is {mode}, 'padding_mode' {pad}, its input has {len(shape)} axes")
    count, made = shape[0], (shape[1], *grid[1:3])
    if count > MAX_IMAGES:
        raise Refusal(f"it samples {count} images")
    images = parts(b, op.inputs[0], shape)
    found = [
        b.layer(
            GridSampleOp,
            [b.reshape(image, shape[1:]), b.reshape(where, grid[1:])],
            made,
            sample_type=modes[mode],
            padding_mode=pads[pad],
            align_corner=int(bool(op.param("align_corners", False))),
        )[0]
        for image, where in zip(images, parts(b, op.inputs[1], grid), strict=True)
    ]
    if count == 1:
        return found
    return b.layer(ConcatOp, found, (count * made[0], *made[1:]), axis=0)


def parts(b: OperatorBuilder, x: SSAValue, shape: Shape) -> Sequence[SSAValue]:
    """Return the parts of a tensor along its outermost axis."""
    count, rest = shape[0], prod(shape[1:])
    if count == 1:
        return [x]
    whole = b.reshape(x, (count, rest))
    return b.layer(SliceOp, [whole], *[(1, rest)] * count, slices=(1,) * count, axis=0)


LOWERINGS: Mapping[str, Lowering] = {
    **dict.fromkeys(("F.interpolate", "nn.Upsample", "F.upsample"), interpolation()),
    **dict.fromkeys(("nn.UpsamplingNearest2d", "F.upsample_nearest"), interpolation()),
    **dict.fromkeys(
        ("nn.UpsamplingBilinear2d", "F.upsample_bilinear"), interpolation("bilinear", True)
    ),
    **dict.fromkeys(("nn.PixelShuffle", "F.pixel_shuffle"), pixel_shuffle),
    **dict.fromkeys(("nn.PixelUnshuffle", "F.pixel_unshuffle"), pixel_unshuffle),
    **dict.fromkeys(("nn.ChannelShuffle", "F.channel_shuffle"), channel_shuffle),
    **dict.fromkeys(("nn.Unfold", "F.unfold"), unfold),
    **dict.fromkeys(("nn.Fold", "F.fold"), fold),
    "F.grid_sample": grid_sample,
}
