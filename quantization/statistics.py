"""What was counted on samples, as a file: parts of it add up to the bytes of one run."""

import hashlib
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ..formats.errors import FormatError
from .histograms import Array, Counts

FORMAT = "ncnn-opt statistics 3"

VARIES = ""
"""In the place of a fingerprint: that of a blob that is not the same in all samples."""


@dataclass(frozen=True)
class Seen:
    """What is known of one sample beside counts."""

    inputs: str
    """A digest of the inputs."""
    sizes: dict[str, int]
    """The elements of each blob."""
    prints: dict[str, str]
    """The fingerprint of each blob."""


def digest_of(names: Sequence[str]) -> str:
    """The same for the same names in the same order only."""
    return hashlib.sha256("\n".join(names).encode(errors="surrogateescape")).hexdigest()


@dataclass
class Statistics:
    """The counts of each blob that layers which could be int8 read, over the samples done."""

    model: str
    """The fingerprint of the model."""
    data: str
    """What tells the samples apart from others, and how they are read."""
    total: int
    """How many samples there are in all."""
    done: set[int] = field(default_factory=set[int])
    """Those that are counted."""
    counts: dict[str, Counts] = field(default_factory=dict[str, Counts])
    """By blob."""
    sizes: dict[str, int] = field(default_factory=dict[str, int])
    """The most elements that each blob had in a sample."""
    inputs: dict[int, str] = field(default_factory=dict[int, str])
    """A digest of the inputs of each sample."""
    prints: dict[str, str] = field(default_factory=dict[str, str])
    """The fingerprint that each blob had in all samples, or `VARIES`."""

    def add(self, counts: dict[str, Counts]) -> None:
        """Adds what was counted on further samples."""
        for name, each in counts.items():
            self.counts.setdefault(name, Counts()).merge(each)

    def note(self, index: int, seen: Seen) -> None:
        """Add what is known of a sample."""
        self.inputs[index] = seen.inputs
        self._note_blobs(seen.sizes, seen.prints)

    def absorb(self, other: "Statistics") -> None:
        """Add what is known of the samples of another part."""
        self.inputs |= other.inputs
        self._note_blobs(other.sizes, other.prints)

    def _note_blobs(self, sizes: dict[str, int], prints: dict[str, str]) -> None:
        for name, size in sizes.items():
            self.sizes[name] = max(self.sizes.get(name, 0), size)
        for name, text in prints.items():
            self.prints[name] = text if self.prints.get(name, text) == text else VARIES

    def is_complete(self) -> bool:
        """Whether all samples are counted."""
        return len(self.done) == self.total

    def of_same_run(self, other: "Statistics") -> bool:
        """Whether both are of one model and one list of samples."""
        return (self.model, self.data, self.total) == (other.model, other.data, other.total)

    def to_bytes(self, compress: bool = True) -> bytes:
        """The content of a file: the same for the same counts, in whatever order they came."""
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
        """What is in a file. Raises `FormatError`."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
                head: Any = json.loads(bytes(arrays["head"]))
                if head["format"] != FORMAT:
                    raise FormatError(path, f"these are no statistics, but '{head['format']}'")
                found = Statistics(head["model"], head["data"], head["total"])
                found.done = set(arrays["done"].tolist())
                for i, blob in enumerate(head["blobs"]):
                    counts = Counts(blob["zeros"], blob["largest"], arrays[f"counts{i}"])
                    found.counts[blob["name"]] = counts
                    found.sizes[blob["name"]] = blob["size"]
                    found.prints[blob["name"]] = blob["print"]
                found.inputs |= zip(sorted(found.done), head["inputs"], strict=True)
                return found
        except (ValueError, KeyError, TypeError, EOFError, OSError, BadZipFile) as e:
            raise FormatError(path, "these are no statistics of ncnn-quantize") from e


def merged(parts: Sequence[tuple[str, Statistics]]) -> Statistics:
    """The sum of parts, each with the file that it is in. Raises `FormatError` for parts that are
    not of one run, and for samples that are counted twice."""
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
