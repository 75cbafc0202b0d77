"""The reader behind `param_text.read_param_text`, which documents its input."""

from __future__ import annotations

import re
from typing import NoReturn

from ._param_values import InvalidValue, parse_quoted, parse_value, shorten
from .errors import FormatError
from .graph import (
    MAGIC,
    NET_LIMIT,
    PARAM_COUNT,
    SHAPE_HINT_ID,
    STRING_LIMIT,
    BlobTable,
    Graph,
    LayerRecord,
    ParamValue,
    reserved_param_error,
)
from .numbers import parse_int

# Lines have no line ends, so of C's isspace() these four characters remain.
_TOKEN = re.compile(rb"[^ \t\v\f]+")
_PARAM = re.compile(rb"[ \t\v\f]*([+-]?[0-9]{1,14})=([^ \t\v\f]*)")
PARAM_LIKE = re.compile(rb"[+-]?[0-9]+=")

PNNX_TYPES = ("pnnx.Input", "pnnx.Output")
_PNNX_KEY = re.compile(rb"[@#$][^=]*=")
_NAMED_KEY = re.compile(rb"[A-Za-z_][A-Za-z0-9_.]*=")

OLD_ARRAY = -23300
"""Old-style array ids count down from here: id 3 is written -23303."""


class ParamReader:
    """Reads one file, front to back. `row` and `end` are the position, 0-based."""

    def __init__(self, data: bytes, path: str) -> None:
        self._path = path
        self._lines = data.splitlines()
        self._row = 0
        self._start = 0  # start of the last token
        self._end = 0
        self._index = 0  # index of the present layer
        self._blobs = BlobTable()
        self._graph = Graph()
        # For a layer whose head continues in the next line: its index and the deferred error.
        self._cut: tuple[int, FormatError] | None = None

    def read(self) -> Graph:
        """Return the whole file."""
        magic = self._next()
        if magic is None:
            self._fail_at_end("the file is empty")
        if parse_int(magic.decode()) != MAGIC:
            self._fail(
                f"this is not a .param file: it begins with '{_show(magic)}' "
                f"and not with the magic number {MAGIC}"
            )
        layer_count, layer_place = self._header_count("layers")
        blob_count, blob_place = self._header_count("blobs")
        while self._index < layer_count:
            if not self._layer():
                self._fail(
                    f"the header declares {layer_count} layers, but the file has {self._index}",
                    *layer_place,
                )
            self._index += 1
        if len(self._blobs) > blob_count:
            self._fail(
                f"the header declares {blob_count} blobs, but the layers have {len(self._blobs)}",
                *blob_place,
            )
        if len(self._blobs) < blob_count:
            self._warn(
                f"the header declares {blob_count} blobs, but the layers have {len(self._blobs)}"
            )
        ignored = sum(1 for line in self._lines[self._row + 1 :] if _TOKEN.search(line))
        if ignored:
            self._warn(
                f"the header declares {layer_count} layers; the {ignored} lines that follow them "
                "are ignored, as ncnn does"
            )
        return self._graph

    def _next(self) -> bytes | None:
        """Return the next token between blanks and line ends, or `None` at the end of the file."""
        while self._row < len(self._lines):
            match = _TOKEN.search(self._lines[self._row], self._end)
            if match is not None:
                self._start, self._end = match.span()
                return match.group()
            self._row += 1
            self._end = 0
        return None

    def _header_count(self, what: str) -> tuple[int, tuple[int, int]]:
        token = self._next()
        if token is None:
            self._fail_at_end(f"the file ends before the number of {what}")
        count = parse_int(token.decode())
        if count is None:
            self._fail(f"expected the number of {what}, found '{_show(token)}'")
        if not 0 < count <= NET_LIMIT:
            self._fail(f"{count} is not a valid number of {what}: ncnn takes 1 to {NET_LIMIT}")
        return count, (self._row, self._start)

    def _layer(self) -> bool:
        """Read one layer into the graph. Return false at the end of the file."""
        token = self._next()
        if token is None:
            return False
        head_row = self._row
        type_ = self._text(token, "a layer type")
        if type_ in PNNX_TYPES:
            self._fail_pnnx(type_)
        if "=" in type_:
            self._fail(f"expected a layer, found '{_show(token)}'")
        label = f"layer {self._index + 1} ({type_})"
        name = self._text(self._head_token("name", label, head_row), "a layer name")
        label = f"layer '{name}'"
        bottom_count = self._count("inputs", label, head_row)
        top_count = self._count("outputs", label, head_row)
        # The loops end with the file at the latest, for any counts.
        bottoms: list[str] = []
        for position in range(bottom_count):
            blob = self._blob(f"input {position + 1} of {bottom_count}", label, head_row)
            if error := self._blobs.bottom_error(name, blob):
                self._fail(error)
            bottoms.append(blob)
        tops: list[str] = []
        for position in range(top_count):
            blob = self._blob(f"output {position + 1} of {top_count}", label, head_row)
            if error := self._blobs.top_error(name, blob):
                self._fail(error)
            tops.append(blob)
        layer = LayerRecord(type_, name, tuple(bottoms), tuple(tops), {}, head_row + 1)
        self._params(layer, label)
        self._graph.layers.append(layer)
        return True

    def _head_token(self, what: str, label: str, head_row: int) -> bytes:
        token = self._next()
        if self._row != head_row and (self._cut is None or self._cut[0] != self._index):
            # ncnn continues in the next line. The author hardly intended that, so this error takes
            # precedence over later ones.
            end = len(self._lines[head_row])
            cut = self._error(f"{label} is cut short: no {what} in its line", head_row, end)
            self._cut = (self._index, cut)
            if token is not None:
                self._warn(f"{label}: its {what} is read from the next line", head_row)
        if token is None:
            self._fail_at_end(f"{label}: the file ends before its {what}")
        return token

    def _text(self, token: bytes, what: str) -> str:
        if len(token) > STRING_LIMIT:
            self._fail(f"{what} of {len(token)} bytes: ncnn reads at most {STRING_LIMIT}")
        return token.decode()

    def _count(self, what: str, label: str, head_row: int) -> int:
        token = self._head_token(f"number of {what}", label, head_row)
        count = parse_int(token.decode())
        if count is None:
            self._fail(f"{label}: expected its number of {what}, found '{_show(token)}'")
        if not 0 <= count <= NET_LIMIT:
            self._fail(
                f"{label}: {count} is not a valid number of {what}: ncnn takes 0 to {NET_LIMIT}"
            )
        return count

    def _blob(self, what: str, label: str, head_row: int) -> str:
        token = self._head_token(what, label, head_row)
        if PARAM_LIKE.match(token):
            self._fail(f"{label}: expected {what}, found the parameter '{_show(token)}'")
        return self._text(token, f"{label}: a blob name")

    def _params(self, layer: LayerRecord, label: str) -> None:
        """Read the rest of the line, and following lines that begin with a parameter."""
        places: dict[int, tuple[int, int]] = {}
        while True:
            line = self._lines[self._row]
            while (match := _PARAM.match(line, self._end)) is not None:
                self._start, self._end = match.start(1), match.end()
                id_ = int(match[1])
                old_array = id_ <= OLD_ARRAY
                if old_array:
                    id_ = OLD_ARRAY - id_
                if not 0 <= id_ < PARAM_COUNT:
                    self._fail(f"{label}: {match[1].decode()} is not a parameter id")
                if id_ in layer.params:
                    self._warn(f"{label}: parameter {id_} twice; ncnn takes the last")
                if id_ >= SHAPE_HINT_ID:
                    places[id_] = self._row, self._start
                value = parse_value(match[2], old_array)
                if isinstance(value, InvalidValue):
                    value = self._quoted(match, old_array, value, f"{label}: parameter {id_}")
                layer.params[id_] = value
            if (match := _TOKEN.search(line, self._end)) is not None:
                self._bad_param(match, layer.type, label)
            if not self._continue_params(label):
                break
        if error := reserved_param_error(layer.params, len(layer.tops)):
            self._fail(f"{label}: parameter {error[0]}: {error[1]}", *places[error[0]])

    def _quoted(
        self, match: re.Match[bytes], old_array: bool, refusal: InvalidValue, label: str
    ) -> ParamValue:
        """Return the string that begins in a value, if any; it may contain blanks."""
        if match[2].startswith(b'"') and not old_array:
            result = parse_quoted(match.string, match.start(2))
            if not isinstance(result, InvalidValue):
                value, self._end = result
                return value
            refusal = result
        self._fail(f"{label}: {refusal.message}", start=match.start(2) + refusal.offset)

    def _continue_params(self, label: str) -> bool:
        """Advance to the next non-empty line if it begins with a parameter."""
        for row in range(self._row + 1, len(self._lines)):
            match = _TOKEN.search(self._lines[row])
            if match is None:
                continue
            if PARAM_LIKE.match(match.group()) is None:
                break
            self._row, self._end = row, 0
            self._warn(
                f"{label} continues in a new line, which ncnn 1.0.20261020 does not read", row
            )
            return True
        return False

    def _bad_param(self, match: re.Match[bytes], type_: str, label: str) -> NoReturn:
        token = match.group()
        self._start = match.start()
        foreign_type = "." in type_ or "::" in type_
        if _PNNX_KEY.match(token) or (foreign_type and _NAMED_KEY.match(token)):
            self._fail_pnnx(_show(token))
        self._fail(f"{label}: expected id=value, found '{_show(token)}'")

    def _warn(self, message: str, row: int | None = None) -> None:
        place = "" if row is None else f"line {row + 1}: "
        self._graph.warnings.append(place + message)

    def _error(self, message: str, row: int, start: int) -> FormatError:
        column = len(self._lines[row][:start].decode(errors="replace")) + 1 if self._lines else 1
        return FormatError(self._path, message, row + 1, column)

    def _fail(self, message: str, row: int | None = None, start: int | None = None) -> NoReturn:
        """Raise an error, by default at the last token."""
        row = self._row if row is None else row
        error = self._error(message, row, self._start if start is None else start)
        if self._cut is not None and self._index - self._cut[0] <= 1:
            raise self._cut[1] from error
        raise error

    def _fail_at_end(self, message: str) -> NoReturn:
        row = max(len(self._lines) - 1, 0)
        self._fail(message, row, len(self._lines[row]) if self._lines else 0)

    def _fail_pnnx(self, evidence: str) -> NoReturn:
        file = "the .ncnn.param file"
        if self._path.endswith(".pnnx.param"):
            file = self._path.removesuffix(".pnnx.param") + ".ncnn.param"
        self._fail(
            f"this is PNNX's own IR ('{evidence}'), not an ncnn model, though the magic number "
            f"is the same; use {file}, which pnnx writes beside it"
        )


def _show(token: bytes) -> str:
    """Return a token in a form for messages."""
    return shorten(token.decode())
