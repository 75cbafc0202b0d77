"""Fusions: passes that replace two layers by one layer that computes both."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from ..selection import Kind, Selection, kind
from .row import Row, Rows

if TYPE_CHECKING:
    from .row import Patterns

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
            yield Row(name, text, partial(_activation, _only((), layers)))
        else:
            folded_phrase, folded = _AFFINE[suffix]
            text = f"Fold {folded_phrase} into the {layer} before it"
            yield Row(name, text, partial(_affine, _only(folded, layers)))


def _only(layer: tuple[Kind, ...], other: Kind) -> Selection:
    return Selection(layer, (other,))


def _affine(selection: Selection) -> "Patterns":
    from ...canonicalization.affine import FuseAffine

    return [FuseAffine(selection)]


def _activation(selection: Selection) -> "Patterns":
    from ...canonicalization.activation import FuseActivation

    return [FuseActivation(selection)]


FAMILIES = Rows()
"""The fusions that are also part of `canonicalize`."""


@FAMILIES.add("fuse-bn-scale", "Fold a Scale into the BatchNorm before it")
def fuse_bn_scale() -> "Patterns":
    from ...canonicalization.affine_composition import ComposeAffine

    return [ComposeAffine(_only((kind("Scale"),), kind("BatchNorm")))]


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
)
def fuse_gemm_affine() -> "Patterns":
    from ...canonicalization.affine import FuseAffine, ScaleGemm

    return [ScaleGemm(), FuseAffine(_only((), kind("Gemm")))]


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
    Row("fuse-batchnorm-scale", FAMILIES[0].help, fuse_bn_scale),
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
