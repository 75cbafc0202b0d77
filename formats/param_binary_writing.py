"""The writer of ncnn's binary format for a model's structure (see `param_binary.py`), and of the
names that the format lacks.

Source: tools/ncnn2mem.cpp. Custom layer types are numbered by first occurrence, as in ncnn2mem: the
application registers them by these numbers. `Custom<n>`, the reader's name of such a type, keeps
its number.
"""

import re
import struct
from collections.abc import Iterable, Sequence

from .errors import FormatError
from .graph import MAGIC, Graph, ParamValue, check_graph
from .param_binary import ARRAY, CUSTOM_BIT, END_OF_PARAMS, STRING

_MAX_CUSTOM = 256
_NUMBERED = re.compile(r"Custom(\d+)")


def write_param_binary(graph: Graph, type_names: Sequence[str], path: str = "") -> bytes:
    """Return the `.param.bin` of a model structure.

    `type_names` are the layer types in the order of ncnn's registry. Raises `FormatError` as for a
    `.param`, but all numbers can be represented.
    """
    check_graph(graph, path)
    types = _type_numbers(graph, type_names, path)
    blobs = blob_numbers(graph)
    words: list[int] = [MAGIC, len(graph.layers), graph.blob_count]
    for layer in graph.layers:
        words += [types[layer.type], len(layer.bottoms), len(layer.tops)]
        words += [blobs[name] for name in (*layer.bottoms, *layer.tops)]
        for id, value in layer.params.items():
            words += _param(id, value)
        words.append(END_OF_PARAMS)
    return struct.pack(f"<{len(words)}i", *words)


def blob_numbers(graph: Graph) -> dict[str, int]:
    """Return the number of each blob, in the order of production."""
    names = (name for layer in graph.layers for name in layer.tops)
    return {name: number for number, name in enumerate(names)}


def _type_numbers(graph: Graph, type_names: Sequence[str], path: str) -> dict[str, int]:
    numbers = {name: number for number, name in enumerate(type_names)}
    own = [t for t in dict.fromkeys(layer.type for layer in graph.layers) if t not in numbers]
    taken = {int(found[1]) for t in own if (found := _NUMBERED.fullmatch(t)) is not None}
    free = (n for n in range(_MAX_CUSTOM) if n not in taken)
    for type_ in own:
        found = _NUMBERED.fullmatch(type_)
        number = next(free, _MAX_CUSTOM) if found is None else int(found[1])
        if number >= _MAX_CUSTOM:
            raise FormatError(path, f"the layer type '{type_}' has no number in a .param.bin")
        numbers[type_] = CUSTOM_BIT | number
    return numbers


def _param(id: int, value: ParamValue) -> Iterable[int]:
    if value.kind == "str":
        data = value.text.encode()
        padded = data.ljust((len(data) + 3) // 4 * 4, b"\0")
        return [STRING - id, len(data), *struct.unpack(f"<{len(padded) // 4}i", padded)]
    if value.kind in ("array", "words"):
        return [ARRAY - id, len(value.words), *value.words]
    return [id, *value.words]


def names_header(graph: Graph, stem: str) -> str:
    """Return a C++ header with the numbers of layers and blobs by name:
    `net_param_id::BLOB_data`."""
    space = f"{_identifier(stem)}_param_id"
    guard = f"NCNN_INCLUDE_GUARD_{_identifier(stem)}_id_h"
    lines = [f"#ifndef {guard}", f"#define {guard}", f"namespace {space} {{"]
    layers = {layer.name: number for number, layer in enumerate(graph.layers)}
    for prefix, numbers in (("LAYER", layers), ("BLOB", blob_numbers(graph))):
        used: set[str] = set()
        for name, number in numbers.items():
            own = base = _identifier(name)
            count = 1
            while own in used:
                count += 1
                own = f"{base}_{count}"
            used.add(own)
            lines.append(f"const int {prefix}_{own} = {number};")
    return "\n".join([*lines, f"}} // namespace {space}", f"#endif // {guard}", ""])


def _identifier(name: str) -> str:
    return re.sub(r"[^0-9A-Za-z_]", "_", name)
