"""ncnn's binary format for a model's structure, `.param.bin`, as its tool ncnn2mem makes it.

Little-endian 32-bit integers throughout: the magic number, the counts of layers and blobs, then for
each layer its type, the number of inputs and of outputs, their blobs, and parameters up to
the mark -233. A parameter is an id and a word; an array has the id -23300 - id, its length and its
words; a string has -23400 - id, its length in bytes and its text, padded to 4 bytes.

There are no names in it, and ncnn leaves those of layers and blobs empty. Here
layer number i (from 0) is `layer<i>` and blob number i is `<i>`: these are the numbers that the
`LAYER_…` and `BLOB_…` constants in ncnn2mem's header file (`.id.h`) have, and by which
applications name the blobs. A type is an index into ncnn's registry, or has bit 8 set for the
application's own layers.

Nor does it say whether a number is an int or a float: see `ParamValue`'s kinds `word` and `words`.

Source: `Net::load_param_bin` in src/net.cpp, `ParamDict::load_param_bin` in src/paramdict.cpp and
tools/ncnn2mem.cpp. Stricter than ncnn is this reader about blobs that no earlier layer
produces or that two layers produce, strings that are not UTF-8, and types of custom layers, of
which there are 256.
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
_CUSTOM_BIT = 1 << 8  # src/layer_type.h
_END_OF_PARAMS = -233
_ARRAY = -23300
_STRING = -23400


def looks_binary(data: bytes) -> bool:
    """Whether this is the beginning of a `.param.bin` file; text begins with digits instead."""
    return data.startswith(MAGIC.to_bytes(4, "little"))


def read_param_binary(data: bytes, path: str, type_names: Sequence[str]) -> Graph:
    """The model structure in a `.param.bin` file's bytes; `path` is for messages only.

    `type_names` are the layer types in the order of ncnn's registry (src/CMakeLists.txt), to which
    newer versions only append. A type that the application registered itself is `Custom<index>`.
    FormatErrors say the byte offset. Takes time and memory in proportion to the file,
    whatever numbers it contains.
    """
    return _Reader(data, path, type_names).read()


class _Reader:
    def __init__(self, data: bytes, path: str, type_names: Sequence[str]) -> None:
        self._data = data
        self._path = path
        self._type_names = type_names
        self._position = 0
        self._start = 0  # of what was read last
        self._label = ""
        self._blobs = BlobTable()
        self._graph = Graph()

    def read(self) -> Graph:
        """The whole file."""
        if not looks_binary(self._data):
            self._fail(f"this is no .param.bin file: the magic number {MAGIC} is missing")
        self._position = _INT.size
        layer_count = self._count("layers", 1)
        blob_count = self._count("blobs", 1)
        for index in range(layer_count):
            if self._position == len(self._data):
                self._start = self._position
                self._label = ""
                self._fail(f"the header says {layer_count} layers, the file has {index}")
            self._layer(index, blob_count)
        if len(self._blobs) < blob_count:
            self._graph.warnings.append(
                f"the header says {blob_count} blobs, the layers have {len(self._blobs)}"
            )
        if self._position < len(self._data):
            self._graph.warnings.append(
                f"the header says {layer_count} layers; the {len(self._data) - self._position} "
                "bytes that follow them are ignored, as ncnn does"
            )
        return self._graph

    def _take(self, size: int, what: str) -> int:
        """Go past `size` bytes and return where they begin."""
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
            self._fail(f"{count} is no number of {what}: ncnn takes {least} to {NET_LIMIT}")
        return count

    def _layer(self, index: int, blob_count: int) -> None:
        name = f"layer{index}"
        self._label = f"layer '{name}': "
        type_ = self._type()
        self._label = f"layer '{name}' ({type_}): "
        bottom_count = self._count("inputs", 0)
        top_count = self._count("outputs", 0)
        # The loops end with the file at the latest, however large the counts.
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
        if _CUSTOM_BIT <= index < 2 * _CUSTOM_BIT:
            return f"Custom{index - _CUSTOM_BIT}"
        self._fail(f"{index} is no layer type: {len(self._type_names)} are known")

    def _blob(self, blob_count: int) -> str:
        index = self._int("a blob number")
        if not 0 <= index < blob_count:
            self._fail(f"{index} is no blob number: the header says {blob_count} blobs")
        return str(index)

    def _params(self) -> dict[int, ParamValue]:
        params: dict[int, ParamValue] = {}
        while (mark := self._int("a parameter id")) != _END_OF_PARAMS:
            kind = _STRING if mark <= _STRING else _ARRAY if mark <= _ARRAY else 0
            id_ = mark if kind == 0 else kind - mark
            if not 0 <= id_ < PARAM_COUNT:
                self._fail(f"{mark} is no parameter id")
            if id_ in params:
                self._graph.warnings.append(
                    f"{self._label}parameter {id_} twice; ncnn takes the last"
                )
            if kind == _STRING:
                params[id_] = self._string()
            elif kind == _ARRAY:
                params[id_] = self._array()
            else:
                params[id_] = ParamValue.of_word(self._int("a parameter"))
        return params

    def _array(self) -> ParamValue:
        length = self._int("the length of an array")
        if length < 0:
            self._fail(f"{length} is no array length")
        start = self._take(length * _INT.size, f"an array of {length} elements")
        return ParamValue.of_words(struct.unpack_from(f"<{length}i", self._data, start))

    def _string(self) -> ParamValue:
        length = self._int("the length of a string")
        if not 0 <= length <= STRING_LIMIT:
            self._fail(f"{length} is no string length: ncnn takes 0 to {STRING_LIMIT}")
        start = self._take((length + 3) // 4 * 4, f"a string of {length} bytes")
        # ncnn hands strings on as C strings, so the first NUL ends them.
        text, _, _ = self._data[start : start + length].partition(b"\0")
        try:
            return ParamValue.of_str(text.decode())
        except UnicodeDecodeError:
            self._fail("a string is not UTF-8 text")

    def _fail(self, message: str) -> NoReturn:
        raise FormatError(self._path, f"{self._label}{message} (byte offset {self._start})")
