"""Tables of int8 scales, in the format of ncnn's `ncnn2table` and `ncnn2int8`.

A line has a key and its scales: `conv1_param_0 s0 s1 …` for the first weight of layer `conv1`,
`conv1 s` for the layer's input. An int8 value is a float times its scale, rounded.
(tools/quantize/ncnn2table.cpp and ncnn2int8.cpp of ncnn.)
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan

from .errors import FormatError, decoded
from .numbers import round_to_float32

_WEIGHT = re.compile(r"(.+)_param_([0-9]{1,3})")

Scales = tuple[float, ...]


@dataclass
class ScaleTable:
    """The scales in a table, in file order."""

    weights: dict[tuple[str, int], Scales] = field(default_factory=dict[tuple[str, int], Scales])
    """The scales of weights, by layer name and index of the weight."""
    blobs: dict[str, Scales] = field(default_factory=dict[str, Scales])
    """The scales of layers' inputs, by layer name."""
    lines: Mapping[str, int] = field(default_factory=dict[str, int])
    """The line of each layer's first entry in its file."""

    def layers(self) -> list[str]:
        """Return the names of all layers in it, without duplicates."""
        return list(dict.fromkeys([*(name for name, _ in self.weights), *self.blobs]))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table to a file in `ncnn2table`'s format."""
        with open(path, "wb") as f:
            f.write(write_scale_table(self))


def read_scale_table(data: bytes, path: str) -> ScaleTable:
    """Return the table in a file's content. Infinities are kept (`ncnn2table` writes them for
    channels of zeros). Invalid scales and duplicate keys raise `FormatError` with the line."""
    text = decoded(data, path, "this is not a table: not UTF-8")
    table, lines = ScaleTable(), dict[str, int]()
    for number, line in enumerate(text.splitlines(), 1):
        key, *words = line.split() or [""]
        if not key:
            continue
        if not words:
            raise FormatError(path, f"'{key}' has no scales", number)
        scales = tuple(_scale(word, path, number) for word in words)
        found = _WEIGHT.fullmatch(key)
        name = found[1] if found else key
        lines.setdefault(name, number)
        if key in table.blobs or (found and (name, int(found[2])) in table.weights):
            raise FormatError(path, f"'{key}' appears twice", number)
        if found:
            table.weights[name, int(found[2])] = scales
        else:
            table.blobs[key] = scales
    table.lines = lines
    if not table.layers():
        raise FormatError(path, "the table has no scales")
    return table


def _scale(word: str, path: str, line: int) -> float:
    try:
        value = float(word)
    except ValueError:
        raise FormatError(path, f"'{word}' is not a scale", line) from None
    if isnan(value) or value <= 0:
        raise FormatError(path, f"a scale must be a positive number, not {word}", line)
    return value


def write_scale_table(table: ScaleTable) -> bytes:
    """Return the content of a file in `ncnn2table`'s order: weights first. Numbers keep all digits
    of a float32; `ncnn2table`'s six decimals lose digits of small scales."""
    lines = [_line(f"{name}_param_{i}", scales) for (name, i), scales in table.weights.items()]
    lines += [_line(name, scales) for name, scales in table.blobs.items()]
    return "".join(lines).encode()


def _line(key: str, scales: Scales) -> str:
    return " ".join([key, *map(_number, scales)]) + "\n"


def _number(scale: float) -> str:
    """Return the shortest decimal that parses to the same float32."""
    value = round_to_float32(scale)
    texts = (f"{value:.{digits}g}" for digits in range(6, 10))
    return next((t for t in texts if round_to_float32(float(t)) == value), repr(value))
