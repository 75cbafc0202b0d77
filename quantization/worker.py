"""A process in which the ncnn runtime keeps models loaded, and what is wanted of their blobs is
computed where they are: `python -m ncnn_opt.quantization.worker`, see `session.py`."""

import hashlib
import importlib
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..runtime.process import Array, answers_alone, extract, feed, load_net, look_at
from .blob_errors import Difference
from .histograms import Counts, NotFinite, fingerprint, largest_of, thinned
from .statistics import Seen

PENDING = 1 << 18
"""So many elements of a blob are counted at once: for few, the places take longer than they."""


class Refused(Exception):
    """What the runtime, or a blob, does not let us do."""


class Worker:
    """Answers requests: methods by name."""

    def __init__(self) -> None:
        self.ncnn: Any = importlib.import_module("ncnn")
        # Blobs from an allocator of the runtime's own are copied when they are extracted.
        self.allocator: Any = self.ncnn.PoolAllocator()
        self.nets: dict[str, Any] = {}
        self.counts: dict[str, Counts] = {}
        self.pending: dict[str, list[Array]] = {}
        """Elements that are still to be counted."""

    def load(self, key: str, param: str, weights: str, packing: bool) -> None:
        """Loads a model, which takes the place of another one of that key."""
        net = load_net(self.ncnn, param, weights, True, packing, True)
        if isinstance(net, str):
            raise Refused(net)
        net.opt.blob_allocator = self.allocator
        self.nets[key] = net

    def drop(self, key: str) -> None:
        """Lets a model go."""
        del self.nets[key]

    def blobs(
        self,
        key: str,
        inputs: Mapping[str, Array],
        names: Sequence[str],
        get: Callable[[Any, str], Array | str] = extract,
    ) -> Iterator[tuple[str, Array]]:
        """These blobs, one after the other, each as `get` has it. In the order of the model nothing
        is computed twice, though the runtime lets blobs go that are read."""
        extractor = feed(self.ncnn, self.nets[key], inputs, {})
        if isinstance(extractor, str):
            raise Refused(extractor)
        for name in names:
            blob = inputs[name] if name in inputs else get(extractor, name)
            if isinstance(blob, str):
                raise Refused(blob)
            yield name, blob

    def run(self, key: str, inputs: Mapping[str, Array], names: Sequence[str]) -> dict[str, Array]:
        """These blobs."""
        return dict(self.blobs(key, inputs, names))

    def count(
        self, key: str, inputs: Mapping[str, Array], names: Sequence[str], index: int, most: int
    ) -> Seen:
        """Counts the magnitudes in these blobs, of about so many elements each at most (see
        `thinned`); returns what else is known of the sample."""
        found: dict[str, tuple[float, Array]] = {}
        sizes: dict[str, int] = {}
        prints: dict[str, str] = {}
        for name, blob in self.blobs(key, inputs, names, look_at):
            try:
                found[name] = largest_of(blob), thinned(blob, index, most)
            except NotFinite:
                raise Refused(f"blob '{name}' has infinities or NaNs") from None
            sizes[name], prints[name] = blob.size, fingerprint(blob)
        for name, (largest, values) in found.items():  # all of a sample, or nothing
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
        """The largest magnitude in each channel of these blobs, along the outermost axis."""
        return {
            name: np.abs(blob).reshape(len(blob), -1).max(1)
            for name, blob in self.blobs(key, inputs, names)
        }

    def take_counts(self) -> dict[str, Counts]:
        """What was counted since it was asked for last."""
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
        """The errors of a blob, which may be an int8 one of this scale, against that of another
        model: the sum of each channel, and of how many elements, those that are 0 left out if
        `nonzero`, and those that are not finite in one of the models."""
        wanted = self.run(expected, inputs, [name])[name]
        found = self.run(key, inputs, [name])[name] / np.float32(scale)
        # An InnerProduct makes rows of all channels of blobs of 2 dims.
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
    ) -> dict[str, Difference]:
        """The differences of blobs from arrays, or from the blobs of the model of another key.
        `blobs` has the name that a blob has there, its name here, and the scale of an int8 one."""
        names = list(blobs)
        wanted = expected if not isinstance(expected, str) else self.run(expected, inputs, names)
        found = self.blobs(key, inputs, [name for name, _ in blobs.values()])
        return {
            name: Difference.of(wanted[name], blob / np.float32(scale))
            for (name, (_, scale)), (_, blob) in zip(blobs.items(), found, strict=True)
        }


def _digest(inputs: Mapping[str, Array]) -> str:
    """A text that is the same for the same inputs only."""
    digest = hashlib.blake2b(digest_size=8)
    for name in sorted(inputs):
        values = np.ascontiguousarray(inputs[name])
        digest.update(f"{name} {values.dtype} {values.shape}".encode())
        digest.update(values.data)
    return digest.hexdigest()


def serve() -> None:
    """Answers requests on standard input until it ends: `(method, arguments)` by `(True, result)`,
    or `(False, reason)`."""
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
