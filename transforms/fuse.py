"""Fusions as passes of their own. The patterns, with algebra and conditions, are in
`canonicalization/`; a pass is a name for one of them and for the layers that it is to take."""

from collections.abc import Iterator, Sequence
from functools import partial

from .pattern_pass import PatternPass, Patterns, pattern_pass

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
                yield pattern_pass(name, doc, partial(_activation, types, name))
            else:
                doc = f"Fold {_AFFINE[last][0]} into the {layer} before it."
                yield pattern_pass(name, doc, partial(_affine, types, last, name))


def _activation(types: Sequence[str], name: str) -> Patterns:
    from .canonicalization.activation import FuseActivation

    return (FuseActivation(frozenset(types), name),)


def _affine(types: Sequence[str], last: str, name: str) -> Patterns:
    from .canonicalization.affine import FuseAffine, Selection

    return (FuseAffine(Selection(frozenset(types), **_AFFINE[last][1]), name),)


class FuseBNScale(PatternPass):
    """Fold a Scale into the BatchNorm before it."""

    name = "fuse-bn-scale"

    def patterns(self) -> Patterns:
        from .canonicalization.composition import ComposeAffine

        return (ComposeAffine("BatchNorm", "Scale", self.name),)


class FuseBatchNormScale(FuseBNScale):
    """Fold a Scale into the BatchNorm before it."""

    name = "fuse-batchnorm-scale"


class FuseGemmAffine(PatternPass):
    """Fold factors and summands, one for all or for each row or column, into the Gemm before."""

    name = "fuse-gemm-affine"

    def patterns(self) -> Patterns:
        from .canonicalization.affine import FuseAffine, ScaleGemm, Selection

        return (ScaleGemm(), FuseAffine(Selection(frozenset({"Gemm"}))))


class FuseAffineLinear(PatternPass):
    """Fold a factor and summand a channel into the convolution, deconvolution, InnerProduct or Gemm
    after it."""

    name = "fuse-affine-linear"

    def patterns(self) -> Patterns:
        from .canonicalization.affine import FuseAffineAhead

        return (FuseAffineAhead(),)


class FuseAffineAffine(PatternPass):
    """Make one layer of two that scale and shift channels, or of a chain of scalars."""

    name = "fuse-affine-affine"

    def patterns(self) -> Patterns:
        from .canonicalization.composition import ComposeAffine, ComposeScalars

        return (ComposeAffine(), ComposeScalars())


class FuseActivationActivation(PatternPass):
    """Make one ReLU or Clip of two, and drop one that changes nothing after another activation."""

    name = "fuse-activation-activation"

    def patterns(self) -> Patterns:
        from .canonicalization.activation import ComposeActivation

        return (ComposeActivation(),)


class FuseMemoryDataBinaryOp(PatternPass):
    """Make a MemoryData of one element the scalar of the BinaryOp that reads it."""

    name = "fuse-memorydata-binaryop"

    def patterns(self) -> Patterns:
        from .canonicalization.binaryop import ScalarOperand

        return (ScalarOperand(),)


class FuseBinaryOpEltwise(PatternPass):
    """Make one Eltwise with coefficients of a sum or difference of scaled blobs."""

    name = "fuse-binaryop-eltwise"

    def patterns(self) -> Patterns:
        from .canonicalization.binaryop import FormWeightedSum

        return (FormWeightedSum(),)


FUSIONS = {
    cls.name: cls
    for cls in (
        *_into_the_layer_before(),
        FuseBNScale,
        FuseBatchNormScale,
        FuseGemmAffine,
        FuseAffineLinear,
        FuseAffineAffine,
        FuseActivationActivation,
        FuseMemoryDataBinaryOp,
        FuseBinaryOpEltwise,
    )
}
"""The passes by name."""
