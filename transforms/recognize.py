"""Passes that make one layer of several that spell it out, and that let a layer do what stands
before or behind it as a layer of its own. The patterns, with algebra and conditions, are in
`canonicalization/`.

Where a blob has several uses, as `x` in `x * sigmoid(x)`, a file has a Split: these passes remove
Splits first, as `eliminate-split` does. Export puts one wherever it is needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import RewritePattern

from ..dialects.ncnn.normalization import GroupNormOp, InstanceNormOp, LayerNormOp, RMSNormOp
from ..dialects.ncnn.resampling import PixelShuffleOp, ReorgOp, ShuffleChannelOp
from .canonicalization.normalization import FuseNormAffine as FoldNormAffine
from .canonicalization.padding import FusePadding
from .canonicalization.recognition.activations import (
    FormGELU,
    FormHardSigmoid,
    FormHardSwish,
    FormMish,
    FormSwish,
)
from .canonicalization.recognition.grouping import FormGroupNorm
from .canonicalization.recognition.layouts import FormMoved
from .canonicalization.recognition.normalizations import (
    FormNorm,
    FormNormalize,
    FormRMSNorm,
    FormSoftmax,
)
from .eliminate import EliminateSplit
from .pattern_pass import PatternPass


@dataclass(frozen=True)
class RecognizingPass(PatternPass):
    """A pass that looks for what several layers compute together."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        EliminateSplit().apply(ctx, op)
        super().apply(ctx, op)


@dataclass(frozen=True)
class FuseSwish(RecognizingPass):
    """Make a Swish of a blob times its Sigmoid."""

    name = "fuse-swish"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FormSwish(),)


@dataclass(frozen=True)
class FuseHardSwish(RecognizingPass):
    """Make a HardSwish of a blob times its HardSigmoid, or times clip(x + 3, 0, 6) / 6."""

    name = "fuse-hardswish"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FormHardSwish(),)


@dataclass(frozen=True)
class FuseHardSigmoid(RecognizingPass):
    """Make a HardSigmoid of clip(x + 3, 0, 6) / 6 and the like."""

    name = "fuse-hardsigmoid"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FormHardSigmoid(),)


@dataclass(frozen=True)
class FuseGELU(RecognizingPass):
    """Make a GELU of its formula, with the error function or the hyperbolic tangent."""

    name = "fuse-gelu"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FormGELU(),)


@dataclass(frozen=True)
class FuseMish(RecognizingPass):
    """Make a Mish of a blob times the hyperbolic tangent of its Softplus."""

    name = "fuse-mish"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FormMish(),)


@dataclass(frozen=True)
class FuseLayerNorm(RecognizingPass):
    """Make a LayerNorm of means, differences and a root, and fold scale and shift into it."""

    name = "fuse-layernorm"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FormNorm(only=LayerNormOp), FoldNormAffine(only=LayerNormOp))


@dataclass(frozen=True)
class FuseRMSNorm(RecognizingPass):
    """Make an RMSNorm of squares, a mean and a root, and fold a scale into it."""

    name = "fuse-rmsnorm"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FormRMSNorm(), FoldNormAffine(only=RMSNormOp))


@dataclass(frozen=True)
class FuseInstanceNorm(RecognizingPass):
    """Make an InstanceNorm of means, differences and a root, and fold scale and shift into it."""

    name = "fuse-instancenorm"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FormNorm(only=InstanceNormOp), FoldNormAffine(only=InstanceNormOp))


@dataclass(frozen=True)
class FuseGroupNorm(RecognizingPass):
    """Make a GroupNorm of another normalization between two Reshapes, and fold scale and shift
    into it."""

    name = "fuse-groupnorm"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FormGroupNorm(), FormNorm(only=GroupNormOp), FoldNormAffine(only=GroupNormOp))


@dataclass(frozen=True)
class FuseNormAffine(RecognizingPass):
    """Fold scale and shift into the LayerNorm, RMSNorm, InstanceNorm or GroupNorm before them."""

    name = "fuse-norm-affine"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FoldNormAffine(),)


@dataclass(frozen=True)
class FuseNormalize(RecognizingPass):
    """Make a Normalize of a blob that is divided by its L2 norm."""

    name = "fuse-normalize"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FormNormalize(),)


@dataclass(frozen=True)
class FuseSoftmax(RecognizingPass):
    """Make a Softmax of exponentials that are divided by their sum."""

    name = "fuse-softmax"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FormSoftmax(),)


@dataclass(frozen=True)
class FuseShuffleChannel(RecognizingPass):
    """Make a ShuffleChannel of Reshape, Permute, Reshape."""

    name = "fuse-shufflechannel"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FormMoved(only=ShuffleChannelOp),)


@dataclass(frozen=True)
class FusePixelShuffle(RecognizingPass):
    """Make a PixelShuffle of Reshapes and Permutes."""

    name = "fuse-pixelshuffle"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FormMoved(only=PixelShuffleOp),)


@dataclass(frozen=True)
class FuseReorg(RecognizingPass):
    """Make a Reorg of Reshapes and Permutes."""

    name = "fuse-reorg"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FormMoved(only=ReorgOp),)


@dataclass(frozen=True)
class FusePaddingConv(RecognizingPass):
    """Let convolutions and Unfold do the Padding before them."""

    name = "fuse-padding-conv"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FusePadding(family="conv"),)


@dataclass(frozen=True)
class FusePaddingPooling(RecognizingPass):
    """Let pooling layers do the Padding before them."""

    name = "fuse-padding-pooling"

    def patterns(self) -> Sequence[RewritePattern]:
        return (FusePadding(family="pooling"),)
