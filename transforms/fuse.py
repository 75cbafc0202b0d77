"""Fusions as passes of their own. The patterns, with algebra and conditions, are in
`canonicalization/`; a pass is a name for one of them and for the layers that it is to take."""

from collections.abc import Iterator

from .canonicalization.activation import ComposeActivation, FuseActivation
from .canonicalization.affine import FuseAffine, FuseAffineAhead, ScaleGemm, Selection
from .canonicalization.binaryop import FormWeightedSum, ScalarOperand
from .canonicalization.composition import ComposeAffine, ComposeScalars
from .pattern_pass import PatternPass, pattern_pass

_DIMS = ("", "1D", "3D")
CONVOLUTIONS = (
    *(f"{kind}{dims}" for kind in ("Convolution", "ConvolutionDepthWise") for dims in _DIMS),
    *(f"{kind}{dims}" for kind in ("Deconvolution", "DeconvolutionDepthWise") for dims in _DIMS),
    "DeformableConv2D",
)
"""The layer types that are convolutions or deconvolutions of some kind."""

_AFFINE = {
    "bn": ("a BatchNorm", {"kind": "bn"}),
    "batchnorm": ("a BatchNorm", {"kind": "bn"}),
    "mul": (
        "a factor a channel (Scale, Dropout, Power, BinaryOp mul, div and rsub)",
        {"kind": "mul"},
    ),
    "add": ("a summand a channel (Bias, BinaryOp add and sub)", {"kind": "add"}),
    "dropout": ("a Dropout", {"layer": "Dropout"}),
}
"""What is folded, by the last word of a pass: as the help says it, and how it is selected."""

_ACTIVATIONS = "(ReLU, Clip, Sigmoid, Mish, HardSwish, BinaryOp max and min)"

_INTO = (
    ("conv", CONVOLUTIONS, ("bn", "mul", "add", "activation")),
    ("convolution", ("Convolution",), ("batchnorm", "mul", "add")),
    ("convolution", ("Convolution", "Convolution1D"), ("activation",)),
    ("convolutiondepthwise", ("ConvolutionDepthWise",), ("batchnorm", "mul", "add", "activation")),
    ("deconvolution", ("Deconvolution",), ("batchnorm", "mul", "add", "activation")),
    ("deconvolutiondepthwise", ("DeconvolutionDepthWise",), ("batchnorm", "activation")),
    (
        "innerproduct",
        ("InnerProduct",),
        ("bn", "mul", "batchnorm", "add", "dropout", "activation"),
    ),
)
"""Into what: the middle word of passes, the layer types, and the last words."""


def _into_the_layer_before() -> Iterator[type[PatternPass]]:
    for middle, types, lasts in _INTO:
        anything = types is CONVOLUTIONS
        layer = "convolution or deconvolution of any kind" if anything else " or ".join(types)
        for last in lasts:
            name = f"fuse-{middle}-{last}"
            if last == "activation":
                doc = f"Let the {layer} apply the activation after it {_ACTIVATIONS}."
                yield pattern_pass(name, doc, FuseActivation(frozenset(types), name))
            else:
                what, select = _AFFINE[last]
                selection = Selection(frozenset(types), **select)
                doc = f"Fold {what} into the {layer} before it."
                yield pattern_pass(name, doc, FuseAffine(selection, name))


_BN_SCALE = "Fold a Scale into the BatchNorm before it."
_OTHERS = (
    pattern_pass("fuse-bn-scale", _BN_SCALE, ComposeAffine("BatchNorm", "Scale", "fuse-bn-scale")),
    pattern_pass(
        "fuse-batchnorm-scale",
        _BN_SCALE,
        ComposeAffine("BatchNorm", "Scale", "fuse-batchnorm-scale"),
    ),
    pattern_pass(
        "fuse-gemm-affine",
        "Fold factors and summands, one for all or for each row or column, into the Gemm before.",
        ScaleGemm(),
        FuseAffine(Selection(frozenset({"Gemm"}))),
    ),
    pattern_pass(
        "fuse-affine-linear",
        "Fold a factor and summand a channel into the convolution, deconvolution, InnerProduct or "
        "Gemm after it.",
        FuseAffineAhead(),
    ),
    pattern_pass(
        "fuse-affine-affine",
        "Make one layer of two that scale and shift channels, or of a chain of scalars.",
        ComposeAffine(),
        ComposeScalars(),
    ),
    pattern_pass(
        "fuse-activation-activation",
        "Make one ReLU or Clip of two, and drop one that changes nothing after another activation.",
        ComposeActivation(),
    ),
    pattern_pass(
        "fuse-memorydata-binaryop",
        "Make a MemoryData of one element the scalar of the BinaryOp that reads it.",
        ScalarOperand(),
    ),
    pattern_pass(
        "fuse-binaryop-eltwise",
        "Make one Eltwise with coefficients of a sum or difference of scaled blobs.",
        FormWeightedSum(),
    ),
)

FUSIONS = {cls.name: cls for cls in (*_into_the_layer_before(), *_OTHERS)}
"""The passes by name."""
