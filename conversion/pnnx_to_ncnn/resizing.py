"""Interpolation, and rearrangements of channels and pixels. The images of a batch are further
channels."""

from collections.abc import Mapping, Sequence
from math import prod

from xdsl.ir import SSAValue

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
    """Lower `grid_sample` of one image; the grid has coordinates as its innermost axis."""
    shape, grid = b.inputs
    modes = {"bilinear": 1, "nearest": 2, "bicubic": 3}
    pads = {"zeros": 1, "border": 2, "reflection": 3}
    mode, pad = op.param("mode", "bilinear"), op.param("padding_mode", "zeros")
    if mode not in modes or pad not in pads or len(shape) != 4 or shape[0] != 1:
        raise Refusal(f"'mode' is {mode}, 'padding_mode' {pad}, its input has {len(shape)} axes")
    blobs = [b.reshape(op.inputs[0], shape[1:]), b.reshape(op.inputs[1], grid[1:])]
    return b.layer(
        GridSampleOp,
        blobs,
        (shape[1], *grid[1:3]),
        sample_type=modes[mode],
        padding_mode=pads[pad],
        align_corner=int(bool(op.param("align_corners", False))),
    )


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
