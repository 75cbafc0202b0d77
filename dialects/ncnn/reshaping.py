"""Layers that only move elements: they join, cut, pad, repeat, reshape and permute blobs."""

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX

from .blob import BlobType, element_count, shape_of
from .checks import check, check_axes, check_range
from .extents import (
    ABSENT,
    AXES,
    Box,
    SizedBox,
    blob_like,
    count_of,
    expanded,
    expression_length,
    extents_of,
    known,
    permutation,
    positive_axis,
    reshaped,
    slice_parts,
    tiled,
)
from .layer import Arity, SameShapeLayer, UnaryLayer, VariadicLayer, layer, optional_weight
from .params import derived_param, enum_param, float_param, int_param, ints_param, str_param


@layer
class ConcatOp(VariadicLayer):
    """Joins blobs along an axis: `y = concat(x0, x1, …)`.

    Shapes: blobs of the same rank and, but for the axis, extents -> the axis has the sum.
    Parameters: axis.
    Source: src/layer/concat.cpp.
    """

    axis = int_param(0)

    NUM_INPUTS: ClassVar[Arity] = (1, None)

    def infer_types(self) -> Sequence[BlobType] | None:
        every = [shape_of(v) for v in self.inputs]
        shapes = [s for s in every if s is not None]
        if not shapes or any(len(s) != len(shapes[0]) for s in shapes):
            return None
        axis = positive_axis(self.axis, len(shapes[0]))
        if axis is None:
            return None
        extents = [max(column) for column in zip(*shapes, strict=True)]
        parts = [s[axis] if s is not None else DYNAMIC_INDEX for s in every]
        extents[axis] = known(sum(parts), *parts)
        return (blob_like(self.inputs[0], extents),)


@layer
class SliceOp(VariadicLayer):
    """Cuts a blob into parts along an axis.

    Shapes: any of 1 to 4 dims -> parts of the same extents but for the axis.
    Parameters: slices (the parts' extents, -233: an equal share of what is left), axis, indices
    (where each part but the last ends, negative ones from the end; instead of slices).
    Source: src/layer/slice.cpp.
    """

    slices = ints_param(0)
    axis = int_param(1)
    indices = ints_param(2)

    NUM_OUTPUTS: ClassVar[Arity] = (1, None)

    def verify_layer(self) -> None:
        check_range(self, -4, 3, "axis")
        for part in self.slices:
            check(self, part > 0 or part == ABSENT, f"a part of extent {part}")

    def infer_types(self) -> Sequence[BlobType] | None:
        shape = shape_of(self.inputs[0])
        axis = None if shape is None else positive_axis(self.axis, len(shape))
        if shape is None or axis is None:
            return None
        parts = slice_parts(shape[axis], len(self.outputs), self.slices, self.indices)
        if parts is None:
            return None
        return [blob_like(self.inputs[0], (*shape[:axis], n, *shape[axis + 1 :])) for n in parts]


@layer
class ReshapeOp(VariadicLayer):
    """The same elements, row-major, in another shape.

    Shapes: any of 1 to 4 dims -> `w`, `h x w`, `c x h x w` or `c x d x h x w`, by how many of the
    parameters are given. Further inputs are there for their extents only.
    Parameters: w, h, d, c (0: the input's, -1: what is left, -233: no such axis), shape_expr (w
    first; it wins), input_batch_axis and output_batch_axis (axes of the logical shapes that are a
    batch of blobs, 233: none).
    Source: src/layer/reshape.cpp.
    """

    w = int_param(0, default=ABSENT)
    h = int_param(1, default=ABSENT)
    d = int_param(11, default=ABSENT)
    c = int_param(2, default=ABSENT)
    shape_expr = str_param(6)
    """A list such as `0w,*(0h,1h)`: extents and arithmetic on the extents of the inputs."""
    input_batch_axis = int_param(12, default=233)
    output_batch_axis = int_param(13, default=233)

    NUM_INPUTS: ClassVar[Arity] = (1, None)

    def infer_types(self) -> Sequence[BlobType] | None:
        rank, x = self.output_rank(), self.inputs[0]
        if self.input_batch_axis != 233 or self.output_batch_axis != 233 or rank not in AXES:
            return None
        if self.shape_expr:
            return (blob_like(x, (DYNAMIC_INDEX,) * rank),)
        total = count_of(x)
        if rank == 1:
            # All elements, whatever the parameter says.
            return (blob_like(x, (known(self.w) if total == DYNAMIC_INDEX else total,)),)
        wanted = [getattr(self, axis) for axis in AXES[rank]]
        return (blob_like(x, reshaped(wanted, extents_of(x), total)),)

    def output_rank(self) -> int | None:
        """How many dims the (logical) output has; `None` if the expression is none."""
        if self.shape_expr:
            return expression_length(self.shape_expr)
        return next((i for i, axis in enumerate("whcd") if getattr(self, axis) == ABSENT), 4)

    def verify_layer(self) -> None:
        rank, most = self.output_rank(), 4 if self.output_batch_axis == 233 else 5
        check(self, rank is not None, f"shape_expr '{self.shape_expr}' is no expression")
        check(self, rank is None or 1 <= rank <= most, f"an output of {rank} dims")


@layer
class FlattenOp(UnaryLayer):
    """The same elements, row-major, in one dim.

    Shapes: any of 1 to 4 dims -> `w`.
    Parameters: none.
    Source: src/layer/flatten.cpp.
    """

    def infer_types(self) -> Sequence[BlobType] | None:
        return (blob_like(self.input, (count_of(self.input),)),)


@layer
class SqueezeOp(UnaryLayer):
    """Drops axes whose extent is 1; those that are longer stay.

    Shapes: any of 1 to 4 dims -> as many dims less as are dropped, at least 1.
    Parameters: axes, or without them squeeze_w, squeeze_h, squeeze_d, squeeze_c.
    Source: src/layer/squeeze.cpp.
    """

    squeeze_w = int_param(0)
    squeeze_h = int_param(1)
    squeeze_d = int_param(11)
    squeeze_c = int_param(2)
    axes = ints_param(3)

    def infer_types(self) -> Sequence[BlobType] | None:
        extents = extents_of(self.input)
        if extents is None:
            return None
        rank = len(extents)
        wanted = [bool(getattr(self, f"squeeze_{axis}")) for axis in extents]
        if self.axes:
            wanted = [i in self.axes or i - rank in self.axes for i in range(rank)]
        kept: list[int] = []
        for n, drop in zip(extents.values(), wanted, strict=True):
            if drop and n == DYNAMIC_INDEX:
                return None  # the extent decides on the rank
            if not drop or n != 1:
                kept.append(n)
        return (blob_like(self.input, kept or (1,)),)

    def verify_layer(self) -> None:
        check_axes(self, self.axes)


@layer
class ExpandDimsOp(UnaryLayer):
    """Puts in axes of extent 1.

    Shapes: any of 1 to 3 dims -> as many dims more as there are axes. Where that makes more than
    4 dims, the blob stays as it is.
    Parameters: axes (of the result).
    Source: src/layer/expanddims.cpp.
    """

    axes = ints_param(3)

    def infer_types(self) -> Sequence[BlobType] | None:
        shape = shape_of(self.input)
        if shape is None:
            return None
        if len(shape) + len(self.axes) > 4:
            return (cast(BlobType, self.input.type),)
        result = expanded(shape, self.axes)
        return None if result is None else (blob_like(self.input, result),)

    def verify_layer(self) -> None:
        check_axes(self, self.axes)


@layer
class PermuteOp(UnaryLayer):
    """Puts the axes into another order.

    Shapes: any of 1 to 4 dims -> the same extents in another order; 1-D blobs stay as they are.
    Parameters: order_type (see `extents.ORDERS`).
    Source: src/layer/permute.cpp.
    """

    order_type = int_param(0)

    def infer_types(self) -> Sequence[BlobType] | None:
        shape = shape_of(self.input)
        order = None if shape is None else permutation(self.order_type, len(shape))
        if shape is None or order is None:
            return None
        return (blob_like(self.input, [shape[axis] for axis in order]),)

    def verify_layer(self) -> None:
        check_range(self, 0, 23, "order_type")


@layer
class CropOp(VariadicLayer, SizedBox):
    """Cuts a box out of a blob: by starts and ends as in NumPy, by offsets and extents, or as
    large as a second blob.

    Shapes: any of 1 to 4 dims -> the same rank.
    Parameters: starts, ends, axes (-233: from the first, to the last element); or woffset, hoffset,
    doffset, coffset (what is cut off before), woffset2, hoffset2, doffset2, coffset2 (what is cut
    off after) and outw, outh, outd, outc (at most so much is left, -233: all); or, if all of these
    but the offsets before are 0, the extents of the second input, which with woffset -233 holds
    offsets and extents instead; starts_expr, ends_expr, axes_expr (lists of expressions on the
    inputs' extents; they win).
    Source: src/layer/crop.cpp.
    """

    starts_expr = str_param(19)
    ends_expr = str_param(20)
    axes_expr = str_param(21)

    NUM_INPUTS: ClassVar[Arity] = (1, None)

    def infer_types(self) -> Sequence[BlobType] | None:
        extents = extents_of(self.inputs[0])
        if extents is None:
            return None
        if self.starts_expr and self.ends_expr:
            box = [DYNAMIC_INDEX] * len(extents)
        elif self.starts_expr or self.ends_expr or self.axes_expr:
            return None
        elif self.has_size():
            box = self.box_in(extents)
        elif len(self.inputs) > 1:
            box = self.box_like(extents, extents_of(self.inputs[1]))
        else:
            return None
        return None if box is None else (blob_like(self.inputs[0], box),)


@layer
class PaddingOp(UnaryLayer):
    """Puts elements around a blob.

    Shapes: any of 1 to 4 dims -> the same rank; front and behind are along c of a 3-D blob and
    along d of a 4-D one.
    Parameters: top, bottom, left, right, front, behind, type (constant, replicate, reflect),
    value, per_channel_pad_data_size (constants for each channel instead of value).
    Source: src/layer/padding.cpp.
    """

    top = int_param(0)
    bottom = int_param(1)
    left = int_param(2)
    right = int_param(3)
    type = enum_param(4, ("constant", "replicate", "reflect"))
    value = float_param(5)
    front = int_param(7)
    behind = int_param(8)

    per_channel_pad = optional_weight(
        lambda p: (p.per_channel_pad_data_size,), when=lambda p: p.per_channel_pad_data_size
    )

    @derived_param(6)
    def per_channel_pad_data_size(self) -> int:
        """Elements of the constants for each channel, 0 for none."""
        return element_count(self.per_channel_pad)

    def infer_types(self) -> Sequence[BlobType] | None:
        extents = extents_of(self.input)
        if extents is None:
            return None
        pads = {
            "w": (self.left, self.right),
            "h": (self.top, self.bottom),
            "c" if len(extents) == 3 else "d": (self.front, self.behind),
        }
        if any(pad < 0 for both in pads.values() for pad in both):
            return None
        grown = [known(n + sum(pads.get(a, ())), n) for a, n in extents.items()]
        return (blob_like(self.input, grown),)

    def verify_layer(self) -> None:
        check_range(self, 0, 2, "type")


@layer
class TileOp(UnaryLayer):
    """Repeats a blob along its axes.

    Shapes: any of 1 to 4 dims -> the same rank, or as many dims as there are repeats.
    Parameters: axis and tiles (how often along that axis, which is not negative), or repeats (how
    often along each of the innermost axes, outermost first; with 4 repeats a 3-D blob is taken as
    `c x 1 x h x w`).
    Source: src/layer/tile.cpp.
    """

    axis = int_param(0)
    tiles = int_param(1, default=1)
    repeats = ints_param(2)

    def infer_types(self) -> Sequence[BlobType] | None:
        extents = extents_of(self.input)
        if extents is None:
            return None
        axis = 0 if len(extents) == 1 else self.axis
        once = [self.tiles if i == axis else 1 for i in range(len(extents))]
        result = tiled(extents, self.repeats or once)
        return None if result is None else (blob_like(self.input, result),)

    def verify_layer(self) -> None:
        check(self, len(self.repeats) <= 4, f"{len(self.repeats)} repeats, a blob has 4 axes")
        if not self.repeats:
            check_range(self, 0, 3, "axis")
        for times in self.repeats or (self.tiles,):
            check(self, times > 0, f"repeated {times} times")


@layer
class FlipOp(SameShapeLayer):
    """Reverses the order of the elements along axes.

    Shapes: any of 1 to 4 dims -> the same.
    Parameters: axes.
    Source: src/layer/flip.cpp.
    """

    axes = ints_param(0)

    def verify_layer(self) -> None:
        check_axes(self, self.axes)


@layer
class DiagOp(UnaryLayer):
    """Makes a matrix that has the blob on a diagonal, or takes that diagonal out of a matrix.

    Shapes: `w` -> `n x n`, n = w + |diagonal|; `h x w` -> `n`.
    Parameters: diagonal (0 the main one, above it positive, below it negative).
    Source: src/layer/diag.cpp.
    """

    diagonal = int_param(0)

    def infer_types(self) -> Sequence[BlobType] | None:
        shape, k = shape_of(self.input), self.diagonal
        match shape:
            case (w,):
                return (blob_like(self.input, (known(w + abs(k), w),) * 2),)
            case (h, w):
                return (blob_like(self.input, (known(min(h + min(k, 0), w - max(k, 0)), h, w),)),)
            case _:
                return None


@layer
class CopyToOp(VariadicLayer, Box):
    """A copy of the first blob, with the second blob written over a box in it.

    Shapes: any of 1 to 4 dims, and one of the same rank that fits into it -> the first.
    Parameters: where the box begins: starts and axes, or woffset, hoffset, doffset, coffset.
    Source: src/layer/copyto.cpp.
    """

    NUM_INPUTS: ClassVar[Arity] = (2, 2)

    def infer_types(self) -> Sequence[BlobType] | None:
        return (cast(BlobType, self.inputs[0].type),)
