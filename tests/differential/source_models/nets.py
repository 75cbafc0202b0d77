# pyright: basic, reportMissingImports=false
"""Twenty small modules of PyTorch, and a fault for each that is planted after the conversion."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F


class Call(nn.Module):
    """A function as a module, with modules as parts."""

    def __init__(self, function: Callable[..., Any], *parts: nn.Module) -> None:
        super().__init__()
        self.parts = nn.ModuleList(parts)
        self.function = function

    def forward(self, *inputs: Any) -> Any:
        return self.function(*self.parts, *inputs)


@dataclass(frozen=True)
class Fault:
    """A change of the converted model."""

    layer: str
    """The type of the layer, and its number among these: `Convolution 1`."""
    params: tuple[tuple[str, str], ...] = ()
    """Pieces of its line in the `.param`, and replacements."""
    exchanged: str = ""
    """The layer that gets its weight, and the other way round."""
    dropped: bool = False
    """Whether the layer is removed."""
    scaled: bool = False
    """Whether its weight is multiplied by -1."""


def change(layer: str, old: str, new: str) -> Fault:
    """Return the change of one parameter."""
    return Fault(layer, ((old, new),))


def conv(inputs: int, outputs: int, size: int = 3, **options: Any) -> nn.Conv2d:
    return nn.Conv2d(inputs, outputs, size, padding=size // 2, **options)


def residual(a: Any, b: Any, c: Any, x: Any) -> Any:
    return b(F.relu(a(x))) + c(x)


def attention(qkv: Any, out: Any, x: Any) -> Any:
    q, k, v = qkv(x).chunk(3, -1)
    return out(((q @ k.transpose(1, 2)) * 0.35).softmax(-1) @ v)


def branches(a: Any, b: Any, c: Any, x: Any) -> Any:
    return c(torch.cat([a(x), F.max_pool2d(b(x), 3, 1, 1)], 1))


def head(stem: Any, boxes: Any, scores: Any, x: Any) -> Any:
    x = F.silu(stem(x))
    return torch.cat([boxes(x).flatten(2), scores(x).flatten(2).sigmoid()], 1)


def gated(a: Any, b: Any, x: Any) -> Any:
    return a(x) * torch.sigmoid(b(x.mean((2, 3), keepdim=True)))


def pyramid(a: Any, b: Any, c: Any, x: Any) -> Any:
    fine = a(x)
    coarse = b(F.max_pool2d(fine, 2))
    return c(fine + F.interpolate(coarse, scale_factor=2, mode="nearest"))


def sequence(a: Any, b: Any, x: Any) -> Any:
    return b(a(x)[0])


def scaled(a: Any, b: Any, x: Any) -> Any:
    x = a(x)
    return b((x - x.mean(1, keepdim=True)) / (x.std(1, keepdim=True) + 0.5) * 2.0 + 1.0)


def two_inputs(a: Any, b: Any, x: Any, y: Any) -> Any:
    return torch.tanh(a(x)) - b(y) * 0.5


def two_outputs(a: Any, b: Any, c: Any, x: Any) -> Any:
    x = F.leaky_relu(a(x), 0.2)
    return b(x), c(x).softmax(1)


IMAGE = ((1, 3, 16, 16),)
ROWS = ((1, 9, 12),)

NETS: dict[str, tuple[Callable[[], nn.Module], Sequence[Sequence[int]], Fault]] = {
    "plain": (
        lambda: nn.Sequential(conv(3, 8), nn.ReLU(), conv(8, 8), nn.ReLU(), conv(8, 4)),
        IMAGE,
        change("Convolution 1", " 9=1", ""),
    ),
    "pad": (
        lambda: nn.Sequential(conv(3, 8), nn.SiLU(), conv(8, 8), nn.SiLU(), conv(8, 4)),
        IMAGE,
        change("Convolution 1", " 4=1", " 4=0"),
    ),
    "stride": (
        lambda: nn.Sequential(conv(3, 8, stride=2), nn.Hardswish(), conv(8, 8, dilation=1)),
        IMAGE,
        change("Convolution 0", " 3=2", " 3=1"),
    ),
    "exchanged": (
        lambda: nn.Sequential(conv(3, 8), nn.SiLU(), conv(8, 8), nn.SiLU(), conv(8, 8)),
        IMAGE,
        Fault("Convolution 1", exchanged="Convolution 2"),
    ),
    "residual": (
        lambda: Call(residual, conv(3, 8), conv(8, 8), conv(3, 8, 1)),
        IMAGE,
        change("BinaryOp 0", " 0=0", " 0=1"),
    ),
    "residual weight": (
        lambda: Call(residual, conv(3, 8), conv(8, 8), conv(3, 8, 1)),
        IMAGE,
        Fault("Convolution 2", scaled=True),
    ),
    "dropped": (
        lambda: nn.Sequential(conv(3, 8), nn.GELU(), conv(8, 8), nn.Mish(), conv(8, 4)),
        IMAGE,
        Fault("GELU 0", dropped=True),
    ),
    "dropped last": (
        lambda: nn.Sequential(conv(3, 8), nn.ReLU(), nn.Flatten(), nn.Linear(2048, 5), nn.Tanh()),
        IMAGE,
        Fault("TanH 0", dropped=True),
    ),
    "attention": (
        lambda: Call(attention, nn.Linear(12, 36), nn.Linear(12, 12)),
        ROWS,
        change("Softmax 0", " 0=2", " 0=1"),
    ),
    "parts": (
        lambda: Call(attention, nn.Linear(12, 36), nn.Linear(12, 12)),
        ROWS,
        change("Slice 0", " 1=2", " 1=1"),
    ),
    "multihead": (
        lambda: nn.TransformerEncoderLayer(12, 3, 24, 0.0, batch_first=True),
        ROWS,
        change("MultiHeadAttention 0", " 1=3", " 1=2"),
    ),
    "norm": (
        lambda: nn.Sequential(nn.Linear(12, 16), nn.LayerNorm(16), nn.GELU(), nn.Linear(16, 6)),
        ROWS,
        change("LayerNorm 0", " 1=1.000000e-5", " 1=1.000000e-1"),
    ),
    "branches": (
        lambda: Call(branches, conv(3, 6), conv(3, 6), conv(12, 4)),
        IMAGE,
        Fault("Convolution 0", exchanged="Convolution 1"),
    ),
    "pooling": (
        lambda: Call(branches, conv(3, 6), conv(3, 6), conv(12, 4)),
        IMAGE,
        change("Pooling 0", " 0=0", " 0=1"),
    ),
    "head": (
        lambda: Call(head, conv(3, 8), conv(8, 4, 1), conv(8, 6, 1)),
        IMAGE,
        Fault("Sigmoid 0", dropped=True),
    ),
    "gated": (
        lambda: Call(gated, conv(3, 6), nn.Conv2d(3, 6, 1)),
        IMAGE,
        Fault("Convolution 0", scaled=True),
    ),
    "pyramid": (
        lambda: Call(pyramid, conv(3, 6), conv(6, 6), conv(6, 4)),
        IMAGE,
        change("Interp 0", " 0=1", " 0=2"),
    ),
    "recurrent": (
        lambda: Call(sequence, nn.GRU(12, 10, batch_first=True), nn.Linear(10, 4)),
        ROWS,
        change("GRU 0", " 2=0", " 2=1"),
    ),
    "two inputs": (
        lambda: Call(two_inputs, nn.Linear(12, 8), nn.Linear(12, 8)),
        ROWS * 2,
        Fault("TanH 0", dropped=True),
    ),
    "two outputs": (
        lambda: Call(two_outputs, conv(3, 6), conv(6, 4), conv(6, 5)),
        IMAGE,
        change("Softmax 0", " 0=0", " 0=1"),
    ),
}
"""The modules, the shapes of their inputs, and the faults."""


def make(name: str) -> tuple[nn.Module, list[Any]]:
    """Return a module with random weights, and inputs."""
    torch.manual_seed(sum(map(ord, name)))
    build, shapes, _ = NETS[name]
    module = build().eval()
    for parameter in module.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    return module, [torch.randn(*shape) for shape in shapes]
