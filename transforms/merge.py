"""Merging layers of one kind, as passes of their own. The patterns, with algebra and conditions,
are in `canonicalization/`."""

from .pattern_pass import PatternPass, Patterns


class MergeReshapes(PatternPass):
    """Make one Reshape of several layers that only reshape (Reshape, Flatten, Squeeze,
    ExpandDims)."""

    name = "merge-reshapes"

    def patterns(self) -> Patterns:
        from .canonicalization import reshapes

        return (reshapes.MergeReshapes(),)


class MergePermutes(PatternPass):
    """Make one Permute of several."""

    name = "merge-permutes"

    def patterns(self) -> Patterns:
        from .canonicalization import moving

        return (moving.MergePermutes(),)


class MergeConcats(PatternPass):
    """Join blobs at once that one Concat joins before another along the same axis."""

    name = "merge-concats"

    def patterns(self) -> Patterns:
        from .canonicalization import moving

        return (moving.MergeConcats(),)


class MergeReductions(PatternPass):
    """Make one Reduction of several of the same operation, and drop axes that are kept only to be
    reshaped away."""

    name = "merge-reductions"

    def patterns(self) -> Patterns:
        from .canonicalization import reductions

        return (reductions.MergeReductions(), reductions.DropKeptAxes())


class MergeUnaryOps(PatternPass):
    """Remove UnaryOp layers that another layer makes superfluous (neg after neg, floor after round,
    neg before an addition, …)."""

    name = "merge-unaryops"

    def patterns(self) -> Patterns:
        from .canonicalization import unary

        return (unary.MergeUnaryOps(), unary.MergeNegation())


class MergeCrops(PatternPass):
    """Make one Slice of the Crops that cut a blob into all of its parts."""

    name = "merge-crops"

    def patterns(self) -> Patterns:
        from .canonicalization import moving

        return (moving.MergeCrops(),)
