"""Tables of block-quantization scales, in the format of ncnn's `ncnnllm2table` and `ncnnllm2int`.

    att_param_0 bits=4 block=64 method=mseclip s0 s1 …        one scale per block, row by row
    att_param_0_input_scale method=awq f0 f1 …                factors of the input's elements
    fc_param_1 bits=4 block=64 method=gptq qweight=FILE s0 …  integers in a separate packed file

An integer is a weight (divided by its input's factor, if any) times its block's scale, rounded. A
file of integers contains them directly. Text after `#` is a comment. (`read_llm_scale_table` in
tools/quantize/ncnnllm2int.cpp, tools/quantize/ncnnllm_quant.h.)
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .errors import FormatError, decoded
from .weight_storage import BLOCK_BITS, BLOCK_SIZES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

Key = tuple[str, int]
"""The name of a layer and the index of one of its weights."""

_KEY = re.compile(r"(.+)_param_([0-9]{1,3})(_input_scale)?")
_NOT_IN_NAMES = re.compile(r"[/\\: ]")


@dataclass(frozen=True)
class BlockRow:
    """The entry of a weight."""

    bits: int
    block_size: int
    scales: "Array"
    """All scales, float32, row by row."""
    integers: str | None = None
    """The file of its integers."""
    line: int | None = None
    """The line in the file."""


@dataclass
class BlockTable:
    """The entries of a table, in file order."""

    weights: dict[Key, BlockRow] = field(default_factory=dict[Key, BlockRow])
    inputs: "dict[Key, Array]" = field(default_factory=lambda: {})
    """The factors of the weights' inputs."""


def read_block_table(data: bytes, path: str) -> BlockTable:
    """Return the table in a file's content. Raises `FormatError` with the line."""
    text = decoded(data, path, "this is not a table: not UTF-8")
    table, lines = BlockTable(), dict[Key, int]()
    for number, line in enumerate(text.split("\n"), 1):
        key, *words = line.split() or [""]
        if not key or key.startswith("#"):
            continue
        found = _KEY.fullmatch(key)
        if found is None:
            raise FormatError(path, f"'{key}' is not a weight such as LAYER_param_1", number)
        weight = found[1], int(found[2])
        if weight in (table.inputs if found[3] else table.weights):
            raise FormatError(path, f"'{key}' appears twice", number)
        first = next((i for i, word in enumerate(words) if "=" not in word), len(words))
        facts = _facts(words[:first], path, number)
        scales = _scales(words[first:], key, path, number)
        if found[3]:
            table.inputs[weight] = scales
            lines[weight] = number
            continue
        missing = [name for name in ("bits", "block") if name not in facts]
        if missing:
            raise FormatError(path, f"'{key}' lacks {missing[0]}=", number)
        bits, block = (_number(facts[name], name, path, number) for name in ("bits", "block"))
        beside = facts.get("qweight")
        integers = None if beside is None else os.path.join(os.path.dirname(path), beside)
        table.weights[weight] = BlockRow(bits, block, scales, integers, number)
    for (name, index), number in lines.items():
        if (name, index) not in table.weights:
            raise FormatError(path, f"there is no line '{name}_param_{index}' for this", number)
    if not table.weights:
        raise FormatError(path, "the table has no weights")
    return table


def _facts(words: Sequence[str], path: str, line: int) -> dict[str, str]:
    facts = dict(word.split("=", 1) for word in words)
    for name, value in facts.items():
        if name not in ("bits", "block", "method", "qweight"):
            raise FormatError(path, f"there is no '{name}='", line)
        if not value:
            raise FormatError(path, f"'{name}=' has no value", line)
    return facts


def _number(text: str, name: str, path: str, line: int) -> int:
    known = BLOCK_BITS if name == "bits" else BLOCK_SIZES
    if not text.isdecimal() or int(text) not in known:
        *words, last = map(str, known)
        raise FormatError(path, f"{name} must be {', '.join(words)} or {last}, not '{text}'", line)
    return int(text)


def _scales(words: Sequence[str], key: str, path: str, line: int) -> "Array":
    import numpy as np

    if not words:
        raise FormatError(path, f"'{key}' has no scales", line)
    try:
        with np.errstate(over="ignore"):
            scales = np.array(words, "f8").astype("f4")
    except ValueError:
        raise FormatError(path, f"'{key}' has a scale that is not a number", line) from None
    bad = np.flatnonzero(~(np.isfinite(scales) & (scales > 0)))
    if bad.size:
        word = words[int(bad[0])]
        raise FormatError(path, f"a scale must be a positive number, not {word}", line)
    return scales


def integers_beside(path: str, key: Key) -> str:
    """Return the file name for a weight's integers, in the table's folder."""
    name = f"{os.path.basename(path)}.{key[0]}_param_{key[1]}.qweight"
    return _NOT_IN_NAMES.sub("_", name)


def write_block_table(table: BlockTable, method: str) -> Iterable[str]:
    """Yield the lines of a file with all digits of a float32. File names of integers are copied
    from the entries."""
    inputs: Mapping[Key, Array] = table.inputs
    for (name, index), row in table.weights.items():
        key, facts = f"{name}_param_{index}", f"bits={row.bits} block={row.block_size}"
        beside = "" if row.integers is None else f" qweight={row.integers}"
        yield f"{key} {facts} method={method}{beside} {_text(row.scales)}\n"
        if (name, index) in inputs:
            yield f"{key}_input_scale method={method} {_text(inputs[name, index])}\n"


def _text(values: "Array") -> str:
    return " ".join(f"{value:.9g}" for value in values.reshape(-1).tolist())
