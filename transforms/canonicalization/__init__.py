"""The patterns of `canonicalize`, by subject. Named passes select from the same patterns."""

from collections.abc import Sequence
from functools import cache, partial
from itertools import groupby

from xdsl.pattern_rewriter import RewritePattern

from ...dialects.ncnn.layer import LayerOp
from ..rewriting.rewrite_budget import CountedPatternSet, LazyPatternSet
from .lazy_patterns import LazyPattern, at, roots_of
from .recognition import RECOGNITION, RESHAPING

SIMPLIFICATIONS: Sequence[LazyPattern] = (
    at("constant_folding.FoldConstants"),
    at("identity.EliminateIdentity"),
    at("unary.MergeUnaryOps", "AbsVal", "UnaryOp"),
    at("unary.MergeNegation", "BinaryOp"),
    at("unary.ReplaceProductBySquare", "BinaryOp"),
    at("data_movement.MergeCrops", "Crop"),
    at("reshapes.MergeReshapes", *RESHAPING),
    at("reshapes.ReplaceSqueeze", "Squeeze", "ExpandDims"),
    at("reshapes.ReplaceShapeExpression", "Reshape"),
    at("reshapes.ReadShapeOfEarlierBlob", "Reshape"),
    at("reductions.DropKeptAxes", *RESHAPING),
    at("squeeze_excitation.DropAxesOfGate", "Reduction", "Reshape"),
    at("data_movement.MergePermutes", "Permute"),
    at("transpositions.FoldTranspositionIntoMatMul", "MatMul"),
    at("transpositions.FoldTranspositionIntoGemm", "Gemm"),
    at("gemm_to_convolution.ReplaceGemm", "Permute"),
    at("pixel_gemms.ConvolveBeforeImage", "Reshape", "Permute"),
    at("pixel_gemms.ConvolveAfterImage", "Reshape", "Permute"),
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
"""Patterns that simplify a graph and keep each layer recognizable as the layer that it was."""

NEUTRAL: Sequence[LazyPattern] = (at("identity.EliminateNeutralAffine"),)
"""Simplifications that must read all weights of a layer to decide whether they apply."""

FUSIONS: Sequence[LazyPattern] = (
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
        "convolution_1d.Replace1DWith2D",
        "ConvolutionDepthWise1D",
        "Deconvolution1D",
        "DeconvolutionDepthWise1D",
    ),
    at("attention_decomposition.ReplaceMultiHeadAttention", "MultiHeadAttention"),
)
"""Patterns that join two layers of any kind. They run after recognition, when a layer is no longer
part of a spelled-out operation."""


def rooted(cls: type[LayerOp], *groups: Sequence[LazyPattern]) -> CountedPatternSet:
    """Return the patterns of some groups that have a layer type as root op, in an order that tries
    cheap conditions first."""
    near = [p for group in groups for p in group if not p.layers or cls.LAYER_TYPE in p.layers]
    patterns: list[RewritePattern] = []
    for when, some in groupby(near, lambda p: p.when):
        load = partial(_load, cls, tuple(some))
        patterns += load() if when is None else (LazyPatternSet(when, load),)
    return CountedPatternSet(patterns)


def _load(cls: type[LayerOp], near: Sequence[LazyPattern]) -> list[RewritePattern]:
    loaded = [p.load() for p in near]
    return [p for p in loaded if issubclass(cls, roots_of(type(p)))]


@cache
def recognition_patterns(cls: type[LayerOp]) -> CountedPatternSet:
    """Return the patterns that recognize operations spelled out in layers of this type, and the
    simplifications that expose such operations."""
    return rooted(cls, SIMPLIFICATIONS, NEUTRAL, RECOGNITION)


def patterns_for(cls: type[LayerOp]) -> tuple[CountedPatternSet, ...]:
    """Return all canonicalization patterns of a layer type."""
    # Fusions read the weights anyway, and neutral layers are usually fused: check neutrality last.
    return (rooted(cls, SIMPLIFICATIONS, RECOGNITION, FUSIONS, NEUTRAL),)
