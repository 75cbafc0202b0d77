"""Times models against each other in one process: the part of `timing.py` that is a program.

Reads on standard input `{"models": [PARAM, …], "inputs": [NAME, …], "values": FILE.npz,
"seconds": S, "seed": N}`, writes on standard output `{"times": [[SECONDS, …], …]}`, a row a round
and a column a model, or `{"failed": INDEX, "reason": …}`. A crash of the runtime is a crash of this
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
"""Seconds that a turn takes at least: shorter runs are repeated."""

LEAST, MOST = 5, 500
"""Rounds."""


_KEPT: list[Any] = []
"""A net does not keep its allocators alive."""


class Refused(Exception):
    """The runtime does not load a model, or does not run it."""


def load(ncnn: Any, param: str, inputs: dict[str, Any], half: bool = True) -> Callable[[], None]:
    """A function that runs a model once, with the runtime's options as they are but for one
    thread, and asks for all outputs. As in ncnn's own benchmark, memory that a run has used is kept
    for the next one: whether the heap gives it back in between is a matter of chance. Without
    `half` all float numbers have 32 bits."""
    net = ncnn.Net()
    net.opt.num_threads = 1
    if not half:
        for name in ("fp16_packed", "fp16_storage", "fp16_arithmetic", "bf16_storage"):
            setattr(net.opt, f"use_{name}", False)
    pools = ncnn.UnlockedPoolAllocator(), ncnn.PoolAllocator()
    net.opt.blob_allocator, net.opt.workspace_allocator = pools
    _KEPT.extend(pools)
    if net.load_param(param) or net.load_model(str(Path(param).with_suffix(".bin"))):
        raise Refused("does not load")
    names: list[str] = net.output_names()

    def run() -> None:
        extractor = net.create_extractor()
        for name, blob in inputs.items():
            extractor.input(name, blob)
        for name in names:
            if extractor.extract(name)[0]:
                raise Refused(f"does not compute '{name}'")

    return run


def turn(run: Callable[[], None], times: int) -> float:
    """The seconds of one run, on average over so many after another that does not count: it finds
    in the caches what another model left there. Time of the processor: what else the machine does
    in the meantime is not the model's."""
    run()
    start = time.process_time()
    for _ in range(times):
        run()
    return (time.process_time() - start) / times


def measure(runs: list[Callable[[], None]], seconds: float, seed: int) -> list[list[float]]:
    """Rounds in which each model has one turn, in an order that is drawn anew for each."""
    rng = np.random.default_rng(seed)
    first = [turn(run, 1) for run in runs]
    times = max(1, round(TURN / max(min(first), 1e-6)))
    rounds = min(max(int(seconds / ((times + 1) * sum(first))), LEAST), MOST)
    table = np.zeros((rounds, len(runs)))
    for row in table:
        for i in map(int, rng.permutation(len(runs))):
            row[i] = turn(runs[i], times)
    return table.tolist()


def main() -> None:
    """Answers one request."""
    request = json.load(sys.stdin)
    # Standard output is for the answer alone, not for what the runtime has to say.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    ncnn = import_module("ncnn")
    with np.load(request["values"]) as file:
        arrays = [file[key] for key in file.files]
    # A Mat does not keep the array alive that it is made of; its copy needs none.
    inputs = {n: ncnn.Mat(a).clone() for n, a in zip(request["inputs"], arrays, strict=True)}
    rng = np.random.default_rng(request["seed"])
    models: list[str] = request["models"]
    runs: dict[int, Callable[[], None]] = {}
    # Where its weights come to lie in memory makes a model faster or slower for good.
    for i in map(int, rng.permutation(len(models))):
        try:
            runs[i] = load(ncnn, models[i], inputs)
            runs[i]()
        except Refused as e:
            json.dump({"failed": i, "reason": str(e)}, answer)
            return
    ordered = [runs[i] for i in range(len(models))]
    times = measure(ordered, request["seconds"], request["seed"])
    json.dump({"times": times}, answer)
    answer.flush()
    os._exit(0)  # nets and the memory they share would have to go in order


if __name__ == "__main__":
    main()
