"""Layers that are not needed, several into one, and one for another."""

from ..selection import Selection, kind
from .row import Pattern, Row

_POOLINGS = ("Pooling", "Pooling1D", "Pooling3D")
_GLOBAL_POOLING = kind(*_POOLINGS, global_pooling=1)
_INNER_PRODUCT = kind("InnerProduct")


def _identity(*types: str) -> Pattern:
    return Pattern("identity.EliminateIdentity", Selection((kind(*types),)))


ELIMINATIONS = (
    Row("eliminate-dropout", "Remove Dropout layers that do not scale", (_identity("Dropout"),)),
    Row("eliminate-noop", "Remove Noop layers", (_identity("Noop"),)),
    Row(
        "eliminate-split",
        "Remove Split layers: values have any number of uses",
        (_identity("Split"),),
        place="transforms.eliminate_split.EliminateSplit",
    ),
    Row(
        "eliminate-pooling1x1",
        "Remove Pooling layers of 1, 2 and 3 dims whose windows have one element each",
        (_identity(*_POOLINGS),),
    ),
    Row(
        "eliminate-flatten-after-global-pooling",
        "Remove a Flatten after a global Pooling, whose output has one dim already",
        (Pattern("identity.EliminateIdentity", Selection((kind("Flatten"),), (_GLOBAL_POOLING,))),),
    ),
    Row(
        "eliminate-reshape-after-global-pooling",
        "Remove a Reshape to one dim after a global Pooling, whose output has one dim already",
        (Pattern("identity.EliminateIdentity", Selection((kind("Reshape"),), (_GLOBAL_POOLING,))),),
    ),
    Row(
        "eliminate-flatten-after-innerproduct",
        "Remove a Flatten after an InnerProduct whose output has one dim already",
        (Pattern("identity.EliminateIdentity", Selection((kind("Flatten"),), (_INNER_PRODUCT,))),),
    ),
    Row(
        "eliminate-reshape-before-binaryop",
        "Let a BinaryOp read a blob as it was before a Reshape, Squeeze or ExpandDims, where "
        "broadcasting makes the same of it",
        (Pattern("reshapes.EliminateReshapeBeforeBinaryOp"),),
    ),
    Row(
        "eliminate-reshape-before-innerproduct",
        "Let an InnerProduct read a blob as it was before a Flatten or Reshape, which it does "
        "itself",
        (Pattern("reshapes.EliminateReshapeBeforeInnerProduct"),),
    ),
    Row(
        "eliminate-kept-axes",
        "Let a Reduction drop the axes that it keeps where 1x1 Convolutions and a BinaryOp behind "
        "it take a vector (squeeze and excitation)",
        (Pattern("squeeze_excitation.DropAxesOfGate"),),
    ),
    Row(
        "eliminate-repeated-heads",
        "Let an SDPA read heads of keys and values once that a Tile repeats for several heads of "
        "the query",
        (Pattern("grouped_query_attention.ShareHeads"),),
    ),
    Row(
        "eliminate-identity",
        "Remove layers of any type that give back what is there already: by their parameters, by "
        "shapes, or because a Slice is undone by a Concat",
        (Pattern("identity.EliminateIdentity"), Pattern("identity.EliminateNeutralAffine")),
    ),
    Row(
        "eliminate-duplicate-layers",
        "Let one layer stand for all that do the same with the same blobs and weights",
        (
            Pattern("redundant_layers.EliminateDuplicate"),
            Pattern("redundant_layers.ShareConstants"),
        ),
    ),
    Row(
        "eliminate-orphaned-memorydata",
        "Remove MemoryData layers whose blob nothing uses and that are no output",
        (Pattern("redundant_layers.EliminateDead", Selection((kind("MemoryData"),))),),
        tells_unused=True,
    ),
    Row(
        "eliminate-dead-layers",
        "Remove layers whose results nothing uses",
        (Pattern("redundant_layers.EliminateDead"),),
        tells_unused=True,
    ),
)

MERGES = (
    Row(
        "merge-reshapes",
        "Make one Reshape of several layers that only reshape (Reshape, Flatten, Squeeze, "
        "ExpandDims); let one that reads extents say them itself, or read them where others "
        "read as well",
        (
            Pattern("reshapes.MergeReshapes"),
            Pattern("reshapes.ReplaceShapeExpression"),
            Pattern("reshapes.ReadShapeOfEarlierBlob"),
        ),
    ),
    Row("merge-permutes", "Make one Permute of several", (Pattern("data_movement.MergePermutes"),)),
    Row(
        "merge-concats",
        "Join blobs at once that one Concat joins before another along the same axis",
        (Pattern("data_movement.MergeConcats"),),
    ),
    Row(
        "merge-crops",
        "Make one Slice of the Crops that cut a blob into all of its parts",
        (Pattern("data_movement.MergeCrops"),),
    ),
    Row(
        "merge-reductions",
        "Make one Reduction of several of the same operation, and drop axes that are kept only to "
        "be reshaped away",
        (Pattern("reductions.MergeReductions"), Pattern("reductions.DropKeptAxes")),
    ),
    Row(
        "merge-unaryops",
        "Remove UnaryOp layers that another layer makes superfluous (neg after neg, floor after "
        "round, neg before an addition, …)",
        (Pattern("unary.MergeUnaryOps"), Pattern("unary.MergeNegation")),
    ),
)

_WITH_INNER_PRODUCT = "Replace a 1x1 Convolution {} by an InnerProduct"

REPLACEMENTS = (
    Row(
        "pad-channels",
        "Give depthwise Convolutions, and what makes and reads their channels, channels of zeros, "
        "so that the runtime keeps all of them together, where that is faster",
        (Pattern("padded_channels.PadChannels"),),
    ),
    Row(
        "replace-reduction-with-global-pooling",
        "Replace a Reduction over h and w, or one over each after one another, by a global Pooling",
        (
            Pattern(
                "reductions.MergeReductions",
                Selection(other=(kind("Reduction", is_global_pooling=True),)),
                helps=True,
            ),
            Pattern("reductions.ReplaceReductionByPooling"),
        ),
    ),
    Row(
        "replace-pooling-with-global-pooling",
        "Replace a Pooling whose only window is the whole image by a global Pooling, before a "
        "layer that takes a vector",
        (Pattern("global_pooling.ReplacePooling"),),
    ),
    Row(
        "replace-gemm-with-convolution",
        "Make 1x1 Convolutions of Gemms on the pixels of an image, between two Reshapes and a "
        "Permute, or before or behind an image where it then has fewer channels",
        (
            Pattern("gemm_to_convolution.ReplaceGemm"),
            Pattern("pixel_gemms.ConvolveBeforeImage"),
            Pattern("pixel_gemms.ConvolveAfterImage"),
        ),
    ),
    Row(
        "replace-matmul-with-gemm",
        "Make a Gemm of a MatMul with a MemoryData, and an InnerProduct of that of a vector",
        (Pattern("matmul_to_gemm.ReplaceMatMul"),),
    ),
    Row(
        "replace-1d-with-2d",
        "Make a Deconvolution1D, ConvolutionDepthWise1D or DeconvolutionDepthWise1D a layer in two "
        "dims between Reshapes, where that is faster",
        (Pattern("convolution_1d.Replace1DWith2D"),),
    ),
    Row(
        "replace-multiheadattention-with-sdpa",
        "Make Gemms and an SDPA of a MultiHeadAttention, for sequences so long that it is faster",
        (Pattern("attention_decomposition.ReplaceMultiHeadAttention"),),
    ),
    Row(
        "replace-prelu-with-leaky-relu",
        "Replace a PReLU that has one slope for all channels by a ReLU with that slope",
        (Pattern("equivalent_layers.ReplacePReLU"),),
    ),
    Row(
        "replace-product-with-square",
        "Replace the product of a blob with itself by its square",
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
