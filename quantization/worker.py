"""A process that keeps models loaded in the ncnn runtime and reduces their blobs to figures:
`python -m ncnn_opt.quantization.worker`, see `session.py`."""

import hashlib
import importlib
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..runtime.serving import Array, Location, answers_alone, extract, feed, load_net, look_at
from .blob_errors import Difference
from .histograms import Counts, NotFinite, fingerprint, largest_of, thinned
from .output_groups import Group
from .statistics import Seen

PENDING = 1 << 18
"""The number of elements of a blob that are counted at once. Counting few elements costs more than
their number."""


class Refused(Exception):
    """A request fails, because of the runtime or of a blob."""


class Worker:
    """Answers requests, which name its methods."""

    def __init__(self) -> None:
        self.ncnn: Any = importlib.import_module("ncnn")
        # Blobs from an allocator of the runtime's own are copied when they are extracted.
        self.allocator: Any = self.ncnn.PoolAllocator()
        self.nets: dict[str, Any] = {}
        self.counts: dict[str, Counts] = {}
        self.pending: dict[str, list[Array]] = {}
        """Elements that are not counted yet, by blob."""

    def load(
        self,
        key: str,
        param: str,
        weights: str,
        packing: bool,
        custom_layers: Mapping[str, Location] | None = None,
    ) -> None:
        """Load a model under a key, instead of any other model."""
        setting = True, packing, "float32", "cpu", custom_layers
        net = load_net(self.ncnn, param, weights, *setting)
        if isinstance(net, str):
            raise Refused(net)
        net.opt.blob_allocator = self.allocator
        self.nets[key] = net

    def drop(self, key: str) -> None:
        """Release a model."""
        del self.nets[key]

    def blobs(
        self,
        key: str,
        inputs: Mapping[str, Array],
        names: Sequence[str],
        get: Callable[[Any, str], Array | str] = extract,
    ) -> Iterator[tuple[str, Array]]:
        """Yield these blobs, each as `get` returns it. In the order of the model no layer runs
        twice, although the runtime releases blobs after their last reader."""
        extractor = feed(self.ncnn, self.nets[key], inputs, {})
        if isinstance(extractor, str):
            raise Refused(extractor)
        for name in names:
            blob = inputs[name] if name in inputs else get(extractor, name)
            if isinstance(blob, str):
                raise Refused(blob)
            yield name, blob

    def run(self, key: str, inputs: Mapping[str, Array], names: Sequence[str]) -> dict[str, Array]:
        """Return these blobs."""
        return dict(self.blobs(key, inputs, names))

    def count(
        self, key: str, inputs: Mapping[str, Array], names: Sequence[str], index: int, most: int
    ) -> Seen:
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

    def ranges(
        self, key: str, inputs: Mapping[str, Array], names: Sequence[str]
    ) -> dict[str, Array]:
        """Return the largest magnitude in each channel (outermost axis) of these blobs."""
        return {
            name: np.abs(blob).reshape(len(blob), -1).max(1)
            for name, blob in self.blobs(key, inputs, names)
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
        inputs: Mapping[str, Array],
        name: str,
        scale: float,
        channels: int,
        nonzero: bool,
    ) -> tuple[Array, Array]:
        """Return for each channel of a blob the sum of its errors against the blob of another
        model, and the number of elements. An int8 blob has a `scale`. Elements that are not finite
        in one of the models are left out, with `nonzero` also those that are 0."""
        wanted = self.run(expected, inputs, [name])[name]
        found = self.run(key, inputs, [name])[name] / np.float32(scale)
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
        inputs: Mapping[str, Array],
        blobs: Mapping[str, tuple[str, float]],
        expected: Mapping[str, Array] | str,
        groups: Mapping[str, Sequence[Group]],
    ) -> dict[str, Difference]:
        """Return the differences of blobs from arrays, or from the blobs of the model of another
        key. `blobs` maps the name there to the name here and the scale of an int8 blob (else 1).
        `groups` are the groups of outputs, whose differences are added by name and label."""
        names = list(blobs)
        wanted = expected if not isinstance(expected, str) else self.run(expected, inputs, names)
        found = self.blobs(key, inputs, [name for name, _ in blobs.values()])
        result: dict[str, Difference] = {}
        for (name, (_, scale)), (_, blob) in zip(blobs.items(), found, strict=True):
            floats = blob / np.float32(scale)
            result[name] = Difference.of(wanted[name], floats)
            for group in groups.get(name, ()):
                result[name + group.label()] = group.difference(wanted[name], floats)
        return result


def _digest(inputs: Mapping[str, Array]) -> str:
    """Return a text that identifies inputs."""
    digest = hashlib.blake2b(digest_size=8)
    for name in sorted(inputs):
        values = np.ascontiguousarray(inputs[name])
        digest.update(f"{name} {values.dtype} {values.shape}".encode())
        digest.update(values.data)
    return digest.hexdigest()


def serve() -> None:
    """Answer requests `(method, arguments)` on standard input until it ends, by `(True, result)` or
    `(False, reason)`."""
    answers = answers_alone()
    worker = Worker()
    while True:
        try:
            method, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        call: Callable[..., object] = getattr(worker, method)
        try:
            answer = True, call(*arguments)
        except Refused as e:
            answer = False, str(e)
        pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()


if __name__ == "__main__":
    serve()
