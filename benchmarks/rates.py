"""Measure the time of operations and bytes, to compare with the rates in `analysis/target_info/`.

The unit is the time of one multiply-accumulate in a Convolution.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from ncnn_opt.analysis.target_info import Processor

from .measuring import print_table
from .models.writer import Writer
from .timing import compare, counts

Line = tuple[str, str, int]
"""A layer type, its parameters, and the size of its weight."""


@dataclass(frozen=True)
class Sample:
    """A chain of equal layers."""

    what: str
    rate: str
    """The field of `Rates` that it measures; empty for the unit."""
    shape: tuple[int, int, int]
    layers: Sequence[Line]
    units: float
    """The number of measured operations or bytes in the chain."""
    beside: float = 0
    """The number of other bytes that it moves in vector code."""


IMAGE = (64, 40, 40)
ELEMENTS = 64 * 40 * 40
POINTWISE = ("Convolution", "0=256 1=1 6=65536", 65536)
SHORT = ("Deconvolution1D", "0=64 1=4 3=1 6=16384", 16384)
CUBE = ("Convolution3D", "0=16 1=3 6=6912", 6912)

UNIT = Sample("multiplication", "", (256, 28, 28), [POINTWISE] * 4, 4 * 65536 * 784)

SAMPLES = (
    Sample("byte in vectors: AbsVal", "byte", IMAGE, [("AbsVal", "", 0)] * 8, 64 * ELEMENTS),
    Sample(
        "operation in vectors: Sigmoid",
        "flop",
        IMAGE,
        [("Sigmoid", "", 0)] * 8,
        8 * 4 * ELEMENTS,
        8 * 8 * ELEMENTS,
    ),
    Sample(
        "operation in vectors: Pooling",
        "flop",
        IMAGE,
        [("Pooling", "1=3 3=1 5=1", 0)] * 8,
        8 * 9 * ELEMENTS,
        8 * 8 * ELEMENTS,
    ),
    Sample(
        "byte in C++: Permute",
        "scalar_byte",
        IMAGE,
        [("Permute", "0=3", 0), ("Permute", "0=4", 0)] * 4,
        64 * ELEMENTS,
    ),
    Sample(
        "byte in C++: Threshold",
        "scalar_byte",
        IMAGE,
        [("Threshold", "0=1.000000e-01", 0)] * 8,
        64 * ELEMENTS,
    ),
    Sample("layer: ReLU of 4 elements", "layer", (4, 1, 1), [("ReLU", "", 0)] * 64, 64),
)
"""Reading and computing cannot be measured separately: the time of a Sigmoid's bytes is
subtracted."""


def measure(folder: Path, processor: Processor, seconds: float) -> None:
    """Print the table."""
    rates = processor.rates._asdict()
    unit = _seconds(UNIT, folder, seconds) / UNIT.units
    byte = _seconds(SAMPLES[0], folder, seconds) / SAMPLES[0].units
    rows: list[list[str]] = []
    for sample in SAMPLES:
        print(f"{sample.what} …", file=sys.stderr)
        each = (_seconds(sample, folder, seconds) - byte * sample.beside) / sample.units
        rows.append([sample.what, f"{rates[sample.rate]:,.4g}", f"{each / unit:,.3g}"])
    for kind, shape, macs in (
        (SHORT, (64, 500), 16384 * 500),
        (CUBE, (16, 10, 12, 12), 6912 * 8 * 10 * 10),
        (("ConvolutionDepthWise1D", "0=64 1=31 6=1984 7=64", 1984), (64, 1500), 1984 * 1470),
    ):
        print(f"{kind[0]} …", file=sys.stderr)
        each = _time_of(shape, [kind], folder, seconds) / macs
        name = f"multiplication in C++: {kind[0]}"
        rows.append([name, f"{processor.rates.scalar_op:,.4g}", f"{each / unit:,.3g}"])
    each = f"{unit * 1e9:.3g} {'instructions' if counts() else 'ns'}"
    print_table(f"What takes how long, in units of {each}", ["", "in the table", "here"], rows)


def _seconds(sample: Sample, folder: Path, seconds: float) -> float:
    return _time_of(sample.shape, sample.layers, folder, seconds)


def _time_of(shape: tuple[int, ...], layers: Sequence[Line], folder: Path, seconds: float) -> float:
    w = Writer(folder / "rate.param")
    ids = {1: (0,), 2: (1, 0), 3: (2, 1, 0), 4: (2, 11, 1, 0)}[len(shape)]
    x = w.layer("Input", [], " ".join(f"{i}={n}" for i, n in zip(ids, shape, strict=True)))
    for kind, params, size in layers:
        if size:
            w.tagged(size, 0.01)
        x = w.layer(kind, x, params)
    values = np.random.default_rng(0).standard_normal(shape).astype("f4")
    return compare([w.close()], {"input0": values}, folder, seconds).milliseconds(0) / 1000
