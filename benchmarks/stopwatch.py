"""A program that times several models in one process, for `timing.py`.

Reads on standard input `{"models": [PARAM, …], "inputs": [NAME, …], "values": FILE.npz,
"seconds": S, "seed": N}`, and for decoders `"prefill": FILE.npz`, the inputs of the call before,
which fills the caches that each measured call gets. Writes on standard output `{"times":
[[SECONDS, …], …]}`, a row per round and a column per model, or `{"failed": INDEX, "reason": …}`. A
crash of the runtime ends this
program.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

TURN = 0.002
"""The smallest duration of a turn in seconds: shorter runs are repeated."""

LEAST, MOST = 5, 500
"""The smallest and the largest number of rounds."""

SLOW = 0.3
"""Of a run that takes this many seconds, the data that another model left in the caches are a
negligible part: it needs no run before it, and three rounds are enough."""


_KEPT: list[Any] = []
"""Allocators of nets, which a net does not keep alive."""


class Refused(Exception):
    """The runtime refused to load or run a model."""


def load(
    ncnn: Any,
    param: str,
    inputs: dict[str, Any],
    half: bool = True,
    prefill: dict[str, Any] | None = None,
) -> Callable[[], None]:
    """Return a function that runs a model once for all outputs, with the runtime's default options
    and one thread. A decoder gets the caches that a call with the inputs `prefill` makes. As in
    ncnn's own benchmark, memory pools keep freed memory, because the heap behaves unpredictably.
    Decoders have none, as in ncnn_llm: a cache that comes from a pool of blobs does not grow in
    place, so each step would copy it. Without `half`, all floats have 32 bits."""
    net = ncnn.Net()
    net.opt.num_threads = 1
    if not half:
        for name in ("fp16_packed", "fp16_storage", "fp16_arithmetic", "bf16_storage"):
            setattr(net.opt, f"use_{name}", False)
    if prefill is None:
        pools = ncnn.UnlockedPoolAllocator(), ncnn.PoolAllocator()
        net.opt.blob_allocator, net.opt.workspace_allocator = pools
        _KEPT.extend(pools)
    if net.load_param(param) or net.load_model(str(Path(param).with_suffix(".bin"))):
        raise Refused("does not load")
    # The next call takes a cache as it is (type 1): the runtime need not unpack it.
    caches = {f"out_{name}" for name in net.input_names()}
    names = {name: int(name in caches) for name in net.output_names()}
    if prefill is not None:
        inputs = inputs | caches_after(ncnn, net, prefill)

    def run() -> None:
        extractor = net.create_extractor()
        for name, blob in inputs.items():
            extractor.input(name, blob)
        for name, type_ in names.items():
            if extractor.extract(name, type_)[0]:
                raise Refused(f"does not compute '{name}'")

    return run


def caches_after(ncnn: Any, net: Any, inputs: dict[str, Any]) -> dict[str, Any]:
    """Return the caches that a first call of a decoder makes, for the next call."""
    extractor = net.create_extractor()
    # A decoder that is cut after some blocks keeps the inputs of the others.
    caches = [name for name in net.input_names() if f"out_{name}" in net.output_names()]
    for name, blob in (inputs | {name: ncnn.Mat() for name in caches}).items():
        extractor.input(name, blob)
    found = {name: extractor.extract(f"out_{name}", 1) for name in caches}
    if any(status for status, _ in found.values()):
        raise Refused("does not compute its caches")
    return {name: blob for name, (_, blob) in found.items()}


def turn(run: Callable[[], None], times: int, slow: bool = False) -> float:
    """Return the mean CPU time in seconds of `times` runs, unless they are slow after one run that
    does not count: the caches still contain another model's data. CPU time excludes other
    processes."""
    if not slow:
        run()
    start = time.process_time()
    for _ in range(times):
        run()
    return (time.process_time() - start) / times


def measure(runs: list[Callable[[], None]], seconds: float, seed: int) -> list[list[float]]:
    """Run rounds in which each model has one turn, in random order."""
    rng = np.random.default_rng(seed)
    first = [turn(run, 1, True) for run in runs]
    slow = min(first) > SLOW
    times = max(1, round(TURN / max(min(first), 1e-6)))
    least = 3 if slow else LEAST
    rounds = min(max(int(seconds / ((times + 1) * sum(first))), least), MOST)
    table = np.zeros((rounds, len(runs)))
    for row in table:
        for i in map(int, rng.permutation(len(runs))):
            row[i] = turn(runs[i], times, slow)
    return table.tolist()


def blobs_in(ncnn: Any, path: str, names: list[str]) -> dict[str, Any]:
    """Return the arrays in a file as blobs."""
    with np.load(path) as file:
        arrays = [file[key] for key in file.files]
    # A Mat does not keep its array alive; the copy is independent.
    return {name: ncnn.Mat(a).clone() for name, a in zip(names, arrays, strict=True)}


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    # Standard output is for the answer only, not for the runtime's messages.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    ncnn = import_module("ncnn")
    inputs = blobs_in(ncnn, request["values"], request["inputs"])
    prefill = request.get("prefill")
    first = None if prefill is None else blobs_in(ncnn, prefill, request["inputs"])
    rng = np.random.default_rng(request["seed"])
    models: list[str] = request["models"]
    runs: dict[int, Callable[[], None]] = {}
    # The placement of weights in memory permanently affects the speed of a model.
    for i in map(int, rng.permutation(len(models))):
        try:
            runs[i] = load(ncnn, models[i], inputs, request.get("half", True), first)
            runs[i]()
        except Refused as e:
            json.dump({"failed": i, "reason": str(e)}, answer)
            return
    ordered = [runs[i] for i in range(len(models))]
    times = measure(ordered, request["seconds"], request["seed"])
    json.dump({"times": times}, answer)
    answer.flush()
    os._exit(0)  # end without destroying nets and their shared memory in order


if __name__ == "__main__":
    main()
