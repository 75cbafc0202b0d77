"""The patterns that `canonicalize` applies, by subject. Named passes select from the same ones."""

from collections.abc import Sequence
from functools import cache, partial
from itertools import groupby

from xdsl.pattern_rewriter import RewritePattern

from ...dialects.ncnn.layer import LayerOp
from ..counting import FirstOf, FirstWhen
from .recognition import RECOGNITION
from .rooted import Rooted, at, roots_of

SIMPLIFICATIONS: Sequence[Rooted] = (
    at("folding.FoldConstants"),
    at("identity.EliminateIdentity"),
    at("unary.MergeUnaryOps", "AbsVal", "UnaryOp"),
    at("unary.MergeNegation", "BinaryOp"),
    at("unary.ReplaceProductBySquare", "BinaryOp"),
    at("moving.MergeCrops", "Crop"),
    at("reshapes.MergeReshapes", "Flatten", "Reshape", "Squeeze", "ExpandDims", "Permute"),
    at("reshapes.SayShape", "Reshape"),
    at("reshapes.ReadShapeElsewhere", "Reshape"),
    at("reductions.DropKeptAxes", "Flatten", "Reshape", "Squeeze", "ExpandDims", "Permute"),
    at("gates.DropAxesOfGate", "Reduction"),
    at("moving.MergePermutes", "Permute"),
    at("channels_first.ReplaceGemm", "Permute"),
    at("rows_of_pixels.ConvolveBeforeImage", "Reshape", "Permute"),
    at("rows_of_pixels.ConvolveBehindImage", "Reshape", "Permute"),
    at("moving.MergeConcats", "Concat"),
    at("heads.ShareHeads", "SDPA"),
    at("reshapes.EliminateReshapeBeforeBinaryOp", "BinaryOp"),
    at("reshapes.EliminateReshapeBeforeInnerProduct", "InnerProduct"),
    at("reductions.MergeReductions", "Reduction"),
    at("reductions.ReplaceReductionByPooling", "Reduction"),
    at("whole_windows.ReplacePooling", "Pooling"),
    at("replacing.ReplacePReLU", "PReLU"),
    at("replacing.ReplaceConvolution", "Convolution"),
    at("unused.EliminateDuplicate"),
    at("unused.ShareConstants", "MemoryData"),
)
"""What leaves a graph simpler, and each layer in it what it was."""

NEUTRAL: Sequence[Rooted] = (at("identity.EliminateNeutralAffine"),)
"""The same; but whether it fires is known only from all weights."""

FUSIONS: Sequence[Rooted] = (
    at("normalization.FuseNormAffine"),
    at("padding.FusePadding", "Padding"),
    at("binaryop.ScalarOperand", "BinaryOp"),
    at("affine.ScaleGemm"),
    at("affine.FuseAffine"),
    at("affine_through.FuseAffineThrough"),
    at("affine.FuseAffineAhead"),
    at("composition.ComposeAffine"),
    at("composition.ComposeScalars"),
    at("activation.FuseActivation"),
    at("activation.ComposeActivation"),
    at("branches.FuseParallelBranches", "Eltwise", "BinaryOp"),
    at("convolutions.ComposeConvolutions", "Convolution"),
    at("binaryop.FormWeightedSum", "BinaryOp"),
    at("products.ReplaceMatMul", "MatMul"),
    at(
        "one_dim.ReplaceOneDim",
        "ConvolutionDepthWise1D",
        "Deconvolution1D",
        "DeconvolutionDepthWise1D",
    ),
    at("long_attention.ReplaceMultiHeadAttention", "MultiHeadAttention"),
)
"""What joins two layers of any kind, once they are no part of a spelled-out operation."""


def rooted(cls: type[LayerOp], *groups: Sequence[Rooted]) -> FirstOf:
    """The patterns of some groups that are rooted at a layer type, by what the layer can be."""
    near = [p for group in groups for p in group if p.may_be_at(cls.LAYER_TYPE)]
    patterns: list[RewritePattern] = []
    for when, some in groupby(near, lambda p: p.when):
        load = partial(_load, cls, tuple(some))
        patterns += load() if when is None else (FirstWhen(when, load),)
    return FirstOf(patterns)


def _load(cls: type[LayerOp], near: Sequence[Rooted]) -> list[RewritePattern]:
    loaded = [p.load() for p in near]
    return [p for p in loaded if issubclass(cls, roots_of(type(p)))]


@cache
def recognizing(cls: type[LayerOp]) -> FirstOf:
    """What a graph spells out in layers of this type, and what may hide it."""
    return rooted(cls, SIMPLIFICATIONS, NEUTRAL, RECOGNITION)


def patterns_for(cls: type[LayerOp]) -> tuple[FirstOf, ...]:
    """The canonicalization patterns of a layer type: all."""
    # What is neutral is most often fused as well, for which weights are read in any case.
    return (rooted(cls, SIMPLIFICATIONS, RECOGNITION, FUSIONS, NEUTRAL),)
