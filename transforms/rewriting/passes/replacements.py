"""Passes that replace layers by others that compute the same, and faster."""

from typing import TYPE_CHECKING

from .row import Auxiliary, Rows, of_types

if TYPE_CHECKING:
    from .row import Patterns

_WITH_INNER_PRODUCT = "Replace a 1x1 Convolution {} by an InnerProduct"
REPLACEMENTS = Rows()


@REPLACEMENTS.add(
    "pad-channels",
    "Pad depthwise Convolutions, and the layers that write and read their channels, with "
    "channels of zeros, so that the runtime can pack the channels, where that is faster",
)
def pad_channels() -> "Patterns":
    from ...canonicalization.padded_channels import PadChannels

    return [PadChannels()]


@REPLACEMENTS.add(
    "replace-reduction-with-global-pooling",
    "Replace a Reduction over h and w, or two consecutive ones over h and over w, by a "
    "global Pooling",
)
def replace_reduction_with_global_pooling() -> "Patterns":
    from ...canonicalization.reductions import MergeReductions, ReplaceReductionByPooling

    return [
        Auxiliary(MergeReductions(for_global_pooling=True)),
        ReplaceReductionByPooling(),
    ]


@REPLACEMENTS.add(
    "replace-pooling-with-global-pooling",
    "Replace a Pooling with one window that covers the whole image by a global Pooling, "
    "before a layer that accepts a vector",
)
def replace_pooling_with_global_pooling() -> "Patterns":
    from ...canonicalization.global_pooling import ReplacePooling

    return [ReplacePooling()]


@REPLACEMENTS.add(
    "replace-gemm-with-convolution",
    "Replace Gemms on the pixels of an image by 1x1 Convolutions: between two Reshapes and "
    "a Permute, or next to a Reshape from or to an image with fewer channels",
)
def replace_gemm_with_convolution() -> "Patterns":
    from ...canonicalization.gemm_to_convolution import ReplaceGemm
    from ...canonicalization.pixel_gemms import ConvolveAfterImage, ConvolveBeforeImage

    return [ReplaceGemm(), ConvolveBeforeImage(), ConvolveAfterImage()]


@REPLACEMENTS.add(
    "replace-matmul-with-gemm",
    "Replace a MatMul of a matrix and a MemoryData by a Gemm, and one of a vector and a "
    "MemoryData by an InnerProduct",
)
def replace_matmul_with_gemm() -> "Patterns":
    from ...canonicalization.matmul_to_gemm import ReplaceMatMul

    return [ReplaceMatMul()]


@REPLACEMENTS.add(
    "fuse-permute-matmul",
    "Fold a Permute that transposes an operand of a MatMul or Gemm into the product",
)
def fuse_permute_matmul() -> "Patterns":
    from ...canonicalization.transpositions import (
        FoldTranspositionIntoGemm,
        FoldTranspositionIntoMatMul,
    )

    return [FoldTranspositionIntoMatMul(), FoldTranspositionIntoGemm()]


@REPLACEMENTS.add(
    "replace-1d-with-2d",
    "Replace a Deconvolution1D, ConvolutionDepthWise1D or DeconvolutionDepthWise1D by its "
    "2-D layer between Reshapes, where that is faster",
)
def replace_1d_with_2d() -> "Patterns":
    from ...canonicalization.convolution_1d import Replace1DWith2D

    return [Replace1DWith2D()]


@REPLACEMENTS.add(
    "replace-multiheadattention-with-sdpa",
    "Replace a MultiHeadAttention by Gemms and an SDPA, for sequences that are long enough "
    "to make this faster",
)
def replace_multiheadattention_with_sdpa() -> "Patterns":
    from ...canonicalization.attention_decomposition import ReplaceMultiHeadAttention

    return [ReplaceMultiHeadAttention()]


@REPLACEMENTS.add(
    "replace-prelu-with-leaky-relu",
    "Replace a PReLU with the same slope for all channels by a ReLU with that slope",
)
def replace_prelu_with_leaky_relu() -> "Patterns":
    from ...canonicalization.equivalent_layers import ReplacePReLU

    return [ReplacePReLU()]


@REPLACEMENTS.add(
    "replace-squeeze-with-reshape",
    "Replace a Squeeze or an ExpandDims by a Reshape, which has a Vulkan implementation",
)
def replace_squeeze_with_reshape() -> "Patterns":
    from ...canonicalization.reshapes import ReplaceSqueeze

    return [ReplaceSqueeze()]


@REPLACEMENTS.add(
    "replace-product-with-square", "Replace the product of a blob and itself by its square"
)
def replace_product_with_square() -> "Patterns":
    from ...canonicalization.unary import ReplaceProductBySquare

    return [ReplaceProductBySquare()]


@REPLACEMENTS.add(
    "replace-convolution-with-innerproduct-after-global-pooling",
    _WITH_INNER_PRODUCT.format("after a global Pooling"),
    last=of_types("Pooling", "Pooling1D", "Pooling3D"),
)
def replace_convolution_with_innerproduct_after_global_pooling() -> "Patterns":
    from ...canonicalization.equivalent_layers import ReplaceConvolutionOfVector

    return [ReplaceConvolutionOfVector()]


@REPLACEMENTS.add(
    "replace-convolution-with-innerproduct-after-innerproduct",
    _WITH_INNER_PRODUCT.format("after an InnerProduct"),
    last=of_types("InnerProduct"),
)
def replace_convolution_with_innerproduct_after_innerproduct() -> "Patterns":
    from ...canonicalization.equivalent_layers import ReplaceConvolutionOfVector

    return [ReplaceConvolutionOfVector()]


@REPLACEMENTS.add(
    "replace-convolution-with-innerproduct", _WITH_INNER_PRODUCT.format("of a 1-D blob")
)
def replace_convolution_with_innerproduct() -> "Patterns":
    from ...canonicalization.equivalent_layers import ReplaceConvolution

    return [ReplaceConvolution()]
