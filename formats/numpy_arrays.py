"""Reading NumPy's files: `.npy`, which holds an array, and `.npz`, which holds named arrays.

NumPy raises errors of many types for a damaged file; here each is a `FormatError`. Pickled objects,
whose code would run, are refused.
"""

from collections.abc import Iterator, Mapping
from typing import IO, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from .errors import FormatError, parsing

Array = NDArray[Any]


class NamedArrays(Mapping[str, Array]):
    """The arrays in a `.npz`. Each access reads the array from the file."""

    def __init__(self, loaded: Any, path: str) -> None:
        self._loaded = loaded
        self._path = path
        self._names: tuple[str, ...] = tuple(loaded.files)

    def __getitem__(self, name: str) -> Array:
        """Return an array. Raises `FormatError` for a damaged one."""
        if name not in self._names:
            raise KeyError(name)
        with parsing(self._path, f"array '{name}' cannot be read"):
            values = self._loaded[name]
        if not isinstance(values, np.ndarray):
            raise FormatError(self._path, f"'{name}' in it is not an array")
        return cast(Array, values)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._names)

    def __len__(self) -> int:
        """Return the number of arrays."""
        return len(self._names)


def read_numpy(
    source: str | IO[bytes],
    path: str,
    mmap_mode: Literal["r"] | None = None,
    what: str = "a file of arrays of NumPy",
) -> Array | NamedArrays:
    """Return the content of a `.npy` or `.npz`, given as its path or as a stream of `path`. Raises
    `FormatError` and `OSError`."""
    place = None if isinstance(source, str) else source.tell()
    with parsing(path, f"this is not {what}"):
        try:
            loaded: Any = np.load(source, mmap_mode, allow_pickle=False)
        except SystemError:
            # CPython 3.11 counts the depth of syntax trees for all threads together, so that a
            # header may be refused while another thread reads one (gh-106905).
            if place is not None and not isinstance(source, str):
                source.seek(place)
            loaded = np.load(source, mmap_mode, allow_pickle=False)
    return cast(Array, loaded) if isinstance(loaded, np.ndarray) else NamedArrays(loaded, path)
