"""Makes a small detector of coloured shapes in NumPy, and writes it as an ncnn model with samples.

    python examples/small_detector.py FOLDER

The images are generated: 96x96 pixels with noise, and up to three squares, discs or crosses. The
filters of the four convolutions are random; a BatchNorm behind each of them has the mean and
variance of its input over the training images. Only the two heads are fitted, by least squares. The
model makes one blob, as today's detectors do: for each of 144 places the centre and size of a box
in pixels, and three scores from 0 to 1.

FOLDER gets rows.param (a row for each coordinate and score, a column for each place), columns.param
(the same blob transposed), with a .bin each, and calib.npy and test.npy with images.
docs/quantize.md uses these files. It takes some seconds.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

SIZE, STRIDE = 96, 8
CELLS = SIZE // STRIDE
"""The number of places along each side."""
CLASSES = 3
CHANNELS = ((3, 16, 2), (16, 32, 2), (32, 64, 2), (64, 96, 1))
"""Inputs, outputs and stride of each convolution."""
TRAINED, CALIBRATED, TESTED = 300, 40, 40
"""The number of images of each kind."""
RIDGE = 1e-3
EPSILON = 1e-5


def images(count: int, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Return images, `count x 3 x SIZE x SIZE`; for each place the box of the object there (centre
    and size in pixels, or zeros); and its class, or -1."""
    y, x = np.mgrid[:SIZE, :SIZE]
    pixels = rng.normal(0.4, 0.1, (count, 3, SIZE, SIZE)).astype("f4")
    boxes = np.zeros((count, 4, CELLS, CELLS), "f4")
    classes = np.full((count, CELLS, CELLS), -1)
    for n in range(count):
        for _ in range(rng.integers(1, 4)):
            size = rng.integers(14, 34)
            cx, cy = rng.integers(size // 2, SIZE - size // 2, 2)
            dx, dy, half = np.abs(x - cx), np.abs(y - cy), size / 2
            kind = int(rng.integers(CLASSES))
            square = np.maximum(dx, dy) < half
            shape = (square, dx**2 + dy**2 < half**2, square & (np.minimum(dx, dy) < half / 3))[
                kind
            ]
            colour = rng.uniform(0, 1, 3)
            colour[kind] = 1
            pixels[n][:, shape] = colour[:, None] + rng.normal(0, 0.05, (3, int(shape.sum())))
            place = n, cy // STRIDE, cx // STRIDE
            boxes[(n, slice(None), *place[1:])] = cx, cy, size, size
            classes[place] = kind
    return np.clip(pixels, 0, 1), boxes, classes


def convolve(x: Array, weight: Array, stride: int) -> Array:
    """Return a 3x3 convolution with padding 1."""
    x = np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)])
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (2, 3))[:, :, ::stride, ::stride]
    return np.einsum("nchwij,ocij->nohw", windows, weight, optimize=True)


def origins() -> Array:
    """Return the point in pixels that each place adds to its box, with a size of 0."""
    y, x = np.mgrid[:CELLS, :CELLS] * STRIDE + STRIDE / 2
    return np.stack([x, y, 0 * x, 0 * y]).reshape(4, -1).astype("f4")


@dataclass
class Detector:
    """The weights: filters with the statistics behind them, and the two heads."""

    filters: list[Array] = field(default_factory=list[Array])
    means: list[Array] = field(default_factory=list[Array])
    variances: list[Array] = field(default_factory=list[Array])
    boxes: Array = field(default_factory=lambda: np.zeros(0))
    """A row for each coordinate, in units of `STRIDE`; its last element is the bias."""
    scores: Array = field(default_factory=lambda: np.zeros(0))


def fit(x: Array, boxes: Array, classes: Array, rng: np.random.Generator) -> Detector:
    """Return a detector for these images."""
    net = Detector()
    for inputs, outputs, stride in CHANNELS:
        weight = rng.normal(0, (2 / inputs / 9) ** 0.5, (outputs, inputs, 3, 3)).astype("f4")
        x = convolve(x, weight, stride)
        mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3))
        net.filters.append(weight)
        net.means.append(mean)
        net.variances.append(variance)
        shape = -1, 1, 1
        x = (x - mean.reshape(shape)) / np.sqrt(variance.reshape(shape) + EPSILON)
        x = np.maximum(x, 0)
    features = x.transpose(0, 2, 3, 1).reshape(-1, x.shape[1]).astype("f8")
    features = np.hstack([features, np.ones((len(features), 1))])
    there = classes.reshape(-1)
    offsets = (boxes.reshape(len(boxes), 4, -1) - origins()) / STRIDE
    offsets = offsets.transpose(0, 2, 1).reshape(-1, 4)
    net.boxes = least_squares(features[there >= 0], offsets[there >= 0])
    # The targets are the inputs of the sigmoid: -5 for no object, 3 for an object.
    logits = np.where(there[:, None] == np.arange(CLASSES), 3.0, -5.0)
    net.scores = least_squares(features, logits, np.where(there >= 0, 20.0, 1.0))
    return net


def least_squares(x: Array, y: Array, share: Array | None = None) -> Array:
    """Return the matrix with the least squares of `x @ transpose(matrix) - y`, and little energy.
    `share` is the importance of each row."""
    left = x.T if share is None else x.T * share
    products = left @ x
    ridge = RIDGE * np.trace(products) / len(products) * np.eye(len(products))
    solve: Any = np.linalg.solve
    return solve(products + ridge, left @ y).T.astype("f4")


def write(net: Detector, path: Path, in_columns: bool) -> None:
    """Write the `.param`, and the `.bin` beside it."""
    lines = [f"Input data 0 1 data 0={SIZE} 1={SIZE} 2=3"]
    data, below, cells = b"", "data", CELLS * CELLS

    def convolution(bottom: str, top: str, weight: Array, size: int, more: str) -> None:
        nonlocal data
        params = f"0={len(weight)} 1={size} {more}6={weight.size}"
        lines.append(f"Convolution {top} 1 1 {bottom} {top} {params}")
        data += bytes(4) + weight.astype("f4").tobytes()

    for i, (weight, mean, variance) in enumerate(
        zip(net.filters, net.means, net.variances, strict=True), 1
    ):
        convolution(below, f"conv{i}", weight, 3, f"3={CHANNELS[i - 1][2]} 4=1 ")
        lines.append(f"BatchNorm norm{i} 1 1 conv{i} norm{i} 0={len(mean)} 1={EPSILON:e}")
        lines.append(f"ReLU relu{i} 1 1 norm{i} relu{i}")
        below = f"relu{i}"
        for part in (np.ones_like(mean), mean, variance, np.zeros_like(mean)):
            data += part.astype("f4").tobytes()
    lines.append(f"Split split 1 2 {below} left right")
    for bottom, name, head in (("left", "box", net.boxes), ("right", "class", net.scores)):
        convolution(bottom, name, head[:, :-1], 1, "5=1 ")
        data += head[:, -1].astype("f4").tobytes()
    out = "joined" if in_columns else "out"
    lines += [
        f"Reshape offsets 1 1 box offsets 0={cells} 1=4",
        f"BinaryOp pixels 1 1 offsets pixels 0=2 1=1 2={STRIDE}.0",
        f"MemoryData origins 0 1 origins 0={cells} 1=4",
        "BinaryOp boxes 2 1 pixels origins boxes 0=0",
        f"Reshape logits 1 1 class logits 0={cells} 1={CLASSES}",
        "Sigmoid scores 1 1 logits scores",
        f"Concat {out} 2 1 boxes scores {out} 0=0",
    ]
    data += origins().tobytes()
    if in_columns:
        lines.append(f"Permute out 1 1 {out} out 0=1")
    blobs = sum(int(line.split()[3]) for line in lines)
    path.write_text(f"7767517\n{len(lines)} {blobs}\n" + "\n".join(lines) + "\n")
    path.with_suffix(".bin").write_bytes(data)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    net = fit(*images(TRAINED, rng), rng)
    for name in ("rows", "columns"):
        write(net, folder / f"{name}.param", in_columns=name == "columns")
    for name, count in (("calib", CALIBRATED), ("test", TESTED)):
        np.save(folder / f"{name}.npy", images(count, rng)[0])


if __name__ == "__main__":
    main()
