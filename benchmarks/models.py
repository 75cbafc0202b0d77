"""Models as a converter leaves them: nothing fused, weights random. Made here, so that no other
file is needed."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

BLOCK = 1 << 20
"""Elements of the random block that large weights repeat."""


class Writer:
    """Writes a `.param` and its `.bin`, layer by layer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: list[str] = []
        self._blobs = 0
        self._bin = path.with_suffix(".bin").open("wb")
        self._rng = np.random.default_rng(0)
        self._block = self._rng.standard_normal(BLOCK).astype("<f4")

    def layer(
        self, kind: str, bottoms: str | Sequence[str], params: str = "", outputs: int = 1
    ) -> str:
        """A layer with a name of its own; returns its blob, the first of several."""
        bottoms = [bottoms] if isinstance(bottoms, str) else bottoms
        name = f"{kind.lower()}{len(self._lines)}"
        tops = [name] if outputs == 1 else [f"{name}_{i}" for i in range(outputs)]
        self._blobs += outputs
        words = [kind, name, str(len(bottoms)), str(outputs), *bottoms, *tops, params]
        self._lines.append(" ".join(words).rstrip())
        return tops[0]

    def split(self, blob: str, count: int) -> list[str]:
        """A blob under so many names."""
        first = self.layer("Split", blob, outputs=count).removesuffix("_0")
        return [f"{first}_{i}" for i in range(count)]

    def tagged(self, count: int, scale: float) -> None:
        """A weight with a storage tag."""
        self._bin.write(bytes(4))
        self.plain(count, scale)

    def plain(self, count: int, scale: float, shift: float = 0.0) -> None:
        """A weight without one: normal of this deviation around the shift."""
        while count > 0:
            part = self._block[: min(count, BLOCK)]
            self._bin.write((part * np.float32(scale) + np.float32(shift)).tobytes())
            count -= len(part)

    def hole(self, count: int) -> None:
        """A tagged weight of zeros that takes no room on the disk."""
        self._bin.seek(4 + 4 * count, 1)

    def close(self) -> Path:
        """Completes both files."""
        self._bin.truncate()
        self._bin.close()
        head = ["7767517", f"{len(self._lines)} {self._blobs}"]
        self.path.write_text("\n".join([*head, *self._lines, ""]))
        return self.path

    # -- what models are made of

    def image(self, size: int = 224, channels: int = 3) -> str:
        """An Input layer."""
        return self.layer("Input", [], f"0={size} 1={size} 2={channels}")

    def conv(
        self, x: str, c: int, n: int, k: int, stride: int = 1, pad: int = 0, group: int = 1
    ) -> str:
        """A convolution without bias, depthwise if it has groups."""
        size = c * n * k * k // group
        self.tagged(size, (2 * group / (c * k * k)) ** 0.5)
        kind, more = ("ConvolutionDepthWise", f" 7={group}") if group > 1 else ("Convolution", "")
        return self.layer(kind, x, f"0={n} 1={k} 3={stride} 4={pad} 5=0 6={size}{more}")

    def conv_bias(self, x: str, c: int, n: int, k: int, stride: int = 1, pad: int = 0) -> str:
        """A convolution with bias."""
        size = c * n * k * k
        self.tagged(size, (2 / (c * k * k)) ** 0.5)
        self.plain(n, 0.1)
        return self.layer("Convolution", x, f"0={n} 1={k} 3={stride} 4={pad} 5=1 6={size}")

    def norm(self, x: str, n: int) -> str:
        """A BatchNorm and a Scale, as Caffe has them."""
        for scale, shift in ((0.0, 1.0), (0.1, 0.0), (0.05, 1.0), (0.0, 0.0)):
            self.plain(n, scale, shift)
        x = self.layer("BatchNorm", x, f"0={n} 1=1e-5")
        self.plain(n, 0.05, 1.0)
        self.plain(n, 0.1)
        return self.layer("Scale", x, f"0={n} 1=1")

    def linear(self, x: str, c: int, n: int) -> str:
        """A fully connected layer."""
        self.tagged(c * n, (2 / c) ** 0.5)
        self.plain(n, 0.1)
        return self.layer("InnerProduct", x, f"0={n} 1=1 2={c * n}")

    def gemm(self, x: str, c: int, n: int, sparse: bool = False) -> str:
        """A linear layer on rows."""
        if sparse:
            self.hole(c * n)
        else:
            self.tagged(c * n, c**-0.5)
        return self.layer("Gemm", x, f"2=0 3=1 4=0 5=1 6=1 7=0 8={n} 9={c} 10=-1")


def squeezenet(path: Path) -> Path:
    """5 MB: convolutions and ReLUs."""
    w = Writer(path)

    def fire(x: str, c: int, s: int, e: int) -> str:
        x = w.layer("ReLU", w.conv_bias(x, c, s, 1))
        a, b = w.split(x, 2)
        a = w.layer("ReLU", w.conv_bias(a, s, e, 1))
        b = w.layer("ReLU", w.conv_bias(b, s, e, 3, pad=1))
        return w.layer("Concat", [a, b])

    x = w.layer("ReLU", w.conv_bias(w.image(227), 3, 64, 3, 2))
    c = 64
    for i, (s, e) in enumerate(
        [(16, 64), (16, 64), (32, 128), (32, 128), (48, 192), (48, 192), (64, 256), (64, 256)]
    ):
        if i in (0, 2, 4):
            x = w.layer("Pooling", x, "0=0 1=3 2=2")
        x, c = fire(x, c, s, e), 2 * e
    x = w.layer("ReLU", w.conv_bias(w.layer("Dropout", x), c, 1000, 1))
    w.layer("Softmax", w.layer("Pooling", x, "0=1 4=1"))
    return w.close()


def mobilenet_v2(path: Path) -> Path:
    """14 MB: depthwise convolutions, BatchNorm, Scale, Clip."""
    w = Writer(path)

    def block(
        x: str, c: int, n: int, k: int, stride: int, group: int = 1, clip: bool = True
    ) -> str:
        x = w.norm(w.conv(x, c, n, k, stride, k // 2, group), n)
        return w.layer("Clip", x, "0=0.0 1=6.0") if clip else x

    x = block(w.image(), 3, 32, 3, 2)
    c = 32
    for t, n, count, first in (
        *((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2)),
        *((6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)),
    ):
        for i in range(count):
            residual = i > 0
            skip = ""
            if residual:
                x, skip = w.split(x, 2)
            y = x if t == 1 else block(x, c, c * t, 1, 1)
            y = block(y, c * t, c * t, 3, first if i == 0 else 1, c * t)
            y = block(y, c * t, n, 1, 1, clip=False)
            x, c = (w.layer("BinaryOp", [y, skip], "0=0") if residual else y), n
    x = w.layer("Pooling", block(x, c, 1280, 1, 1), "0=1 4=1")
    w.layer("Softmax", w.linear(w.layer("Dropout", x), 1280, 1000))
    return w.close()


def resnet50(path: Path) -> Path:
    """102 MB: convolutions, BatchNorm, Scale, ReLU, sums."""
    w = Writer(path)

    def block(x: str, c: int, n: int, k: int, stride: int = 1, relu: bool = True) -> str:
        x = w.norm(w.conv(x, c, n, k, stride, k // 2), n)
        return w.layer("ReLU", x) if relu else x

    x = w.layer("Pooling", block(w.image(), 3, 64, 7, 2), "0=0 1=3 2=2 3=1 5=1")
    c = 64
    for n, count, first in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for i in range(count):
            stride = first if i == 0 else 1
            a, b = w.split(x, 2)
            y = block(block(a, c, n, 1), n, n, 3, stride)
            y = block(y, n, 4 * n, 1, relu=False)
            skip = block(b, c, 4 * n, 1, stride, relu=False) if i == 0 else b
            x, c = w.layer("ReLU", w.layer("Eltwise", [y, skip], "0=1")), 4 * n
    w.layer("Softmax", w.linear(w.layer("Pooling", x, "0=1 4=1"), 2048, 1000))
    return w.close()


def vgg16(path: Path) -> Path:
    """553 MB: few layers, most of it one weight."""
    w = Writer(path)
    x, c = w.image(), 3
    for n, count in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        for _ in range(count):
            x, c = w.layer("ReLU", w.conv_bias(x, c, n, 3, pad=1)), n
        x = w.layer("Pooling", x, "0=0 1=2 2=2")
    x = w.layer("Dropout", w.layer("ReLU", w.linear(x, 512 * 7 * 7, 4096)))
    x = w.layer("Dropout", w.layer("ReLU", w.linear(x, 4096, 4096)))
    w.layer("Softmax", w.linear(x, 4096, 1000))
    return w.close()


def decoder(path: Path, blocks: int = 28, sparse: bool = False, width: int = 1024) -> Path:
    """The layers of a language model of this width; 1.76 GB in 898 layers as it stands. If it is
    sparse, its weights are holes."""
    w = Writer(path)
    heads, ffn = width // 64, 3 * width

    def norm(x: str, n: int) -> str:
        w.plain(n, 0.05, 1.0)
        return w.layer("RMSNorm", x, f"0={n} 1=1e-6 2=1")

    def gemm(x: str, c: int, n: int) -> str:
        return w.gemm(x, c, n, sparse)

    x = w.layer("Input", [], f"0={width} 1=16")
    for _ in range(blocks):
        x, skip = w.split(x, 2)
        q, k, v = w.split(norm(x, width), 3)
        q = w.layer("Reshape", gemm(q, width, 2 * width), f"0=128 1={heads} 2=-1")
        k = w.layer("Reshape", gemm(k, width, width), f"0=64 1={heads} 2=-1")
        v = w.layer("Reshape", gemm(v, width, width), f"0=64 1={heads} 2=-1")
        q = w.layer("Crop", norm(q, 128), "-23309=1,0 -23310=1,64 -23311=1,-1")
        q = w.layer("Permute", q, "0=2")
        k = w.layer("Permute", norm(k, 64), "0=2")
        v = w.layer("Permute", v, "0=2")
        a = w.layer("MatMul", [q, k], "0=1")
        a = w.layer("Softmax", w.layer("BinaryOp", a, "0=2 1=1 2=0.125"), "0=-1 1=1")
        a = w.layer("Permute", w.layer("MatMul", [a, v]), "0=2")
        a = w.layer("Concat", w.split(w.layer("Reshape", a, f"0={width} 1=-1"), 2), "0=-1")
        x = w.layer("BinaryOp", [gemm(a, 2 * width, width), skip], "0=0")
        x, skip = w.split(x, 2)
        a, b = w.split(norm(x, width), 2)
        a = gemm(a, width, ffn)
        a, gate = w.split(a, 2)
        a = w.layer("BinaryOp", [a, w.layer("Sigmoid", gate)], "0=2")
        a = w.layer("BinaryOp", [a, gemm(b, width, ffn)], "0=2")
        x = w.layer("BinaryOp", [gemm(a, ffn, width), skip], "0=0")
    norm(x, width)
    return w.close()


def chain(path: Path, layers: int) -> Path:
    """That many layers: 1×1 convolutions, each with a BatchNorm and a ReLU that fuse."""
    w = Writer(path)
    x = w.image(8, 4)
    for i in range(layers - 1):
        match i % 3:
            case 0:
                x = w.conv(x, 4, 4, 1)
            case 1:
                for scale, shift in ((0.0, 1.0), (0.1, 0.0), (0.05, 1.0), (0.1, 0.0)):
                    w.plain(4, scale, shift)
                x = w.layer("BatchNorm", x, "0=4")
            case _:
                x = w.layer("ReLU", x)
    return w.close()


def wide_split(path: Path, consumers: int) -> Path:
    """A blob with so many consumers, each another one, and an output."""
    w = Writer(path)
    for i, blob in enumerate(w.split(w.image(4, 4), consumers)):
        w.layer("ReLU", w.layer("BinaryOp", blob, f"0=0 1=1 2={i}.5"))
    return w.close()


def wide_concat(path: Path, inputs: int) -> Path:
    """A Concat of so many blobs."""
    w = Writer(path)
    blobs = [w.layer("BinaryOp", w.image(4, 4), f"0=0 1=1 2={i}.5") for i in range(inputs)]
    w.layer("Concat", blobs)
    return w.close()


Maker = Callable[[Path], Path]

CLASSIC: dict[str, Maker] = {
    "squeezenet": squeezenet,
    "mobilenet_v2": mobilenet_v2,
    "resnet50": resnet50,
}
"""Small enough to be run."""

LARGE: dict[str, Maker] = {"resnet50": resnet50, "vgg16": vgg16, "decoder": decoder}
