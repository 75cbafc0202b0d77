"""The program of a process in which the ncnn runtime runs: it answers the requests of
`process.Process`, which call methods of `Host`. `messages.py` describes the messages.

Each class derived from `Host` adds requests: `stopwatch.py` measures times here,
`devices/runner.py` on devices, and `quantization/worker.py` reduces blobs to figures. This file
needs NumPy and the package `ncnn` only, of any release, and Python 3.7: it is sent to devices, too.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Mapping, Sequence, Union  # noqa: UP035

import numpy as np

from .messages import receive, send

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .custom_layers import Location

    Array = NDArray[Any]
else:  # old releases have no `numpy.typing`
    Array = np.ndarray

Blobs = Mapping[str, Array]
Sample = Union[Blobs, int]  # noqa: UP007
"""Inputs, or the number of inputs that the process keeps."""

DEFAULT = "default"
"""The precision that the runtime chooses."""

NO_DEVICE = (
    "there is no Vulkan device: install the driver of the GPU, or a software GPU "
    "(Debian: apt install mesa-vulkan-drivers)"
)
"""The reason for a failure on `vulkan`."""


class Refused(Exception):
    """A request fails: the runtime refuses a call, or a blob is not what the request needs."""


class Host:
    """The state of the process, and its requests. Those that run a model by its files load it for
    this run; those that take a key run a model that stays loaded."""

    idle = 0
    """The process ends after this many seconds without a request; 0: never."""

    def __init__(self) -> None:
        self.nets: dict[str, Any] = {}
        """The loaded models by key."""
        self.samples: dict[int, Blobs] = {}
        """Inputs that several models run on, by number."""
        self.allocator: Any = None
        """Blobs from an allocator of the runtime's own are copied when they are extracted."""

    @property
    def ncnn(self) -> Any:
        """The runtime, which compiled models do not need."""
        return importlib.import_module("ncnn")

    def load(self, key: str, param: str, weights: str, *settings: Any) -> None:
        """Load a model under a key, instead of any other model. `settings` are those of
        `load_net`."""
        net = load_net(self.ncnn, param, weights, *settings)
        self.allocator = self.allocator or self.ncnn.PoolAllocator()
        net.opt.blob_allocator = self.allocator
        self.nets[key] = net

    def drop(self, key: str) -> None:
        """Release a model."""
        del self.nets[key]

    def keep(self, number: int, inputs: Blobs) -> None:
        """Keep inputs, which later requests name by their number."""
        self.samples[number] = inputs

    def inputs_of(self, key: str, sample: Sample) -> Blobs:
        """Return the inputs of a loaded model in a sample."""
        return self.samples[sample] if isinstance(sample, int) else sample

    def blobs(
        self,
        key: str,
        sample: Sample,
        names: Sequence[str],
        get: Callable[[Any, str], Array] | None = None,
    ) -> Iterator[tuple[str, Array]]:
        """Yield blobs of a loaded model, each as `get` returns it, by default as an array of its
        own; inputs may be among them. In the order of the model no layer runs twice, although the
        runtime releases blobs after their last reader."""
        inputs = self.inputs_of(key, sample)
        extractor = feed(self.ncnn, self.nets[key], inputs, {})
        for name in names:
            yield name, inputs[name] if name in inputs else (get or extract)(extractor, name)

    def run(self, key: str, sample: Sample, names: Sequence[str] | None = None) -> Blobs:
        """Return blobs of a loaded model (see `blobs`), by default its outputs."""
        wanted = self.nets[key].output_names() if names is None else names
        return dict(self.blobs(key, sample, wanted))

    def execute(
        self,
        param: str,
        weights: str,
        inputs: Blobs,
        steps: Mapping[str, int],
        outputs: Sequence[str],
        *settings: Any,
    ) -> Blobs:
        """Return blobs of a model (see `process.Runtime.run`). `settings` are those of
        `load_net`."""
        net = load_net(self.ncnn, param, weights, *settings)
        extractor = feed(self.ncnn, net, inputs, steps)
        return {name: extract(extractor, name) for name in outputs}

    def decode(
        self,
        param: str,
        weights: str,
        calls: Sequence[Blobs],
        caches: Mapping[str, str],
        outputs: Sequence[str],
        repeat: int,
        copied: bool,
    ) -> tuple[Sequence[Blobs], Sequence[float], Sequence[int]]:
        """Return the outputs, times and cache sizes of successive calls. Unless they are copied,
        caches are passed on as they are: their format is the runtime's own."""
        net = load_net(self.ncnn, param, weights)
        blobs: list[Blobs] = []
        sizes: list[int] = []
        times: list[list[float]] = []
        for _ in range(repeat):
            blobs, sizes, times = [], [], [*times, []]
            state = {name: self.ncnn.Mat() for name in caches}
            for inputs in calls:
                start = time.process_time()
                blobs.append(self.call(net, inputs, outputs, state, caches, copied))
                times[-1].append(time.process_time() - start)
                sizes.append(_bytes(state))
        return blobs, [min(each) for each in zip(*times)], sizes  # noqa: B905

    def call(
        self,
        net: Any,
        inputs: Blobs,
        outputs: Sequence[str],
        state: dict[str, Any],
        caches: Mapping[str, str],
        copied: bool = False,
    ) -> Blobs:
        """Return the outputs of a call that reads and replaces the blobs of `state`. `caches` are
        the outputs that replace them."""
        extractor = feed(self.ncnn, net, inputs, {})
        for name, blob in state.items():
            status = extractor.input(name, blob)
            if status:
                raise Refused(f"input '{name}': {status}")
        found = {name: extract(extractor, name) for name in outputs}
        for name, output in caches.items():
            status, blob = extractor.extract(output, 0 if copied else 1)  # 1: as it is
            if status:
                raise Refused(f"extract '{output}': {status}")
            state[name] = blob.clone() if copied else blob
        return found

    def generate(
        self,
        files: Sequence[tuple[str, str]],
        calls: Sequence[tuple[Blobs, Blobs]],
        names: Sequence[str],
        caches: Mapping[str, str],
        prompt: Sequence[int],
    ) -> tuple[Sequence[int], Sequence[float], Sequence[int]]:
        """Return the tokens, times and cache sizes of successive calls of a language model (see
        `process.Runtime.generate`)."""
        nets = [load_net(self.ncnn, param, weights) for param, weights in files]
        state = {name: self.ncnn.Mat() for name in caches}
        read = [*prompt]
        tokens: list[int] = []
        times: list[float] = []
        sizes: list[int] = []
        none: dict[str, str] = {}
        for first, second in calls:
            start = time.process_time()
            hidden: Any = np.asarray(read, np.int32)
            for net, name, others, past in zip(nets, names, (first, second, {}), ({}, state, {})):  # noqa: B905
                replaced = caches if past is state else none
                found = self.call(net, {name: hidden, **others}, ["out0"], past, replaced)
                hidden = found["out0"]
                if past is state:  # the head computes the logits of the last token only
                    hidden = hidden[-1:]
            read = [int(hidden.argmax())]
            times.append(time.process_time() - start)
            tokens += read
            sizes.append(_bytes(state))
        return tokens, times, sizes

    def serve(self) -> None:
        """Answer requests on standard input until it ends."""
        answers = answers_alone()
        while True:
            signal.alarm(self.idle)
            try:
                request = receive(sys.stdin.buffer)
            except EOFError:
                return
            signal.alarm(request["seconds"])
            answer: dict[str, Any]
            try:
                method = getattr(self, request["method"], None)
                if method is None:
                    raise Refused(f"unknown request '{request['method']}'")
                answer = {"result": method(*request["arguments"])}
            except Refused as e:
                answer = {"error": str(e)}
            except (RuntimeError, MemoryError, ImportError):
                # The runtime's own exceptions (std::exception), or there is no runtime.
                raise
            except Exception as e:
                text = f"{type(e).__name__}: {e}"
                answer = {"error": f"the blobs cannot be passed to or from the runtime: {text}"}
            send(answers, answer)


def answers_alone() -> IO[bytes]:
    """Return standard output for answers only. The runtime's messages go to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _bytes(state: Mapping[str, Any]) -> int:
    return sum(b.w * b.h * b.d * b.c * b.elemsize for b in state.values())


def load_net(
    ncnn: Any,
    param: str,
    weights: str,
    custom_layers: Mapping[str, Location] | None = None,
    light_mode: bool | None = None,
    packing: bool = True,
    precision: str = "float32",
    device: str = "cpu",
    threads: int = 1,
    pools: tuple[Any, Any] | None = None,
) -> Any:
    """Return the loaded model. `custom_layers` are the classes of layer types that the runtime
    lacks. `light_mode` is the option `lightmode`; by default it is off where several layers read a
    blob without a Split: such a model runs only without it. `pools` are the allocators of blobs and
    of working memory; the model does not keep them alive. Raise `Refused`."""
    net = ncnn.Net()
    if pools is not None:
        net.opt.blob_allocator, net.opt.workspace_allocator = pools
    if precision != DEFAULT:
        set_precision(net.opt, precision)
    if device == "vulkan" and not ncnn.get_gpu_count():
        raise Refused(NO_DEVICE)
    net.opt.use_vulkan_compute = device == "vulkan"
    net.opt.num_threads = threads
    if light_mode is not None:
        net.opt.lightmode = light_mode
    net.opt.use_packing_layout = packing
    for type_, location in (custom_layers or {}).items():
        register_layer(net, type_, location)
    for load, path in ((net.load_param, param), (net.load_model, weights)):
        status = load(path)
        if status:
            net.clear()  # while the pools exist
            raise Refused(f"{load.__name__}: {status}")
        if light_mode is None and lacks_split(net):
            net.opt.lightmode = False
    return net


def lacks_split(net: Any) -> bool:
    """Whether several layers of a model, or one layer twice, read a blob without a Split."""
    read = [blob for layer in net.layers() for blob in layer.bottoms]
    return len(set(read)) < len(read)


def register_layer(net: Any, type_: str, location: Location) -> None:
    """Register the class of a layer type with a model. The runtime does not keep its layers alive,
    so that they stay in a list."""
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
        raise Refused(f"custom layer {type_}: {module}:{name}: {type(e).__name__}: {e}") from e

    def create() -> Any:
        _LAYERS.append(cls())
        return _LAYERS[-1]

    def destroy(layer: Any) -> None:
        _LAYERS[:] = [each for each in _LAYERS if each is not layer]

    net.register_custom_layer(type_, create, destroy)


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
    """Return an extractor with these inputs."""
    extractor = net.create_extractor()
    for name, values in inputs.items():
        # The runtime computes in place on its inputs, hence the copy. It does not keep the array
        # alive.
        contiguous = np.ascontiguousarray(values)
        blob = ncnn.Mat(contiguous).clone()
        if name in steps:
            blob.h = steps[name]
        status = extractor.input(name, blob)
        if status:
            raise Refused(f"input '{name}': {status}")
    return extractor


def extract(extractor: Any, name: str) -> Array:
    """Return a blob."""
    status, blob = extractor.extract(name)
    if status:
        raise Refused(f"extract '{name}': {status}")
    # An empty blob (a detector found no box) has no memory that NumPy could read.
    return np.zeros(0, np.float32) if blob.empty() else np.array(blob)


def look_at(extractor: Any, name: str) -> Array:
    """Return the elements of a float32 blob in one dimension. The array is a view of the runtime's
    memory, in an order that depends on the processor."""
    status, blob = extractor.extract(name, 1)  # 1: without unpacking
    if status:
        raise Refused(f"extract '{name}': {status}")
    if blob.empty():
        return np.zeros(0, np.float32)
    if blob.elempack > 1:
        # NumPy does not accept packed blobs. Their channels have no padding: a pack has at least 16
        # bytes.
        size = blob.total() * blob.elempack
        blob.dims, blob.w, blob.h, blob.d, blob.c = 1, size, 1, 1, 1
        blob.cstep, blob.elemsize, blob.elempack = size, 4, 1
    return np.asarray(blob).reshape(-1)


if __name__ == "__main__":
    Host().serve()
