"""The patterns that `canonicalize` applies, by subject. Named passes select from the same ones."""

from collections.abc import Sequence

from xdsl.pattern_rewriter import RewritePattern

from ...dialects.ncnn.activation import PReLUOp
from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.cropping import CropOp, PaddingOp
from ...dialects.ncnn.elementwise import BinaryOpOp
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.interfaces import ChannelAffine, FusableActivation, Identity, Reshaping
from ...dialects.ncnn.joining import ConcatOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reduction import ReductionOp
from ...dialects.ncnn.reshaping import PermuteOp
from ...dialects.ncnn.unary import AbsValOp, UnaryOpOp
from ..counting import Counted
from .activation import ComposeActivation, FuseActivation
from .affine import FuseAffine, FuseAffineAhead, ScaleGemm
from .binaryop import FormWeightedSum, ScalarOperand
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
)
from .unary import MergeNegation, MergeUnaryOps, ReplaceProductBySquare
from .unused import EliminateDuplicate

_OF_TYPES: Sequence[tuple[type, RewritePattern]] = (
    (ChannelAffine, EliminateNeutralAffine()),
    (UnaryOpOp, MergeUnaryOps()),
    (AbsValOp, MergeUnaryOps()),
    (BinaryOpOp, MergeNegation()),
    (BinaryOpOp, ReplaceProductBySquare()),
    (CropOp, MergeCrops()),
    (Reshaping, MergeReshapes()),
    (Reshaping, DropKeptAxes()),
    (PermuteOp, MergePermutes()),
    (ConcatOp, MergeConcats()),
    (BinaryOpOp, EliminateReshapeBeforeBinaryOp()),
    (InnerProductOp, EliminateReshapeBeforeInnerProduct()),
    (ReductionOp, MergeReductions()),
    (ReductionOp, ReplaceReductionByPooling()),
    (PReLUOp, ReplacePReLU()),
    (ConvolutionOp, ReplaceConvolution()),
    (LayerOp, EliminateDuplicate()),
    (ChannelAffine, FuseNormAffine()),
    (PaddingOp, FusePadding()),
    *RECOGNITION,
)
"""Eliminations, replacements and recognizers, and the types or interfaces of the layers that they
are rooted at."""

_FUSIONS: Sequence[tuple[type, RewritePattern]] = (
    (BinaryOpOp, ScalarOperand()),
    (ChannelAffine, ScaleGemm()),
    (ChannelAffine, FuseAffine()),
    (ChannelAffine, FuseAffineAhead()),
    (ChannelAffine, ComposeAffine()),
    (ChannelAffine, ComposeScalars()),
    (FusableActivation, FuseActivation()),
    (FusableActivation, ComposeActivation()),
    (BinaryOpOp, FormWeightedSum()),
)
"""What joins two layers of any kind, once they are no part of a spelled-out operation."""


def patterns_for(cls: type[LayerOp]) -> tuple[RewritePattern, ...]:
    """The canonicalization patterns rooted at a layer type, by what the layer can be."""
    patterns: list[RewritePattern] = [FoldConstants()]
    if issubclass(cls, Identity):
        patterns.append(EliminateIdentity())
    patterns += [p for root, p in (*_OF_TYPES, *_FUSIONS) if issubclass(cls, root)]
    return tuple(map(Counted, patterns))
