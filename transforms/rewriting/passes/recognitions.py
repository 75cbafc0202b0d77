"""Passes that replace spelled-out computations by one layer, and fold Padding and affine layers
into their neighbours.

Where a blob has several uses, as `x` in `x * sigmoid(x)`, a file contains a Split. These passes
remove Splits first; export inserts the Splits that the file needs.
"""

from ..selection import Selection, kind
from .fusions import CONVOLUTIONS
from .row import Pattern, Row


def _row(name: str, help: str, *patterns: Pattern) -> Row:
    return Row(name, help, patterns, prerequisite="eliminate-split")


def _creating(layer_type: str) -> Selection:
    """Return the selection of rewrites that create a layer of this type."""
    return Selection(other=(kind(layer_type),))


def _norm(name: str, help: str, layer_type: str, *patterns: Pattern) -> Row:
    """Return the row of a normalization that also folds the scale and shift behind it."""
    fold = Pattern("normalization.FuseNormAffine", _creating(layer_type), is_auxiliary=True)
    return _row(name, help, *patterns, fold)


RECOGNITIONS = (
    Row(
        "ncnn-recognize",
        "Replace each group of layers that spells out one ncnn layer by that layer, for all "
        "layer types, also if redundant layers stand between them",
        class_path="transforms.recognize.Recognize",
    ),
    _row(
        "fuse-swish",
        "Replace the product of a blob and its Sigmoid by a Swish",
        Pattern("recognition.activations.FormSwish"),
    ),
    _row(
        "fuse-hardswish",
        "Replace the product of a blob and its HardSigmoid, or of a blob and clip(x + 3, 0, 6) "
        "/ 6, by a HardSwish",
        Pattern("recognition.activations.FormHardSwish"),
    ),
    _row(
        "fuse-hardsigmoid",
        "Replace clip(x + 3, 0, 6) / 6 and equivalent formulas by a HardSigmoid",
        Pattern("recognition.activations.FormHardSigmoid"),
    ),
    _row(
        "fuse-gelu",
        "Replace the formula of GELU, with the error function or the hyperbolic tangent, by a GELU",
        Pattern("recognition.activations.FormGELU"),
    ),
    _row(
        "fuse-mish",
        "Replace the product of a blob and the hyperbolic tangent of its Softplus by a Mish",
        Pattern("recognition.activations.FormMish"),
    ),
    _norm(
        "fuse-layernorm",
        "Replace the formula of layer normalization (means, differences and a root) by a "
        "LayerNorm, and fold scale and shift into it",
        "LayerNorm",
        Pattern("recognition.normalizations.FormNorm", _creating("LayerNorm")),
    ),
    _norm(
        "fuse-rmsnorm",
        "Replace the formula of RMS normalization (squares, a mean and a root) by an RMSNorm, "
        "and fold a scale into it",
        "RMSNorm",
        Pattern("recognition.normalizations.FormRMSNorm"),
    ),
    _norm(
        "fuse-instancenorm",
        "Replace the formula of instance normalization (means, differences and a root) by an "
        "InstanceNorm, and fold scale and shift into it",
        "InstanceNorm",
        Pattern("recognition.normalizations.FormNorm", _creating("InstanceNorm")),
    ),
    _norm(
        "fuse-groupnorm",
        "Replace another normalization between two Reshapes by a GroupNorm, and fold scale and "
        "shift into it",
        "GroupNorm",
        Pattern("recognition.group_norm.FormGroupNorm"),
        Pattern("recognition.normalizations.FormNorm", _creating("GroupNorm")),
    ),
    _row(
        "fuse-norm-affine",
        "Fold a scale and a shift into the LayerNorm, RMSNorm, InstanceNorm or GroupNorm before "
        "them",
        Pattern("normalization.FuseNormAffine"),
    ),
    _row(
        "fuse-normalize",
        "Replace the division of a blob by its L2 norm by a Normalize",
        Pattern("recognition.normalizations.FormNormalize"),
    ),
    _row(
        "fuse-softmax",
        "Replace the division of exponentials by their sum by a Softmax",
        Pattern("recognition.normalizations.FormSoftmax"),
    ),
    _row(
        "fuse-sdpa",
        "Replace attention that is spelled out (a scaled product, a mask, a Softmax and another "
        "product) by an SDPA",
        Pattern("recognition.sdpa.FormSDPA", _creating("SDPA")),
    ),
    _row(
        "fuse-multiheadattention",
        "Replace Gemms and an SDPA by a MultiHeadAttention, where that is no slower",
        Pattern("recognition.multihead_attention.FormMultiHeadAttention"),
    ),
    _row(
        "fuse-rotaryembed",
        "Replace rotary position embedding that is spelled out (halves of a blob, or neighbouring "
        "features, exchanged and multiplied by sines and cosines) by a RotaryEmbed",
        Pattern("recognition.rotary.FormRotaryEmbed"),
        Pattern("recognition.rotary.FormRotaryEmbedOfParts"),
        Pattern("recognition.rotary_pairs.FormRotaryEmbedOfPairs"),
    ),
    _row(
        "fuse-shufflechannel",
        "Replace Reshape, Permute, Reshape by a ShuffleChannel",
        Pattern("recognition.shuffles.FormShuffle", _creating("ShuffleChannel")),
    ),
    _row(
        "fuse-pixelshuffle",
        "Replace Reshapes and Permutes by a PixelShuffle",
        Pattern("recognition.shuffles.FormShuffle", _creating("PixelShuffle")),
    ),
    _row(
        "fuse-reorg",
        "Replace Reshapes and Permutes by a Reorg",
        Pattern("recognition.shuffles.FormShuffle", _creating("Reorg")),
    ),
    _row(
        "fuse-padding-conv",
        "Fold a Padding into the convolutions and Unfold layers after it",
        Pattern("padding.FusePadding", Selection(other=(CONVOLUTIONS, kind("Unfold")))),
    ),
    _row(
        "fuse-padding-pooling",
        "Fold a Padding into the pooling layers after it",
        Pattern(
            "padding.FusePadding",
            Selection(other=(kind("Pooling", "Pooling1D", "Pooling3D"),)),
        ),
    ),
)
