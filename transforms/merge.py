"""Merging layers of one kind, as passes of their own. The patterns, with algebra and conditions,
are in `canonicalization/`."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.pattern_rewriter import RewritePattern

from .canonicalization import moving, reductions, reshapes, unary
from .pattern_pass import PatternPass


@dataclass(frozen=True)
class MergeReshapes(PatternPass):
    """Make one Reshape of several layers that only reshape (Reshape, Flatten, Squeeze,
    ExpandDims)."""

    name = "merge-reshapes"

    def patterns(self) -> Sequence[RewritePattern]:
        return (reshapes.MergeReshapes(),)


@dataclass(frozen=True)
class MergePermutes(PatternPass):
    """Make one Permute of several."""

    name = "merge-permutes"

    def patterns(self) -> Sequence[RewritePattern]:
        return (moving.MergePermutes(),)


@dataclass(frozen=True)
class MergeConcats(PatternPass):
    """Join blobs at once that one Concat joins before another along the same axis."""

    name = "merge-concats"

    def patterns(self) -> Sequence[RewritePattern]:
        return (moving.MergeConcats(),)


@dataclass(frozen=True)
class MergeReductions(PatternPass):
    """Make one Reduction of several of the same operation, and drop axes that are kept only to be
    reshaped away."""

    name = "merge-reductions"

    def patterns(self) -> Sequence[RewritePattern]:
        return (reductions.MergeReductions(), reductions.DropKeptAxes())


@dataclass(frozen=True)
class MergeUnaryOps(PatternPass):
    """Remove UnaryOp layers that another layer makes superfluous (neg after neg, floor after round,
    neg before an addition, …)."""

    name = "merge-unaryops"

    def patterns(self) -> Sequence[RewritePattern]:
        return (unary.MergeUnaryOps(), unary.MergeNegation())


@dataclass(frozen=True)
class MergeCrops(PatternPass):
    """Make one Slice of the Crops that cut a blob into all of its parts."""

    name = "merge-crops"

    def patterns(self) -> Sequence[RewritePattern]:
        return (moving.MergeCrops(),)
