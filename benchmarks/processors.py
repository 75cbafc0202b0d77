"""Measure the rows of a table of `analysis/target_info/`.

A row is the cost of an activation in a layer and after it, or the cost of a layer that another
layer could replace. Times are measured on this machine; on an emulated one, instructions are
counted.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from ncnn_opt.analysis.target_info import Processor
from ncnn_opt.analysis.target_info.facts import SlowActivation

from .measuring import print_table
from .models.writer import Writer
from .timing import cell_of, compare, title

CHANNELS, ODD, FEATURES = 24, 63, 256
"""Channels of convolutions, channels that cannot be packed, and features of rows. AVX-512 packs 16
channels, other processors fewer."""

WIDTH, HEIGHT, ROWS, KERNEL = 1600, 40, 101, 2
"""Extents and the kernel. 3 x 3 windows would use special code in some layers, which does not
support activations."""

LENGTHS = ((16, 2000, 4, 2), (64, 500, 8, 4), (128, 250, 3, 1), (256, 200, 31, 1))
"""Channels, extent, kernel and stride of 1-D layers."""

WORDS = {"sigmoid": (4, "Sigmoid", ""), "mish": (5, "Mish", ""), "hardswish": (6, "HardSwish", "")}
"""`activation_type`, and the layer that computes the same with its own parameters."""

HARD_SWISH = "-23310=2,2.000000e-01,5.000000e-01"
"""Its `activation_params`: the default parameters of the layer."""


def measure(folder: Path, processor: Processor, seconds: float) -> None:
    """Print the tables."""
    rows: list[list[str]] = []
    for fact in processor.slow_activations:
        for name in sorted(fact.layers):
            for word in sorted(fact.activations):
                print(f"{name}, {word} …", file=sys.stderr)
                channels = _channels(fact, name)
                ratio = _fused(folder, channels, name, word, seconds)
                rows.append([name, word, str(channels), ratio])
    print_table(title(" of an activation in a layer to that behind it"), HEAD, rows)
    rows = [
        [fact.layer, fact.than, f"{fact.least:g}–{fact.most:g}", ratio]
        for fact in processor.slower
        for ratio in _instead(folder, fact.layer, fact.than, seconds)
    ]
    head = ["layer", "instead of", "in the table", "here"]
    print_table(title(" of a layer to that of another that does the same"), head, rows)


HEAD = ["layer", "activation", "channels", "ratio"]


def _channels(fact: SlowActivation, name: str) -> int:
    if fact.packed is False:
        return ODD
    return FEATURES if name == "InnerProduct" else CHANNELS


def _fused(folder: Path, channels: int, name: str, word: str, seconds: float) -> str:
    number, kind, params = WORDS[word]
    more = f"9={number}" + (f" {HARD_SWISH}" if word == "hardswish" else "")
    paths: list[Path] = []
    for path in (folder / "fused.param", folder / "apart.param"):
        w = Writer(path)
        shape = _shape(name, channels)
        x = w.layer("Input", [], _extents(shape))
        y = _host(w, name, x, channels, more if not paths else "")
        if paths:
            y = w.layer(kind, y, params)
        paths.append(w.close())
    values = np.random.default_rng(0).standard_normal(shape).astype("f4")
    return cell_of(compare(paths, {"input0": values}, folder, seconds).ratio(0, 1))


def _shape(name: str, channels: int) -> tuple[int, ...]:
    if name == "InnerProduct":
        return (ROWS, channels)
    rest = (WIDTH,) if "1D" in name else (10, 12, 12) if "3D" in name else (HEIGHT, HEIGHT)
    return (channels, *rest)


def _extents(shape: tuple[int, ...]) -> str:
    ids = {2: (1, 0), 3: (2, 1, 0), 4: (2, 11, 1, 0)}[len(shape)]
    return " ".join(f"{i}={n}" for i, n in zip(ids, shape, strict=True))


def _host(w: Writer, name: str, x: str, channels: int, more: str) -> str:
    """Write a layer with equal numbers of inputs and outputs."""
    if name == "InnerProduct":
        size = channels * channels
        w.tagged(size, 0.05)
        return w.layer(name, x, f"0={channels} 2={size} {more}")
    depthwise = "DepthWise" in name
    dims = 1 if "1D" in name else 3 if "3D" in name else 2
    size = channels * (1 if depthwise else channels) * KERNEL**dims
    bottoms = [x]
    if name == "DeformableConv2D":
        windows = HEIGHT - KERNEL + 1
        bottoms.append(w.memory((2 * KERNEL**2, windows, windows), 0.5))
    w.tagged(size, 0.05)
    group = f" 7={channels}" if depthwise else ""
    return w.layer(name, bottoms, f"0={channels} 1={KERNEL} 6={size}{group} {more}")


def _instead(folder: Path, name: str, than: str, seconds: float) -> Iterator[str]:
    """Yield the ratio of a 1-D layer to a 2-D layer between Reshapes."""
    for channels, width, kernel, stride in LENGTHS:
        print(f"{name}, {kernel} …", file=sys.stderr)
        depthwise = "DepthWise" in name
        size = channels * (1 if depthwise else channels) * kernel
        params = f"0={channels} 1={kernel} 3={stride} 6={size}"
        params += f" 7={channels}" if depthwise else ""
        paths: list[Path] = []
        for path in (folder / "one.param", folder / "two.param"):
            w = Writer(path)
            x = w.layer("Input", [], _extents((channels, width)))
            if paths:
                x = w.layer("Reshape", x, f"0={width} 1=1 2={channels}")
            w.tagged(size, 0.05)
            x = w.layer(than, x, f"{params} 11=1 13=1") if paths else w.layer(name, x, params)
            if paths:
                x = w.layer("Reshape", x, f"0=-1 1={channels}")
            paths.append(w.close())
        values = np.random.default_rng(0).standard_normal((channels, width)).astype("f4")
        yield cell_of(compare(paths, {"input0": values}, folder, seconds).ratio(0, 1))
