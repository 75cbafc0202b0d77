"""Output values as a summary, as the best classes, and as a file."""

import zipfile
from collections.abc import Mapping, Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..formats.columns import columns_of, left_aligned, printable
from ..formats.errors import decoded
from .errors import UsageError

Array = NDArray[Any]


def summary(blobs: Mapping[str, Array]) -> str:
    """Return a line for each blob: its shape and the range of its values."""
    names = [printable(name) for name in blobs]
    width = max(map(columns_of, names), default=0)
    rows = zip(names, blobs.values(), strict=True)
    return "\n".join(f"{left_aligned(name, width)}  {_describe(value)}" for name, value in rows)


def _describe(value: Array) -> str:
    shape = "x".join(map(str, value.shape))
    if not value.size:
        return f"{shape}  empty"
    x = value.astype("f8")
    return f"{shape}  min {x.min():.6g}  max {x.max():.6g}  mean {x.mean():.6g}"


def top_classes(name: str, scores: Array, count: int, labels: Sequence[str]) -> str:
    """Return a line for each of the largest scores: index, score, label. Raises `UsageError` for a
    blob that is not one row of scores, and for missing labels."""
    if scores.size != max(scores.shape, default=0):
        shape = "x".join(map(str, scores.shape))
        raise UsageError(f"--top: output '{name}' is {shape}, no row of scores")
    flat = scores.reshape(-1)
    if labels and len(labels) < flat.size:
        raise UsageError(f"--labels: {len(labels)} labels for the {flat.size} of output '{name}'")
    best = np.argsort(-flat, kind="stable")[:count]
    width = len(str(int(best.max(initial=0))))
    lines = [
        f"{i:{width}}  {flat[i]:<12.6g}{printable(labels[int(i)]) if labels else ''}".rstrip()
        for i in best
    ]
    return "\n".join([f"{printable(name)}:", *(f"  {line}" for line in lines)])


def read_labels(path: str) -> list[str]:
    """Return the labels in a file, one per line, without empty lines at the end. Raises
    `FormatError` and `OSError`."""
    with open(path, "rb") as f:
        return decoded(f.read(), path, "byte {} is no UTF-8 text").rstrip().splitlines()


def read_classes(path: str) -> list[int]:
    """Return the right class of each sample. Raises `UsageError` and `OSError`."""
    with open(path, "rb") as f:
        words = f.read().decode(errors="replace").split()
    if odd := next((word for word in words if not word.isdecimal()), None):
        raise UsageError(f"{path}: '{odd}' is no number of a class")
    return [int(word) for word in words]


def write_npz(stream: IO[bytes], blobs: Mapping[str, Array]) -> None:
    """Write arrays as `numpy.load` reads them. (`numpy.savez` treats some names as parameters.)"""
    with zipfile.ZipFile(stream, "w") as archive:
        for name, value in blobs.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, value, allow_pickle=False)
