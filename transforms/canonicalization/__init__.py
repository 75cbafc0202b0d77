"""The patterns that `canonicalize` applies, by subject. Named passes select from the same ones."""

from collections.abc import Sequence
from functools import cache
from types import UnionType

from xdsl.pattern_rewriter import RewritePattern

from ...dialects.ncnn.layer import LayerOp
from ...xdsl_extras.roots import root_of
from ..counting import FirstOf
from .activation import ComposeActivation, FuseActivation
from .affine import FuseAffine, FuseAffineAhead, ScaleGemm
from .affine_through import FuseAffineThrough
from .binaryop import FormWeightedSum, ScalarOperand
from .branches import FuseParallelBranches
from .channels_first import ReplaceGemm
from .composition import ComposeAffine, ComposeScalars
from .convolutions import ComposeConvolutions
from .folding import FoldConstants
from .gates import DropAxesOfGate
from .heads import ShareHeads
from .identity import EliminateIdentity, EliminateNeutralAffine
from .long_attention import ReplaceMultiHeadAttention
from .moving import MergeConcats, MergeCrops, MergePermutes
from .normalization import FuseNormAffine
from .one_dim import ReplaceOneDim
from .padding import FusePadding
from .products import ReplaceMatMul
from .recognition import RECOGNITION
from .recognition.recognizer import Recognizer
from .reductions import DropKeptAxes, MergeReductions, ReplaceReductionByPooling
from .replacing import ReplaceConvolution, ReplacePReLU
from .reshapes import (
    EliminateReshapeBeforeBinaryOp,
    EliminateReshapeBeforeInnerProduct,
    MergeReshapes,
    ReadShapeElsewhere,
    SayShape,
)
from .rows_of_pixels import ConvolveBeforeImage, ConvolveBehindImage
from .unary import MergeNegation, MergeUnaryOps, ReplaceProductBySquare
from .unused import EliminateDuplicate, ShareConstants
from .whole_windows import ReplacePooling

SIMPLIFICATIONS: Sequence[RewritePattern] = (
    FoldConstants(),
    EliminateIdentity(),
    MergeUnaryOps(),
    MergeNegation(),
    ReplaceProductBySquare(),
    MergeCrops(),
    MergeReshapes(),
    SayShape(),
    ReadShapeElsewhere(),
    DropKeptAxes(),
    DropAxesOfGate(),
    MergePermutes(),
    ReplaceGemm(),
    ConvolveBeforeImage(),
    ConvolveBehindImage(),
    MergeConcats(),
    ShareHeads(),
    EliminateReshapeBeforeBinaryOp(),
    EliminateReshapeBeforeInnerProduct(),
    MergeReductions(),
    ReplaceReductionByPooling(),
    ReplacePooling(),
    ReplacePReLU(),
    ReplaceConvolution(),
    EliminateDuplicate(),
    ShareConstants(),
)
"""What leaves a graph simpler, and each layer in it what it was."""

NEUTRAL: Sequence[RewritePattern] = (EliminateNeutralAffine(),)
"""The same; but whether it fires is known only from all weights."""

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
    ReplaceOneDim(),
    ReplaceMultiHeadAttention(),
)
"""What joins two layers of any kind, once they are no part of a spelled-out operation."""


@cache
def roots_of(pattern: type[RewritePattern]) -> type | UnionType | tuple[type, ...]:
    """The types or interfaces of the layers that a pattern is rooted at: those that a recognizer
    says, or the annotation of `match_and_rewrite`."""
    return pattern.ROOTS if issubclass(pattern, Recognizer) else root_of(pattern)


def rooted(cls: type[LayerOp], *groups: Sequence[RewritePattern]) -> RewritePattern:
    """The patterns of some groups that are rooted at a layer type, by what the layer can be."""
    return FirstOf([p for group in groups for p in group if issubclass(cls, roots_of(type(p)))])


@cache
def recognizing(cls: type[LayerOp]) -> RewritePattern:
    """What a graph spells out in layers of this type, and what may hide it."""
    return rooted(cls, SIMPLIFICATIONS, NEUTRAL, RECOGNITION)


def patterns_for(cls: type[LayerOp]) -> tuple[RewritePattern, ...]:
    """The canonicalization patterns of a layer type: all."""
    # What is neutral is most often fused as well, for which weights are read in any case.
    return (rooted(cls, SIMPLIFICATIONS, RECOGNITION, FUSIONS, NEUTRAL),)
