# pyright: basic, reportMissingImports=false
"""The upscalers and restorers of spandrel, small, with random weights."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

WINDOWS = {"img_size": 32, "window_size": 4, "embed_dim": 24, "num_heads": [2], "upscale": 2}
"""Parameters of the architectures with windows."""
SPLITS = {"img_size": 32, "split_size": [4, 4], "embed_dim": 24, "num_heads": [2], "upscale": 2}

ARCHITECTURES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "SwinIR": ("SwinIR", "SwinIR", {**WINDOWS, "depths": [2], "upsampler": "pixelshuffle"}),
    "Swin2SR (spandrel)": (
        "Swin2SR",
        "Swin2SR",
        {**WINDOWS, "depths": [2], "upsampler": "pixelshuffle"},
    ),
    "HAT": (
        "HAT",
        "HAT",
        {**WINDOWS, "depths": [2], "compress_ratio": 3, "squeeze_factor": 4}
        | {"upsampler": "pixelshuffle"},
    ),
    "DAT": ("DAT", "DAT", {**SPLITS, "depth": [2]}),
    "RGT": ("RGT", "RGT", {**SPLITS, "depth": [2]}),
    "ATD": ("ATD", "ATD", {**WINDOWS, "depths": [2], "upsampler": "pixelshuffle"}),
    "DRCT": ("DRCT", "DRCT", {**WINDOWS, "depths": [2], "upsampler": "pixelshuffle", "gc": 8}),
    "Compact": ("Compact", "SRVGGNetCompact", {"num_feat": 16, "num_conv": 4, "upscale": 2}),
    "ESRGAN": ("ESRGAN", "RRDBNet", {"num_filters": 16, "num_blocks": 2}),
    "SPAN": ("SPAN", "SPAN", {"num_in_ch": 3, "num_out_ch": 3, "feature_channels": 16}),
    "MoSR": ("MoSR", "MoSR", {"dim": 16, "n_block": 4}),
    "PLKSR": ("PLKSR", "PLKSR", {"dim": 16, "n_blocks": 3}),
    "RCAN": ("RCAN", "RCAN", {"n_resgroups": 2, "n_resblocks": 2, "n_feats": 16, "reduction": 4}),
    "DITN": ("DITN", "DITN_Real", {}),
    "RetinexFormer": ("RetinexFormer", "RetinexFormer", {"n_feat": 16, "stage": 1}),
    "OmniSR": ("OmniSR", "OmniSR", {}),
    "NAFNet": ("NAFNet", "NAFNet", {"width": 8, "enc_blk_nums": [1, 1], "dec_blk_nums": [1, 1]}),
    "SAFMN": ("SAFMN", "SAFMN", {"dim": 16, "n_blocks": 2}),
    "DnCNN": ("DnCNN", "DnCNN", {"in_nc": 3, "out_nc": 3, "nc": 16, "nb": 5}),
    "DCTLSA": ("DCTLSA", "DCTLSA", {}),
    "RealCUGAN": ("RealCUGAN", "UpCunet2x", {}),
    "SCUNet": ("SCUNet", "SCUNet", {"config": [1] * 7, "dim": 64}),
}
"""The package in spandrel, the class, and its parameters, by name."""


def make(package: str, name: str, params: dict[str, Any], size: int = 32) -> tuple[Any, Any]:
    """Return a module and inputs for it."""
    import pkgutil

    import torch

    folder = import_module(f"spandrel.architectures.{package}.__arch")
    files = [f"{folder.__name__}.{found.name}" for found in pkgutil.iter_modules(folder.__path__)]
    cls = next(c for f in files if (c := getattr(import_module(f), name, None)) is not None)
    return cls(**params), (torch.rand(1, 3, size, size),)


SIZES = (32, 48)
"""The extents of the inputs."""
LARGER_SIZES = {"SCUNet": (64, 128)}
"""The same of architectures that do not take smaller ones."""


def _models() -> Iterator[tuple[str, Callable[[], tuple[Any, Any]]]]:
    for name, found in ARCHITECTURES.items():
        first, second = LARGER_SIZES.get(name, SIZES)
        yield name, partial(make, *found, first)
        yield f"{name} of {second}", partial(make, *found, second)


MODELS: dict[str, Callable[[], tuple[Any, Any]]] = dict(_models())
"""The module and inputs of each architecture, by name and size."""
