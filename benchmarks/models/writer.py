"""A writer of models, with layers in the separate parts that converters write. Weights are
random."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

BLOCK = 1 << 20
"""The number of elements of the random block that large weights repeat."""

ADD, SUB, MUL, DIV, MAX, MIN = range(6)
"""BinaryOp."""

SQUARE, SQRT = 4, 5
"""UnaryOp."""

MEAN = 3
"""Reduction."""

ROWS = 1
"""Permute of two dimensions: rows become columns."""


class Writer:
    """A writer of a `.param` and its `.bin`, layer by layer."""

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
        """Write a layer with a unique name, and return its first blob."""
        bottoms = [bottoms] if isinstance(bottoms, str) else bottoms
        name = f"{kind.lower()}{len(self._lines)}"
        tops = [name] if outputs == 1 else [f"{name}_{i}" for i in range(outputs)]
        self._blobs += outputs
        words = [kind, name, str(len(bottoms)), str(outputs), *bottoms, *tops, params]
        self._lines.append(" ".join(words).rstrip())
        return tops[0]

    def several(self, kind: str, bottom: str, outputs: int, params: str = "") -> list[str]:
        """Write a layer with several outputs, and return them."""
        first = self.layer(kind, bottom, params, outputs).removesuffix("_0")
        return [f"{first}_{i}" for i in range(outputs)]

    def split(self, blob: str, count: int) -> list[str]:
        """Return `count` names for a blob: the outputs of a Split."""
        return self.several("Split", blob, count)

    def tagged(self, count: int, scale: float) -> None:
        """Write a weight with a storage tag."""
        self._bin.write(bytes(4))
        self.plain(count, scale)

    def plain(self, count: int, scale: float, shift: float = 0.0) -> None:
        """Write a weight without a tag: normally distributed around `shift`."""
        while count > 0:
            part = self._block[: min(count, BLOCK)]
            self._bin.write((part * np.float32(scale) + np.float32(shift)).tobytes())
            count -= len(part)

    def hole(self, count: int) -> None:
        """Write a tagged weight of zeros that occupies no disk space."""
        self._bin.seek(4 + 4 * count, 1)

    def close(self) -> Path:
        """Complete both files."""
        self._bin.truncate()
        self._bin.close()
        head = ["7767517", f"{len(self._lines)} {self._blobs}"]
        self.path.write_text("\n".join([*head, *self._lines, ""]))
        return self.path

    # -- parts of models

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

    def dense(self, x: str, c: int, n: int) -> str:
        """A linear layer on rows, with a separate bias."""
        return self.binary(ADD, self.gemm(x, c, n), self.memory((n,), 0.1))

    def batchnorm(self, x: str, n: int) -> str:
        """A BatchNorm, as PyTorch has it."""
        for scale, shift in ((0.05, 1.0), (0.1, 0.0), (0.05, 1.0), (0.1, 0.0)):
            self.plain(n, scale, shift)
        return self.layer("BatchNorm", x, f"0={n} 1=1e-5")

    def conv1d(
        self, x: str, c: int, n: int, k: int, stride: int = 1, pad: int = 0, group: int = 1
    ) -> str:
        """A convolution of rows without bias, depthwise if it has groups."""
        size = c * n * k // group
        self.tagged(size, (2 * group / (c * k)) ** 0.5)
        kind, more = (
            ("ConvolutionDepthWise1D", f" 7={group}") if group > 1 else ("Convolution1D", "")
        )
        return self.layer(kind, x, f"0={n} 1={k} 3={stride} 4={pad} 5=0 6={size}{more}")

    def deconv(self, x: str, c: int, n: int, k: int, stride: int) -> str:
        """A deconvolution without bias."""
        size = c * n * k * k
        self.tagged(size, (2 * stride**2 / (c * k * k)) ** 0.5)
        return self.layer("Deconvolution", x, f"0={n} 1={k} 3={stride} 5=0 6={size}")

    def lstm(self, x: str, c: int, n: int) -> str:
        """Both directions of an LSTM."""
        for count, scale in ((c, c**-0.5), (1, 0.1), (n, n**-0.5)):
            self.tagged(2 * 4 * n * count, scale)
        return self.layer("LSTM", x, f"0={n} 1={2 * 4 * n * c} 2=2")

    # -- spelled out

    def memory(self, shape: Sequence[int], scale: float, shift: float = 0.0) -> str:
        """A MemoryData of up to 3 dims."""
        self.plain(int(np.prod(shape)), scale, shift)
        extents = zip((0, 1, 2), reversed(shape), strict=False)
        return self.layer("MemoryData", [], " ".join(f"{id}={n}" for id, n in extents))

    def binary(self, op: int, a: str, b: str | float) -> str:
        """A BinaryOp of two blobs, or of a blob and a number."""
        if isinstance(b, str):
            return self.layer("BinaryOp", [a, b], f"0={op}")
        return self.layer("BinaryOp", a, f"0={op} 1=1 2={b:e}")

    def mean(self, x: str, axes: Sequence[int], keep: bool = True) -> str:
        """The mean along axes."""
        words = ",".join(map(str, (len(axes), *axes)))
        return self.layer("Reduction", x, f"0={MEAN} 1=0 -23303={words} 4={int(keep)} 5=1")

    def hard_sigmoid(self, x: str) -> str:
        """`clip(x + 3, 0, 6) / 6`."""
        x = self.layer("Clip", self.binary(ADD, x, 3.0), "0=0.0 1=6.0")
        return self.binary(DIV, x, 6.0)

    def hard_swish(self, x: str) -> str:
        """`x * clip(x + 3, 0, 6) / 6`."""
        x, y = self.split(x, 2)
        y = self.layer("Clip", self.binary(ADD, y, 3.0), "0=0.0 1=6.0")
        return self.binary(DIV, self.binary(MUL, x, y), 6.0)

    def swish(self, x: str) -> str:
        """`x * sigmoid(x)`."""
        x, y = self.split(x, 2)
        return self.binary(MUL, x, self.layer("Sigmoid", y))

    def gelu(self, x: str) -> str:
        """`x * (1 + erf(x / sqrt(2))) / 2`."""
        x, y = self.split(x, 2)
        y = self.layer("Erf", self.binary(DIV, y, 2**0.5))
        return self.binary(MUL, self.binary(MUL, x, self.binary(ADD, y, 1.0)), 0.5)

    def layer_norm(self, x: str, n: int) -> str:
        """A LayerNorm of rows, as ONNX had it for long."""
        a, b = self.split(x, 2)
        a, b = self.split(self.binary(SUB, a, self.mean(b, (-1,))), 2)
        b = self.mean(self.layer("UnaryOp", b, f"0={SQUARE}"), (-1,))
        b = self.layer("UnaryOp", self.binary(ADD, b, 1e-5), f"0={SQRT}")
        x = self.binary(MUL, self.binary(DIV, a, b), self.memory((n,), 0.05, 1.0))
        return self.binary(ADD, x, self.memory((n,), 0.1))

    def squeeze_excite(self, x: str, n: int, inner: int, by_reduction: bool) -> str:
        """`x` times the result of two 1x1 convolutions of the means of its channels."""
        x, y = self.split(x, 2)
        if by_reduction:
            y = self.mean(y, (1, 2))
        else:
            y = self.layer("Reshape", self.layer("Pooling", y, "0=1 4=1"), f"0=1 1=1 2={n}")
        y = self.layer("ReLU", self.conv_bias(y, n, inner, 1))
        return self.binary(MUL, x, self.hard_sigmoid(self.conv_bias(y, inner, n, 1)))

    def shuffle(self, x: str, n: int, size: int) -> str:
        """The channels of two groups, interleaved."""
        x = self.layer("Reshape", x, f"0={size * size} 1={n // 2} 2=2")
        return self.layer("Reshape", self.layer("Permute", x, "0=2"), f"0={size} 1={size} 2={n}")
