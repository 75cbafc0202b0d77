"""Small models as text and bytes, put together without any code of the product."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Number = int | float
Params = Mapping[int, Number | Sequence[Number]]
Shape = tuple[int, ...]

TAGS = {
    "float": 0x00000000,
    "scaled": 0x0002C056,
    "half": 0x01306B47,
    "bfloat": 0x01348B83,
    "int8": 0x000D4B38,
    "table": 0x00000001,
}
"""The word before a tagged weight, by how it is stored (ncnn's src/modelbin.cpp)."""

EXTENT_IDS = {1: (0,), 2: (1, 0), 3: (2, 1, 0), 4: (2, 11, 1, 0)}
"""The ids of the extents of Input and MemoryData, outermost first, by the number of dims."""

LOAD_TYPE = 21
"""The id of MemoryData's parameter that says whether there is a tag: 0 then."""


Front = Callable[["Net", str, Shape, bool, float], str]
"""Appends an input of this name, and layers that make a blob of this shape of it; returns that. The
rest is as for `Net.bare_input`."""


Values = Callable[[np.random.Generator, Shape], Array]
"""Makes the values of an input."""


@dataclass(frozen=True)
class Dress:
    """What varies in a net whatever it is made of."""

    front: Front | None = None
    """What stands between an input and those who read it."""
    constants: str = "float"
    """How a MemoryData is stored: `float`, or another of `TAGS`."""
    weights: str = "float"
    """How weights are that the net wants as float."""
    undeclared: bool = False
    """Whether the file tells the extents of no input."""
    values: Values | None = None
    """The values of the inputs, if they are not normal."""


PLAIN = Dress()

RARE = frozenset({"half", "int8", "Squeeze", "InnerProduct"})
"""Layers and storages of which tallies say how often nets had them."""

QUANTIZED = frozenset({"Convolution", "ConvolutionDepthWise", "InnerProduct"})
"""Layers whose parameter 8 says that they compute with int8."""

STEPS = frozenset({2, 3, 18, 19, 20})
"""UnaryOps that make whole numbers: floor, ceil, round, trunc, sign."""


class Net:
    """Collects layers, in the order of the file, and their weights."""

    def __init__(self, seed: int = 0, dress: Dress = PLAIN) -> None:
        self.rng = np.random.default_rng(seed)
        self.dress = dress
        self.inputs: dict[str, Array] = {}
        self.undeclared = set[str]()
        """Inputs of which the file does not even tell how many dims they have."""
        self.traits = set[str]()
        """What there is in it of what is rare."""
        self.quantizes = False
        """Whether it computes with int8: values that are almost the same may differ by a step."""
        self.has_steps = False
        """Whether it makes whole numbers: they may differ by 1."""
        self._lines: list[str] = []
        self._tops: list[str] = []
        self._read: set[str] = set()
        self._weights = bytearray()

    def input(
        self,
        name: str,
        shape: Shape,
        declared: bool | Shape = True,
        scale: float = 1.0,
        layer: str | None = None,
    ) -> str:
        """A blob of this shape that comes from an input of this name, or that input itself. Its
        values are normal, times a scale; `declared`: the file tells its extents, or these. `layer`
        is the name of the Input, that of the blob unless it is given."""
        if self.dress.front is not None:
            return self.dress.front(self, name, shape, bool(declared), scale)
        return self.bare_input(name, shape, declared, scale, layer)

    def bare_input(
        self,
        name: str,
        shape: Shape,
        declared: bool | Shape = True,
        scale: float = 1.0,
        layer: str | None = None,
    ) -> str:
        """An Input layer."""
        values = self.dress.values
        normal = self.normal(*shape, scale=scale)
        self.inputs[name] = normal if values is None else values(self.rng, shape)
        if declared is False or self.dress.undeclared:
            self.undeclared.add(name)
            return self.layer("Input", (), name, name=layer)
        told = shape if declared is True else declared
        return self.layer("Input", (), name, extents(told), name=layer)

    @classmethod
    def of(cls, text: str, weights: bytes, inputs: Mapping[str, Array]) -> "Net":
        """A net from the text of a `.param`, its `.bin` and the values of its inputs."""
        net = cls()
        for line in text.splitlines()[2:]:
            words = line.split()
            bottoms = int(words[2])
            blobs = words[4 : 4 + bottoms + int(words[3])]
            params = words[4 + len(blobs) :]
            net.layer(words[0], blobs[:bottoms], blobs[bottoms:], name=words[1])
            net._lines[-1] = line
            net.quantizes |= words[0] in QUANTIZED and any(p.startswith("8=") for p in params)
            net.has_steps |= words[0] == "UnaryOp" and any(f"0={i}" in params for i in STEPS)
            if words[0] == "Input" and not params:
                net.undeclared.add(words[4])
        net.inputs.update(inputs)
        net._weights += weights
        return net

    def expose(self, count: int) -> None:
        """Make outputs, by Splits, of so many blobs that layers read, if there are so many."""
        read, made = sorted(self._read), 0
        for blob in [read[int(i)] for i in self.rng.permutation(len(read))[:count]]:
            inner, outer = f"{blob}_read", f"{blob}_shown"
            for at, line in enumerate(self._lines):
                words = line.split()
                last = 4 + int(words[2])
                if blob in words[4:last]:
                    words[words.index(blob, 4)] = inner
                    self._lines[at] = " ".join(words)
                elif blob in words[last : last + int(words[3])]:
                    made = at
            self._lines.insert(made + 1, f"Split split_{blob} 1 2 {blob} {inner} {outer}")
            self._tops += [inner, outer]
            self._read.add(inner)

    def layer(
        self,
        kind: str,
        bottoms: str | Sequence[str],
        tops: str | Sequence[str],
        params: Params | str | None = None,
        name: str | None = None,
    ) -> str:
        """A layer, named as its first top unless told otherwise; returns that top."""
        bottoms = [bottoms] if isinstance(bottoms, str) else bottoms
        tops = [tops] if isinstance(tops, str) else tops
        self.traits |= {kind} & RARE
        if not isinstance(params, str):
            params = params or {}
            self.quantizes |= kind in QUANTIZED and bool(params.get(8))
            self.has_steps |= kind == "UnaryOp" and params.get(0) in STEPS
            params = " ".join(format_param(id, value) for id, value in params.items())
        head = [kind, name or tops[0], str(len(bottoms)), str(len(tops))]
        self._lines.append(" ".join([*head, *bottoms, *tops, params]).rstrip())
        self._tops += tops
        self._read.update(bottoms)
        return tops[0] if tops else ""

    def constant(self, name: str, values: Array, layer: str | None = None) -> str:
        """A MemoryData layer, named as its blob unless told otherwise."""
        params = dict(extents(values.shape))
        if self.dress.constants == "float":
            self.plain(values)
        else:
            self.tagged(values, self.dress.constants)
            params[LOAD_TYPE] = 0
        return self.layer("MemoryData", (), name, params, layer)

    def tagged(self, values: Array, storage: str = "float") -> None:
        """A weight with a tag before it that says how it is stored."""
        storage = self.dress.weights if storage == "float" else storage
        self.traits |= {storage} & RARE
        self._weights += TAGS[storage].to_bytes(4, "little")
        data = encode(values, storage)
        self._weights += data + bytes(-len(data) % 4)

    def packed(self, count: int) -> None:
        """That many bytes without a tag."""
        self._weights += self.rng.bytes(count) + bytes(-count % 4)

    def plain(self, values: Array) -> None:
        """A weight without a tag: float32."""
        self._weights += values.astype("<f4").tobytes()

    def normal(self, *shape: int, scale: float = 1.0) -> Array:
        """Random values around 0."""
        return (self.rng.standard_normal(shape) * scale).astype("f4")

    def positive(self, *shape: int) -> Array:
        """Random values between 0.5 and 1.5."""
        return self.rng.uniform(0.5, 1.5, shape).astype("f4")

    @property
    def outputs(self) -> list[str]:
        """The blobs that no layer reads."""
        return [top for top in self._tops if top not in self._read]

    @property
    def computed(self) -> list[str]:
        """The outputs that layers compute."""
        return [name for name in self.outputs if name not in self.inputs]

    def text(self) -> str:
        """The `.param`."""
        head = ["7767517", f"{len(self._lines)} {len(self._tops)}"]
        return "\n".join([*head, *self._lines]) + "\n"

    def write(self, folder: Path, stem: str = "net") -> Path:
        """Writes both files; returns the path of the `.param`."""
        path = folder / f"{stem}.param"
        fresh(path).write_text(self.text())
        fresh(path.with_suffix(".bin")).write_bytes(self._weights)
        return path


def extents(shape: Shape) -> dict[int, int]:
    """The parameters of an Input or MemoryData of a shape."""
    return dict(zip(EXTENT_IDS[len(shape)], shape, strict=True))


def fresh(path: Path) -> Path:
    """A path with no file any more. (What overwrites a file goes to the disk at once on ext4, and
    takes a hundred times as long as a new one.)"""
    path.unlink(missing_ok=True)
    return path


def encode(values: Array, storage: str) -> bytes:
    """The values as near as this storage comes to them."""
    match storage:
        case "half":
            with np.errstate(over="ignore"):  # what is too large becomes infinite
                return values.astype("<f2").tobytes()
        case "bfloat":
            return (values.astype("<f4").view("<u4") >> 16).astype("<u2").tobytes()
        case "int8":
            return np.clip(values * 50, -127, 127).astype("i1").tobytes()
        case "table":
            table = np.linspace(values.min(), values.max(), 256, dtype="<f4")
            indices = np.searchsorted(table, values).clip(0, 255).astype("u1")
            return table.tobytes() + indices.tobytes()
        case _:
            return values.astype("<f4").tobytes()


def format_param(id: int, value: Number | Sequence[Number]) -> str:
    """A parameter as the text has it; arrays with their length, as ncnn's own tools write them."""
    if isinstance(value, Sequence):
        return f"{-23300 - id}={','.join([str(len(value)), *map(format_number, value)])}"
    return f"{id}={format_number(value)}"


def format_number(value: Number) -> str:
    """A float has a point or an exponent, an int has not."""
    return f"{value:.9e}" if isinstance(value, float) else str(value)


def layer_types(param: Path) -> list[str]:
    """The types of the layers of a `.param`, in order."""
    return [line.split()[0] for line in param.read_text().splitlines()[2:]]
