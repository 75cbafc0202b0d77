"""Passes that remove layers, merge layers, or replace one layer by another."""

from ..selection import Selection, kind
from .row import Pattern, Row

_POOLINGS = ("Pooling", "Pooling1D", "Pooling3D")
_GLOBAL_POOLING = kind(*_POOLINGS, global_pooling=1)
_INNER_PRODUCT = kind("InnerProduct")


def _identity(*types: str) -> Pattern:
    return Pattern("identity.EliminateIdentity", Selection((kind(*types),)))


ELIMINATIONS = (
    Row("eliminate-dropout", "Remove Dropout layers whose scale is 1", (_identity("Dropout"),)),
    Row("eliminate-noop", "Remove Noop layers", (_identity("Noop"),)),
    Row(
        "eliminate-split",
        "Remove Split layers: in the IR, a value may have any number of uses",
        (_identity("Split"),),
        class_path="transforms.eliminate_split.EliminateSplit",
    ),
    Row(
        "eliminate-pooling1x1",
        "Remove Pooling, Pooling1D and Pooling3D layers whose windows contain one element each",
        (_identity(*_POOLINGS),),
    ),
    Row(
        "eliminate-flatten-after-global-pooling",
        "Remove a Flatten after a global Pooling: its input already has one dimension",
        (Pattern("identity.EliminateIdentity", Selection((kind("Flatten"),), (_GLOBAL_POOLING,))),),
    ),
    Row(
        "eliminate-reshape-after-global-pooling",
        "Remove a Reshape to one dimension after a global Pooling: its input already has one "
        "dimension",
        (Pattern("identity.EliminateIdentity", Selection((kind("Reshape"),), (_GLOBAL_POOLING,))),),
    ),
    Row(
        "eliminate-flatten-after-innerproduct",
        "Remove a Flatten after an InnerProduct whose output already has one dimension",
        (Pattern("identity.EliminateIdentity", Selection((kind("Flatten"),), (_INNER_PRODUCT,))),),
    ),
    Row(
        "eliminate-reshape-before-binaryop",
        "Remove a Reshape, Squeeze or ExpandDims before a BinaryOp that broadcasts to the same "
        "result without it",
        (Pattern("reshapes.EliminateReshapeBeforeBinaryOp"),),
    ),
    Row(
        "eliminate-reshape-before-innerproduct",
        "Remove a Flatten or Reshape before an InnerProduct, which flattens its input itself",
        (Pattern("reshapes.EliminateReshapeBeforeInnerProduct"),),
    ),
    Row(
        "eliminate-kept-axes",
        "Drop the axes that a Reduction keeps, or a Reshape adds, before the 1x1 Convolutions and "
        "the BinaryOp of squeeze and excitation, which also accept a vector",
        (Pattern("squeeze_excitation.DropAxesOfGate"),),
    ),
    Row(
        "eliminate-repeated-heads",
        "Remove a Tile that repeats the heads of keys and values before an SDPA: the SDPA can "
        "share each head between several heads of the query; if it has a cache, only with "
        "`opaque-caches=true`, because the cache then has fewer heads (docs/decoders.md)",
        (Pattern("grouped_query_attention.ShareHeads"),),
        class_path="transforms.eliminate_repeated_heads.EliminateRepeatedHeads",
    ),
    Row(
        "eliminate-identity",
        "Remove layers of any type that return their input unchanged: because of their "
        "parameters, because of shapes, or because a Concat undoes a Slice",
        (Pattern("identity.EliminateIdentity"), Pattern("identity.EliminateNeutralAffine")),
    ),
    Row(
        "eliminate-duplicate-layers",
        "Replace layers that compute the same from the same blobs and weights by one of them",
        (
            Pattern("redundant_layers.EliminateDuplicate"),
            Pattern("redundant_layers.ShareConstants"),
        ),
    ),
    Row(
        "eliminate-orphaned-memorydata",
        "Remove MemoryData layers whose blob has no use and is not an output",
        (Pattern("redundant_layers.EliminateDead", Selection((kind("MemoryData"),))),),
        reports_unused=True,
    ),
    Row(
        "eliminate-dead-layers",
        "Remove layers whose results have no use",
        (Pattern("redundant_layers.EliminateDead"),),
        reports_unused=True,
    ),
)

MERGES = (
    Row(
        "merge-reshapes",
        "Merge consecutive reshaping layers (Reshape, Flatten, Squeeze, ExpandDims) into one "
        "Reshape; replace extents that a Reshape reads from another blob by constants, or read "
        "them from a blob that has other uses",
        (
            Pattern("reshapes.MergeReshapes"),
            Pattern("reshapes.ReplaceShapeExpression"),
            Pattern("reshapes.ReadShapeOfEarlierBlob"),
        ),
    ),
    Row(
        "merge-permutes",
        "Merge consecutive Permutes into one",
        (Pattern("data_movement.MergePermutes"),),
    ),
    Row(
        "merge-concats",
        "Merge a Concat into the next Concat along the same axis",
        (Pattern("data_movement.MergeConcats"),),
    ),
    Row(
        "merge-crops",
        "Merge Crops that together cut a blob into all its parts into one Slice",
        (Pattern("data_movement.MergeCrops"),),
    ),
    Row(
        "merge-reductions",
        "Merge consecutive Reductions with the same operation into one; drop kept axes that a "
        "later Reshape removes",
        (Pattern("reductions.MergeReductions"), Pattern("reductions.DropKeptAxes")),
    ),
    Row(
        "merge-unaryops",
        "Remove UnaryOp layers that another layer makes unnecessary (neg after neg, floor after "
        "round, neg before an addition, …)",
        (Pattern("unary.MergeUnaryOps"), Pattern("unary.MergeNegation")),
    ),
)

_WITH_INNER_PRODUCT = "Replace a 1x1 Convolution {} by an InnerProduct"

REPLACEMENTS = (
    Row(
        "pad-channels",
        "Pad depthwise Convolutions, and the layers that write and read their channels, with "
        "channels of zeros, so that the runtime can pack the channels, where that is faster",
        (Pattern("padded_channels.PadChannels"),),
    ),
    Row(
        "replace-reduction-with-global-pooling",
        "Replace a Reduction over h and w, or two consecutive ones over h and over w, by a "
        "global Pooling",
        (
            Pattern(
                "reductions.MergeReductions",
                Selection(other=(kind("Reduction", is_global_pooling=True),)),
                is_auxiliary=True,
            ),
            Pattern("reductions.ReplaceReductionByPooling"),
        ),
    ),
    Row(
        "replace-pooling-with-global-pooling",
        "Replace a Pooling with one window that covers the whole image by a global Pooling, "
        "before a layer that accepts a vector",
        (Pattern("global_pooling.ReplacePooling"),),
    ),
    Row(
        "replace-gemm-with-convolution",
        "Replace Gemms on the pixels of an image by 1x1 Convolutions: between two Reshapes and "
        "a Permute, or next to a Reshape from or to an image with fewer channels",
        (
            Pattern("gemm_to_convolution.ReplaceGemm"),
            Pattern("pixel_gemms.ConvolveBeforeImage"),
            Pattern("pixel_gemms.ConvolveAfterImage"),
        ),
    ),
    Row(
        "replace-matmul-with-gemm",
        "Replace a MatMul of a matrix and a MemoryData by a Gemm, and one of a vector and a "
        "MemoryData by an InnerProduct",
        (Pattern("matmul_to_gemm.ReplaceMatMul"),),
    ),
    Row(
        "replace-1d-with-2d",
        "Replace a Deconvolution1D, ConvolutionDepthWise1D or DeconvolutionDepthWise1D by its "
        "2-D layer between Reshapes, where that is faster",
        (Pattern("convolution_1d.Replace1DWith2D"),),
    ),
    Row(
        "replace-multiheadattention-with-sdpa",
        "Replace a MultiHeadAttention by Gemms and an SDPA, for sequences that are long enough "
        "to make this faster",
        (Pattern("attention_decomposition.ReplaceMultiHeadAttention"),),
    ),
    Row(
        "replace-prelu-with-leaky-relu",
        "Replace a PReLU with the same slope for all channels by a ReLU with that slope",
        (Pattern("equivalent_layers.ReplacePReLU"),),
    ),
    Row(
        "replace-squeeze-with-reshape",
        "Replace a Squeeze or an ExpandDims by a Reshape, which has a Vulkan implementation",
        (Pattern("reshapes.ReplaceSqueeze", Selection(other=(kind("Reshape"),))),),
    ),
    Row(
        "replace-product-with-square",
        "Replace the product of a blob and itself by its square",
        (Pattern("unary.ReplaceProductBySquare"),),
    ),
    Row(
        "replace-convolution-with-innerproduct-after-global-pooling",
        _WITH_INNER_PRODUCT.format("after a global Pooling"),
        (Pattern("equivalent_layers.ReplaceConvolution", Selection(other=(_GLOBAL_POOLING,))),),
    ),
    Row(
        "replace-convolution-with-innerproduct-after-innerproduct",
        _WITH_INNER_PRODUCT.format("after an InnerProduct"),
        (Pattern("equivalent_layers.ReplaceConvolution", Selection(other=(_INNER_PRODUCT,))),),
    ),
    Row(
        "replace-convolution-with-innerproduct",
        _WITH_INNER_PRODUCT.format("of a 1-D blob"),
        (Pattern("equivalent_layers.ReplaceConvolution"),),
    ),
)
