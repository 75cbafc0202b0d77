"""The measurements of a quantized model by `ncnn-quantize --json`: noise and times of layers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from ..formats.errors import parsing

WIDEST = 80.0
"""The signal-to-noise ratio in dB at which the bar's length is 0."""


@dataclass(frozen=True)
class Int8Measurements:
    """The measurements of an int8 model beside its float model."""

    noise: Mapping[str, float]
    """The signal-to-noise ratio of each layer in dB, by name."""
    outputs: Mapping[str, float]
    """The same of each output, or of groups of one, by blob name."""
    float_times: Mapping[str, float]
    int8_times: Mapping[str, float]
    """The times of layers in both models in milliseconds, by name; of several devices, on the
    first."""
    latency: tuple[float, float] | None
    """The median times of a run of the float and the int8 model in milliseconds."""


def read_measured(data: bytes, path: str) -> Int8Measurements:
    """Return the measurements in the content of a file. Raise `FormatError`."""
    with parsing(path, "this is not what `ncnn-quantize --json` writes"):
        found: Any = json.loads(data)
        layers: Sequence[Any] = found["layers"]
        times = {
            str(layer["name"]): layer if "float_ms" in layer else _first(layer, "", "times")
            for layer in layers
        }
        latency = _first(found, "latency", "latencies")
        return Int8Measurements(
            {str(each["name"]): _ratio(each) for each in layers if _was_compared(each)},
            {
                f"{each['blob']}{each.get('group', '')}": _ratio(each)
                for each in found.get("outputs", ())
                if _was_compared(each)
            },
            {name: float(each["float_ms"]) for name, each in times.items() if each},
            {name: float(each["int8_ms"]) for name, each in times.items() if each},
            (float(latency["float_ms"]), float(latency["int8_ms"])) if latency else None,
        )


def _first(found: Any, one: str, several: str) -> Any:
    """Return a member for the only device, else for the first device; `None` without one."""
    return found.get(one) or next(iter(found.get(several, {}).values()), None)


def _was_compared(found: Any) -> bool:
    return found.get("cosine", 0) is not None


def _ratio(found: Any) -> float:
    if found["snr"] is None:  # JSON has no infinities
        return inf if found["error"] == 0 else -inf
    return float(found["snr"])


def share_of(snr: float) -> float:
    """Return the length of a bar, from 0 at `WIDEST` dB or more to 1 at 0 dB or less."""
    return min(max(1 - snr / WIDEST, 0.0), 1.0)


def in_words(snr: float) -> str:
    """Return a ratio as text for tables."""
    return "exact" if snr == inf else "-" if snr == -inf else f"{snr:.1f} dB"
