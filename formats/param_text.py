"""ncnn's text format for a model's structure, `.param`: reader and writer.

    7767517
    3 3
    Input         input    0 1 data 0=4 1=4 2=1
    InnerProduct  ip       1 1 data fc 0=10 1=1 2=80
    Softmax       softmax  1 1 fc prob 0=0

The file has a magic number, the counts of layers and blobs, then one line per layer: type, name,
numbers of inputs and outputs, their blobs, and parameters `id=value`. A value is an int, a float, a
string (`4=word`, `4="two words"`) or an array (`3=1.0,2.0`, or in the old style with its length,
`-23303=2,1.0,2.0`).

The reader accepts the files of ncnn 1.0.20261020 (`Net::load_param` in src/net.cpp,
`ParamDict::load_param` in src/paramdict.cpp) and returns the same values. It is stricter about

- a blob that no earlier layer produces, or that two layers produce (ncnn: an input without a layer,
  a blob that cannot be referenced);
- a blob name like a parameter, `0=1`, and a layer type with an equals sign: the line before is
  damaged;
- bytes that are not UTF-8, and NUL, where ncnn's behaviour depends on how it was called;
- PNNX's own IR, even if every layer happens to be readable.

It is more lenient about parameters that continue in a new line: ncnn read them up to 1.0.20260526,
but no longer, so they cause a warning. It does not know layer types and their parameters: ncnn
refuses unknown types and invalid values; this reader preserves them.

The writer uses the layout of ncnn's own tools (tools/modelwriter.h) and features that every version
of ncnn reads: old-style arrays, numbers of at most 15 characters.
"""

from __future__ import annotations

import re

from ._param_reader import OLD_ARRAY, PARAM_LIKE, PNNX_TYPES, ParamReader
from .errors import FormatError
from .graph import (
    MAGIC,
    NET_LIMIT,
    PARAM_COUNT,
    STRING_LIMIT,
    Graph,
    LayerRecord,
    ParamValue,
    check_graph,
    reserved_param_error,
)
from .numbers import format_float, word_to_float

_SPACE = re.compile(r"[ \t\n\v\f\r]")
# ncnn would keep a quote, too, but up to 1.0.20260526 not at the end.
_BARE = re.compile(r'[A-Za-z][^ \t\n\v\f\r"]*')
_BARE_WITH_QUOTE = re.compile(r"[A-Za-z][^ \t\n\v\f\r]*")
_QUOTABLE = re.compile(r'[^"\r\n]*')


def read_param_text(data: bytes, path: str) -> Graph:
    """Return the model structure in a `.param` file's bytes; `path` is for messages only.

    Redundant content goes to `Graph.warnings`. Other errors raise `FormatError` with line and
    column. Time and memory are proportional to the file's size, for any numbers in it.
    """
    if data.startswith(MAGIC.to_bytes(4, "little")):
        raise FormatError(path, "this is a binary .param.bin file, not a .param text file")
    if data.startswith(b"\xef\xbb\xbf"):
        raise FormatError(path, "the file begins with a byte order mark; ncnn refuses it", 1, 1)
    _check_bytes(data, path)
    return ParamReader(data, path).read()


def write_param_text(graph: Graph, path: str = "") -> str:
    """Return the `.param` text of a model structure; `path` is for messages only.

    It reads back as an equal graph. Raises `FormatError` for content that the format cannot
    represent: names with blanks or more than 255 bytes, some strings, infinity and NaN, numbers of
    unknown kind from a binary file (`word`, `words`: the caller knows the layer and must determine
    their kind), and graphs that `check_graph` refuses.
    """
    check_graph(graph, path)
    blob_count = graph.blob_count
    for count, what in ((len(graph.layers), "layers"), (blob_count, "blobs")):
        if not 0 < count <= NET_LIMIT:
            raise FormatError(path, f"{count} {what}: ncnn takes 1 to {NET_LIMIT}")
    lines = [str(MAGIC), f"{len(graph.layers)} {blob_count}"]
    for layer in graph.layers:
        try:
            lines.append(_format_layer(layer))
        except FormatError as error:
            message = f"layer '{layer.name}' ({layer.type}): {error.message}"
            raise FormatError(path, message, layer.line) from error
    return "\n".join(lines) + "\n"


def _check_bytes(data: bytes, path: str) -> None:
    try:
        data.decode()
        offset = data.find(b"\0")
        what = "a NUL byte"
    except UnicodeDecodeError as error:
        offset = error.start
        what = f"byte 0x{data[offset]:02x} is not UTF-8 text"
    if offset >= 0:
        before = data[:offset]
        row = len(before.splitlines()) - (not before.endswith((b"\n", b"\r"))) if before else 0
        start = max(before.rfind(b"\n"), before.rfind(b"\r")) + 1
        column = len(before[start:].decode()) + 1
        raise FormatError(path, f"{what} (byte offset {offset})", row + 1, column)


def _format_layer(layer: LayerRecord) -> str:
    _check_name(layer.type, "type")
    _check_name(layer.name, "name")
    if "=" in layer.type or layer.type in PNNX_TYPES:
        raise FormatError("", f"'{layer.type}' cannot be a layer type")
    for blob in (*layer.bottoms, *layer.tops):
        _check_name(blob, "blob name")
        if PARAM_LIKE.match(blob.encode()):
            raise FormatError("", f"a blob named '{blob}' would be read as a parameter")
    if error := reserved_param_error(layer.params, len(layer.tops)):
        raise FormatError("", f"parameter {error[0]}: {error[1]}")
    pieces = [
        f"{_pad(layer.type)} {_pad(layer.name)} {len(layer.bottoms)} {len(layer.tops)}",
        *layer.bottoms,
        *layer.tops,
    ]
    for id_, value in layer.params.items():
        if not 0 <= id_ < PARAM_COUNT:
            raise FormatError("", f"{id_} is not a parameter id")
        try:
            pieces.append(_format_param(id_, value))
        except FormatError as error:
            raise FormatError("", f"parameter {id_}: {error.message}") from error
    return " ".join(pieces)


def _pad(name: str) -> str:
    """Pad as C's `%-24s` does, which counts bytes."""
    return name + " " * (24 - len(name.encode()))


def _check_name(name: str, what: str) -> None:
    if not name or _SPACE.search(name) or "\0" in name:
        raise FormatError("", f"'{name}' cannot be a {what}: empty, or with a blank in it")
    if _byte_length(name) > STRING_LIMIT:
        raise FormatError("", f"a {what} of more than {STRING_LIMIT} bytes")


def name_error(name: str, what: str) -> str | None:
    """Return the reason a `.param` cannot contain a blob or layer of this name, if any."""
    try:
        _check_name(name, what)
    except FormatError as e:
        return e.message
    if PARAM_LIKE.match(name.encode()):
        return f"a {what} '{name}' would be read as a parameter"
    return None


def _byte_length(text: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        raise FormatError("", f"{text!r} is not Unicode text") from error


def _format_param(id_: int, value: ParamValue) -> str:
    match value.kind:
        case "int":
            return f"{id_}={value.words[0]}"
        case "float":
            return f"{id_}={format_float(word_to_float(value.words[0]))}"
        case "str":
            return f"{id_}={_format_string(value.text)}"
        case "array":
            elements = (
                format_float(word_to_float(word)) if is_float else str(word)
                for word, is_float in zip(value.words, value.float_flags, strict=True)
            )
            return ",".join((f"{OLD_ARRAY - id_}={len(value.words)}", *elements))
        case "word" | "words":
            # As an int it would be wrong for a layer that needs a float, and vice versa.
            raise FormatError(
                "", "it comes from a binary file, and its kind (int or float) is unknown"
            )


def _format_string(text: str) -> str:
    """Return the string bare if it reads back, else quoted.

    ncnn keeps everything between the quotes but has no escapes. So a string with a quote must be
    bare and cannot have blanks, and no string can have a line end. Up to 1.0.20260526 ncnn misreads
    quoted strings that begin with a blank or comma, or have 14 bytes without one; they have no
    other form.
    """
    if _byte_length(text) > STRING_LIMIT:
        raise FormatError("", f"a string of more than {STRING_LIMIT} bytes")
    if "\0" not in text:
        if _BARE.fullmatch(text):
            return text
        if _QUOTABLE.fullmatch(text):
            return f'"{text}"'
        if _BARE_WITH_QUOTE.fullmatch(text):
            return text
    raise FormatError("", f"the text format cannot express the string {text!r}")
