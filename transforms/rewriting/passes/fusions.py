"""Fusions: passes that replace two layers by one layer that computes both."""

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
    "a factor per channel (Scale, Dropout, Power, BinaryOp mul, div and rsub)",
    (kind("Scale", "Dropout", "Power"), kind("BinaryOp", is_shift=False)),
)
_SUMMAND = (
    "a summand per channel (Bias, BinaryOp add and sub)",
    (kind("Bias"), kind("BinaryOp", is_shift=True)),
)
_AFFINE = {
    "bn": _NORM,
    "batchnorm": _NORM,
    "mul": _FACTOR,
    "add": _SUMMAND,
    "dropout": ("a Dropout", (kind("Dropout"),)),
}
"""By the last word of a pass's name: the help's phrase for the layers that it folds, and their
kinds."""

_ACTIVATIONS = "(ReLU, Clip, Sigmoid, Mish, HardSwish, BinaryOp max and min)"


def _into(
    middle: str, layers: Kind, suffixes: tuple[str, ...], phrase: str | None = None
) -> Iterator[Row]:
    """Yield the passes `fuse-MIDDLE-SUFFIX`, which fold a layer into the layer before it. `phrase`
    names the layers before in the help."""
    layer = phrase or " or ".join(layers.types)
    for suffix in suffixes:
        name = f"fuse-{middle}-{suffix}"
        if suffix == "activation":
            text = f"Fold an activation {_ACTIVATIONS} into the {layer} before it"
            yield Row(name, text, (Pattern("activation.FuseActivation", _only((), layers)),))
        else:
            folded_phrase, folded = _AFFINE[suffix]
            text = f"Fold {folded_phrase} into the {layer} before it"
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
        "convolution or deconvolution of any type",
    ),
    *_into("innerproduct", INNER_PRODUCT, ("bn", "mul", "add", "activation")),
    Row(
        "fuse-gemm-affine",
        "Fold factors and summands, for all elements or per row or column, into the Gemm before "
        "them",
        (
            Pattern("affine.ScaleGemm"),
            Pattern("affine.FuseAffine", _only((), kind("Gemm"))),
        ),
    ),
    Row(
        "fuse-affine-linear",
        "Fold a factor and a summand per channel into the convolution, deconvolution, "
        "InnerProduct or Gemm after them",
        (Pattern("affine.FuseAffineAhead"),),
    ),
    Row(
        "fuse-affine-through-layout",
        "Fold a factor and a summand per channel into the convolution, deconvolution, "
        "InnerProduct or Gemm before them, across Reshapes and Permutes in between",
        (Pattern("affine_through_reshapes.FuseAffineThrough"),),
    ),
    Row(
        "fuse-affine-affine",
        "Merge two layers that scale and shift channels, or a chain of operations with scalars, "
        "into one layer",
        (Pattern("affine_composition.ComposeAffine"), Pattern("affine_composition.ComposeScalars")),
    ),
    Row(
        "fuse-activation-activation",
        "Merge two ReLU or Clip layers into one, and remove one that changes nothing after "
        "another activation",
        (Pattern("activation.ComposeActivation"),),
    ),
    Row(
        "fuse-memorydata-binaryop",
        "Replace a MemoryData with one element by the scalar parameter of the BinaryOp that "
        "reads it",
        (Pattern("binaryop.ScalarOperand"),),
    ),
    Row(
        "fuse-parallel-branches",
        "Merge convolutions of the same blob whose outputs are added into one convolution; a "
        "branch may also be the blob itself, or layers that scale and shift its channels",
        (Pattern("parallel_branches.FuseParallelBranches"),),
    ),
    Row(
        "fuse-convolution-convolution",
        "Merge two 1x1 Convolutions into one, where the result has fewer multiplications",
        (Pattern("convolution_composition.ComposeConvolutions"),),
    ),
    Row(
        "fuse-binaryop-eltwise",
        "Replace a sum or difference of scaled blobs by one Eltwise with coefficients",
        (Pattern("binaryop.FormWeightedSum"),),
    ),
)
"""The fusions that are also part of `canonicalize`."""

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
"""The same fusions for single layer types, under the names of ncnnoptimize's steps."""

FUSIONS = (*FAMILIES, *OF_NCNNOPTIMIZE)
