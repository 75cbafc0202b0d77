"""The patterns that `canonicalize` applies, by subject. Named passes select from the same ones."""

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from xdsl.pattern_rewriter import RewritePattern

from ...dialects.ncnn.activation import PReLUOp
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.cropping import CropOp, PaddingOp
from ...dialects.ncnn.elementwise import BinaryOpOp, EltwiseOp
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.interfaces import ChannelAffine, FusableActivation, Identity, Reshaping
from ...dialects.ncnn.joining import ConcatOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reduction import ReductionOp
from ...dialects.ncnn.reshaping import PermuteOp, ReshapeOp
from ...dialects.ncnn.unary import AbsValOp, UnaryOpOp
from ..counting import FirstOf
from .activation import ComposeActivation, FuseActivation
from .affine import FuseAffine, FuseAffineAhead, ScaleGemm
from .binaryop import FormWeightedSum, ScalarOperand
from .branches import FuseParallelBranches
from .channels_first import ReplaceGemm
from .composition import ComposeAffine, ComposeScalars
from .folding import FoldConstants
from .identity import EliminateIdentity, EliminateNeutralAffine
from .moving import MergeConcats, MergeCrops, MergePermutes
from .normalization import FuseNormAffine
from .padding import FusePadding
from .recognition import OF_TYPES as RECOGNITION
from .reductions import DropKeptAxes, MergeReductions, ReplaceReductionByPooling
from .replacing import ReplaceConvolution, ReplacePReLU
from .reshapes import (
    EliminateReshapeBeforeBinaryOp,
    EliminateReshapeBeforeInnerProduct,
    MergeReshapes,
    ReadShapeElsewhere,
)
from .unary import MergeNegation, MergeUnaryOps, ReplaceProductBySquare
from .unused import EliminateDuplicate, ShareConstants

_Rooted: TypeAlias = tuple[type, RewritePattern]
"""A type or interface of the layers that a pattern is rooted at, and the pattern."""

SIMPLIFICATIONS: Sequence[_Rooted] = (
    (LayerOp, FoldConstants()),
    (Identity, EliminateIdentity()),
    (UnaryOpOp, MergeUnaryOps()),
    (AbsValOp, MergeUnaryOps()),
    (BinaryOpOp, MergeNegation()),
    (BinaryOpOp, ReplaceProductBySquare()),
    (CropOp, MergeCrops()),
    (Reshaping, MergeReshapes()),
    (ReshapeOp, ReadShapeElsewhere()),
    (Reshaping, DropKeptAxes()),
    (PermuteOp, MergePermutes()),
    (PermuteOp, ReplaceGemm()),
    (ConcatOp, MergeConcats()),
    (BinaryOpOp, EliminateReshapeBeforeBinaryOp()),
    (InnerProductOp, EliminateReshapeBeforeInnerProduct()),
    (ReductionOp, MergeReductions()),
    (ReductionOp, ReplaceReductionByPooling()),
    (PReLUOp, ReplacePReLU()),
    (ConvolutionOp, ReplaceConvolution()),
    (LayerOp, EliminateDuplicate()),
    (ConstantOp, ShareConstants()),
)
"""What leaves a graph simpler, and each layer in it what it was."""

NEUTRAL: Sequence[_Rooted] = ((ChannelAffine, EliminateNeutralAffine()),)
"""The same; but whether it fires is known only from all weights."""

FUSIONS: Sequence[_Rooted] = (
    (ChannelAffine, FuseNormAffine()),
    (PaddingOp, FusePadding()),
    (BinaryOpOp, ScalarOperand()),
    (ChannelAffine, ScaleGemm()),
    (ChannelAffine, FuseAffine()),
    (ChannelAffine, FuseAffineAhead()),
    (ChannelAffine, ComposeAffine()),
    (ChannelAffine, ComposeScalars()),
    (FusableActivation, FuseActivation()),
    (FusableActivation, ComposeActivation()),
    (BinaryOpOp, FuseParallelBranches()),
    (EltwiseOp, FuseParallelBranches()),
    (BinaryOpOp, FormWeightedSum()),
)
"""What joins two layers of any kind, once they are no part of a spelled-out operation."""


def rooted(cls: type[LayerOp], *groups: Sequence[_Rooted]) -> RewritePattern:
    """The patterns of some groups that are rooted at a layer type, by what the layer can be."""
    return FirstOf([p for group in groups for root, p in group if issubclass(cls, root)])


@cache
def recognizing(cls: type[LayerOp]) -> RewritePattern:
    """What a graph spells out in layers of this type, and what may hide it."""
    return rooted(cls, SIMPLIFICATIONS, NEUTRAL, RECOGNITION)


def patterns_for(cls: type[LayerOp]) -> tuple[RewritePattern, ...]:
    """The canonicalization patterns of a layer type: all."""
    # What is neutral is most often fused as well, for which weights are read in any case.
    return (rooted(cls, SIMPLIFICATIONS, RECOGNITION, FUSIONS, NEUTRAL),)
