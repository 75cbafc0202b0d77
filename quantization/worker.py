"""A process that keeps models loaded in the ncnn runtime and reduces their blobs to figures:
`python -m ncnn_opt.quantization.worker`, see `sessions.py`."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..runtime.host import Array, Blobs, Host, Refused, Sample, look_at
from .blob_errors import BlobError
from .histograms import Counts, NotFinite, fingerprint, largest_of, thinned
from .output_groups import Group
from .statistics import Seen

PENDING = 1 << 18
"""The number of elements of a blob that are counted at once. Counting few elements costs more than
their number."""


class Worker(Host):
    """The requests of a host, and those of quantization."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[str, Counts] = {}
        self.pending: dict[str, list[Array]] = {}
        """Elements that are not counted yet, by blob."""

    def count(self, key: str, inputs: Blobs, names: Sequence[str], index: int, most: int) -> Seen:
        """Count the magnitudes in these blobs, of about `most` elements each (see `thinned`).
        Return the other facts about the sample."""
        found: dict[str, tuple[float, Array]] = {}
        sizes: dict[str, int] = {}
        prints: dict[str, str] = {}
        for name, blob in self.blobs(key, inputs, names, look_at):
            try:
                found[name] = largest_of(blob), thinned(blob, index, most)
            except NotFinite:
                raise Refused(f"blob '{name}' has infinities or NaNs") from None
            sizes[name], prints[name] = blob.size, fingerprint(blob)
        for name, (largest, values) in found.items():  # a sample counts completely or not at all
            counts = self.counts.setdefault(name, Counts())
            counts.largest = max(counts.largest, largest)
            pending = self.pending.setdefault(name, [])
            pending.append(values)
            if sum(each.size for each in pending) >= PENDING:
                self._count_pending(name)
        return Seen(_digest(inputs), sizes, prints)

    def _count_pending(self, name: str) -> None:
        self.counts[name].add(np.concatenate(self.pending.pop(name)))

    def ranges(self, key: str, sample: Sample, names: Sequence[str]) -> dict[str, Array]:
        """Return the largest magnitude in each channel (outermost axis) of these blobs."""
        return {
            name: np.abs(blob).reshape(len(blob), -1).max(1)
            for name, blob in self.blobs(key, sample, names)
        }

    def take_counts(self) -> dict[str, Counts]:
        """Return the histograms since the last call."""
        for name in list(self.pending):
            self._count_pending(name)
        counts, self.counts = self.counts, {}
        return counts

    def errors(
        self,
        key: str,
        expected: str,
        sample: Sample,
        name: str,
        scale: float,
        channels: int,
        nonzero: bool,
    ) -> tuple[Array, Array]:
        """Return for each channel of a blob the sum of its errors against the blob of another
        model, and the number of elements. An int8 blob has a `scale`. Elements that are not finite
        in one of the models are left out, with `nonzero` also those that are 0."""
        wanted = self.run(expected, sample, [name])[name]
        found = self.run(key, sample, [name])[name] / np.float32(scale)
        # The output of an InnerProduct on a 2-d blob has its channels in rows.
        axes = tuple(range(found.ndim - 1) if found.ndim < 3 else range(1, found.ndim))
        if wanted.shape != found.shape or np.delete(found.shape, axes).prod() != channels:
            raise Refused(f"blob '{name}' has no {channels} channels")
        taken = np.isfinite(found) & np.isfinite(wanted)
        if nonzero:
            taken &= found != 0
        error = np.subtract(found, wanted, out=np.zeros(found.shape), where=taken, dtype="f8")
        return error.sum(axes), taken.sum(axes)

    def differences(
        self,
        key: str,
        sample: Sample,
        blobs: Mapping[str, tuple[str, float]],
        expected: Mapping[str, Array] | str,
        groups: Mapping[str, Sequence[Mapping[str, Any]]],
    ) -> dict[str, BlobError]:
        """Return the differences of blobs from arrays, or from the blobs of the model of another
        key. `blobs` maps the name there to the name here and the scale of an int8 blob (else 1).
        `groups` are the groups of outputs, as the fields of `Group`. Their differences are added
        by name and label."""
        names = list(blobs)
        wanted = expected if not isinstance(expected, str) else self.run(expected, sample, names)
        found = self.blobs(key, sample, [name for name, _ in blobs.values()])
        result: dict[str, BlobError] = {}
        for (name, (_, scale)), (_, blob) in zip(blobs.items(), found, strict=True):
            floats = blob / np.float32(scale)
            result[name] = BlobError.of(wanted[name], floats)
            for group in (Group(**fields) for fields in groups.get(name, ())):
                result[name + group.label()] = group.difference(wanted[name], floats)
        return result


def _digest(inputs: Blobs) -> str:
    """Return a text that identifies inputs."""
    digest = hashlib.blake2b(digest_size=8)
    for name in sorted(inputs):
        values = np.ascontiguousarray(inputs[name])
        digest.update(f"{name} {values.dtype} {values.shape}".encode())
        digest.update(values.data)
    return digest.hexdigest()


if __name__ == "__main__":
    Worker().serve()
