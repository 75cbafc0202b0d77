"""A process in which the ncnn runtime keeps models loaded, and what is wanted of their blobs is
computed where they are: `python -m ncnn_opt.quantization.worker`, see `session.py`."""

import importlib
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..runtime.process import Array, extract, feed, load_net
from .counts import Counts, NotFinite
from .differences import Difference


class Refused(Exception):
    """What the runtime, or a blob, does not let us do."""


class Worker:
    """Answers requests: methods by name."""

    def __init__(self) -> None:
        self.ncnn: Any = importlib.import_module("ncnn")
        self.nets: dict[str, Any] = {}
        self.counts: dict[str, Counts] = {}

    def load(self, key: str, param: str, weights: str, packing: bool) -> None:
        """Loads a model, which takes the place of another one of that key."""
        net = load_net(self.ncnn, param, weights, True, packing, True)
        if isinstance(net, str):
            raise Refused(net)
        self.nets[key] = net

    def drop(self, key: str) -> None:
        """Lets a model go."""
        del self.nets[key]

    def blobs(
        self, key: str, inputs: Mapping[str, Array], names: Sequence[str]
    ) -> Iterator[tuple[str, Array]]:
        """These blobs, one after the other. In the order of the model nothing is computed twice,
        though the runtime lets blobs go that are read."""
        extractor = feed(self.ncnn, self.nets[key], inputs, {})
        if isinstance(extractor, str):
            raise Refused(extractor)
        for name in names:
            blob = inputs[name] if name in inputs else extract(extractor, name)
            if isinstance(blob, str):
                raise Refused(blob)
            yield name, blob

    def run(self, key: str, inputs: Mapping[str, Array], names: Sequence[str]) -> dict[str, Array]:
        """These blobs."""
        return dict(self.blobs(key, inputs, names))

    def count(self, key: str, inputs: Mapping[str, Array], names: Sequence[str]) -> dict[str, int]:
        """Counts the magnitudes in these blobs; returns their sizes."""
        found: dict[str, Counts] = {}
        sizes: dict[str, int] = {}
        for name, blob in self.blobs(key, inputs, names):
            found[name], sizes[name] = Counts(), blob.size
            try:
                found[name].add(blob)
            except NotFinite:
                raise Refused(f"blob '{name}' has infinities or NaNs") from None
        for name, counts in found.items():  # all of a sample, or nothing
            self.counts.setdefault(name, Counts()).merge(counts)
        return sizes

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
        counts, self.counts = self.counts, {}
        return counts

    def differences(
        self,
        key: str,
        inputs: Mapping[str, Array],
        scales: Mapping[str, float],
        expected: Mapping[str, Array] | str,
    ) -> dict[str, Difference]:
        """How far blobs are from what they should be: from arrays, or from the same blobs of the
        model of another key. `scales` has the blobs, and what int8 ones are divided by."""
        names = list(scales)
        wanted = expected if not isinstance(expected, str) else self.run(expected, inputs, names)
        return {
            name: Difference.of(wanted[name], blob / np.float32(scales[name]))
            for name, blob in self.blobs(key, inputs, names)
        }


def serve() -> None:
    """Answers requests on standard input until it ends: `(method, arguments)` by `(True, result)`,
    or `(False, reason)`."""
    # Standard output is for answers alone, not for what the runtime has to say.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
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
