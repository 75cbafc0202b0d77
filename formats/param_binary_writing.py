"""The writer of ncnn's binary format for a model's structure (see `param_binary.py`), and of the
names that the format lacks.

Source: tools/ncnn2mem.cpp. Custom layer types are numbered by first occurrence, as in ncnn2mem: the
application registers them by these numbers. `Custom<n>`, the reader's name of such a type, keeps
its number.
"""

import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from .errors import FormatError
from .graph import MAGIC, Graph, ParamValue, check_graph
from .param_binary import ARRAY, CUSTOM_BIT, END_OF_PARAMS, STRING

BYTES_IN_A_ROW = 16
"""Of a `.mem.h`."""
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
    space = f"{_variable(stem)}_param_id"
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


def memory_header(stem: str, graph: IO[bytes], weights: IO[bytes]) -> Iterator[str]:
    """Yield the parts of a C++ header with a model as arrays, which the runtime reads in place:
    `net.load_param(net_param_bin); net.load_model(net_bin);`."""
    name = _variable(stem)
    guard = f"NCNN_INCLUDE_GUARD_{_identifier(stem)}_mem_h"
    yield f"#ifndef {guard}\n#define {guard}\n"
    for ending, content in (("param_bin", graph), ("bin", weights)):
        # The runtime reads words of 4 bytes.
        yield "#ifdef _MSC_VER\n__declspec(align(4))\n#else\n__attribute__((aligned(4)))\n#endif\n"
        yield f"static const unsigned char {name}_{ending}[] = {{\n"
        empty = True
        while row := content.read(BYTES_IN_A_ROW):
            yield "".join(f"0x{byte:02x}," for byte in row) + "\n"
            empty = False
        # C++ has no empty arrays.
        yield "0x00,\n};\n" if empty else "};\n"
    yield f"#endif // {guard}\n"


def _variable(stem: str) -> str:
    """Return a name of C++. (ncnn2mem's names may begin with a digit.)"""
    name = _identifier(stem)
    return f"_{name}" if name[:1].isdigit() else name


def _identifier(name: str) -> str:
    return re.sub(r"[^0-9A-Za-z_]", "_", name)
