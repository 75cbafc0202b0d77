"""One layer for several that spell it out, and layers that do what stands before or behind them as
a layer of its own.

Where a blob has several uses, as `x` in `x * sigmoid(x)`, a file has a Split: these passes remove
Splits first. Export puts one wherever it is needed.
"""

from ..selection import Selection, kind
from .fusions import CONVOLUTIONS
from .row import Pattern, Row


def _row(name: str, help: str, *patterns: Pattern) -> Row:
    return Row(name, help, patterns, first="eliminate-split")


def _made(layer_type: str) -> Selection:
    """Only where a layer of this type is made."""
    return Selection(other=(kind(layer_type),))


def _norm(name: str, help: str, layer_type: str, *patterns: Pattern) -> Row:
    """A normalization, into which a scale and shift are folded then."""
    fold = Pattern("normalization.FuseNormAffine", _made(layer_type), helps=True)
    return _row(name, help, *patterns, fold)


RECOGNITIONS = (
    Row(
        "ncnn-recognize",
        "Make one layer of several that spell it out, of all kinds, wherever nothing but what is "
        "superfluous stands between them",
        place="transforms.recognize.Recognize",
    ),
    _row(
        "fuse-swish",
        "Make a Swish of a blob times its Sigmoid",
        Pattern("recognition.activations.FormSwish"),
    ),
    _row(
        "fuse-hardswish",
        "Make a HardSwish of a blob times its HardSigmoid, or times clip(x + 3, 0, 6) / 6",
        Pattern("recognition.activations.FormHardSwish"),
    ),
    _row(
        "fuse-hardsigmoid",
        "Make a HardSigmoid of clip(x + 3, 0, 6) / 6 and the like",
        Pattern("recognition.activations.FormHardSigmoid"),
    ),
    _row(
        "fuse-gelu",
        "Make a GELU of its formula, with the error function or the hyperbolic tangent",
        Pattern("recognition.activations.FormGELU"),
    ),
    _row(
        "fuse-mish",
        "Make a Mish of a blob times the hyperbolic tangent of its Softplus",
        Pattern("recognition.activations.FormMish"),
    ),
    _norm(
        "fuse-layernorm",
        "Make a LayerNorm of means, differences and a root, and fold scale and shift into it",
        "LayerNorm",
        Pattern("recognition.normalizations.FormNorm", _made("LayerNorm")),
    ),
    _norm(
        "fuse-rmsnorm",
        "Make an RMSNorm of squares, a mean and a root, and fold a scale into it",
        "RMSNorm",
        Pattern("recognition.normalizations.FormRMSNorm"),
    ),
    _norm(
        "fuse-instancenorm",
        "Make an InstanceNorm of means, differences and a root, and fold scale and shift into it",
        "InstanceNorm",
        Pattern("recognition.normalizations.FormNorm", _made("InstanceNorm")),
    ),
    _norm(
        "fuse-groupnorm",
        "Make a GroupNorm of another normalization between two Reshapes, and fold scale and shift "
        "into it",
        "GroupNorm",
        Pattern("recognition.group_norm.FormGroupNorm"),
        Pattern("recognition.normalizations.FormNorm", _made("GroupNorm")),
    ),
    _row(
        "fuse-norm-affine",
        "Fold scale and shift into the LayerNorm, RMSNorm, InstanceNorm or GroupNorm before them",
        Pattern("normalization.FuseNormAffine"),
    ),
    _row(
        "fuse-normalize",
        "Make a Normalize of a blob that is divided by its L2 norm",
        Pattern("recognition.normalizations.FormNormalize"),
    ),
    _row(
        "fuse-softmax",
        "Make a Softmax of exponentials that are divided by their sum",
        Pattern("recognition.normalizations.FormSoftmax"),
    ),
    _row(
        "fuse-sdpa",
        "Make an SDPA of attention: a scaled product, a mask, a Softmax and another product",
        Pattern("recognition.sdpa.FormSDPA", _made("SDPA")),
    ),
    _row(
        "fuse-multiheadattention",
        "Make a MultiHeadAttention of Gemms and an SDPA, where that is no slower",
        Pattern("recognition.multihead_attention.FormMultiHeadAttention"),
    ),
    _row(
        "fuse-rotaryembed",
        "Make a RotaryEmbed of halves of a blob, exchanged and multiplied by sines and cosines",
        Pattern("recognition.rotary.FormRotaryEmbed"),
        Pattern("recognition.rotary.FormRotaryEmbedOfParts"),
    ),
    _row(
        "fuse-shufflechannel",
        "Make a ShuffleChannel of Reshape, Permute, Reshape",
        Pattern("recognition.shuffles.FormShuffle", _made("ShuffleChannel")),
    ),
    _row(
        "fuse-pixelshuffle",
        "Make a PixelShuffle of Reshapes and Permutes",
        Pattern("recognition.shuffles.FormShuffle", _made("PixelShuffle")),
    ),
    _row(
        "fuse-reorg",
        "Make a Reorg of Reshapes and Permutes",
        Pattern("recognition.shuffles.FormShuffle", _made("Reorg")),
    ),
    _row(
        "fuse-padding-conv",
        "Let convolutions and Unfold do the Padding before them",
        Pattern("padding.FusePadding", Selection(other=(CONVOLUTIONS, kind("Unfold")))),
    ),
    _row(
        "fuse-padding-pooling",
        "Let pooling layers do the Padding before them",
        Pattern(
            "padding.FusePadding",
            Selection(other=(kind("Pooling", "Pooling1D", "Pooling3D"),)),
        ),
    ),
)
