"""The program of the process in which the ncnn runtime runs: it answers requests of
`process.Runtime`. It needs only NumPy and the package `ncnn`, of any release.
"""

import importlib
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Blobs = Mapping[str, Array]
Location = tuple[str, str, Sequence[str]]
"""The module or file of a class, its name, and the folders in which modules are looked up."""

DEFAULT = "default"
"""The precision that the runtime chooses."""

NO_DEVICE = (
    "there is no Vulkan device: install the driver of the GPU, or a software GPU "
    "(Debian: apt install mesa-vulkan-drivers)"
)
"""The reason for a failure on `vulkan`."""

EXECUTE, DECODE, GENERATE = "execute", "decode", "generate"
"""The work that the process does: one call of a model, successive calls, or calls for tokens of
which each follows from the one before."""


def answers_alone() -> IO[bytes]:
    """Return standard output for answers only. The runtime's messages go to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def execute(
    ncnn: Any,
    param: str,
    weights: str,
    inputs: Blobs,
    steps: Mapping[str, int],
    outputs: Sequence[str],
    *settings: Any,
) -> Blobs | str:
    """Return the blobs, or the call that the runtime refused. `settings` are those of
    `load_net`."""
    net = load_net(ncnn, param, weights, *settings)
    extractor = net if isinstance(net, str) else feed(ncnn, net, inputs, steps)
    if isinstance(extractor, str):
        return extractor
    blobs: dict[str, Array] = {}
    for name in outputs:
        blob = extract(extractor, name)
        if isinstance(blob, str):
            return blob
        blobs[name] = blob
    return blobs


def decode(
    ncnn: Any,
    param: str,
    weights: str,
    calls: Sequence[Blobs],
    caches: Mapping[str, str],
    outputs: Sequence[str],
    repeat: int,
    copied: bool,
) -> tuple[Sequence[Blobs], Sequence[float], Sequence[int]] | str:
    """Return the outputs, times and cache sizes of successive calls, or the call that the runtime
    refused. Unless they are copied, caches are passed on as they are: their format is the runtime's
    own."""
    net = load_net(ncnn, param, weights, True, True)
    if isinstance(net, str):
        return net
    blobs, sizes, times = list[Blobs](), list[int](), list[list[float]]()
    for _ in range(repeat):
        blobs, sizes, times = list[Blobs](), list[int](), [*times, list[float]()]
        state = {name: ncnn.Mat() for name in caches}
        for inputs in calls:
            start = time.process_time()
            found = call(ncnn, net, inputs, outputs, state, caches, copied)
            if isinstance(found, str):
                return found
            times[-1].append(time.process_time() - start)
            blobs.append(found)
            sizes.append(_bytes(state))
    return blobs, [min(each) for each in zip(*times)], sizes  # noqa: B905


def call(
    ncnn: Any,
    net: Any,
    inputs: Blobs,
    outputs: Sequence[str],
    state: dict[str, Any],
    caches: Mapping[str, str],
    copied: bool = False,
) -> Blobs | str:
    """Return the outputs of a call that reads and replaces the blobs of `state`, or the call that
    the runtime refused. `caches` are the outputs that replace them."""
    extractor = feed(ncnn, net, inputs, {})
    if isinstance(extractor, str):
        return extractor
    for name, blob in state.items():
        if status := extractor.input(name, blob):
            return f"input '{name}': {status}"
    found = {name: extract(extractor, name) for name in outputs}
    if refused := [blob for blob in found.values() if isinstance(blob, str)]:
        return refused[0]
    for name, output in caches.items():
        status, blob = extractor.extract(output, 0 if copied else 1)  # 1: as it is
        if status:
            return f"extract '{output}': {status}"
        state[name] = blob.clone() if copied else blob
    return cast(Blobs, found)


def _bytes(state: Mapping[str, Any]) -> int:
    return sum(b.w * b.h * b.d * b.c * b.elemsize for b in state.values())


def generate(
    ncnn: Any,
    files: Sequence[tuple[str, str]],
    calls: Sequence[tuple[Blobs, Blobs]],
    names: Sequence[str],
    caches: Mapping[str, str],
    prompt: Sequence[int],
) -> tuple[Sequence[int], Sequence[float], Sequence[int]] | str:
    """Return the tokens, times and cache sizes of successive calls of a language model, or the call
    that the runtime refused (see `process.Runtime.generate`)."""
    nets: list[Any] = []
    for param, weights in files:
        nets.append(load_net(ncnn, param, weights, True, True))
        if isinstance(nets[-1], str):
            return nets[-1]
    state = {name: ncnn.Mat() for name in caches}
    read, tokens, times, sizes = [*prompt], list[int](), list[float](), list[int]()
    for first, second in calls:
        start = time.process_time()
        hidden: Any = np.asarray(read, np.int32)
        for net, name, others, past in zip(nets, names, (first, second, {}), ({}, state, {})):  # noqa: B905
            replaced = caches if past is state else dict[str, str]()
            found = call(ncnn, net, {name: hidden, **others}, ["out0"], past, replaced)
            if isinstance(found, str):
                return found
            hidden = found["out0"]
            if past is state:  # the head computes the logits of the last token only
                hidden = hidden[-1:]
        read = [int(hidden.argmax())]
        times.append(time.process_time() - start)
        tokens += read
        sizes.append(_bytes(state))
    return tokens, times, sizes


def load_net(
    ncnn: Any,
    param: str,
    weights: str,
    light_mode: bool,
    packing: bool,
    precision: str = "float32",
    device: str = "cpu",
    custom_layers: Mapping[str, Location] | None = None,
) -> Any:
    """Return the loaded model, or the call that the runtime refused. `custom_layers` are the
    classes of layer types that the runtime lacks."""
    net = ncnn.Net()
    if precision != DEFAULT:
        set_precision(net.opt, precision)
    if device == "vulkan" and not ncnn.get_gpu_count():
        return NO_DEVICE
    net.opt.use_vulkan_compute = device == "vulkan"
    net.opt.num_threads = 1
    net.opt.lightmode = light_mode
    net.opt.use_packing_layout = packing
    for type_, location in (custom_layers or {}).items():
        if (error := register_layer(net, type_, location)) is not None:
            return error
    if status := net.load_param(param):
        return f"load_param: {status}"
    if status := net.load_model(weights):
        return f"load_model: {status}"
    return net


def register_layer(net: Any, type_: str, location: Location) -> str | None:
    """Register the class of a layer type with a model. Return the reason if it cannot be imported.
    The runtime does not keep its layers alive, so that they stay in a list."""
    module, name, folders = location
    sys.path += [folder for folder in folders if folder not in sys.path]
    try:
        if module.endswith(".py"):
            if module not in _FILES:
                spec = spec_from_file_location(Path(module).stem, module)
                assert spec is not None
                assert spec.loader is not None
                _FILES[module] = module_from_spec(spec)
                spec.loader.exec_module(_FILES[module])
            cls = getattr(_FILES[module], name)
        else:
            cls = getattr(importlib.import_module(module), name)
    except Exception as e:
        return f"custom layer {type_}: {module}:{name}: {type(e).__name__}: {e}"

    def create() -> Any:
        _LAYERS.append(cls())
        return _LAYERS[-1]

    def destroy(layer: Any) -> None:
        _LAYERS[:] = [each for each in _LAYERS if each is not layer]

    net.register_custom_layer(type_, create, destroy)
    return None


_FILES: dict[str, Any] = {}
"""The modules that were imported from files."""
_LAYERS: list[Any] = []


def set_precision(options: Any, precision: str) -> None:
    """Set the storage and the arithmetic of the runtime to one of `runtime.PRECISIONS`."""
    for kind, is_on in (
        ("fp16", precision in ("float16-storage", "float16")),
        ("bf16", precision == "bfloat16"),
    ):
        for option in (f"use_{kind}_packed", f"use_{kind}_storage"):
            if hasattr(options, option):  # older releases have no use_bf16_packed
                setattr(options, option, is_on)
    options.use_fp16_arithmetic = precision == "float16"


def feed(ncnn: Any, net: Any, inputs: Blobs, steps: Mapping[str, int]) -> Any:
    """Return an extractor with these inputs, or the call that the runtime refused."""
    extractor = net.create_extractor()
    for name, values in inputs.items():
        # The runtime computes in place on its inputs, hence the copy. It does not keep the array
        # alive.
        contiguous = np.ascontiguousarray(values)
        blob = ncnn.Mat(contiguous).clone()
        if name in steps:
            blob.h = steps[name]
        if status := extractor.input(name, blob):
            return f"input '{name}': {status}"
    return extractor


def extract(extractor: Any, name: str) -> Array | str:
    """Return a blob, or the call that the runtime refused."""
    status, blob = extractor.extract(name)
    if status:
        return f"extract '{name}': {status}"
    # An empty blob (a detector found no box) has no memory that NumPy could read.
    return np.zeros(0, np.float32) if blob.empty() else np.array(blob)


def look_at(extractor: Any, name: str) -> Array | str:
    """Return the elements of a float32 blob in one dimension, or the call that the runtime refused.
    The array is a view of the runtime's memory, in an order that depends on the processor."""
    status, blob = extractor.extract(name, 1)  # 1: without unpacking
    if status:
        return f"extract '{name}': {status}"
    if blob.empty():
        return np.zeros(0, np.float32)
    if blob.elempack > 1:
        # NumPy does not accept packed blobs. Their channels have no padding: a pack has at least 16
        # bytes.
        size = blob.total() * blob.elempack
        blob.dims, blob.w, blob.h, blob.d, blob.c = 1, size, 1, 1, 1
        blob.cstep, blob.elemsize, blob.elempack = size, 4, 1
    return np.asarray(blob).reshape(-1)


WORK: Mapping[str, Callable[..., object]] = {
    EXECUTE: execute,
    DECODE: decode,
    GENERATE: generate,
}


def serve() -> None:
    """Answer requests on standard input until it ends."""
    answers = answers_alone()
    ncnn = importlib.import_module("ncnn")
    while True:
        try:
            seconds, work, request = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        signal.alarm(seconds)
        try:
            answer = WORK[work](ncnn, *request)
        except (RuntimeError, MemoryError):  # the runtime's own exceptions (std::exception)
            raise
        except Exception as e:
            answer = f"the blobs cannot be passed to or from the runtime: {type(e).__name__}: {e}"
        pickle.dump(answer, answers)
        answers.flush()
        signal.alarm(0)


if __name__ == "__main__":
    serve()
