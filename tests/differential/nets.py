"""Small models as text and bytes, put together without any code of the product."""

from collections.abc import Mapping, Sequence
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


class Net:
    """Collects layers, in the order of the file, and their weights."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        self.inputs: dict[str, Array] = {}
        self._lines: list[str] = []
        self._tops: list[str] = []
        self._read: set[str] = set()
        self._weights = bytearray()

    def input(self, name: str, shape: Shape, declared: bool = True) -> str:
        """An Input layer; `declared`: the file tells its extents. Values are random."""
        self.inputs[name] = self.normal(*shape)
        extents = dict(zip(EXTENT_IDS[len(shape)], shape, strict=True)) if declared else {}
        return self.layer("Input", (), name, extents)

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
        if not isinstance(params, str):
            params = " ".join(format_param(id, value) for id, value in (params or {}).items())
        head = [kind, name or tops[0], str(len(bottoms)), str(len(tops))]
        self._lines.append(" ".join([*head, *bottoms, *tops, params]).rstrip())
        self._tops += tops
        self._read.update(bottoms)
        return tops[0] if tops else ""

    def constant(self, name: str, values: Array) -> str:
        """A MemoryData layer."""
        self.plain(values)
        return self.layer(
            "MemoryData", (), name, dict(zip(EXTENT_IDS[values.ndim], values.shape, strict=True))
        )

    def tagged(self, values: Array, storage: str = "float") -> None:
        """A weight with a tag before it that says how it is stored."""
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


def fresh(path: Path) -> Path:
    """A path with no file any more. (What overwrites a file goes to the disk at once on ext4, and
    takes a hundred times as long as a new one.)"""
    path.unlink(missing_ok=True)
    return path


def encode(values: Array, storage: str) -> bytes:
    """The values as near as this storage comes to them."""
    match storage:
        case "half":
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
        elements = ",".join(format_number(v) for v in value)
        return f"{-23300 - id}={len(value)},{elements}"
    return f"{id}={format_number(value)}"


def format_number(value: Number) -> str:
    """A float has a point or an exponent, an int has not."""
    return f"{value:.9e}" if isinstance(value, float) else str(value)


def layer_types(param: Path) -> list[str]:
    """The types of the layers of a `.param`, in order."""
    return [line.split()[0] for line in param.read_text().splitlines()[2:]]
