"""Trains a small classifier of digits in NumPy and writes it as an ncnn model, with samples.

    python examples/train_digits.py FOLDER

The digits are the data set of scikit-learn (1,797 images of 8x8 pixels) if it is installed, and
otherwise generated: seven segments at random positions, with noise. FOLDER gets digits.param and
digits.bin, calib.npy (200 images of the training set), test.npy (images that are not in the
training set) and classes.txt (their digits). docs/quantize.md uses these files.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

SEGMENTS = ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg")
"""The lit segments of each digit: a above, b and c right, d below, e and f left, g in the
middle."""

TEST = 500
"""The number of test samples."""


def drawn_digits(count: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return images of 8x8 pixels, from 0 to 1, and their digits."""
    places = {
        "a": np.s_[0, 1:4], "g": np.s_[3, 1:4], "d": np.s_[6, 1:4],
        "f": np.s_[1:3, 0], "b": np.s_[1:3, 4], "e": np.s_[4:6, 0], "c": np.s_[4:6, 4],
    }  # fmt: skip
    classes = rng.integers(0, 10, count)
    images = np.zeros((count, 8, 8), "f4")
    for image, digit in zip(images, classes, strict=True):
        small = np.zeros((7, 5), "f4")
        for segment in SEGMENTS[int(digit)]:
            small[places[segment]] = rng.uniform(0.6, 1)
        top, left = rng.integers(0, 2), rng.integers(0, 4)
        image[top : top + 7, left : left + 5] = small
    return np.clip(images + rng.normal(0, 0.15, images.shape), 0, 1).astype("f4"), classes


def digits(rng: np.random.Generator) -> tuple[Array, Array]:
    """Return images, `samples x 1 x 8 x 8`, and their digits."""
    try:
        data: Any = import_module("sklearn.datasets").load_digits()
    except ImportError:
        images, classes = drawn_digits(1797, rng)
    else:
        images, classes = data.images / 16, data.target
    order = rng.permutation(len(images))
    return images[order, None].astype("f4"), classes[order]


class Conv:
    """A 3x3 convolution with padding and ReLU."""

    def __init__(self, inputs: int, outputs: int, stride: int, rng: np.random.Generator) -> None:
        self.weight = rng.normal(0, (2 / inputs / 9) ** 0.5, (outputs, inputs, 3, 3)).astype("f4")
        self.bias = np.zeros(outputs, "f4")
        self.stride = stride

    def windows(self, x: Array) -> Iterator[tuple[int, int, Array]]:
        """Yield, for each position in the kernel, a view of the elements of padded x that it
        multiplies."""
        s, n = self.stride, -(-(x.shape[2] - 2) // self.stride)
        for i in range(3):
            for j in range(3):
                yield i, j, x[:, :, i : i + s * n : s, j : j + s * n : s][:, :, :n, :n]

    def forward(self, x: Array) -> Array:
        self.x = np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)])
        y = sum(
            np.einsum("oc,nchw->nohw", self.weight[:, :, i, j], part)
            for i, j, part in self.windows(self.x)
        )
        self.y = np.maximum(y + self.bias[:, None, None], 0)
        return self.y

    def backward(self, dy: Array) -> tuple[Array, list[Array]]:
        dy = dy * (self.y > 0)
        dw, dx = np.zeros_like(self.weight), np.zeros_like(self.x)
        views = self.windows(dx)
        for (i, j, part), (_, _, into) in zip(self.windows(self.x), views, strict=True):
            dw[:, :, i, j] = np.einsum("nohw,nchw->oc", dy, part)
            into += np.einsum("oc,nohw->nchw", self.weight[:, :, i, j], dy)
        return dx[:, :, 1:-1, 1:-1], [dw, dy.sum((0, 2, 3))]

    def params(self) -> list[Array]:
        return [self.weight, self.bias]


class Classifier:
    """Three convolutions, the mean of each channel, and a linear layer."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.convs = [Conv(1, 16, 1, rng), Conv(16, 32, 2, rng), Conv(32, 64, 2, rng)]
        self.weight = rng.normal(0, 0.1, (10, 64)).astype("f4")
        self.bias = np.zeros(10, "f4")

    def forward(self, x: Array) -> Array:
        for conv in self.convs:
            x = conv.forward(x)
        self.pooled = x.mean((2, 3))
        return self.pooled @ self.weight.T + self.bias

    def gradients(self, x: Array, classes: Array) -> list[Array]:
        """Return the gradients of the cross-entropy for each of `params`."""
        scores = self.forward(x)
        shares = np.exp(scores - scores.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        shares[np.arange(len(x)), classes] -= 1
        shares /= len(x)
        found = [shares.T @ self.pooled, shares.sum(0)]
        y = self.convs[-1].y
        dy = np.broadcast_to((shares @ self.weight)[:, :, None, None], y.shape)
        dy = dy / (y.shape[2] * y.shape[3])
        for conv in reversed(self.convs):
            dy, own = conv.backward(dy)
            found = own + found
        return found

    def params(self) -> list[Array]:
        return [p for conv in self.convs for p in conv.params()] + [self.weight, self.bias]


def train(images: Array, classes: Array, rng: np.random.Generator, epochs: int = 12) -> Classifier:
    """Train with Adam (D. P. Kingma, J. Ba, 2015)."""
    net = Classifier(rng)
    first, second = ([np.zeros_like(p) for p in net.params()] for _ in range(2))
    step = 0
    for epoch in range(epochs):
        order = rng.permutation(len(images))
        for batch in np.array_split(order, len(images) // 64):
            step += 1
            rate = 0.003 * (1 - epoch / epochs)
            gradients = net.gradients(images[batch], classes[batch])
            for p, g, m, v in zip(net.params(), gradients, first, second, strict=True):
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                p -= rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return net


def write(net: Classifier, folder: Path) -> None:
    """Write the model as digits.param and digits.bin."""
    lines = ["Input data 0 1 data 0=8 1=8 2=1"]
    weights, bottom = b"", "data"
    for i, conv in enumerate(net.convs, 1):
        shape = f"0={len(conv.bias)} 1=3 3={conv.stride} 4=1 5=1 6={conv.weight.size} 9=1"
        lines.append(f"Convolution conv{i} 1 1 {bottom} conv{i} {shape}")
        weights += bytes(4) + conv.weight.tobytes() + conv.bias.tobytes()
        bottom = f"conv{i}"
    lines.append(f"Pooling pool 1 1 {bottom} pool 0=1 4=1")
    lines.append(f"InnerProduct scores 1 1 pool scores 0=10 1=1 2={net.weight.size}")
    weights += bytes(4) + net.weight.astype("f4").tobytes() + net.bias.astype("f4").tobytes()
    head = f"7767517\n{len(lines)} {len(lines)}\n"
    (folder / "digits.param").write_text(head + "\n".join(lines) + "\n")
    (folder / "digits.bin").write_bytes(weights)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    images, classes = digits(rng)
    net = train(images[TEST:], classes[TEST:], rng)
    right = (net.forward(images[:TEST]).argmax(1) == classes[:TEST]).sum()
    print(f"{right} of {TEST} test images are told right")
    write(net, folder)
    np.save(folder / "calib.npy", images[TEST : TEST + 200])
    np.save(folder / "test.npy", images[:TEST])
    (folder / "classes.txt").write_text("".join(f"{c}\n" for c in classes[:TEST]))


if __name__ == "__main__":
    main()
