"""The passes of ncnn-opt."""

from collections.abc import Callable
from importlib import import_module

from xdsl.passes import ModulePass

_PASSES = {
    "fuse-bn-scale": ("fuse", "FuseBNScale"),
    "fuse-conv-bn": ("fuse", "FuseConvBN"),
    "fuse-conv-mul": ("fuse", "FuseConvMul"),
    "fuse-conv-add": ("fuse", "FuseConvAdd"),
    "fuse-conv-activation": ("fuse", "FuseConvActivation"),
    "fuse-innerproduct-bn": ("fuse", "FuseInnerProductBN"),
    "fuse-innerproduct-mul": ("fuse", "FuseInnerProductMul"),
    "fuse-innerproduct-add": ("fuse", "FuseInnerProductAdd"),
    "fuse-innerproduct-activation": ("fuse", "FuseInnerProductActivation"),
    "eliminate-dropout": ("eliminate", "EliminateDropout"),
    "eliminate-noop": ("eliminate", "EliminateNoop"),
    "eliminate-split": ("eliminate", "EliminateSplit"),
    "cut-model": ("cut_model", "CutModel"),
    "keep-blobs": ("keep_blob", "KeepBlob"),
    "convert-storage": ("convert_storage", "ConvertStorage"),
    "ncnn-infer-shapes": ("infer_shapes", "InferShapes"),
}
"""Module and class of each pass."""

OPTIMIZE = ("eliminate-split", "canonicalize")
"""What `-O` runs, in order."""


def get_all_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """Every pass by name, imported when it is asked for."""

    def loader(module: str, name: str) -> Callable[[], type[ModulePass]]:
        return lambda: getattr(import_module(f".{module}", __name__), name)

    return {flag: loader(*place) for flag, place in _PASSES.items()}
