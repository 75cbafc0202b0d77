"""Fusions: passes that replace two layers by one layer that computes both."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .row import Layers, Row, Rows, of_types

if TYPE_CHECKING:
    from .row import Patterns

CONVOLUTIONS = of_types(
    *(
        f"{name}{dims}"
        for name in (
            "Convolution",
            "ConvolutionDepthWise",
            "Deconvolution",
            "DeconvolutionDepthWise",
        )
        for dims in ("", "1D", "3D")
    ),
    "DeformableConv2D",
)
"""Convolutions and deconvolutions of all kinds."""

INNER_PRODUCT = of_types("InnerProduct")


def _scales(layer: Any) -> bool:
    return layer.LAYER_TYPE != "BinaryOp" or not layer.is_shift()


def _shifts(layer: Any) -> bool:
    return layer.LAYER_TYPE != "BinaryOp" or layer.is_shift()


_NORM = "a BatchNorm", of_types("BatchNorm")
_FACTOR = (
    "a factor per channel (Scale, Dropout, Power, BinaryOp mul, div and rsub)",
    of_types("Scale", "Dropout", "Power", "BinaryOp", only=_scales),
)
_SUMMAND = (
    "a summand per channel (Bias, BinaryOp add and sub)",
    of_types("Bias", "BinaryOp", only=_shifts),
)
_AFFINE = {
    "bn": _NORM,
    "batchnorm": _NORM,
    "mul": _FACTOR,
    "add": _SUMMAND,
    "dropout": ("a Dropout", of_types("Dropout")),
}
"""By the last word of a pass's name: the help's phrase for the layers that it folds, and these
layers."""

_ACTIVATIONS = "(ReLU, Clip, Sigmoid, Mish, HardSwish, BinaryOp max and min)"


def _into(
    middle: str, layers: Layers, suffixes: tuple[str, ...], phrase: str | None = None
) -> Iterator[Row]:
    """Yield the passes `fuse-MIDDLE-SUFFIX`, which fold a layer into the layer before it. `phrase`
    names the layers before in the help."""
    layer = phrase or " or ".join(layers.types)
    for suffix in suffixes:
        name = f"fuse-{middle}-{suffix}"
        if suffix == "activation":
            text = f"Fold an activation {_ACTIVATIONS} into the {layer} before it"
            yield Row(name, text, _activation, first=layers)
        else:
            folded_phrase, folded = _AFFINE[suffix]
            text = f"Fold {folded_phrase} into the {layer} before it"
            yield Row(name, text, _affine, first=layers, last=folded)


def _affine() -> "Patterns":
    from ...canonicalization.affine import FuseAffine

    return [FuseAffine()]


def _activation() -> "Patterns":
    from ...canonicalization.activation import FuseActivation

    return [FuseActivation()]


FAMILIES = Rows()
"""The fusions that are also part of `canonicalize`."""


@FAMILIES.add(
    "fuse-bn-scale",
    "Fold a Scale into the BatchNorm before it",
    first=of_types("BatchNorm"),
    last=of_types("Scale"),
)
def fuse_bn_scale() -> "Patterns":
    from ...canonicalization.affine_composition import ComposeAffine

    return [ComposeAffine()]


FAMILIES.extend(
    [
        *_into(
            "conv",
            CONVOLUTIONS,
            ("bn", "mul", "add", "activation"),
            "convolution or deconvolution of any type",
        ),
        *_into("innerproduct", INNER_PRODUCT, ("bn", "mul", "add", "activation")),
    ]
)


@FAMILIES.add(
    "fuse-gemm-affine",
    "Fold factors and summands, for all elements or per row or column, into the Gemm before them",
    first=of_types("Gemm"),
)
def fuse_gemm_affine() -> "Patterns":
    from ...canonicalization.affine import FuseAffine, ScaleGemm

    return [ScaleGemm(), FuseAffine()]


@FAMILIES.add(
    "fuse-affine-linear",
    "Fold a factor and a summand per channel into the convolution, deconvolution, "
    "InnerProduct or Gemm after them",
)
def fuse_affine_linear() -> "Patterns":
    from ...canonicalization.affine import FuseAffineAhead

    return [FuseAffineAhead()]


@FAMILIES.add(
    "fuse-affine-through-layout",
    "Fold a factor and a summand per channel into the convolution, deconvolution, "
    "InnerProduct or Gemm before them, across Reshapes and Permutes in between",
)
def fuse_affine_through_layout() -> "Patterns":
    from ...canonicalization.affine_through_reshapes import FuseAffineThrough

    return [FuseAffineThrough()]


@FAMILIES.add(
    "fuse-affine-affine",
    "Merge two layers that scale and shift channels, or a chain of operations with scalars, "
    "into one layer",
)
def fuse_affine_affine() -> "Patterns":
    from ...canonicalization.affine_composition import ComposeAffine, ComposeScalars

    return [ComposeAffine(), ComposeScalars()]


@FAMILIES.add(
    "fuse-activation-activation",
    "Merge two ReLU or Clip layers into one, and remove one that changes nothing after "
    "another activation",
)
def fuse_activation_activation() -> "Patterns":
    from ...canonicalization.activation import ComposeActivation

    return [ComposeActivation()]


@FAMILIES.add(
    "fuse-memorydata-binaryop",
    "Replace a MemoryData with one element by the scalar parameter of the BinaryOp that reads it",
)
def fuse_memorydata_binaryop() -> "Patterns":
    from ...canonicalization.binaryop import ScalarOperand

    return [ScalarOperand()]


@FAMILIES.add(
    "fuse-parallel-branches",
    "Merge convolutions of the same blob whose outputs are added into one convolution; a "
    "branch may also be the blob itself, or layers that scale and shift its channels",
)
def fuse_parallel_branches() -> "Patterns":
    from ...canonicalization.parallel_branches import FuseParallelBranches

    return [FuseParallelBranches()]


@FAMILIES.add(
    "fuse-convolution-convolution",
    "Merge two 1x1 Convolutions into one, where the result has fewer multiplications",
)
def fuse_convolution_convolution() -> "Patterns":
    from ...canonicalization.convolution_composition import ComposeConvolutions

    return [ComposeConvolutions()]


@FAMILIES.add(
    "fuse-binaryop-eltwise",
    "Replace a sum or difference of scaled blobs by one Eltwise with coefficients",
)
def fuse_binaryop_eltwise() -> "Patterns":
    from ...canonicalization.binaryop import FormWeightedSum

    return [FormWeightedSum()]


OF_NCNNOPTIMIZE = (
    FAMILIES[0]._replace(name="fuse-batchnorm-scale"),
    *_into("convolution", of_types("Convolution"), ("batchnorm", "mul", "add")),
    *_into("convolution", of_types("Convolution", "Convolution1D"), ("activation",)),
    *_into(
        "convolutiondepthwise",
        of_types("ConvolutionDepthWise"),
        ("batchnorm", "mul", "add", "activation"),
    ),
    *_into("deconvolution", of_types("Deconvolution"), ("batchnorm", "mul", "add", "activation")),
    *_into(
        "deconvolutiondepthwise", of_types("DeconvolutionDepthWise"), ("batchnorm", "activation")
    ),
    *_into("innerproduct", INNER_PRODUCT, ("batchnorm", "dropout")),
)
"""The same fusions for single layer types, under the names of ncnnoptimize's steps."""

FUSIONS = (*FAMILIES, *OF_NCNNOPTIMIZE)
