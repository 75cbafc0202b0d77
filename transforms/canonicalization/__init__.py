"""The patterns that `canonicalize` applies, by subject. Named passes select from the same ones."""

from collections.abc import Sequence
from functools import cache, partial
from itertools import groupby

from xdsl.pattern_rewriter import RewritePattern

from ...dialects.ncnn.layer import LayerOp
from ..counting import FirstOf, FirstWhen
from .lazy_patterns import Rooted, at, roots_of
from .recognition import RECOGNITION

SIMPLIFICATIONS: Sequence[Rooted] = (
    at("constant_folding.FoldConstants"),
    at("identity.EliminateIdentity"),
    at("unary.MergeUnaryOps", "AbsVal", "UnaryOp"),
    at("unary.MergeNegation", "BinaryOp"),
    at("unary.ReplaceProductBySquare", "BinaryOp"),
    at("data_movement.MergeCrops", "Crop"),
    at("reshapes.MergeReshapes", "Flatten", "Reshape", "Squeeze", "ExpandDims", "Permute"),
    at("reshapes.SayShape", "Reshape"),
    at("reshapes.ReadShapeElsewhere", "Reshape"),
    at("reductions.DropKeptAxes", "Flatten", "Reshape", "Squeeze", "ExpandDims", "Permute"),
    at("squeeze_excitation.DropAxesOfGate", "Reduction"),
    at("data_movement.MergePermutes", "Permute"),
    at("gemm_to_convolution.ReplaceGemm", "Permute"),
    at("pixel_gemms.ConvolveBeforeImage", "Reshape", "Permute"),
    at("pixel_gemms.ConvolveBehindImage", "Reshape", "Permute"),
    at("data_movement.MergeConcats", "Concat"),
    at("grouped_query_attention.ShareHeads", "SDPA"),
    at("reshapes.EliminateReshapeBeforeBinaryOp", "BinaryOp"),
    at("reshapes.EliminateReshapeBeforeInnerProduct", "InnerProduct"),
    at("reductions.MergeReductions", "Reduction"),
    at("reductions.ReplaceReductionByPooling", "Reduction"),
    at("global_pooling.ReplacePooling", "Pooling"),
    at("equivalent_layers.ReplacePReLU", "PReLU"),
    at("equivalent_layers.ReplaceConvolution", "Convolution"),
    at("redundant_layers.EliminateDuplicate"),
    at("redundant_layers.ShareConstants", "MemoryData"),
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
    at("affine_through_reshapes.FuseAffineThrough"),
    at("affine.FuseAffineAhead"),
    at("affine_composition.ComposeAffine"),
    at("affine_composition.ComposeScalars"),
    at("activation.FuseActivation"),
    at("activation.ComposeActivation"),
    at("parallel_branches.FuseParallelBranches", "Eltwise", "BinaryOp"),
    at("convolution_composition.ComposeConvolutions", "Convolution"),
    at("binaryop.FormWeightedSum", "BinaryOp"),
    at("matmul_to_gemm.ReplaceMatMul", "MatMul"),
    at(
        "convolution_1d.ReplaceOneDim",
        "ConvolutionDepthWise1D",
        "Deconvolution1D",
        "DeconvolutionDepthWise1D",
    ),
    at("attention_decomposition.ReplaceMultiHeadAttention", "MultiHeadAttention"),
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
