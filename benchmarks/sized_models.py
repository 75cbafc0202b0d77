# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false
# pyright: reportArgumentType=false, reportOperatorIssue=false, reportIndexIssue=false
"""The models that `sizes.py` converts at several input sizes: small models with random weights,
with the structures of well-known models. Run as a program, this file exports one of them at one
size."""

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .conversion import convert, start, stir

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Sized:
    """A model and the shapes of its input. The first is the export that `--dynamic` processes; the
    others are for comparison."""

    make: Callable[[], Any]
    dynamic: str
    """The argument of `--dynamic`."""
    shapes: Sequence[Shape]


def packages_missing() -> list[str]:
    """Return the required packages that are not installed."""
    from importlib.util import find_spec

    return [name for name in ("torch", "pnnx") if find_spec(name) is None]


def conv(inputs: int, outputs: int, kernel: int = 1, stride: int = 1, groups: int = 1) -> Any:
    """Return a convolution, a BatchNorm and SiLU."""
    from torch import nn

    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
        nn.SiLU(),
    )


def yolo(attention: bool) -> Any:
    """Return a detector with three levels: blocks that split channels, a pooling pyramid, two paths
    through the levels, boxes as distributions, decoded with anchors. With attention: like its later
    versions."""
    import torch
    from torch import nn

    class Split(nn.Module):
        """Half of the channels passes through further convolutions."""

        def __init__(self, inputs: int, outputs: int, shortcut: bool = True) -> None:
            super().__init__()
            half = outputs // 2
            self.first, self.last = conv(inputs, outputs), conv(3 * half, outputs)
            self.block = nn.Sequential(conv(half, half, 3), conv(half, half, 3))
            self.shortcut = shortcut

        def forward(self, x: Any) -> Any:
            a, b = self.first(x).chunk(2, 1)
            c = b + self.block(b) if self.shortcut else self.block(b)
            return self.last(torch.cat((a, b, c), 1))

    class Pyramid(nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            self.first, self.last = conv(width, width // 2), conv(2 * width, width)
            self.pool = nn.MaxPool2d(5, 1, 2)

        def forward(self, x: Any) -> Any:
            x = self.first(x)
            return self.last(torch.cat((x, *self.pools(x)), 1))

        def pools(self, x: Any) -> list[Any]:
            a = self.pool(x)
            b = self.pool(a)
            return [a, b, self.pool(b)]

    class Attention(nn.Module):
        """Attention between all positions, with positions encoded by a depthwise convolution."""

        def __init__(self, width: int, heads: int) -> None:
            super().__init__()
            self.heads, self.size = heads, width // heads
            self.key = self.size // 2
            both = self.size + 2 * self.key
            self.qkv = nn.Conv2d(width, heads * both, 1)
            self.place = nn.Conv2d(width, width, 3, 1, 1, groups=width)
            self.out = nn.Conv2d(width, width, 1)

        def forward(self, x: Any) -> Any:
            batch, c, h, w = x.shape
            qkv = self.qkv(x).view(batch, self.heads, self.key * 2 + self.size, h * w)
            q, k, v = qkv.split([self.key, self.key, self.size], dim=2)
            shares = (q.transpose(-2, -1) @ k * self.key**-0.5).softmax(-1)
            y = (v @ shares.transpose(-2, -1)).view(batch, c, h, w)
            return self.out(y + self.place(v.reshape(batch, c, h, w)))

    class PartAttention(nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            self.half = width // 2
            self.first, self.last = conv(width, width), conv(width, width)
            self.attend = Attention(self.half, 2)
            self.dense = nn.Sequential(conv(self.half, width), nn.Conv2d(width, self.half, 1))

        def forward(self, x: Any) -> Any:
            a, b = self.first(x).split((self.half, self.half), 1)
            b = b + self.attend(b)
            return self.last(torch.cat((a, b + self.dense(b)), 1))

    class Detector(nn.Module):
        classes, bins, strides = 12, 8, (8, 16, 32)

        def __init__(self) -> None:
            super().__init__()
            self.stem = nn.Sequential(conv(3, 8, 3, 2), conv(8, 16, 3, 2), Split(16, 16))
            self.third = nn.Sequential(conv(16, 24, 3, 2), Split(24, 24))
            self.fourth = nn.Sequential(conv(24, 32, 3, 2), Split(32, 32))
            fifth = [conv(32, 48, 3, 2), Split(48, 48), Pyramid(48)]
            self.fifth = nn.Sequential(*fifth, *([PartAttention(48)] if attention else []))
            self.up = nn.Upsample(scale_factor=2)
            self.down4, self.down3 = Split(80, 32, False), Split(56, 24, False)
            self.half3, self.half4 = conv(24, 24, 3, 2), conv(32, 32, 3, 2)
            self.up4, self.up5 = Split(56, 32, False), Split(80, 48, False)
            boxes, bins = 4 * self.bins, self.bins
            self.box = nn.ModuleList(
                nn.Sequential(conv(n, 32, 3), nn.Conv2d(32, boxes, 1)) for n in (24, 32, 48)
            )
            self.score = nn.ModuleList(
                nn.Sequential(conv(n, 24, 3), nn.Conv2d(24, self.classes, 1)) for n in (24, 32, 48)
            )
            self.mean = nn.Conv2d(bins, 1, 1, bias=False)
            self.mean.weight.data[:] = torch.arange(float(bins)).view(1, bins, 1, 1)
            self.mean.requires_grad_(False)

        def anchors(self, levels: Sequence[Any]) -> tuple[Any, Any]:
            points, strides = [], []
            for x, stride in zip(levels, self.strides, strict=True):
                h, w = x.shape[2:]
                rows = torch.arange(h, dtype=x.dtype) + 0.5
                columns = torch.arange(w, dtype=x.dtype) + 0.5
                grid = torch.meshgrid(rows, columns, indexing="ij")
                points.append(torch.stack((grid[1], grid[0]), -1).view(-1, 2))
                strides.append(torch.full((h * w, 1), stride, dtype=x.dtype))
            return torch.cat(points).transpose(0, 1), torch.cat(strides).transpose(0, 1)

        def forward(self, x: Any) -> Any:
            c3 = self.third(self.stem(x))
            c4 = self.fourth(c3)
            c5 = self.fifth(c4)
            p4 = self.down4(torch.cat((self.up(c5), c4), 1))
            p3 = self.down3(torch.cat((self.up(p4), c3), 1))
            p4 = self.up4(torch.cat((self.half3(p3), p4), 1))
            p5 = self.up5(torch.cat((self.half4(p4), c5), 1))
            levels = [p3, p4, p5]
            outputs = [
                torch.cat((self.box[i](p), self.score[i](p)), 1) for i, p in enumerate(levels)
            ]
            every = 4 * self.bins + self.classes
            both = torch.cat([y.view(1, every, -1) for y in outputs], 2)
            boxes, scores = both.split((4 * self.bins, self.classes), 1)
            n = boxes.shape[2]
            sides = self.mean(boxes.view(1, 4, self.bins, n).transpose(2, 1).softmax(1))
            points, strides = self.anchors(levels)
            near, far = sides.view(1, 4, n).chunk(2, 1)
            low, high = points.unsqueeze(0) - near, points.unsqueeze(0) + far
            boxes = torch.cat(((low + high) / 2, high - low), 1) * strides
            return torch.cat((boxes, scores.sigmoid()), 1)

    return Detector()


def nanodet() -> Any:
    """Return a detector without anchors: a light backbone, upsampling to the size of the finer
    level, outputs of all levels concatenated, positions first."""
    import torch
    from torch import nn
    from torch.nn import functional

    def light(inputs: int, outputs: int, stride: int = 1) -> Any:
        return nn.Sequential(conv(inputs, inputs, 5, stride, inputs), conv(inputs, outputs))

    class Gate(nn.Module):
        """Channels scaled by a function of all positions."""

        def __init__(self, width: int) -> None:
            super().__init__()
            self.first, self.last = nn.Conv2d(width, 8, 1), nn.Conv2d(8, width, 1)

        def forward(self, x: Any) -> Any:
            y = functional.adaptive_avg_pool2d(x, 1)
            return x * functional.hardsigmoid(self.last(functional.relu(self.first(y))))

    class Detector(nn.Module):
        classes, bins = 10, 8

        def __init__(self) -> None:
            super().__init__()
            self.stem = nn.Sequential(conv(3, 8, 3, 2), light(8, 16, 2), Gate(16))
            self.steps = nn.ModuleList((light(16, 24, 2), light(24, 24, 2), light(24, 24, 2)))
            self.heads = nn.ModuleList(
                nn.Conv2d(24, self.classes + 4 * self.bins, 1) for _ in range(3)
            )
            self.register_buffer("bin", torch.arange(float(self.bins)))

        def forward(self, x: Any) -> Any:
            x, levels = self.stem(x), []
            for step in self.steps:
                x = step(x)
                levels.append(x)
            for i in (1, 0):
                finer = functional.interpolate(
                    levels[i + 1], size=levels[i].shape[2:], mode="bilinear"
                )
                levels[i] = levels[i] + finer
            parts = [head(x).flatten(2) for head, x in zip(self.heads, levels, strict=True)]
            every = torch.cat(parts, 2).permute(0, 2, 1)
            scores, boxes = every.split((self.classes, 4 * self.bins), 2)
            shares = boxes.reshape(1, every.shape[1], 4, self.bins).softmax(-1)
            sides = (shares * self.bin).sum(-1)
            return torch.cat((scores.sigmoid(), sides), 2)

    return Detector()


def unet() -> Any:
    """Return a U-Net: pooling, then deconvolutions; blobs of each size are concatenated after
    cropping."""
    import torch
    from torch import nn
    from torch.nn import functional

    class UNet(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            widths = (8, 16, 24, 32)
            self.down = nn.ModuleList(
                conv(a, b, 3) for a, b in zip((3, *widths), widths, strict=False)
            )
            pairs = list(zip(widths[:0:-1], widths[-2::-1], strict=True))
            self.up = nn.ModuleList(nn.ConvTranspose2d(a, b, 2, 2) for a, b in pairs)
            self.join = nn.ModuleList(conv(2 * b, b, 3) for _, b in pairs)
            self.last = nn.Conv2d(8, 2, 1)

        def forward(self, x: Any) -> Any:
            kept: list[Any] = []
            for i, step in enumerate(self.down):
                x = step(functional.max_pool2d(x, 2) if i else x)
                kept.append(x)
            for up, join, other in zip(self.up, self.join, kept[-2::-1], strict=True):
                y = up(x)
                y = functional.interpolate(y, size=other.shape[2:], mode="nearest")
                x = join(torch.cat((y, other), 1))
            return self.last(x).softmax(1)

    return UNet()


def segmentation() -> Any:
    """Return a segmentation model: parallel dilated convolutions and the mean of all positions,
    upsampled to the input's size."""
    import torch
    from torch import nn
    from torch.nn import functional

    class Segmentation(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.stem = nn.Sequential(conv(3, 8, 3, 2), conv(8, 16, 3, 2))
            self.body = nn.Sequential(conv(16, 24, 3, 2), conv(24, 32, 3))
            self.around = nn.ModuleList(
                nn.Conv2d(32, 16, 3, padding=n, dilation=n) for n in (1, 2, 4)
            )
            self.mean = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(32, 16, 1), nn.ReLU())
            self.join, self.low = conv(64, 24), conv(16, 8)
            self.last = nn.Conv2d(32, 5, 1)

        def forward(self, x: Any) -> Any:
            size = x.shape[2:]
            fine = self.stem(x)
            y = self.body(fine)
            mean = functional.interpolate(
                self.mean(y), size=y.shape[2:], mode="bilinear", align_corners=False
            )
            y = self.join(torch.cat([*(each(y) for each in self.around), mean], 1))
            y = functional.interpolate(y, size=fine.shape[2:], mode="bilinear", align_corners=False)
            y = self.last(torch.cat((y, self.low(fine)), 1))
            return functional.interpolate(y, size=size, mode="bilinear", align_corners=False)

    return Segmentation()


def whisper() -> Any:
    """Return the encoder of a speech model: two convolutions in time, sinusoidal positions,
    attention."""
    import torch
    from torch import nn
    from torch.nn import functional

    class Block(nn.Module):
        def __init__(self, width: int, heads: int) -> None:
            super().__init__()
            self.heads = heads
            self.q, self.k = nn.Linear(width, width), nn.Linear(width, width, bias=False)
            self.v, self.out = nn.Linear(width, width), nn.Linear(width, width)
            self.norm, self.last = nn.LayerNorm(width), nn.LayerNorm(width)
            self.dense = nn.Sequential(
                nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width)
            )

        def forward(self, x: Any) -> Any:
            y = self.norm(x)
            batch, steps, width = y.shape
            size = width // self.heads
            q = self.q(y).view(batch, steps, self.heads, size).permute(0, 2, 1, 3)
            k = self.k(y).view(batch, steps, self.heads, size).permute(0, 2, 3, 1)
            v = self.v(y).view(batch, steps, self.heads, size).permute(0, 2, 1, 3)
            shares = (q @ k * size**-0.5).softmax(-1)
            y = (shares @ v).permute(0, 2, 1, 3).reshape(batch, steps, width)
            x = x + self.out(y)
            return x + self.dense(self.last(x))

    class Encoder(nn.Module):
        def __init__(self, bands: int = 20, width: int = 64, most: int = 400) -> None:
            super().__init__()
            self.first = nn.Conv1d(bands, width, 3, padding=1)
            self.second = nn.Conv1d(width, width, 3, 2, 1)
            half = width // 2
            scales = torch.exp(-math.log(10000) / (half - 1) * torch.arange(half))
            angles = torch.arange(most)[:, None] * scales[None]
            self.register_buffer("positions", torch.cat((angles.sin(), angles.cos()), 1))
            self.blocks = nn.Sequential(Block(width, 4), Block(width, 4))
            self.norm = nn.LayerNorm(width)

        def forward(self, x: Any) -> Any:
            x = functional.gelu(self.second(functional.gelu(self.first(x))))
            x = x.permute(0, 2, 1)
            return self.norm(self.blocks(x + self.positions[: x.shape[1]]))

    return Encoder()


def crnn() -> Any:
    """Return a reader of text lines: convolutions, the height as channels, two recurrent layers."""
    import torch
    from torch import nn

    class Reader(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(
                conv(1, 16, 3), nn.MaxPool2d(2), conv(16, 24, 3), nn.MaxPool2d(2),
                conv(24, 32, 3), nn.MaxPool2d((2, 1), (2, 1)), conv(32, 32, 3),
            )  # fmt: skip
            self.first = nn.LSTM(128, 32, bidirectional=True, batch_first=True)
            self.between = nn.Linear(64, 32)
            self.second = nn.LSTM(32, 32, bidirectional=True, batch_first=True)
            self.last = nn.Linear(64, 20)

        def forward(self, x: Any) -> Any:
            y = self.body(x)
            batch, c, h, w = y.shape
            y = y.reshape(batch, c * h, w).permute(0, 2, 1)
            y, _ = self.first(y)
            y, _ = self.second(self.between(y))
            return torch.log_softmax(self.last(y), -1)

    return Reader()


_IMAGES = ((3, 320, 320), (3, 256, 320), (3, 352, 224), (3, 192, 448), (3, 416, 416))
_ODD = ((3, 320, 320), (3, 250, 333), (3, 352, 224), (3, 192, 448), (3, 416, 416))
_SCENES = ((3, 225, 127), (3, 160, 256), (3, 224, 224), (3, 321, 64), (3, 96, 96))
_SCANS = ((3, 101, 75), (3, 96, 160), (3, 128, 128), (3, 64, 200), (3, 222, 90))
_SOUNDS = ((20, 400), (20, 160), (20, 777), (20, 123), (20, 600))
_LINES = ((1, 32, 160), (1, 32, 96), (1, 32, 251), (1, 32, 64), (1, 32, 400))

MODELS: dict[str, Sized] = {
    "yolov8": Sized(lambda: yolo(False), "in0=32*h,32*w", _IMAGES),
    "yolo11": Sized(lambda: yolo(True), "in0=32*h,32*w", _IMAGES),
    "nanodet": Sized(nanodet, "in0=h,w", _ODD),
    "unet": Sized(unet, "in0=h,w", _SCANS),
    "segmentation": Sized(segmentation, "in0=h,w", _SCENES),
    "whisper": Sized(whisper, "in0=1", _SOUNDS),
    "crnn": Sized(crnn, "in0=w", _LINES),
}
"""The models by name."""


def export(name: str, shape: Shape, folder: Path) -> None:
    """Convert a model at a size in a folder, and write an input and PyTorch's output to
    `values.npz`."""
    random = start()
    model = MODELS[name].make().eval()
    stir(model, random)
    convert(model, (1, *shape), random, folder)


if __name__ == "__main__":
    export(sys.argv[1], tuple(map(int, sys.argv[2].split(","))), Path(sys.argv[3]))
