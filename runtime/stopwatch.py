"""How long models take in the ncnn runtime, and their layers.

Run as a program, this file is the process that measures: it has nothing else in memory, and its
crash is a result. With two models it runs them in turn, so that what else the machine does meets
both.
"""

import gc
import importlib
import os
import pickle
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

WARM_UP = 3
"""Runs before those that are measured."""
MOST_BY_LAYER = 20
"""So many runs at most ask for one layer after the other."""


@dataclass(frozen=True)
class Timed:
    """A model to measure."""

    param: str
    weights: str
    inputs: Mapping[str, NDArray[Any]]
    outputs: Sequence[str]
    layers: Sequence[tuple[str, str]] = ()
    """The first blob of each layer, in the order of the file, and what the layer is called."""


@dataclass
class Times:
    """How long a model took, in milliseconds."""

    runs: list[float] = field(default_factory=list[float])
    layers: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    """Of each layer in runs that keep all blobs, which take longer than others."""


class _Net:
    def __init__(self, ncnn: Any, model: Timed, threads: int) -> None:
        self.ncnn = ncnn
        self.model = model
        # With one thread the time of the processor: what else it does is not the model's.
        self.clock = time.process_time if threads == 1 else time.perf_counter
        self.net = ncnn.Net()
        # As in ncnn's own benchmark: whether the heap gives back what a run has used is chance.
        self.pools = ncnn.UnlockedPoolAllocator(), ncnn.PoolAllocator()
        self.net.opt.blob_allocator, self.net.opt.workspace_allocator = self.pools
        self.net.opt.num_threads = threads
        self.net.opt.use_vulkan_compute = False
        if status := self.net.load_param(model.param):
            raise RuntimeError(f"load_param: {status}")
        if status := self.net.load_model(model.weights):
            raise RuntimeError(f"load_model: {status}")
        # A Mat does not keep the array alive that it is a view of.
        self.values = {n: np.ascontiguousarray(v) for n, v in model.inputs.items()}
        self.blobs = {n: ncnn.Mat(v) for n, v in self.values.items()}

    def run(self) -> float:
        """The milliseconds of a run, from inputs to outputs."""
        feeds = {name: blob.clone() for name, blob in self.blobs.items()}
        start = self.clock()
        extractor = self.net.create_extractor()
        for name, blob in feeds.items():
            extractor.input(name, blob)
        for name in self.model.outputs:
            if status := extractor.extract(name)[0]:
                raise RuntimeError(f"extract '{name}': {status}")
        return 1000 * (self.clock() - start)

    def run_by_layer(self, into: dict[str, list[float]]) -> None:
        """A run that asks for one blob after the other: each asks for one layer more."""
        extractor = self.net.create_extractor()
        extractor.set_light_mode(False)
        for name, blob in self.blobs.items():
            extractor.input(name, blob.clone())
        for blob, label in self.model.layers:
            start = self.clock()
            if extractor.extract(blob, 1)[0]:  # as it lies there: not converted
                continue
            into.setdefault(label, []).append(1000 * (self.clock() - start))


def measure(models: Sequence[Timed], repeat: int, threads: int) -> list[Times]:
    """Runs the models in turn, so many times each."""
    ncnn = importlib.import_module("ncnn")
    nets = [_Net(ncnn, model, threads) for model in models]
    times = [Times() for _ in models]
    gc.disable()
    for _ in range(WARM_UP):
        for net in nets:
            net.run()
    for i in range(repeat):
        both = list(zip(nets, times, strict=True))
        for net, found in both if i % 2 == 0 else both[::-1]:
            if len(both) > 1:
                net.run()  # finds in the caches what the other model left there
            found.runs.append(net.run())
    for _ in range(min(repeat, MOST_BY_LAYER)):
        for net, found in zip(nets, times, strict=True):
            if net.model.layers:
                net.run_by_layer({})  # as above
                net.run_by_layer(found.layers)
    return times


def serve() -> None:
    """Answers one request from standard input."""
    # Standard output is for the answer alone, not for what the runtime has to say.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    models, repeat, threads = pickle.load(sys.stdin.buffer)
    try:
        answer: Any = measure([Timed(*model) for model in models], repeat, threads)
        answer = [(t.runs, t.layers) for t in answer]
    except RuntimeError as e:
        answer = str(e)
    pickle.dump(answer, answers)
    answers.close()


if __name__ == "__main__":
    serve()
