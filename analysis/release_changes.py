"""Layers that compute something else before a release of ncnn, though older releases accept them.

`tests/differential/release_changes.py` finds such changes: it compares the results of all releases.
A change applies only where the declared shapes prove it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import floor, isclose
from typing import Any, NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX

from ..dialects.ncnn.blob import rank_of, shape_of
from ..dialects.ncnn.layer import LayerOp
from .target_info.releases import SECOND_HALVES

OTHER_HALVES = "tables whose halves may differ"
"""The feature of a RotaryEmbed (see `SECOND_HALVES`)."""


class ReleaseChange(NamedTuple):
    """A change of the results of a layer type."""

    release: str
    """The first release that computes what the newest one does."""
    feature: str
    applies: Callable[[Any], bool]
    """Whether the change concerns a layer of this type."""


def changes_of(op: LayerOp) -> Iterator[ReleaseChange]:
    """Yield the changes that concern a layer."""
    return (change for change in CHANGES.get(op.LAYER_TYPE, ()) if change.applies(op))


def _reads_second_halves(op: Any) -> bool:
    """Whether the second halves of a RotaryEmbed's tables count, and may differ from the first:
    the tables are provably as wide as the blob, and their halves are not provably equal."""
    from ..dialects.shapes.analysis import Shapes
    from .equal_halves import has_equal_halves

    shapes = Shapes(declared=True)
    x, *tables = op.inputs[:3]
    whole, given = shapes.of(x), shapes.of(tables[0])
    if op.interleaved or whole is None or given is None or given[-1] != whole[-1]:
        return False
    return not all(has_equal_halves(table, shapes) for table in tables)


def _has_single_mask(op: Any) -> bool:
    """Whether a mask of one channel is for several heads."""
    if not op.attn_mask or op.num_heads == 1:
        return False
    mask = shape_of(op.inputs[len(op.sequences(op.inputs))])
    return mask is not None and len(mask) == 3 and mask[0] == 1


def _inserts_several_axes(op: Any) -> bool:
    rank = rank_of(op.input)
    if rank is None or rank == 4 or len(op.axes) < 2:
        return False
    # Old releases count each axis in a result of one more dim, which is right for this pair only.
    return (rank, set(op.axes)) != (1, {0, -1})


def _resamples_by_scale(op: Any) -> bool:
    """Whether an Interp that interpolates uses a scale that is not the quotient of the extents."""
    shape = shape_of(op.inputs[0])
    if op.resize_type < 2 or op.align_corner or op.dynamic_target_size or op.size_expr:
        return False
    if shape is None or len(shape) not in (2, 3):
        return False
    axes = [(shape[-1], op.width_scale, op.output_width)]
    if len(shape) == 3:
        axes.append((shape[-2], op.height_scale, op.output_height))
    bilinear = op.resize_type == 2
    return any(_rounds(extent, scale, bilinear) for extent, scale, given in axes if not given)


def _rounds(extent: int, scale: float, bilinear: bool) -> bool:
    wanted = floor(extent * scale)
    if bilinear and wanted == extent:
        return False
    return (
        extent != DYNAMIC_INDEX and wanted > 0 and not isclose(wanted / extent, scale, rel_tol=1e-6)
    )


def _is_cubic_at_one(op: Any) -> bool:
    """Whether an Interp interpolates bicubically between one pixel and several, whose distance is
    not defined."""
    shape, wanted = shape_of(op.inputs[0]), shape_of(op.outputs[0])
    if op.resize_type != 3 or shape is None or wanted is None or len(shape) not in (2, 3):
        return False
    ends = zip(shape[1:], wanted[1:], strict=True)
    return any(m != n and (m == 1 or n == 1 and op.align_corner) for m, n in ends)


def _is_even_across(op: Any) -> bool:
    shape = shape_of(op.input)
    even = op.region_type == 0 and op.local_size % 2 == 0
    return even and shape is not None and len(shape) > 2 and shape[0] > 1


def _has_rows(op: Any) -> bool:
    """Whether the words of an Embed are in more than one row."""
    return any(extent > 1 for extent in (shape_of(op.input) or ())[:-1])


def _weight_is_blob(op: Any) -> bool:
    return bool(op.dynamic_weight)


def _follows_four_dims(op: Any) -> bool:
    return bool(op.dynamic_target_size) and rank_of(op.inputs[-1]) == 4


def _has_coefficient(op: Any) -> bool:
    return op.operation in (7, 8, 9, 10) and op.coeff != 1


def _reduces_nothing(op: Any) -> bool:
    return not (op.reduce_all or op.axes) and rank_of(op.input) in (2, 3, 4)


def _shrinks(op: Any) -> bool:
    return (op.bias, op.lambd) != (0, 0)


def _has_few_dims(op: Any) -> bool:
    return rank_of(op.input) in (1, 2)


def _tiles_depth(op: Any) -> bool:
    return rank_of(op.input) == 4 and op.axis == 1 and not op.repeats


CHANGES: Mapping[str, Sequence[ReleaseChange]] = {
    "ConvolutionDepthWise1D": (
        ReleaseChange("20240410", "a weight that is a blob", _weight_is_blob),  # ncnn #5387
    ),
    "Embed": (ReleaseChange("20250916", "words in several rows", _has_rows),),  # ncnn #6104
    "ExpandDims": (ReleaseChange("20260113", "several axes", _inserts_several_axes),),
    "Interp": (
        ReleaseChange(
            "20261020", "a scale that is not the quotient of the extents", _resamples_by_scale
        ),
        ReleaseChange("20261020", "bicubic interpolation along an extent of 1", _is_cubic_at_one),
        ReleaseChange(
            "20261020",
            "a second blob of 4 dims",
            _follows_four_dims,
        ),
    ),
    "LRN": (ReleaseChange("20261020", "an even number of channels", _is_even_across),),
    "MultiHeadAttention": (
        ReleaseChange(
            "20261020", "a mask of one channel for several heads", _has_single_mask
        ),  # #6812
    ),
    "Reduction": (
        ReleaseChange(  # ncnn #5866
            "20250428",
            "a coefficient of l1, l2, logsum or logsumexp",
            _has_coefficient,
        ),
        ReleaseChange(
            "20261020",
            "neither axes nor reduce_all",
            _reduces_nothing,
        ),
    ),
    "RotaryEmbed": (ReleaseChange(SECOND_HALVES, OTHER_HALVES, _reads_second_halves),),
    "Shrink": (ReleaseChange("20260113", "bias and threshold", _shrinks),),  # ncnn #6329
    "ShuffleChannel": (  # ncnn #6737
        ReleaseChange("20260526", "a blob of 1 or 2 dims", _has_few_dims),
    ),
    "Tile": (  # ncnn #6399
        ReleaseChange(
            "20260113",
            "axis 1 of a blob of 4 dims",
            _tiles_depth,
        ),
    ),
}
"""The changes by layer type."""
