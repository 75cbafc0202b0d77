"""The process of an oracle: it runs models in the ncnn runtime, its memory filled with a byte.

The parent has the runtime imported and does nothing but fork; a child that crashes costs a fork and
not a new interpreter. Run as a program, this file reads requests on standard input, a model and
inputs for it each, and answers with pickles: `("answer", …)` for each of the inputs, and then
`("done", None)`; or, wherever it is, `("crash", what)`. The request `None` is to crash.
"""

import ctypes
import importlib
import os
import pickle
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Blobs = Mapping[str, Array]
Answer = Blobs | str
"""The outputs, or why there are none."""

OVERREAD = 64
"""Bytes that the runtime allocates behind each blob, since some kernels read them."""

BATCH = "[]"
"""The end of the name of an input that is a batch of blobs, along the first axis of its values."""

FULL = ("fp16_packed", "fp16_storage", "fp16_arithmetic", "bf16_packed", "bf16_storage")
"""Options that make values of less than 32 bits."""


def filling_allocator(ncnn: Any, byte: int) -> Any:
    """An allocator whose memory is filled with a byte each time it is given out. (The runtime's own
    one gives out again what is freed, with what it held.)"""
    address = ctypes.pythonapi.PyCapsule_GetPointer
    address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    base: Any = ncnn.UnlockedPoolAllocator

    def fastMalloc(self: Any, size: int) -> Any:
        pointer = base.fastMalloc(self, size)
        ctypes.memset(address(pointer, None), byte, size + OVERREAD)
        return pointer

    # The binding tells a call of the base from within an override by the override's name.
    return type("Filling", (base,), {"fastMalloc": fastMalloc})()


def loaded(ncnn: Any, param: str, full: bool, allocator: Any) -> Any:
    """The model, or why not; `full`: in float32, whatever the runtime would take by itself."""
    net = ncnn.Net()
    if full:
        for option in FULL:
            if hasattr(net.opt, f"use_{option}"):  # older releases have no use_bf16_packed
                setattr(net.opt, f"use_{option}", False)
    net.opt.num_threads = 1
    net.opt.blob_allocator = net.opt.workspace_allocator = allocator
    if status := net.load_param(param):
        return f"load_param: {status}"
    if status := net.load_model(param.removesuffix(".param") + ".bin"):
        return f"load_model: {status}"
    return net


def computed(ncnn: Any, net: Any, inputs: Blobs, outputs: Sequence[str]) -> Answer:
    """The outputs, or what the runtime refused."""
    extractor = net.create_extractor()
    for name, values in inputs.items():
        # A Mat does not keep alive the array that it is made of, hence a name for it.
        contiguous = np.ascontiguousarray(values)
        axis = {"batch_index": 0} if name.endswith(BATCH) else {}
        blob = ncnn.Mat(contiguous, **axis).clone()
        if status := extractor.input(name.removesuffix(BATCH), blob):
            return f"input '{name}': {status}"
    blobs: dict[str, Array] = {}
    for name in outputs:
        status, blob = extractor.extract(name)
        if status:
            return f"extract '{name}': {status}"
        try:
            # An empty blob (no box was found) has no memory that NumPy could look at.
            blobs[name] = np.zeros(0, np.float32) if blob.empty() else values_of(blob)
            if any(each.endswith(BATCH) for each in inputs):
                blobs[f"{name}, number of blobs"] = np.array([blob.n], np.float32)
        except ValueError as error:  # what a window gives that does not fit into its blob
            return f"output '{name}': {error}"
    return blobs


def values_of(blob: Any) -> Array:
    """The values of a blob, or those of all blobs of a batch."""
    number = getattr(blob, "n", 1)
    if number == 1:
        return np.array(blob)
    return np.stack([np.array(blob.batch(i)) for i in range(number)])


def say(out: IO[bytes], kind: str, what: Answer | None = None) -> None:
    """Something that the other side hears at once."""
    pickle.dump((kind, what), out)
    out.flush()


def serve(ncnn: Any, byte: int, out: IO[bytes]) -> None:
    """Answers requests until standard input ends."""
    allocator = filling_allocator(ncnn, byte)  # one for all: it must outlive their blobs

    def answer(param: str, full: bool, feeds: Sequence[Blobs], outputs: Sequence[str]) -> None:
        net = loaded(ncnn, param, full, allocator)
        for inputs in feeds:
            done = net if isinstance(net, str) else computed(ncnn, net, inputs, outputs)
            say(out, "answer", done)

    while True:
        try:
            seconds, request = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        if request is None:
            os._exit(1)
        signal.alarm(seconds)
        answer(*request)
        say(out, "done")  # that is, what it has left behind did not crash, either
        signal.alarm(0)


def main() -> None:
    """Forks a child that serves, and another one whenever that crashes."""
    byte = int(sys.argv[1])
    # Standard output is for answers alone, not for what the runtime has to say.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    ncnn = importlib.import_module("ncnn")
    while (child := os.fork()) != 0:
        _, status = os.waitpid(child, 0)
        if status == 0:
            return
        end = os.waitstatus_to_exitcode(status)
        what = signal.Signals(-end).name if end < 0 else f"status {end}"
        say(out, "crash", what)
    serve(ncnn, byte, out)
    os._exit(0)


if __name__ == "__main__":
    main()
