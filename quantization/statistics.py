"""The statistics of samples, and their file. Merging the parts of a run gives the bytes of one
run."""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..formats.errors import FormatError, parsing
from ..formats.numpy_arrays import NamedArrays, read_numpy
from .histograms import Array, Counts

FORMAT = "ncnn-opt statistics 3"

WHAT = "a file of statistics of ncnn-quantize"

VARIES = ""
"""The fingerprint of a blob that differs between samples."""


@dataclass(frozen=True)
class Seen:
    """The facts about one sample other than histograms."""

    inputs: str
    """A digest of the inputs."""
    sizes: dict[str, int]
    """The number of elements of each blob."""
    prints: dict[str, str]
    """The fingerprint of each blob."""


@dataclass
class Statistics:
    """The histograms of the inputs of layers that can be int8, over samples."""

    model: str
    """The fingerprint of the model."""
    data: str
    """A text that identifies the samples and how they are read."""
    total: int
    """The number of all samples."""
    done: set[int] = field(default_factory=set[int])
    """The indices of the samples that are counted."""
    counts: dict[str, Counts] = field(default_factory=dict[str, Counts])
    """By blob."""
    sizes: dict[str, int] = field(default_factory=dict[str, int])
    """The largest number of elements of each blob in a sample."""
    inputs: dict[int, str] = field(default_factory=dict[int, str])
    """A digest of the inputs of each sample."""
    prints: dict[str, str] = field(default_factory=dict[str, str])
    """The fingerprint that each blob had in all samples, or `VARIES`."""

    def add(self, counts: dict[str, Counts]) -> None:
        """Add the histograms of further samples."""
        for name, each in counts.items():
            self.counts.setdefault(name, Counts()).merge(each)

    def note(self, index: int, seen: Seen) -> None:
        """Add the facts about a sample."""
        self.inputs[index] = seen.inputs
        self._note_blobs(seen.sizes, seen.prints)

    def absorb(self, other: "Statistics") -> None:
        """Add the facts about the samples of another part."""
        self.inputs |= other.inputs
        self._note_blobs(other.sizes, other.prints)

    def _note_blobs(self, sizes: dict[str, int], prints: dict[str, str]) -> None:
        for name, size in sizes.items():
            self.sizes[name] = max(self.sizes.get(name, 0), size)
        for name, text in prints.items():
            self.prints[name] = text if self.prints.get(name, text) == text else VARIES

    def of_same_run(self, other: "Statistics") -> bool:
        """Whether both are of one model and one list of samples."""
        return (self.model, self.data, self.total) == (other.model, other.data, other.total)

    def to_bytes(self, compress: bool = True) -> bytes:
        """Return the content of a file, which does not depend on the order of samples."""
        names = sorted(self.counts)
        blobs = [
            {
                "name": n,
                "zeros": c.zeros,
                "largest": c.largest,
                "size": self.sizes[n],
                "print": self.prints[n],
            }
            for n, c in ((name, self.counts[name]) for name in names)
        ]
        head = {
            "format": FORMAT,
            "model": self.model,
            "data": self.data,
            "total": self.total,
            "blobs": blobs,
            "inputs": [self.inputs[i] for i in sorted(self.done)],
        }
        arrays: dict[str, Array] = {
            "head": np.frombuffer(json.dumps(head).encode(), "u1"),
            "done": np.array(sorted(self.done), "<i8"),
        }
        arrays |= {f"counts{i}": self.counts[n].counts.astype("<i8") for i, n in enumerate(names)}
        stream = io.BytesIO()
        write = np.savez_compressed if compress else np.savez
        write(stream, allow_pickle=False, **arrays)  # pyright: ignore
        return stream.getvalue()

    @staticmethod
    def from_bytes(data: bytes, path: str) -> "Statistics":
        """Return the statistics in a file. Raises `FormatError`."""
        with parsing(path, f"this is not {WHAT}"):
            arrays = read_numpy(io.BytesIO(data), path, what=WHAT)
            if not isinstance(arrays, NamedArrays):
                raise ValueError("this is a .npy by its content")
            head: Any = json.loads(bytes(arrays["head"]))
            if head["format"] != FORMAT:
                raise FormatError(path, f"these are no statistics, but '{head['format']}'")
            found = Statistics(str(head["model"]), str(head["data"]), int(head["total"]))
            found.done = set(_integers(arrays["done"]).tolist())
            if not found.done <= set(range(found.total)):
                raise ValueError(f"a sample that is not one of {found.total}")
            for i, blob in enumerate(head["blobs"]):
                name, counts = str(blob["name"]), _integers(arrays[f"counts{i}"])
                found.counts[name] = Counts(int(blob["zeros"]), float(blob["largest"]), counts)
                found.sizes[name] = int(blob["size"])
                found.prints[name] = str(blob["print"])
            digests = map(str, head["inputs"])
            found.inputs |= zip(sorted(found.done), digests, strict=True)
            return found


def _integers(values: Array) -> Array:
    """Return an array if it holds a row of counts or indices. Raises `ValueError`."""
    if values.ndim != 1 or values.dtype != np.int64 or (values < 0).any():
        raise ValueError(f"an array of {values.dtype} and shape {values.shape}")
    return values


def merged(parts: Sequence[tuple[str, Statistics]]) -> Statistics:
    """Return the sum of parts, each given with its file name. Raises `FormatError` for parts of
    several runs, and for samples that are counted twice."""
    first_path, first = parts[0]
    whole = Statistics(first.model, first.data, first.total)
    for path, part in parts:
        if part.model != first.model:
            raise FormatError(path, f"these are statistics of another model than {first_path}")
        if not part.of_same_run(first):
            raise FormatError(path, f"these are statistics of other samples than {first_path}")
        if twice := whole.done & part.done:
            raise FormatError(path, f"{len(twice)} of its samples are in another part as well")
        whole.done |= part.done
        whole.add(part.counts)
        whole.absorb(part)
    return whole
