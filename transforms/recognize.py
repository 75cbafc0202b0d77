"""Passes that make one layer of several that spell it out, and that let a layer do what stands
before or behind it as a layer of its own. The patterns, with algebra and conditions, are in
`canonicalization/`.

Where a blob has several uses, as `x` in `x * sigmoid(x)`, a file has a Split: these passes remove
Splits first, as `eliminate-split` does. Export puts one wherever it is needed.
"""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from .eliminate import EliminateSplit
from .pattern_pass import PatternPass, Patterns


class RecognizingPass(PatternPass):
    """A pass that looks for what several layers compute together."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        EliminateSplit().apply(ctx, op)
        super().apply(ctx, op)


class FuseSwish(RecognizingPass):
    """Make a Swish of a blob times its Sigmoid."""

    name = "fuse-swish"

    def patterns(self) -> Patterns:
        from .canonicalization.recognition.activations import FormSwish

        return (FormSwish(),)


class FuseHardSwish(RecognizingPass):
    """Make a HardSwish of a blob times its HardSigmoid, or times clip(x + 3, 0, 6) / 6."""

    name = "fuse-hardswish"

    def patterns(self) -> Patterns:
        from .canonicalization.recognition.activations import FormHardSwish

        return (FormHardSwish(),)


class FuseHardSigmoid(RecognizingPass):
    """Make a HardSigmoid of clip(x + 3, 0, 6) / 6 and the like."""

    name = "fuse-hardsigmoid"

    def patterns(self) -> Patterns:
        from .canonicalization.recognition.activations import FormHardSigmoid

        return (FormHardSigmoid(),)


class FuseGELU(RecognizingPass):
    """Make a GELU of its formula, with the error function or the hyperbolic tangent."""

    name = "fuse-gelu"

    def patterns(self) -> Patterns:
        from .canonicalization.recognition.activations import FormGELU

        return (FormGELU(),)


class FuseMish(RecognizingPass):
    """Make a Mish of a blob times the hyperbolic tangent of its Softplus."""

    name = "fuse-mish"

    def patterns(self) -> Patterns:
        from .canonicalization.recognition.activations import FormMish

        return (FormMish(),)


class FuseLayerNorm(RecognizingPass):
    """Make a LayerNorm of means, differences and a root, and fold scale and shift into it."""

    name = "fuse-layernorm"

    def patterns(self) -> Patterns:
        from ..dialects.ncnn.normalization import LayerNormOp
        from .canonicalization.normalization import FuseNormAffine as FoldNormAffine
        from .canonicalization.recognition.normalizations import FormNorm

        return (FormNorm(only=LayerNormOp), FoldNormAffine(only=LayerNormOp))


class FuseRMSNorm(RecognizingPass):
    """Make an RMSNorm of squares, a mean and a root, and fold a scale into it."""

    name = "fuse-rmsnorm"

    def patterns(self) -> Patterns:
        from ..dialects.ncnn.normalization import RMSNormOp
        from .canonicalization.normalization import FuseNormAffine as FoldNormAffine
        from .canonicalization.recognition.normalizations import FormRMSNorm

        return (FormRMSNorm(), FoldNormAffine(only=RMSNormOp))


class FuseInstanceNorm(RecognizingPass):
    """Make an InstanceNorm of means, differences and a root, and fold scale and shift into it."""

    name = "fuse-instancenorm"

    def patterns(self) -> Patterns:
        from ..dialects.ncnn.normalization import InstanceNormOp
        from .canonicalization.normalization import FuseNormAffine as FoldNormAffine
        from .canonicalization.recognition.normalizations import FormNorm

        return (FormNorm(only=InstanceNormOp), FoldNormAffine(only=InstanceNormOp))


class FuseGroupNorm(RecognizingPass):
    """Make a GroupNorm of another normalization between two Reshapes, and fold scale and shift
    into it."""

    name = "fuse-groupnorm"

    def patterns(self) -> Patterns:
        from ..dialects.ncnn.normalization import GroupNormOp
        from .canonicalization.normalization import FuseNormAffine as FoldNormAffine
        from .canonicalization.recognition.grouping import FormGroupNorm
        from .canonicalization.recognition.normalizations import FormNorm

        return (FormGroupNorm(), FormNorm(only=GroupNormOp), FoldNormAffine(only=GroupNormOp))


class FuseNormAffine(RecognizingPass):
    """Fold scale and shift into the LayerNorm, RMSNorm, InstanceNorm or GroupNorm before them."""

    name = "fuse-norm-affine"

    def patterns(self) -> Patterns:
        from .canonicalization.normalization import FuseNormAffine as FoldNormAffine

        return (FoldNormAffine(),)


class FuseNormalize(RecognizingPass):
    """Make a Normalize of a blob that is divided by its L2 norm."""

    name = "fuse-normalize"

    def patterns(self) -> Patterns:
        from .canonicalization.recognition.normalizations import FormNormalize

        return (FormNormalize(),)


class FuseSoftmax(RecognizingPass):
    """Make a Softmax of exponentials that are divided by their sum."""

    name = "fuse-softmax"

    def patterns(self) -> Patterns:
        from .canonicalization.recognition.normalizations import FormSoftmax

        return (FormSoftmax(),)


class FuseSDPA(RecognizingPass):
    """Make an SDPA of attention: a scaled product, a mask, a Softmax and another product."""

    name = "fuse-sdpa"

    def patterns(self) -> Patterns:
        from .canonicalization.recognition.attention import FormSDPA

        return (FormSDPA(),)


class FuseShuffleChannel(RecognizingPass):
    """Make a ShuffleChannel of Reshape, Permute, Reshape."""

    name = "fuse-shufflechannel"

    def patterns(self) -> Patterns:
        from ..dialects.ncnn.resampling import ShuffleChannelOp
        from .canonicalization.recognition.layouts import FormMoved

        return (FormMoved(only=ShuffleChannelOp),)


class FusePixelShuffle(RecognizingPass):
    """Make a PixelShuffle of Reshapes and Permutes."""

    name = "fuse-pixelshuffle"

    def patterns(self) -> Patterns:
        from ..dialects.ncnn.resampling import PixelShuffleOp
        from .canonicalization.recognition.layouts import FormMoved

        return (FormMoved(only=PixelShuffleOp),)


class FuseReorg(RecognizingPass):
    """Make a Reorg of Reshapes and Permutes."""

    name = "fuse-reorg"

    def patterns(self) -> Patterns:
        from ..dialects.ncnn.resampling import ReorgOp
        from .canonicalization.recognition.layouts import FormMoved

        return (FormMoved(only=ReorgOp),)


class FusePaddingConv(RecognizingPass):
    """Let convolutions and Unfold do the Padding before them."""

    name = "fuse-padding-conv"

    def patterns(self) -> Patterns:
        from .canonicalization.padding import FusePadding

        return (FusePadding(family="conv"),)


class FusePaddingPooling(RecognizingPass):
    """Let pooling layers do the Padding before them."""

    name = "fuse-padding-pooling"

    def patterns(self) -> Patterns:
        from .canonicalization.padding import FusePadding

        return (FusePadding(family="pooling"),)
