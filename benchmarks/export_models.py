# pyright: basic, reportMissingImports=false
"""The models that `exports.py` converts, with random weights, from packages that the project does
not need. Run as a program, this file exports one of them."""

import sys
from pathlib import Path
from typing import Any

from .conversion import convert, start, stir

MODELS: dict[str, tuple[str, str, int]] = {
    "ViT": ("timm", "vit_tiny_patch16_224", 224),
    "DeiT3": ("timm", "deit3_small_patch16_224", 224),
    "Swin": ("timm", "swin_tiny_patch4_window7_224", 224),
    "CaiT": ("timm", "cait_xxs24_224", 224),
    "EVA02": ("timm", "eva02_tiny_patch14_224", 224),
    "MobileViT": ("timm", "mobilevit_xs", 256),
    "PVT": ("timm", "pvt_v2_b0", 224),
    "TinyViT": ("timm", "tiny_vit_5m_224", 224),
    "CoaT": ("timm", "coat_lite_tiny", 224),
    "LeViT": ("timm", "levit_128s", 224),
    "EdgeNeXt": ("timm", "edgenext_x_small", 256),
    "ConvNeXtV2": ("timm", "convnextv2_atto", 224),
    "conformer": ("own", "conformer", 80),
    "DeiT": ("timm", "deit_tiny_patch16_224", 224),
    "PiT": ("timm", "pit_xs_224", 224),
    "Visformer": ("timm", "visformer_tiny", 224),
    "Swin of torchvision": ("torchvision", "swin_t", 224),
}
"""Package, name in the package, and input extent of each family."""

FAMILIES = tuple(MODELS)[:13]
"""The families with layers that current converters do not convert."""


def packages_missing() -> list[str]:
    """Return the required packages that are not installed."""
    from importlib.util import find_spec

    return [name for name in ("torch", "torchvision", "timm", "pnnx") if find_spec(name) is None]


def conformer() -> Any:
    """Return two blocks of a conformer: attention without PyTorch's function for it, and
    convolutions in time."""
    import torch
    from torch import nn

    class Attention(nn.Module):
        def __init__(self, width: int, heads: int) -> None:
            super().__init__()
            self.heads, self.scale = heads, (width // heads) ** -0.5
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

        def forward(self, x: Any) -> Any:
            batch, steps, width = x.shape
            qkv = self.qkv(x).reshape(batch, steps, 3, self.heads, width // self.heads)
            q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
            shares = (q @ k.transpose(-2, -1) * self.scale).softmax(-1)
            return self.out((shares @ v).transpose(1, 2).reshape(batch, steps, width))

    class Block(nn.Module):
        def __init__(self, width: int, heads: int) -> None:
            super().__init__()
            self.before, self.after = self.dense(width), self.dense(width)
            self.attend = nn.Sequential(nn.LayerNorm(width), Attention(width, heads))
            self.norm, self.last = nn.LayerNorm(width), nn.LayerNorm(width)
            self.convolve = nn.Sequential(
                nn.Conv1d(width, 2 * width, 1),
                nn.GLU(1),
                nn.Conv1d(width, width, 15, padding=7, groups=width),
                nn.BatchNorm1d(width),
                nn.SiLU(),
                nn.Conv1d(width, width, 1),
            )

        def dense(self, width: int) -> Any:
            wide = 4 * width
            return nn.Sequential(
                nn.LayerNorm(width), nn.Linear(width, wide), nn.SiLU(), nn.Linear(wide, width)
            )

        def forward(self, x: Any) -> Any:
            x = x + 0.5 * self.before(x)
            x = x + self.attend(x)
            x = x + self.convolve(self.norm(x).transpose(1, 2)).transpose(1, 2)
            return self.last(x + 0.5 * self.after(x))

    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(80, 144), Block(144, 4), Block(144, 4))


def export(family: str, folder: Path) -> None:
    """Convert a model in a folder, and write an input and PyTorch's output to `values.npz`."""
    package, name, extent = MODELS[family]
    random = start()
    if package == "timm":
        import timm

        model = timm.create_model(name, pretrained=False)
    elif package == "torchvision":
        import torchvision

        model = getattr(torchvision.models, name)()
    else:
        model = conformer()
    model = model.eval()
    stir(model, random, ("pos", "gamma", "token"))
    shape = (1, extent, 80) if package == "own" else (1, 3, extent, extent)
    convert(model, shape, random, folder)


if __name__ == "__main__":
    export(sys.argv[1], Path(sys.argv[2]))
