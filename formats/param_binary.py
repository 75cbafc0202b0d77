"""ncnn's binary format for a model's structure, `.param.bin`, as written by its tool ncnn2mem.

All fields are little-endian 32-bit integers: the magic number, the counts of layers and blobs, then
for each layer its type, the numbers of inputs and outputs, their blobs, and parameters up to the
mark -233. A parameter is an id and a word; an array has the id -23300 - id, its length and its
words; a string has -23400 - id, its length in bytes and its text, padded to 4 bytes.

The format has no names, and ncnn leaves the names of layers and blobs empty. Here layer i (from 0)
is named `layer<i>` and blob i `<i>`. These are the numbers of the `LAYER_…` and `BLOB_…` constants
in ncnn2mem's header file (`.id.h`), by which applications access blobs. A type is an index into
ncnn's registry; bit 8 marks the application's custom layers.

The format does not distinguish ints from floats: see `ParamValue`'s kinds `word` and `words`.

Source: `Net::load_param_bin` in src/net.cpp, `ParamDict::load_param_bin` in src/paramdict.cpp and
tools/ncnn2mem.cpp. This reader is stricter than ncnn: it refuses blobs that no earlier layer
produces or that two layers produce, strings that are not UTF-8, and more than 256 types of custom
layers.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NoReturn

from .errors import FormatError
from .graph import (
    MAGIC,
    NET_LIMIT,
    PARAM_COUNT,
    STRING_LIMIT,
    BlobTable,
    Graph,
    LayerRecord,
    ParamValue,
    reserved_param_error,
)

_INT = struct.Struct("<i")
CUSTOM_BIT = 1 << 8  # src/layer_type.h
END_OF_PARAMS = -233
ARRAY = -23300
STRING = -23400


def looks_binary(data: bytes) -> bool:
    """Whether this is the beginning of a `.param.bin` file; text begins with digits instead."""
    return data.startswith(MAGIC.to_bytes(4, "little"))


def read_param_binary(data: bytes, path: str, type_names: Sequence[str]) -> Graph:
    """Return the model structure in a `.param.bin` file's bytes; `path` is for messages only.

    `type_names` are the layer types in the order of ncnn's registry (src/CMakeLists.txt), to which
    newer versions only append. A type registered by the application is `Custom<index>`.
    `FormatError`s contain the byte offset. Time and memory are proportional to the file's size, for
    any numbers in it.
    """
    return _Reader(data, path, type_names).read()


class _Reader:
    def __init__(self, data: bytes, path: str, type_names: Sequence[str]) -> None:
        self._data = data
        self._path = path
        self._type_names = type_names
        self._position = 0
        self._start = 0  # start of the last read item
        self._label = ""
        self._blobs = BlobTable()
        self._graph = Graph()

    def read(self) -> Graph:
        """Return the whole file."""
        if not looks_binary(self._data):
            self._fail(f"this is not a .param.bin file: the magic number {MAGIC} is missing")
        self._position = _INT.size
        layer_count = self._count("layers", 1)
        blob_count = self._count("blobs", 1)
        for index in range(layer_count):
            if self._position == len(self._data):
                self._start = self._position
                self._label = ""
                self._fail(f"the header declares {layer_count} layers, but the file has {index}")
            self._layer(index, blob_count)
        if len(self._blobs) < blob_count:
            self._graph.warnings.append(
                f"the header declares {blob_count} blobs, but the layers have {len(self._blobs)}"
            )
        if self._position < len(self._data):
            self._graph.warnings.append(
                f"the header declares {layer_count} layers; the {len(self._data) - self._position} "
                "bytes that follow them are ignored, as ncnn does"
            )
        return self._graph

    def _take(self, size: int, what: str) -> int:
        """Advance by `size` bytes and return their start."""
        self._start = self._position
        if size > len(self._data) - self._position:
            self._fail(f"the file ends within {what}")
        self._position += size
        return self._start

    def _int(self, what: str) -> int:
        value: int = _INT.unpack_from(self._data, self._take(_INT.size, what))[0]
        return value

    def _count(self, what: str, least: int) -> int:
        count = self._int(f"the number of {what}")
        if not least <= count <= NET_LIMIT:
            self._fail(
                f"{count} is not a valid number of {what}: ncnn takes {least} to {NET_LIMIT}"
            )
        return count

    def _layer(self, index: int, blob_count: int) -> None:
        name = f"layer{index}"
        self._label = f"layer '{name}': "
        type_ = self._type()
        self._label = f"layer '{name}' ({type_}): "
        bottom_count = self._count("inputs", 0)
        top_count = self._count("outputs", 0)
        # The loops end with the file at the latest, for any counts.
        bottoms: list[str] = []
        for _ in range(bottom_count):
            bottoms.append(self._blob(blob_count))
            if error := self._blobs.bottom_error(name, bottoms[-1]):
                self._label = ""  # the error names the layer
                self._fail(error)
        tops: list[str] = []
        for _ in range(top_count):
            tops.append(self._blob(blob_count))
            if error := self._blobs.top_error(name, tops[-1]):
                self._label = ""
                self._fail(error)
        params = self._params()
        if error := reserved_param_error(params, top_count):
            self._fail(f"parameter {error[0]}: {error[1]}")
        self._graph.layers.append(LayerRecord(type_, name, tuple(bottoms), tuple(tops), params))

    def _type(self) -> str:
        index = self._int("a layer type")
        if 0 <= index < len(self._type_names):
            return self._type_names[index]
        if CUSTOM_BIT <= index < 2 * CUSTOM_BIT:
            return f"Custom{index - CUSTOM_BIT}"
        self._fail(f"{index} is not a layer type: {len(self._type_names)} are known")

    def _blob(self, blob_count: int) -> str:
        index = self._int("a blob number")
        if not 0 <= index < blob_count:
            self._fail(f"{index} is not a blob number: the header declares {blob_count} blobs")
        return str(index)

    def _params(self) -> dict[int, ParamValue]:
        params: dict[int, ParamValue] = {}
        while (mark := self._int("a parameter id")) != END_OF_PARAMS:
            kind = STRING if mark <= STRING else ARRAY if mark <= ARRAY else 0
            id_ = mark if kind == 0 else kind - mark
            if not 0 <= id_ < PARAM_COUNT:
                self._fail(f"{mark} is not a parameter id")
            if id_ in params:
                self._graph.warnings.append(
                    f"{self._label}parameter {id_} twice; ncnn takes the last"
                )
            if kind == STRING:
                params[id_] = self._string()
            elif kind == ARRAY:
                params[id_] = self._array()
            else:
                params[id_] = ParamValue.of_word(self._int("a parameter"))
        return params

    def _array(self) -> ParamValue:
        length = self._int("the length of an array")
        if length < 0:
            self._fail(f"{length} is not an array length")
        start = self._take(length * _INT.size, f"an array of {length} elements")
        return ParamValue.of_words(struct.unpack_from(f"<{length}i", self._data, start))

    def _string(self) -> ParamValue:
        length = self._int("the length of a string")
        if not 0 <= length <= STRING_LIMIT:
            self._fail(f"{length} is not a string length: ncnn takes 0 to {STRING_LIMIT}")
        start = self._take((length + 3) // 4 * 4, f"a string of {length} bytes")
        # ncnn passes strings on as C strings, so the first NUL ends them.
        text, _, _ = self._data[start : start + length].partition(b"\0")
        try:
            return ParamValue.of_str(text.decode())
        except UnicodeDecodeError:
            self._fail("a string is not UTF-8 text")

    def _fail(self, message: str) -> NoReturn:
        raise FormatError(self._path, f"{self._label}{message} (byte offset {self._start})")
