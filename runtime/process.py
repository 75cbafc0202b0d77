"""The ncnn runtime in a separate process, so that its crash is a result and does not end ours.

Run as a program, this file is that process.
"""

import importlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Blobs = Mapping[str, Array]
Location = tuple[str, str, Sequence[str]]
"""The module or file of a class, its name, and the folders in which modules are looked up."""

SECONDS = 60
"""The time limit for one model in seconds."""

DEFAULT = "default"
"""The precision that the runtime chooses."""

NO_DEVICE = (
    "there is no Vulkan device: install the driver of the GPU, or a software GPU "
    "(Debian: apt install mesa-vulkan-drivers)"
)
"""The reason for a failure on `vulkan`."""


EXECUTE, DECODE = "execute", "decode"
"""The work that the process does: one call of a model, or successive calls."""


@dataclass(frozen=True)
class Decoded:
    """The results of successive calls of a model."""

    blobs: Sequence[Blobs]
    """The outputs of each call."""
    seconds: Sequence[float]
    """The time of each call."""
    cache_bytes: Sequence[int]
    """The size of all caches after each call."""


@dataclass(frozen=True)
class Failure:
    """A failed run: the runtime refused the model, or crashed."""

    reason: str


class Runtime:
    """A process that runs models one after the other. A new process replaces a crashed one."""

    def __init__(self, seconds: int = SECONDS, python: str = sys.executable) -> None:
        """`python` is the interpreter of an environment with NumPy and any release of the runtime.
        `seconds` is the time limit for one run."""
        self._python = python
        self._process: subprocess.Popen[bytes] | None = None
        self._words = tempfile.TemporaryFile()
        self._seconds = seconds

    @staticmethod
    def is_there() -> bool:
        """Whether the package `ncnn` is installed."""
        return find_spec("ncnn") is not None

    def __enter__(self) -> "Runtime":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._words.close()

    def run(
        self,
        param: Path,
        inputs: Blobs,
        outputs: Sequence[str],
        *,
        weights: Path | None = None,
        light_mode: bool = True,
        packing: bool = True,
        steps: Mapping[str, int] | None = None,
        precision: str = "float32",
        device: str = "cpu",
        custom_layers: Mapping[str, Location] | None = None,
    ) -> Blobs | Failure:
        """Return the blobs `outputs` of a model, computed in one thread.

        `weights` is the `.bin`; by default it has the name of `param`. `precision` is one of
        `runtime.PRECISIONS` or `DEFAULT`, the runtime's default, in which some weights are float16.
        `device` is one of `runtime.DEVICES`.
        `light_mode`, the runtime's default, frees a blob once it is read, so that a model in which
        two layers read a blob without a Split does not run. `packing` is also the runtime's
        default; without it, a layer uses the code for any number of channels. `steps` gives, for
        inputs that are caches of keys or values (`heads x room x features`), the number of past
        steps; the rest is room for new steps.
        """
        weights = weights or param.with_suffix(".bin")
        blobs = dict(inputs), dict(steps or {}), list(outputs)
        setting = light_mode, packing, precision, device, dict(custom_layers or {})
        request = str(param), str(weights), *blobs, *setting
        return self._answer(EXECUTE, request)

    def _answer(self, work: str, request: Sequence[object]) -> Any:
        """Return the answer to a request, or the failure."""
        process = self._process or self._start()
        start = self._words.seek(0, os.SEEK_END)
        try:
            answer = ask(process, (self._seconds, work, request))
        except (EOFError, BrokenPipeError):
            status = self._stop()
            answer = describe_end(status)
            if status == -signal.SIGALRM:
                answer = f"the runtime took more than {self._seconds} s"
        if isinstance(answer, str):
            return Failure(answer + last_words(self._words, start))
        return answer

    def decode(
        self,
        param: Path,
        calls: Sequence[Blobs],
        caches: Mapping[str, str],
        outputs: Sequence[str],
        *,
        weights: Path | None = None,
        repeat: int = 1,
        copied: bool = False,
    ) -> "Decoded | Failure":
        """Return the blobs `outputs` of successive calls of a model. `caches` are the inputs that
        get an output of the call before, by name; the first call gets empty blobs. Each call gets
        copies of them if `copied`; of caches in the runtime's own format, copies may be incomplete.
        All calls are made `repeat` times, from the beginning; times are the shortest."""
        weights = weights or param.with_suffix(".bin")
        every = [dict(each) for each in calls]
        request = str(param), str(weights), every, dict(caches), list(outputs), repeat, copied
        answer = self._answer(DECODE, request)
        return answer if isinstance(answer, Failure) else Decoded(*answer)

    def _start(self) -> "subprocess.Popen[bytes]":
        self._process = subprocess.Popen(
            [self._python, __file__],
            env=environment_of(self._python),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._words,
        )
        return self._process

    def _stop(self) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.communicate()
        return process.returncode


def environment_of(python: str) -> Mapping[str, str]:
    """Return the environment variables for an interpreter. The places of our packages are those of
    this interpreter only: another one would import our `ncnn` instead of its own."""
    own = python == sys.executable
    return {k: v for k, v in os.environ.items() if own or k not in ("PYTHONPATH", "PYTHONHOME")}


def ask(process: "subprocess.Popen[bytes]", request: object) -> Any:
    """Return the answer of a process. Raise `EOFError` or `BrokenPipeError` if it has ended."""
    requests, answers = process.stdin, process.stdout
    assert requests is not None
    assert answers is not None
    pickle.dump(request, requests, pickle.HIGHEST_PROTOCOL)
    requests.flush()
    return pickle.load(answers)


def describe_end(status: int) -> str:
    """Return a message about the end of a process that runs models."""
    if status < 0:
        return f"the runtime crashed ({signal.Signals(-status).name})"
    return f"the runtime ended with status {status}"


def last_words(words: IO[bytes], start: int = 0) -> str:
    """Return the last line of a file after the position `start`, in brackets, if there is one."""
    words.seek(start)
    lines = words.read().decode(errors="replace").strip().splitlines()
    return f" ({lines[-1]})" if lines else ""


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
            extractor = feed(ncnn, net, inputs, {})
            if isinstance(extractor, str):
                return extractor
            for name, blob in state.items():
                if status := extractor.input(name, blob):
                    return f"input '{name}': {status}"
            start = time.process_time()
            found = {name: extract(extractor, name) for name in outputs}
            if refused := [blob for blob in found.values() if isinstance(blob, str)]:
                return refused[0]
            state: dict[str, Any] = {}
            for name, output in caches.items():
                status, blob = extractor.extract(output, 0 if copied else 1)  # 1: as it is
                if status:
                    return f"extract '{output}': {status}"
                state[name] = blob.clone() if copied else blob
            times[-1].append(time.process_time() - start)
            blobs.append(cast(Blobs, found))
            sizes.append(sum(b.w * b.h * b.d * b.c * b.elemsize for b in state.values()))
    return blobs, [min(each) for each in zip(*times)], sizes  # noqa: B905


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
            answer = (decode if work == DECODE else execute)(ncnn, *request)
        except (RuntimeError, MemoryError):  # the runtime's own exceptions (std::exception)
            raise
        except Exception as e:
            answer = f"the blobs cannot be passed to or from the runtime: {type(e).__name__}: {e}"
        pickle.dump(answer, answers)
        answers.flush()
        signal.alarm(0)


if __name__ == "__main__":
    serve()
