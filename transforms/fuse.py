"""Fusions as passes of their own. The patterns, with algebra and conditions, are in
`canonicalization/`."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.pattern_rewriter import RewritePattern

from ..dialects.ncnn.normalization import BatchNormOp, ScaleOp
from .canonicalization.activation import FuseActivation
from .canonicalization.affine import ComposeAffine, FuseAffine
from .pattern_pass import PatternPass


@dataclass(frozen=True)
class FuseBNScale(PatternPass):
    """Fold a Scale into the BatchNorm before it."""

    name = "fuse-bn-scale"

    def patterns(self) -> Sequence[RewritePattern]:
        return (ComposeAffine(first=BatchNormOp, second=ScaleOp),)


@dataclass(frozen=True)
class FuseConvBN(PatternPass):
    """Fold a BatchNorm into the convolution or deconvolution of any kind before it."""

    name = "fuse-conv-bn"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FuseAffine(family="conv", kind="bn"),)


@dataclass(frozen=True)
class FuseConvMul(PatternPass):
    """Fold a factor a channel (Scale, Dropout, Power, BinaryOp mul and div) into the convolution
    before it."""

    name = "fuse-conv-mul"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FuseAffine(family="conv", kind="mul"),)


@dataclass(frozen=True)
class FuseConvAdd(PatternPass):
    """Fold a summand a channel (Bias, BinaryOp add and sub) into the convolution before it."""

    name = "fuse-conv-add"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FuseAffine(family="conv", kind="add"),)


@dataclass(frozen=True)
class FuseConvActivation(PatternPass):
    """Let a convolution apply the activation (ReLU, Clip, Sigmoid, Mish, HardSwish) after it."""

    name = "fuse-conv-activation"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FuseActivation(family="conv"),)


@dataclass(frozen=True)
class FuseInnerProductBN(PatternPass):
    """Fold a BatchNorm into the InnerProduct before it."""

    name = "fuse-innerproduct-bn"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FuseAffine(family="innerproduct", kind="bn"),)


@dataclass(frozen=True)
class FuseInnerProductMul(PatternPass):
    """Fold a factor a channel (Scale, Dropout, Power, BinaryOp mul and div) into the InnerProduct
    before it."""

    name = "fuse-innerproduct-mul"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FuseAffine(family="innerproduct", kind="mul"),)


@dataclass(frozen=True)
class FuseInnerProductAdd(PatternPass):
    """Fold a summand a channel (Bias, BinaryOp add and sub) into the InnerProduct before it."""

    name = "fuse-innerproduct-add"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FuseAffine(family="innerproduct", kind="add"),)


@dataclass(frozen=True)
class FuseInnerProductActivation(PatternPass):
    """Let an InnerProduct apply the activation (ReLU, Clip, Sigmoid, Mish, HardSwish) after it."""

    name = "fuse-innerproduct-activation"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FuseActivation(family="innerproduct"),)
