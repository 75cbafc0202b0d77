"""Passes that replace spelled-out computations by one layer, and fold Padding and affine layers
into their neighbours.

Where a blob has several uses, as `x` in `x * sigmoid(x)`, a file contains a Split. These passes
remove Splits first; export inserts the Splits that the file needs.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from .fusions import CONVOLUTIONS
from .row import Auxiliary, Rows, of_types

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

    from .row import Patterns

RECOGNITIONS = Rows()


def _row(
    name: str, help: str, creates: str | None = None
) -> "Callable[[Callable[[], Patterns]], Callable[[], Patterns]]":
    """Add a pass; with `creates`, only for rewrites that create a layer of this type, or fold into
    one."""
    first = None if creates is None else of_types(creates)
    return RECOGNITIONS.add(name, help, first, prerequisite="eliminate-split")


@RECOGNITIONS.add_class(
    "ncnn-recognize",
    "Replace each group of layers that spells out one ncnn layer by that layer, for all "
    "layer types, also if redundant layers stand between them",
)
def ncnn_recognize() -> "type[ModulePass]":
    from ...recognize import Recognize

    return Recognize


@_row("fuse-swish", "Replace the product of a blob and its Sigmoid by a Swish")
def fuse_swish() -> "Patterns":
    from ...canonicalization.recognition.activations import FormSwish

    return [FormSwish()]


@_row(
    "fuse-hardswish",
    "Replace the product of a blob and its HardSigmoid, or of a blob and clip(x + 3, 0, 6) "
    "/ 6, by a HardSwish",
)
def fuse_hardswish() -> "Patterns":
    from ...canonicalization.recognition.activations import FormHardSwish

    return [FormHardSwish()]


@_row("fuse-hardsigmoid", "Replace clip(x + 3, 0, 6) / 6 and equivalent formulas by a HardSigmoid")
def fuse_hardsigmoid() -> "Patterns":
    from ...canonicalization.recognition.activations import FormHardSigmoid

    return [FormHardSigmoid()]


@_row(
    "fuse-gelu",
    "Replace the formula of GELU, with the error function or the hyperbolic tangent, by a GELU",
)
def fuse_gelu() -> "Patterns":
    from ...canonicalization.recognition.activations import FormGELU

    return [FormGELU()]


@_row(
    "fuse-mish",
    "Replace the product of a blob and the hyperbolic tangent of its Softplus by a Mish",
)
def fuse_mish() -> "Patterns":
    from ...canonicalization.recognition.activations import FormMish

    return [FormMish()]


@_row(
    "fuse-layernorm",
    "Replace the formula of layer normalization (means, differences and a root) by a "
    "LayerNorm, and fold scale and shift into it",
    creates="LayerNorm",
)
def fuse_layernorm() -> "Patterns":
    from ...canonicalization.normalization import FuseNormAffine
    from ...canonicalization.recognition.normalizations import FormNorm

    return [FormNorm(), Auxiliary(FuseNormAffine())]


@_row(
    "fuse-rmsnorm",
    "Replace the formula of RMS normalization (squares, a mean and a root) by an RMSNorm, "
    "and fold a scale into it",
    creates="RMSNorm",
)
def fuse_rmsnorm() -> "Patterns":
    from ...canonicalization.normalization import FuseNormAffine
    from ...canonicalization.recognition.normalizations import FormRMSNorm

    return [FormRMSNorm(), Auxiliary(FuseNormAffine())]


@_row(
    "fuse-instancenorm",
    "Replace the formula of instance normalization (means, differences and a root) by an "
    "InstanceNorm, and fold scale and shift into it",
    creates="InstanceNorm",
)
def fuse_instancenorm() -> "Patterns":
    from ...canonicalization.normalization import FuseNormAffine
    from ...canonicalization.recognition.normalizations import FormNorm

    return [FormNorm(), Auxiliary(FuseNormAffine())]


@_row(
    "fuse-groupnorm",
    "Replace another normalization between two Reshapes by a GroupNorm, and fold scale and "
    "shift into it",
    creates="GroupNorm",
)
def fuse_groupnorm() -> "Patterns":
    from ...canonicalization.normalization import FuseNormAffine
    from ...canonicalization.recognition.group_norm import FormGroupNorm
    from ...canonicalization.recognition.normalizations import FormNorm

    return [FormGroupNorm(), FormNorm(), Auxiliary(FuseNormAffine())]


@_row(
    "fuse-norm-affine",
    "Fold a scale and a shift into the LayerNorm, RMSNorm, InstanceNorm or GroupNorm before them",
)
def fuse_norm_affine() -> "Patterns":
    from ...canonicalization.normalization import FuseNormAffine

    return [FuseNormAffine()]


@_row("fuse-normalize", "Replace the division of a blob by its L2 norm by a Normalize")
def fuse_normalize() -> "Patterns":
    from ...canonicalization.recognition.normalizations import FormNormalize

    return [FormNormalize()]


@_row("fuse-softmax", "Replace the division of exponentials by their sum by a Softmax")
def fuse_softmax() -> "Patterns":
    from ...canonicalization.recognition.normalizations import FormSoftmax

    return [FormSoftmax()]


@_row(
    "fuse-sdpa",
    "Replace attention that is spelled out (a scaled product, a mask, a Softmax and another "
    "product) by an SDPA",
)
def fuse_sdpa() -> "Patterns":
    from ...canonicalization.recognition.sdpa import FormSDPA

    return [FormSDPA()]


@_row(
    "fuse-multiheadattention",
    "Replace Gemms and an SDPA by a MultiHeadAttention, where that is no slower",
)
def fuse_multiheadattention() -> "Patterns":
    from ...canonicalization.recognition.multihead_attention import FormMultiHeadAttention

    return [FormMultiHeadAttention()]


@_row(
    "fuse-rotaryembed",
    "Replace rotary position embedding that is spelled out (halves of a blob, or neighbouring "
    "features, exchanged and multiplied by sines and cosines) by a RotaryEmbed",
)
def fuse_rotaryembed() -> "Patterns":
    from ...canonicalization.recognition.rotary import FormRotaryEmbed, FormRotaryEmbedOfParts
    from ...canonicalization.recognition.rotary_pairs import FormRotaryEmbedOfPairs

    return [FormRotaryEmbed(), FormRotaryEmbedOfParts(), FormRotaryEmbedOfPairs()]


@_row(
    "fuse-shufflechannel",
    "Replace Reshape, Permute, Reshape by a ShuffleChannel",
    creates="ShuffleChannel",
)
def fuse_shufflechannel() -> "Patterns":
    from ...canonicalization.recognition.shuffles import FormShuffle

    return [FormShuffle()]


@_row(
    "fuse-pixelshuffle", "Replace Reshapes and Permutes by a PixelShuffle", creates="PixelShuffle"
)
def fuse_pixelshuffle() -> "Patterns":
    from ...canonicalization.recognition.shuffles import FormShuffle

    return [FormShuffle()]


@_row("fuse-reorg", "Replace Reshapes and Permutes by a Reorg", creates="Reorg")
def fuse_reorg() -> "Patterns":
    from ...canonicalization.recognition.shuffles import FormShuffle

    return [FormShuffle()]


@RECOGNITIONS.add(
    "fuse-padding-conv",
    "Fold a Padding into the convolutions and Unfold layers after it",
    first=of_types(*CONVOLUTIONS.types, "Unfold"),
    prerequisite="eliminate-split",
)
def fuse_padding_conv() -> "Patterns":
    from ...canonicalization.padding import FusePadding

    return [FusePadding()]


@RECOGNITIONS.add(
    "fuse-padding-pooling",
    "Fold a Padding into the pooling layers after it",
    first=of_types("Pooling", "Pooling1D", "Pooling3D"),
    prerequisite="eliminate-split",
)
def fuse_padding_pooling() -> "Patterns":
    from ...canonicalization.padding import FusePadding

    return [FusePadding()]
