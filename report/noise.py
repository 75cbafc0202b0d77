"""What integers cost a layer, measured by `ncnn-quantize --json`: for a column of the page."""

import json
from math import inf
from typing import Any

from ..formats.errors import FormatError

WIDEST = 80.0
"""A signal-to-noise ratio, in dB, from which bars have no length: that of no noise."""


def read_noise(data: bytes, path: str) -> dict[str, float]:
    """The signal-to-noise ratio of each layer, in dB, by its name. Raises `FormatError`."""
    try:
        layers: Any = json.loads(data)["layers"]
        return {
            layer["name"]: _ratio(layer["snr"], layer["error"])
            for layer in layers
            if layer.get("cosine", 0) is not None  # else it was not compared
        }
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        raise FormatError(path, "this is not what `ncnn-quantize --json` writes") from e


def _ratio(snr: float | None, error: float | None) -> float:
    if snr is None:  # JSON has no infinities
        return inf if error == 0 else -inf
    return float(snr)


def share_of(snr: float) -> float:
    """How long a bar is, from 0 to 1: the longer the more noise there is, nothing at `WIDEST` and
    more, all of it at 0 dB and less."""
    return min(max(1 - snr / WIDEST, 0.0), 1.0)


def in_words(snr: float) -> str:
    """A ratio as tables have it."""
    return "exact" if snr == inf else "-" if snr == -inf else f"{snr:.1f} dB"
