"""PNNX's own IR as text, `.pnnx.param`: reader and writer (`Graph::load` and `Graph::save` in
PNNX's src/ir.cpp).

    7767517
    4 3
    pnnx.Input    pnnx_input_0  0 1 0 #0=(1,4)f32
    nn.Linear     fc            1 1 0 1 bias=True in_features=4 out_features=2 @bias=(2)f32 …
    torch.unbind  torch.unbind_7  1 2 1 2 3 dim=1 $input=1 #1=(1,2)f32 #2=(1)f32 #3=(1)f32
    pnnx.Output   pnnx_output_0 2 0 2 3

The file has a magic number, the counts of operators and operands, then one line per operator: type,
name, numbers of inputs and outputs, their names. Then follow, in any order, parameters `key=value`,
weights `@key=shape`, input names `$key=operand`, and shapes `#operand=shape`. The values of the
weights are in a `.pnnx.bin` (`pnnx_bin.py`).

The reader accepts PNNX's files. Unlike PNNX's reader it refuses operands that no earlier line
defines or that two lines define, contradicting shapes, duplicate keys, and numbers beyond 32 bits.
Lists are in round brackets; a value in square brackets is a string.
"""

from __future__ import annotations

import re
from typing import NoReturn

from .errors import FormatError
from .pnnx_graph import PnnxGraph, PnnxOperator, TensorShape
from .pnnx_values import BadValue, format_param, format_shape, parse_param, parse_shape

MAGIC = b"7767517"
MAX_OPERATORS = 10_000_000
_BLANKS = " \t\n\v\f\r"
_TOKEN = re.compile(rf"[^{_BLANKS}]+")


def looks_like_pnnx(data: bytes) -> bool:
    """Whether this is the content of a `.pnnx.param`: the first operator is PNNX's."""
    lines = data[:4096].split(b"\n", 3)
    return len(lines) > 2 and lines[0].strip() == MAGIC and lines[2].startswith(b"pnnx.")


def read_pnnx_param(data: bytes, path: str) -> PnnxGraph:
    """Return the graph in a `.pnnx.param`; `path` is for messages only.

    Raises `FormatError` with line and column. Time and memory are proportional to the file's size,
    for any numbers in it.
    """
    return _Reader(data, path).read()


def write_pnnx_param(graph: PnnxGraph, path: str = "") -> str:
    """Return the text of a graph in PNNX's layout. Raises `FormatError` for names with blanks."""
    operands = dict.fromkeys(name for op in graph.operators for name in (*op.inputs, *op.outputs))
    lines = [MAGIC.decode(), f"{len(graph.operators)} {len(operands)}"]
    lines += [_line(graph, op, path) for op in graph.operators]
    return "\n".join(lines) + "\n"


def _line(graph: PnnxGraph, op: PnnxOperator, path: str) -> str:
    words = [f"{op.type:<24} {op.name:<24} {len(op.inputs)} {len(op.outputs)}"]
    words += [*op.inputs, *op.outputs]
    words += [f"{key}={format_param(value)}" for key, value in sorted(op.params.items())]
    words += [f"@{key}={format_shape(shape)}" for key, shape in sorted(op.weights.items())]
    words += [f"${k}={name}" for k, name in zip(op.keys, op.inputs, strict=False) if k]
    operands = [name for name in (*op.inputs, *op.outputs) if name in graph.shapes]
    words += [f"#{name}={format_shape(graph.shapes[name])}" for name in operands]
    names = [op.type, op.name, *op.inputs, *op.outputs, *op.params, *op.weights, *op.keys]
    values = [format_param(value) for value in op.params.values()]
    for text in (*names, *values):
        if any(c in _BLANKS or c == "\0" for c in text) or (not text and text not in op.keys):
            raise FormatError(path, f"operator '{op.name}': a .pnnx.param cannot hold '{text}'")
    return " ".join(words)


class _Reader:
    """Reads one file, front to back. `row` is the present line, 0-based."""

    def __init__(self, data: bytes, path: str) -> None:
        self._path = path
        self._row = 0
        self._column = 0
        try:
            text = data.decode()
        except UnicodeDecodeError as e:
            self._row = data.count(b"\n", 0, e.start)
            self._fail("the file is not UTF-8 text")
        if (at := data.find(b"\0")) >= 0:
            self._row = data.count(b"\n", 0, at)
            self._fail("the file contains a NUL byte")
        self._lines = text.split("\n")
        self._graph = PnnxGraph()
        self._made: set[str] = set()
        self._weights: set[str] = set()

    def read(self) -> PnnxGraph:
        """Return the whole file."""
        if self._lines[0].strip() != MAGIC.decode():
            self._fail(f"this is not a .pnnx.param file: it does not begin with {MAGIC.decode()}")
        self._row = 1
        header = self._lines[1].split() if len(self._lines) > 1 else []
        if len(header) != 2 or not all(n.isdecimal() and len(n) < 10 for n in header):
            self._fail("expected the numbers of operators and operands")
        operators, operands = map(int, header)
        if not 0 < operators <= MAX_OPERATORS:
            self._fail(f"{operators} is not a valid number of operators")
        for i in range(operators):
            self._row, self._column = i + 2, 0
            if self._row >= len(self._lines) or not self._lines[self._row].strip():
                self._row, self._column = 1, 0
                self._fail(f"the header declares {operators} operators, but the file has {i}")
            self._operator(self._lines[self._row])
        if operands != len(self._made):
            self._graph.warnings.append(
                f"the header declares {operands} operands, but the operators have {len(self._made)}"
            )
        if ignored := sum(1 for line in self._lines[operators + 2 :] if line.strip()):
            self._graph.warnings.append(
                f"the header declares {operators} operators; the {ignored} lines that follow them "
                "are ignored, as PNNX does"
            )
        return self._graph

    def _operator(self, line: str) -> None:
        tokens = [(m.group(), m.start()) for m in _TOKEN.finditer(line.rstrip("\r"))]
        if len(tokens) < 4:
            self._fail("the operator is cut short: it needs a type, a name and two counts")
        (type_, _), (name, _) = tokens[:2]
        counts: list[int] = []
        for text, self._column in tokens[2:4]:
            if not text.isdecimal() or len(text) > 8:
                self._fail(f"operator '{name}': '{text[:40]}' is not a valid number of operands")
            counts.append(int(text))
        blobs = [text for text, _ in tokens[4 : 4 + sum(counts)]]
        if len(blobs) < sum(counts):
            self._fail(f"operator '{name}': {sum(counts)} operands, but {len(blobs)} are given")
        op = PnnxOperator(
            type_, name, tuple(blobs[: counts[0]]), tuple(blobs[counts[0] :]), line=self._row + 1
        )
        for (text, self._column), maker in zip(
            tokens[4:], [False] * counts[0] + [True] * counts[1], strict=False
        ):
            if maker == (text in self._made):
                state = "is made twice" if maker else "is used, but no earlier operator defines it"
                self._fail(f"operator '{name}': operand '{text[:60]}' {state}")
            if maker:
                self._made.add(text)
        for text, self._column in tokens[4 + sum(counts) :]:
            self._pair(op, text)
        self._graph.operators.append(op)

    def _pair(self, op: PnnxOperator, text: str) -> None:
        key, equals, value = text.partition("=")
        kind = key[:1] if key[:1] in "@$#" else ""
        name = key.removeprefix(kind)
        if not equals or not name or not value:
            self._fail(f"operator '{op.name}': expected key=value, found '{text[:60]}'")
        try:
            if kind == "":
                if name in op.params:
                    self._fail(f"operator '{op.name}': '{name[:60]}' is there twice")
                op.params[name] = parse_param(name, value)
            elif kind == "@":
                self._weight(op, name, parse_shape(value))
            elif kind == "$":
                self._input_key(op, name, value)
            else:
                self._shape(op, name, parse_shape(value))
        except BadValue as e:
            self._fail(f"operator '{op.name}': {key[:60]}: {e}")

    def _weight(self, op: PnnxOperator, key: str, shape: TensorShape) -> None:
        if None in shape.extents:
            self._fail(f"operator '{op.name}': weight '{key[:60]}' has an unknown extent")
        member = f"{op.name}.{key}"
        if member in self._weights:
            self._fail(f"operator '{op.name}': there are two weights '{member[:60]}'")
        self._weights.add(member)
        op.weights[key] = shape

    def _input_key(self, op: PnnxOperator, key: str, operand: str) -> None:
        keys = list(op.keys or [""] * len(op.inputs))
        free = [i for i, n in enumerate(op.inputs) if n == operand and not keys[i]]
        if not free:
            self._fail(f"operator '{op.name}': '{operand[:60]}' is not one of its inputs")
        keys[free[0]] = key
        op.keys = tuple(keys)

    def _shape(self, op: PnnxOperator, operand: str, shape: TensorShape) -> None:
        if operand not in op.inputs and operand not in op.outputs:
            self._fail(f"operator '{op.name}': '{operand[:60]}' is not one of its operands")
        known = self._graph.shapes.setdefault(operand, shape)
        if known != shape:
            self._fail(
                f"operator '{op.name}': operand '{operand}' is {format_shape(shape)} here and "
                f"{format_shape(known)} in an earlier line"
            )

    def _fail(self, message: str) -> NoReturn:
        raise FormatError(self._path, message, self._row + 1, self._column + 1)
