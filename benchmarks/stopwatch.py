"""A program that times several models in one process, for `timing.py`.

Reads on standard input `{"models": [MODEL, …], "inputs": [NAME, …], "values": FILE.npz,
"seconds": S, "seed": N, "half": BOOL}`, and for decoders `"prefill": FILE.npz`, the inputs of the
call before, which fills the caches that each measured call gets, and `"copied": true` if the
application copies the caches. A model is a `.param` for the ncnn
runtime, or a `.vmfb`. Writes on standard output `{"times": [[MILLISECONDS, …], …]}`, a row per
round and a column per model, or `{"failed": INDEX, "reason": …}`. A crash of the runtime ends this
program.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from ncnn_opt.paired_times.clock import clock_for, measure, repeated

LEAST, MOST = 3, 500
"""The smallest and the largest number of rounds."""


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
    copied: bool = False,
) -> Callable[[], None]:
    """Return a function that runs a model once for all outputs, with the runtime's default options
    and one thread. A decoder gets the caches that a call with the inputs `prefill` makes. As in
    ncnn's own benchmark, memory pools keep freed memory, because the heap behaves unpredictably.
    Decoders have none, as in ncnn_llm: a cache that comes from a pool of blobs does not grow in
    place, so each step would copy it. If `copied`, the caches are copies, as Python's `extract`
    makes them by default. Without `half`, all floats have 32 bits."""
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
    # Of type 1, a cache is the runtime's own, which grows in place; of type 0, Python gets a copy.
    type_ = 0 if copied else 1
    caches = {f"out_{name}" for name in net.input_names()}
    names = {name: type_ if name in caches else 0 for name in net.output_names()}
    if prefill is not None:
        inputs = inputs | caches_after(ncnn, net, prefill, type_)

    def run() -> None:
        extractor = net.create_extractor()
        for name, blob in inputs.items():
            extractor.input(name, blob)
        for name, type_ in names.items():
            if extractor.extract(name, type_)[0]:
                raise Refused(f"does not compute '{name}'")

    return run


def caches_after(ncnn: Any, net: Any, inputs: dict[str, Any], type_: int) -> dict[str, Any]:
    """Return the caches that a first call of a decoder makes, for the next call."""
    extractor = net.create_extractor()
    # A decoder that is cut after some blocks keeps the inputs of the others.
    caches = [name for name in net.input_names() if f"out_{name}" in net.output_names()]
    for name, blob in (inputs | {name: ncnn.Mat() for name in caches}).items():
        extractor.input(name, blob)
    found = {name: extractor.extract(f"out_{name}", type_) for name in caches}
    if any(status for status, _ in found.values()):
        raise Refused("does not compute its caches")
    return {name: blob for name, (_, blob) in found.items()}


def load_code(path: str, inputs: Mapping[str, Any]) -> Callable[[], object]:
    """Return a function that runs a compiled model once, on the calling thread."""
    from ncnn_opt.native.artifact import load
    from ncnn_opt.native.program import Program

    return partial(Program(load(path), "local-sync"), inputs)


def arrays_in(path: str, names: list[str]) -> dict[str, Any]:
    """Return the arrays in a file."""
    with np.load(path) as file:
        return {name: file[key] for name, key in zip(names, file.files, strict=True)}


def blobs_of(ncnn: Any, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return arrays as blobs."""
    # A Mat does not keep its array alive; the copy is independent.
    return {name: ncnn.Mat(array).clone() for name, array in arrays.items()}


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    # Standard output is for the answer only, not for the runtime's messages.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    ncnn = import_module("ncnn")
    arrays = arrays_in(request["values"], request["inputs"])
    blobs, prefill = blobs_of(ncnn, arrays), request.get("prefill")
    first = None if prefill is None else blobs_of(ncnn, arrays_in(prefill, request["inputs"]))
    models: list[str] = request["models"]
    copied = request.get("copied", False)
    runs: dict[int, Callable[[], object]] = {}
    # The placement of weights in memory permanently affects the speed of a model.
    for i in map(int, np.random.default_rng(request["seed"]).permutation(len(models))):
        try:
            if models[i].endswith(".vmfb"):
                runs[i] = load_code(models[i], arrays)
            else:
                runs[i] = load(ncnn, models[i], blobs, request.get("half", True), first, copied)
            runs[i]()
        except Refused as e:
            json.dump({"failed": i, "reason": str(e)}, answer)
            return
    turns = [repeated(runs[i], clock_for(1)) for i in range(len(models))]
    json.dump({"times": measure(turns, MOST, request["seconds"], LEAST)}, answer)
    answer.flush()
    os._exit(0)  # end without destroying nets and their shared memory in order


if __name__ == "__main__":
    main()
