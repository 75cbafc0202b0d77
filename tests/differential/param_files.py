"""Reading `.param` files and lists of test cases without any code of the product."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from .nets import Shape

Value = int | float | str | tuple[int | float, ...]

LAYER_TABLE = Path(__file__).parents[1] / "unit" / "dialects" / "ncnn_layers.txt"
"""What ncnn's source says of its layers."""

_PARAM = re.compile(r'(-?\d+)=("[^"]*"|\S*)')


@dataclass(frozen=True)
class Line:
    """A layer of a `.param`."""

    kind: str
    name: str
    bottoms: tuple[str, ...]
    tops: tuple[str, ...]
    params: Mapping[int, Value]

    def resolved(self, ids: Sequence[int]) -> dict[int, Value | None]:
        """These parameters; where the file has none, the default."""
        return {id: self.resolve(id) for id in ids}

    def resolve(self, id: int) -> Value | None:
        """One parameter, by ncnn's own defaults; `None` where there is none that we know."""
        if id in self.params:
            return self.params[id]
        default = defaults().get(self.kind, {}).get(id)
        if isinstance(default, int):
            return self.resolve(default)
        return None if default is None else parse_default(default)


def same_layer(a: Line, b: Line) -> bool:
    """Whether two lines mean the same, however they are spelt."""
    ids = sorted({*a.params, *b.params})
    head = (a.kind, a.name, a.bottoms, a.tops) == (b.kind, b.name, b.bottoms, b.tops)
    return head and a.resolved(ids) == b.resolved(ids)


def read_lines(param: Path) -> list[Line]:
    """The layers of a `.param` whose head must be true of them."""
    magic, counts, *lines = param.read_text().splitlines()
    layers = [parse_line(line) for line in lines]
    blobs = {top for layer in layers for top in layer.tops}
    assert (magic, counts) == ("7767517", f"{len(layers)} {len(blobs)}")
    return layers


def parse_line(line: str) -> Line:
    """One line with a layer."""
    kind, name, inputs, outputs, *rest = line.split()
    blobs, bottoms = rest[: int(inputs) + int(outputs)], int(inputs)
    # A quoted text may have blanks, so the parameters are taken from the line itself.
    head = re.match(r"\s*" + r"\s+".join(r"\S+" for _ in range(4 + len(blobs))), line)
    assert head is not None
    params = parse_params(line[head.end() :])
    return Line(kind, name, tuple(blobs[:bottoms]), tuple(blobs[bottoms:]), params)


def parse_params(text: str) -> dict[int, Value]:
    """Parameters by id."""
    params: dict[int, Value] = {}
    for key, value in _PARAM.findall(text):
        id = int(key)
        if id <= -23300:
            length, *elements = value.split(",")
            assert int(length) == len(elements)
            params[-23300 - id] = tuple(parse_number(e) for e in elements)
        elif value.startswith('"') or value[:1].isalpha():
            params[id] = value.strip('"')
        elif "," in value:
            params[id] = tuple(parse_number(e) for e in value.split(","))
        else:
            params[id] = parse_number(value)
    assert not _PARAM.sub("", text).strip(), text
    return params


def parse_number(text: str) -> int | float:
    """An int, or a float32 as the nearest float."""
    return float(np.float32(text)) if re.search("[.eE]", text) else int(text)


def parse_default(text: str) -> Value | None:
    """A default as the table of layers has it."""
    if text == "expr":  # computed: a file that leaves it out must stay without
        return None
    if text == "[]":
        return ()
    if text == '""':
        return ""
    return float(np.float32(text.replace("FLT_MAX", "3.4028235e38")))


@cache
def defaults() -> Mapping[str, Mapping[int, str | int]]:
    """The defaults of each layer type by id: a text, or the id of a parameter that is copied."""
    table: dict[str, dict[int, str | int]] = {}
    for line in LAYER_TABLE.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        kind, *fields = line.partition("|")[0].split()
        params = [field.split(":") for field in fields]
        ids = {name: int(id) for id, name, _, _ in params}
        table[kind] = {
            int(id): ids[default[1:]] if default.startswith("=") else default
            for id, _, default, _ in params
        }
    return table


@dataclass(frozen=True)
class Case:
    """One layer as a test: its line and the shapes of its inputs."""

    kind: str
    inputs: tuple[Shape, ...]
    params: str
    outputs: int

    def __str__(self) -> str:
        shapes = ["x".join(map(str, shape)) for shape in self.inputs]
        return " ".join([self.kind, *shapes, *self.params.split()])


def read_cases(path: Path) -> list[Case]:
    """The cases in a file: type and shapes, parameters, number of outputs, between bars."""
    cases: list[Case] = []
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        head, params, outputs = (*line.split(" |"), "", "")[:3]
        kind, *shapes = head.split()
        inputs = tuple(tuple(int(n) for n in shape.split("x")) for shape in shapes)
        cases.append(Case(kind, inputs, params.strip(), int(outputs or 1)))
    return cases
