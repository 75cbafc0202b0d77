"""The patterns of `canonicalize`, by subject, in order of preference. Named passes select from the
same patterns.

This module imports all of them. It is imported when an operation is asked for its patterns.
"""

from collections.abc import Sequence
from functools import cache
from types import UnionType

from xdsl.pattern_rewriter import RewritePattern

from ...dialects.ncnn.layer import LayerOp
from ...dialects.xdsl_extras.roots import root_of
from ..rewriting.pattern_set import PatternSet
from .activation import ComposeActivation, FuseActivation
from .affine import FuseAffine, FuseAffineAhead, ScaleGemm
from .affine_composition import ComposeAffine, ComposeScalars
from .affine_through_reshapes import FuseAffineThrough
from .attention_decomposition import ReplaceMultiHeadAttention
from .binaryop import FormWeightedSum, ScalarOperand
from .constant_folding import FoldConstants
from .convolution_1d import Replace1DWith2D
from .convolution_composition import ComposeConvolutions
from .data_movement import MergeConcats, MergeCrops, MergePermutes
from .equivalent_layers import ReplaceConvolution, ReplaceConvolutionOfVector, ReplacePReLU
from .gemm_to_convolution import ReplaceGemm
from .global_pooling import ReplacePooling
from .grouped_query_attention import ShareHeads
from .identity import EliminateIdentity, EliminateNeutralAffine, EliminateReshapeOfVector
from .matmul_to_gemm import ReplaceMatMul
from .normalization import FuseNormAffine
from .padding import FusePadding
from .parallel_branches import FuseParallelBranches
from .pixel_gemms import ConvolveAfterImage, ConvolveBeforeImage
from .recognition.activations import FormGELU, FormHardSigmoid, FormHardSwish, FormMish, FormSwish
from .recognition.group_norm import FormGroupNorm
from .recognition.multihead_attention import FormMultiHeadAttention
from .recognition.normalizations import FormNorm, FormNormalize, FormRMSNorm, FormSoftmax
from .recognition.recognizer import Recognizer
from .recognition.rotary import FormRotaryEmbed, FormRotaryEmbedOfParts
from .recognition.rotary_pairs import FormRotaryEmbedOfPairs
from .recognition.sdpa import FormSDPA
from .recognition.shuffles import FormShuffle
from .reductions import DropKeptAxes, MergeReductions, ReplaceReductionByPooling
from .redundant_layers import EliminateDuplicate, ShareConstants
from .reshapes import (
    EliminateReshapeBeforeBinaryOp,
    EliminateReshapeBeforeInnerProduct,
    MergeReshapes,
    ReadShapeOfEarlierBlob,
    ReplaceShapeExpression,
    ReplaceSqueeze,
)
from .squeeze_excitation import DropAxesOfGate
from .transpositions import FoldTranspositionIntoGemm, FoldTranspositionIntoMatMul
from .unary import MergeNegation, MergeUnaryOps, ReplaceProductBySquare

SIMPLIFICATIONS: Sequence[RewritePattern] = (
    FoldConstants(),
    EliminateReshapeOfVector(),
    EliminateIdentity(),
    MergeUnaryOps(),
    MergeNegation(),
    ReplaceProductBySquare(),
    MergeCrops(),
    MergeReshapes(),
    ReplaceSqueeze(),
    ReplaceShapeExpression(),
    ReadShapeOfEarlierBlob(),
    DropKeptAxes(),
    DropAxesOfGate(),
    MergePermutes(),
    FoldTranspositionIntoMatMul(),
    FoldTranspositionIntoGemm(),
    ReplaceGemm(),
    ConvolveBeforeImage(),
    ConvolveAfterImage(),
    MergeConcats(),
    ShareHeads(),
    EliminateReshapeBeforeBinaryOp(),
    EliminateReshapeBeforeInnerProduct(),
    MergeReductions(),
    ReplaceReductionByPooling(),
    ReplacePooling(),
    ReplacePReLU(),
    ReplaceConvolutionOfVector(),
    ReplaceConvolution(),
    EliminateDuplicate(),
    ShareConstants(),
)
"""Patterns that simplify a graph and keep each layer recognizable as the layer that it was."""

NEUTRAL: Sequence[RewritePattern] = (EliminateNeutralAffine(),)
"""Simplifications that must read all weights of a layer to decide whether they apply."""

RECOGNIZERS: Sequence[Recognizer] = (
    FormSwish(),
    FormHardSwish(),
    FormHardSigmoid(),
    FormGELU(),
    FormMish(),
    FormNorm(),
    FormRMSNorm(),
    FormNormalize(),
    FormSoftmax(),
)
"""Recognizers that are a formula."""

RECOGNITION: Sequence[RewritePattern] = (
    *RECOGNIZERS,
    FormRotaryEmbed(),
    FormRotaryEmbedOfParts(),
    FormRotaryEmbedOfPairs(),
    FormSDPA(),
    FormMultiHeadAttention(),
    FormGroupNorm(),
    FormShuffle(),
)
"""All patterns that recognize operations."""

FUSIONS: Sequence[RewritePattern] = (
    FuseNormAffine(),
    FusePadding(),
    ScalarOperand(),
    ScaleGemm(),
    FuseAffine(),
    FuseAffineThrough(),
    FuseAffineAhead(),
    ComposeAffine(),
    ComposeScalars(),
    FuseActivation(),
    ComposeActivation(),
    FuseParallelBranches(),
    ComposeConvolutions(),
    FormWeightedSum(),
    ReplaceMatMul(),
    Replace1DWith2D(),
    ReplaceMultiHeadAttention(),
)
"""Patterns that join two layers of any kind. They run after recognition, when a layer is no longer
part of a spelled-out operation."""

# Fusions read the weights anyway, and neutral layers are usually fused: check neutrality last.
ALL: Sequence[RewritePattern] = (*SIMPLIFICATIONS, *RECOGNITION, *FUSIONS, *NEUTRAL)
"""The patterns of `canonicalize`, in the order in which it tries them at a layer."""


def rooted(cls: type[LayerOp], *groups: Sequence[RewritePattern]) -> PatternSet:
    """Return the patterns of some groups that have a layer type as root op, in order."""
    patterns = [pattern for group in groups for pattern in group]
    return PatternSet([p for p in patterns if issubclass(cls, roots_of(type(p)))])


@cache
def roots_of(pattern: type[RewritePattern]) -> type | UnionType | tuple[type, ...]:
    """Return the root types or interfaces of a pattern: its `ROOTS`, or the annotation of
    `match_and_rewrite`."""
    declared: tuple[type, ...] | None = getattr(pattern, "ROOTS", None)
    return root_of(pattern) if declared is None else declared


@cache
def recognition_patterns(cls: type[LayerOp]) -> PatternSet:
    """Return the patterns that recognize operations spelled out in layers of this type, and the
    simplifications that expose such operations."""
    return rooted(cls, SIMPLIFICATIONS, NEUTRAL, RECOGNITION)


def patterns_for(cls: type[LayerOp]) -> tuple[PatternSet, ...]:
    """Return all canonicalization patterns of a layer type."""
    return (rooted(cls, ALL),)
