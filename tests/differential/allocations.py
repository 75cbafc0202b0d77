"""What the runtime allocates for blobs, counted by an allocator of ours, in a process of its own.

Run as a program, this file is that process: it answers requests on standard input, a line of JSON
each, with a line of JSON.
"""

import ctypes
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

COUNTER = 4
"""Bytes that the runtime adds to each blob for its reference count."""


@dataclass(frozen=True)
class Request:
    """A model to run."""

    param: Path
    inputs: dict[str, tuple[int, ...]]
    outputs: list[str]


def peaks(requests: Sequence[Request]) -> list[int]:
    """The most bytes that blobs took at once, of each model, without packing and in float32; inputs
    are the caller's and not counted."""
    lines = [json.dumps([str(r.param), r.inputs, r.outputs]) for r in requests]
    done = subprocess.run(
        [sys.executable, __file__],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        timeout=300,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(requests), done.stderr[-2000:]
    return answers


def counting_allocator(ncnn: Any) -> Any:
    """An allocator that knows how much it has given out, and the most it ever had."""
    address = ctypes.pythonapi.PyCapsule_GetPointer
    address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

    base: Any = ncnn.UnlockedPoolAllocator

    def fastMalloc(self: Any, size: int) -> Any:
        pointer = base.fastMalloc(self, size)
        self.sizes[address(pointer, None)] = size - COUNTER
        self.now += size - COUNTER
        self.most = max(self.most, self.now)
        return pointer

    def fastFree(self: Any, pointer: Any) -> None:
        self.now -= self.sizes.pop(address(pointer, None))
        base.fastFree(self, pointer)

    # The binding tells a call of the base from within an override by the override's name.
    own = {"fastMalloc": fastMalloc, "fastFree": fastFree}
    allocator: Any = type("Counting", (base,), own)()
    allocator.sizes, allocator.now, allocator.most = {}, 0, 0
    return allocator


def measure(ncnn: Any, param: str, inputs: dict[str, list[int]], outputs: list[str]) -> list[Any]:
    """The peak, and what must stay alive: allocators do not outlive their blobs."""
    net, blobs, scratch = ncnn.Net(), counting_allocator(ncnn), counting_allocator(ncnn)
    for option in ("fp16_packed", "fp16_storage", "fp16_arithmetic", "bf16_packed", "bf16_storage"):
        setattr(net.opt, f"use_{option}", False)
    net.opt.use_packing_layout = False
    net.opt.use_vulkan_compute = False
    net.opt.num_threads = 1
    net.opt.lightmode = True
    net.opt.blob_allocator = blobs
    net.opt.workspace_allocator = scratch
    assert net.load_param(param) == 0
    assert net.load_model(param.removesuffix(".param") + ".bin") == 0
    extractor = net.create_extractor()
    kept = [net, blobs, scratch, extractor]
    for name, shape in inputs.items():
        values = np.zeros(shape, "f4")  # a Mat does not keep its array alive, hence a name
        mat = ncnn.Mat(values).clone()
        kept.append(mat)  # as a caller would
        assert extractor.input(name, mat) == 0
    for name in outputs:
        status, mat = extractor.extract(name)
        assert status == 0, name
        kept.append(mat)
    return [blobs.most, kept]


def serve() -> None:
    """Answers requests until standard input ends."""
    ncnn = importlib.import_module("ncnn")
    alive: list[Any] = []
    for line in sys.stdin:
        most, kept = measure(ncnn, *json.loads(line))
        alive.append(kept)
        print(most, flush=True)
    os._exit(0)


if __name__ == "__main__":
    serve()
