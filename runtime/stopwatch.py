"""Measurement of the time of models and layers in the ncnn runtime.

Run as a program, this file is the measuring process: it has nothing else in memory, and its crash
is a result. It runs two models alternately, so that other load on the machine affects both.
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
"""The number of runs before the measured runs."""
MOST_BY_LAYER = 20
"""The largest number of runs that measure layers."""


@dataclass(frozen=True)
class Timed:
    """A model to measure."""

    param: str
    weights: str
    inputs: Mapping[str, NDArray[Any]]
    outputs: Sequence[str]
    layers: Sequence[tuple[str, str]] = ()
    """The first blob and the label of each layer, in file order."""


@dataclass
class Times:
    """The times of a model in milliseconds."""

    runs: list[float] = field(default_factory=list[float])
    layers: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    """The times of each layer, in runs that keep all blobs. Such runs take longer."""


class _Net:
    def __init__(self, ncnn: Any, model: Timed, threads: int) -> None:
        self.ncnn = ncnn
        self.model = model
        # With one thread, CPU time: it excludes other processes.
        self.clock = time.process_time if threads == 1 else time.perf_counter
        self.net = ncnn.Net()
        # Pools as in ncnn's own benchmark: the heap returns freed memory unpredictably.
        self.pools = ncnn.UnlockedPoolAllocator(), ncnn.PoolAllocator()
        self.net.opt.blob_allocator, self.net.opt.workspace_allocator = self.pools
        self.net.opt.num_threads = threads
        self.net.opt.use_vulkan_compute = False
        if status := self.net.load_param(model.param):
            raise RuntimeError(f"load_param: {status}")
        if status := self.net.load_model(model.weights):
            raise RuntimeError(f"load_model: {status}")
        # A Mat is a view that does not keep its array alive.
        self.values = {n: np.ascontiguousarray(v) for n, v in model.inputs.items()}
        self.blobs = {n: ncnn.Mat(v) for n, v in self.values.items()}

    def time_run(self) -> float:
        """Run the model from inputs to outputs, and return the time in milliseconds."""
        feeds = {name: blob.clone() for name, blob in self.blobs.items()}
        start = self.clock()
        extractor = self.net.create_extractor()
        for name, blob in feeds.items():
            extractor.input(name, blob)
        for name in self.model.outputs:
            if status := extractor.extract(name)[0]:
                raise RuntimeError(f"extract '{name}': {status}")
        return 1000 * (self.clock() - start)

    def time_layers(self, into: dict[str, list[float]]) -> None:
        """Run the model layer by layer: extract one blob after the other."""
        extractor = self.net.create_extractor()
        extractor.set_light_mode(False)
        for name, blob in self.blobs.items():
            extractor.input(name, blob.clone())
        for blob, label in self.model.layers:
            start = self.clock()
            if extractor.extract(blob, 1)[0]:  # 1: without conversion of its layout
                continue
            into.setdefault(label, []).append(1000 * (self.clock() - start))


def measure(models: Sequence[Timed], repeat: int, threads: int) -> list[Times]:
    """Run the models alternately, `repeat` times each."""
    ncnn = importlib.import_module("ncnn")
    nets = [_Net(ncnn, model, threads) for model in models]
    times = [Times() for _ in models]
    gc.disable()
    for _ in range(WARM_UP):
        for net in nets:
            net.time_run()
    for i in range(repeat):
        both = list(zip(nets, times, strict=True))
        for net, found in both if i % 2 == 0 else both[::-1]:
            if len(both) > 1:
                net.time_run()  # the caches still contain the other model's data
            found.runs.append(net.time_run())
    for _ in range(min(repeat, MOST_BY_LAYER)):
        for net, found in zip(nets, times, strict=True):
            if net.model.layers:
                net.time_layers({})  # as above
                net.time_layers(found.layers)
    return times


def serve() -> None:
    """Answer one request from standard input."""
    # Standard output is for the answer only, not for the runtime's messages.
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
