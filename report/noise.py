"""The quantization noise of layers, measured by `ncnn-quantize --json`: a column of the page."""

import json
from math import inf
from typing import Any

from ..formats.errors import parsing

WIDEST = 80.0
"""The signal-to-noise ratio in dB at which the bar's length is 0."""


def read_noise(data: bytes, path: str) -> dict[str, float]:
    """Return the signal-to-noise ratio of each layer in dB, by name. Raise `FormatError`."""
    with parsing(path, "this is not what `ncnn-quantize --json` writes"):
        layers: Any = json.loads(data)["layers"]
        return {
            str(layer["name"]): _ratio(layer["snr"], layer["error"])
            for layer in layers
            if layer.get("cosine", 0) is not None  # otherwise the layer was not compared
        }


def _ratio(snr: float | None, error: float | None) -> float:
    if snr is None:  # JSON has no infinities
        return inf if error == 0 else -inf
    return float(snr)


def share_of(snr: float) -> float:
    """Return the length of a bar, from 0 at `WIDEST` dB or more to 1 at 0 dB or less."""
    return min(max(1 - snr / WIDEST, 0.0), 1.0)


def in_words(snr: float) -> str:
    """Return a ratio as text for tables."""
    return "exact" if snr == inf else "-" if snr == -inf else f"{snr:.1f} dB"
