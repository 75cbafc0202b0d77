"""The passes of ncnn-opt."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

_FUSIONS = (
    "fuse-bn-scale",
    "fuse-conv-bn",
    "fuse-conv-mul",
    "fuse-conv-add",
    "fuse-conv-activation",
    "fuse-innerproduct-bn",
    "fuse-innerproduct-mul",
    "fuse-gemm-affine",
    "fuse-affine-linear",
    "fuse-affine-affine",
    "fuse-activation-activation",
    "fuse-batchnorm-scale",
    "fuse-convolution-batchnorm",
    "fuse-convolution-mul",
    "fuse-convolution-add",
    "fuse-convolution-activation",
    "fuse-convolutiondepthwise-batchnorm",
    "fuse-convolutiondepthwise-mul",
    "fuse-convolutiondepthwise-add",
    "fuse-convolutiondepthwise-activation",
    "fuse-deconvolution-batchnorm",
    "fuse-deconvolution-mul",
    "fuse-deconvolution-add",
    "fuse-deconvolution-activation",
    "fuse-deconvolutiondepthwise-batchnorm",
    "fuse-deconvolutiondepthwise-activation",
    "fuse-innerproduct-batchnorm",
    "fuse-innerproduct-add",
    "fuse-innerproduct-dropout",
    "fuse-innerproduct-activation",
    "fuse-memorydata-binaryop",
    "fuse-binaryop-eltwise",
)
"""Those of the table in `fuse.py`."""

_LEGALIZATIONS = (
    "legalize-pnnx-unbind",
    "legalize-pnnx-split",
    "legalize-pnnx-slice",
    "legalize-pnnx-join",
    "legalize-pnnx-permute",
    "legalize-pnnx-reshape",
    "legalize-pnnx-addcmul",
    "legalize-pnnx-expression",
    "legalize-pnnx-normalize",
    "legalize-pnnx-convolution",
)
"""Those of the table in `pnnx/passes.py`."""

_PASSES = {
    **dict.fromkeys(_FUSIONS, ("fuse", "FUSIONS")),
    "fuse-swish": ("recognize", "FuseSwish"),
    "fuse-hardswish": ("recognize", "FuseHardSwish"),
    "fuse-hardsigmoid": ("recognize", "FuseHardSigmoid"),
    "fuse-gelu": ("recognize", "FuseGELU"),
    "fuse-mish": ("recognize", "FuseMish"),
    "fuse-layernorm": ("recognize", "FuseLayerNorm"),
    "fuse-rmsnorm": ("recognize", "FuseRMSNorm"),
    "fuse-instancenorm": ("recognize", "FuseInstanceNorm"),
    "fuse-groupnorm": ("recognize", "FuseGroupNorm"),
    "fuse-norm-affine": ("recognize", "FuseNormAffine"),
    "fuse-normalize": ("recognize", "FuseNormalize"),
    "fuse-softmax": ("recognize", "FuseSoftmax"),
    "fuse-sdpa": ("recognize", "FuseSDPA"),
    "fuse-shufflechannel": ("recognize", "FuseShuffleChannel"),
    "fuse-pixelshuffle": ("recognize", "FusePixelShuffle"),
    "fuse-reorg": ("recognize", "FuseReorg"),
    "fuse-padding-conv": ("recognize", "FusePaddingConv"),
    "fuse-padding-pooling": ("recognize", "FusePaddingPooling"),
    "eliminate-dropout": ("eliminate", "EliminateDropout"),
    "eliminate-noop": ("eliminate", "EliminateNoop"),
    "eliminate-split": ("eliminate", "EliminateSplit"),
    "eliminate-pooling1x1": ("eliminate", "EliminatePooling1x1"),
    "eliminate-flatten-after-global-pooling": ("eliminate", "EliminateFlattenAfterGlobalPooling"),
    "eliminate-reshape-after-global-pooling": ("eliminate", "EliminateReshapeAfterGlobalPooling"),
    "eliminate-flatten-after-innerproduct": ("eliminate", "EliminateFlattenAfterInnerProduct"),
    "eliminate-reshape-before-binaryop": ("eliminate", "EliminateReshapeBeforeBinaryOp"),
    "eliminate-reshape-before-innerproduct": ("eliminate", "EliminateReshapeBeforeInnerProduct"),
    "eliminate-identity": ("eliminate", "EliminateIdentities"),
    "eliminate-duplicate-layers": ("eliminate", "EliminateDuplicateLayers"),
    "eliminate-dead-layers": ("eliminate", "EliminateDeadLayers"),
    "eliminate-orphaned-memorydata": ("eliminate", "EliminateOrphanedMemoryData"),
    "merge-reshapes": ("merge", "MergeReshapes"),
    "merge-permutes": ("merge", "MergePermutes"),
    "merge-concats": ("merge", "MergeConcats"),
    "merge-crops": ("merge", "MergeCrops"),
    "merge-reductions": ("merge", "MergeReductions"),
    "merge-unaryops": ("merge", "MergeUnaryOps"),
    "replace-reduction-with-global-pooling": ("replace", "ReplaceReductionWithGlobalPooling"),
    "replace-prelu-with-leaky-relu": ("replace", "ReplacePReLUWithLeakyReLU"),
    "replace-product-with-square": ("replace", "ReplaceProductWithSquare"),
    "replace-convolution-with-innerproduct": ("replace", "ReplaceConvolutionWithInnerProduct"),
    "replace-convolution-with-innerproduct-after-global-pooling": (
        "replace",
        "ReplaceConvolutionAfterGlobalPooling",
    ),
    "replace-convolution-with-innerproduct-after-innerproduct": (
        "replace",
        "ReplaceConvolutionAfterInnerProduct",
    ),
    "fold-constants": ("fold_constants", "FoldConstants"),
    "cut-model": ("cut_model", "CutModel"),
    "keep-blobs": ("keep_blob", "KeepBlob"),
    "convert-storage": ("convert_storage", "ConvertStorage"),
    "ncnn-infer-shapes": ("infer_shapes", "InferShapes"),
    "convert-ncnn-to-fused": ("convert_ncnn_to_fused", "ConvertNcnnToFused"),
    "convert-fused-to-ncnn": ("convert_fused_to_ncnn", "ConvertFusedToNcnn"),
    "restore-pnnx": ("pnnx.passes", "RestorePnnx"),
    **dict.fromkeys(_LEGALIZATIONS, ("pnnx.passes", "LEGALIZE")),
    "legalize-pnnx-cast": ("pnnx.passes", "LegalizePnnxCast"),
}
"""The module of each pass, and in it the class or a table of classes by name."""

REPAIR = ("restore-pnnx", *_LEGALIZATIONS, "legalize-pnnx-cast")
"""What `--pnnx` runs before all others."""

OPTIMIZE = ("eliminate-split", "canonicalize")
"""What `-O` runs, in order."""


def get_all_passes() -> dict[str, Callable[[], type["ModulePass"]]]:
    """Every pass by name, imported when it is asked for."""

    def loader(flag: str, module: str, name: str) -> Callable[[], type["ModulePass"]]:
        def load() -> type["ModulePass"]:
            found: Any = getattr(import_module(f".{module}", __name__), name)
            return cast(dict[str, Any], found)[flag] if isinstance(found, dict) else found

        return load

    return {flag: loader(flag, *place) for flag, place in _PASSES.items()}
