"""Fusions: two layers into one that can do what both do."""

from collections.abc import Iterator

from ..selection import Kind, Selection, kind
from .row import Pattern, Row

_DIMS = ("", "1D", "3D")

CONVOLUTIONS = kind(
    *(f"{name}{dims}" for name in ("Convolution", "ConvolutionDepthWise") for dims in _DIMS),
    *(f"{name}{dims}" for name in ("Deconvolution", "DeconvolutionDepthWise") for dims in _DIMS),
    "DeformableConv2D",
)
"""Convolutions and deconvolutions of all kinds."""

INNER_PRODUCT = kind("InnerProduct")

_NORM = ("a BatchNorm", (kind("BatchNorm"),))
_FACTOR = (
    "a factor a channel (Scale, Dropout, Power, BinaryOp mul, div and rsub)",
    (kind("Scale", "Dropout", "Power"), kind("BinaryOp", is_shift=False)),
)
_SUMMAND = (
    "a summand a channel (Bias, BinaryOp add and sub)",
    (kind("Bias"), kind("BinaryOp", is_shift=True)),
)
_AFFINE = {
    "bn": _NORM,
    "batchnorm": _NORM,
    "mul": _FACTOR,
    "add": _SUMMAND,
    "dropout": ("a Dropout", (kind("Dropout"),)),
}
"""What is folded, by the last word of a pass: as the help says it, and which layers those are."""

_ACTIVATIONS = "(ReLU, Clip, Sigmoid, Mish, HardSwish, BinaryOp max and min)"


def _into(
    middle: str, layers: Kind, lasts: tuple[str, ...], called: str | None = None
) -> Iterator[Row]:
    """Passes that fold into the layer before."""
    layer = called or " or ".join(layers.types)
    for last in lasts:
        name = f"fuse-{middle}-{last}"
        if last == "activation":
            text = f"Let the {layer} apply the activation after it {_ACTIVATIONS}"
            yield Row(name, text, (Pattern("activation.FuseActivation", _only((), layers)),))
        else:
            what, folded = _AFFINE[last]
            text = f"Fold {what} into the {layer} before it"
            yield Row(name, text, (Pattern("affine.FuseAffine", _only(folded, layers)),))


def _only(layer: tuple[Kind, ...], other: Kind) -> Selection:
    return Selection(layer, (other,))


_BN_SCALE = Row(
    "fuse-bn-scale",
    "Fold a Scale into the BatchNorm before it",
    (Pattern("affine_composition.ComposeAffine", _only((kind("Scale"),), kind("BatchNorm"))),),
)

FAMILIES = (
    _BN_SCALE,
    *_into(
        "conv",
        CONVOLUTIONS,
        ("bn", "mul", "add", "activation"),
        "convolution or deconvolution of any kind",
    ),
    *_into("innerproduct", INNER_PRODUCT, ("bn", "mul", "add", "activation")),
    Row(
        "fuse-gemm-affine",
        "Fold factors and summands, one for all or for each row or column, into the Gemm before",
        (
            Pattern("affine.ScaleGemm"),
            Pattern("affine.FuseAffine", _only((), kind("Gemm"))),
        ),
    ),
    Row(
        "fuse-affine-linear",
        "Fold a factor and summand a channel into the convolution, deconvolution, InnerProduct or "
        "Gemm after it",
        (Pattern("affine.FuseAffineAhead"),),
    ),
    Row(
        "fuse-affine-through-layout",
        "Fold a factor and summand a channel into the convolution, deconvolution, InnerProduct or "
        "Gemm before it, through the Reshapes and Permutes between",
        (Pattern("affine_through_reshapes.FuseAffineThrough"),),
    ),
    Row(
        "fuse-affine-affine",
        "Make one layer of two that scale and shift channels, or of a chain of scalars",
        (Pattern("affine_composition.ComposeAffine"), Pattern("affine_composition.ComposeScalars")),
    ),
    Row(
        "fuse-activation-activation",
        "Make one ReLU or Clip of two, and drop one that changes nothing after another activation",
        (Pattern("activation.ComposeActivation"),),
    ),
    Row(
        "fuse-memorydata-binaryop",
        "Make a MemoryData of one element the scalar of the BinaryOp that reads it",
        (Pattern("binaryop.ScalarOperand"),),
    ),
    Row(
        "fuse-parallel-branches",
        "Make one convolution of two on one blob that are added, or of one and the blob itself or "
        "what scales and shifts its channels",
        (Pattern("parallel_branches.FuseParallelBranches"),),
    ),
    Row(
        "fuse-convolution-convolution",
        "Make one 1x1 Convolution of two, where that has fewer multiplications",
        (Pattern("convolution_composition.ComposeConvolutions"),),
    ),
    Row(
        "fuse-binaryop-eltwise",
        "Make one Eltwise with coefficients of a sum or difference of scaled blobs",
        (Pattern("binaryop.FormWeightedSum"),),
    ),
)
"""Those that `canonicalize` does as well."""

OF_NCNNOPTIMIZE = (
    Row("fuse-batchnorm-scale", _BN_SCALE.help, _BN_SCALE.patterns),
    *_into("convolution", kind("Convolution"), ("batchnorm", "mul", "add")),
    *_into("convolution", kind("Convolution", "Convolution1D"), ("activation",)),
    *_into(
        "convolutiondepthwise",
        kind("ConvolutionDepthWise"),
        ("batchnorm", "mul", "add", "activation"),
    ),
    *_into("deconvolution", kind("Deconvolution"), ("batchnorm", "mul", "add", "activation")),
    *_into("deconvolutiondepthwise", kind("DeconvolutionDepthWise"), ("batchnorm", "activation")),
    *_into("innerproduct", INNER_PRODUCT, ("batchnorm", "dropout")),
)
"""The same for single types, under the names of ncnnoptimize's steps."""

FUSIONS = (*FAMILIES, *OF_NCNNOPTIMIZE)
