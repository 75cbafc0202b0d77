"""Samples, and the sources of their values: images, arrays in files, and arrays in memory.

A source has the shape of its values before it reads them. So all samples are checked first, and a
wrong one is an error at the start, not after hours.
"""

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ..dialects.ncnn.blob import extents_of
from ..dialects.ncnn.weight_specs import Shape
from ..formats.errors import UsageError
from ..formats.numpy_arrays import read_numpy
from ..interpreters.inputs import is_embedding_index
from .images import Preprocessing, image_blob, image_extents, image_size, read_image

Array = NDArray[Any]


@dataclass(frozen=True)
class ImageFile:
    """An image, which becomes a blob when it is read."""

    place: str
    how: Preprocessing

    def identity(self) -> str:
        """Return a text that is equal for equal content that is read in the same way."""
        return f"{description_of(self.place)} {self.how}"

    def shape(self, arg: SSAValue, resize: bool) -> Shape:
        """Return the shape of the blob. A resized image has the extents of its input."""
        extents = image_extents(arg)
        if len(extents) != 3:
            return tuple(n or 1 for n in extents)  # `image_blob` reports that it cannot be an image
        own = (4 if self.how.alpha else 3, *image_size(self.place))
        return tuple(
            n if n is not None and (resize or not i) else m
            for i, (n, m) in enumerate(zip(extents, own, strict=True))
        )

    def read(self, name: str, arg: SSAValue) -> Array:
        """Return the blob of an input. Raises `UsageError` and `OSError`."""
        return image_blob(read_image(self.place), image_extents(arg), self.how, name)


@dataclass(frozen=True)
class ArrayFile:
    """A `.npy`, or one entry of its outermost axis."""

    path: str
    index: int | None = None
    row: Shape | None = None
    """The shape of an entry."""

    @property
    def place(self) -> str:
        """The name in messages."""
        return self.path if self.index is None else f"{self.path}[{self.index}]"

    def identity(self) -> str:
        """Return a text that is equal for equal content."""
        return f"{description_of(self.path)} {self.index}"

    def shape(self, arg: SSAValue, resize: bool) -> Shape:
        """Return the shape of the array."""
        return array_in(self.path, mmap_mode="r").shape if self.row is None else self.row

    def read(self, name: str, arg: SSAValue) -> Array:
        """Return the array in the type of the input. Raises `UsageError` and `OSError`."""
        if self.index is None:
            return _checked(name, arg, array_in(self.path), self.place)
        # Map the file for each sample: pages of a mapping count as memory of this process.
        return _checked(name, arg, array_in(self.path, "r")[self.index], self.place)


@dataclass(frozen=True)
class Values:
    """An array in memory."""

    place: str
    values: Array
    content: str
    """A text that identifies the content."""

    def identity(self) -> str:
        """Return a text that is equal for equal content."""
        return self.content

    def shape(self, arg: SSAValue, resize: bool) -> Shape:
        """Return the shape of the array."""
        return self.values.shape

    def read(self, name: str, arg: SSAValue) -> Array:
        """Return the array in the type of the input. Raises `UsageError`."""
        return _checked(name, arg, self.values, self.place)


Source: TypeAlias = ImageFile | ArrayFile | Values
Row: TypeAlias = Mapping[str, Source]
"""A sample: the source of each input by name."""


@dataclass(frozen=True)
class Samples:
    """Values for the inputs of a model, several times. They are read on demand."""

    inputs: Mapping[str, SSAValue]
    rows: Sequence[Row]

    def names(self) -> Sequence[str]:
        """Return the name of each sample in messages."""
        return [next(iter(row.values())).place for row in self.rows]

    def load(self, index: int) -> Mapping[str, Array]:
        """Return the inputs of a sample by name. Raises `UsageError`, `FormatError` and
        `OSError`."""
        return {name: each.read(name, self.inputs[name]) for name, each in self.rows[index].items()}

    def digest(self) -> str:
        """Return a text that is equal for equal samples that are read in the same way."""
        texts = [f"{name}={each.identity()}" for row in self.rows for name, each in row.items()]
        return hashlib.sha256("\n".join(texts).encode(errors="surrogateescape")).hexdigest()

    def first(self, count: int | None) -> "Samples":
        """Return the first samples, or all."""
        return replace(self, rows=self.rows[:count])


def as_blob(name: str, arg: SSAValue, values: Array) -> Array:
    """Return values in the type of the runtime: int32 for indices, else float32. Raises
    `UsageError` for elements that are not numbers."""
    if values.dtype.kind not in "fiub":
        raise UsageError(f"input '{name}' has elements of {values.dtype}, which are no numbers")
    if not is_embedding_index(arg):
        return values.astype(np.float32)
    if (values != np.rint(values)).any() or (np.abs(values) >= 2**31).any():
        raise UsageError(f"input '{name}' holds indices: integers of 32 bits")
    return values.astype(np.int32)


def array_in(path: str, mmap_mode: Literal["r"] | None = None) -> Array:
    """Return the array in a `.npy`. Raises `UsageError`."""
    values = read_numpy(path, path, mmap_mode)
    if not isinstance(values, np.ndarray):
        raise UsageError(f"{path}: this is a .npz by its content")
    return values


def _checked(name: str, arg: SSAValue, values: Array, where: str) -> Array:
    """Return an input of a sample. Raises `UsageError` for a shape that the model does not
    accept."""
    extents = extents_of(arg.type)
    fits = extents is None or (
        len(extents) == values.ndim
        and all(n in (None, m) for n, m in zip(extents, values.shape, strict=True))
    )
    if not fits:
        wanted, shape = spelled(extents or ()), spelled(values.shape)
        raise UsageError(f"{where}: input '{name}' is {wanted}, this is {shape}")
    try:
        return as_blob(name, arg, values)
    except UsageError as e:
        raise UsageError(f"{where}: {e}") from e


def description_of(path: str) -> str:
    """Return the name and the size of a file, which identify its content."""
    return f"{os.path.basename(path)} {os.stat(path).st_size}"


def spelled(extents: Sequence[int | None]) -> str:
    """Return extents for a message: `3x?x8`."""
    return "x".join(str(n or "?") for n in extents)
