"""Small models for devices."""

from pathlib import Path

import numpy as np
from ncnn_opt.runtime.devices.measurements import DeviceModel

HEAD = "7767517\n"
SLOW = "Input data 0 1 data\nPooling slow 1 1 data out 0=1 1=250 2=1\n"
"""Takes seconds for an image of 500 x 500."""
CRASH = "Input data 0 1 data\nMatMul crash 0 1 out\n"
"""The runtime reads an input that the layer does not have."""
SMALL = (
    "Input data 0 1 data 0=16 1=16 2=4\n"
    "Convolution conv 1 1 data conv 0=8 1=3 4=1 6=288 {}\nReLU act 1 1 conv out\n"
)


def write(folder: Path, name: str, lines: str, weights: bytes = b"") -> DeviceModel:
    """Write a model of two or three layers in a chain."""
    param = folder / f"{name}.param"
    count = lines.count("\n")
    param.write_text(f"{HEAD}{count} {count}\n{lines}")
    param.with_suffix(".bin").write_bytes(weights)
    return DeviceModel(name, param, param.with_suffix(".bin"))


def small(folder: Path, name: str = "small", scale: float = 1.0) -> DeviceModel:
    """Write a convolution with an activation."""
    values = np.random.default_rng(0).standard_normal(288).astype("<f4") * np.float32(scale)
    return write(folder, name, SMALL.format("5=0"), bytes(4) + values.tobytes())


def data(*shape: int) -> dict[str, "np.ndarray[tuple[int, ...], np.dtype[np.float32]]"]:
    """Return an input."""
    return {"data": np.random.default_rng(1).random(shape, np.float32)}
