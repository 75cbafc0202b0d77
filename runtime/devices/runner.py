"""The runner on a device, in Python: it needs only this file, the clock, and the package `ncnn`.

A request is a line of words; an answer is a line of JSON. docs/devices.md describes the protocol.
`runtime/runner/` is the same program in C++. The runner ends with its standard input, even in the
middle of a run; each request has a time limit.

The file must work with the Python of a device, 3.7 or newer. The clock is its only import of this
project: `program` in `session.py` packs both files for a device.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import gc
import glob
import importlib
import json
import os
import platform
import select
import signal
import socket
import sys
from functools import partial
from itertools import islice
from typing import IO, Any

from ...paired_times.clock import clock_for, turns, warm_up

PROTOCOL = 1
LOCK = "ncnn-opt-device"
"""The name of the lock that all users of a device share."""
IDLE = 900
"""A runner without a request ends after this many seconds."""
HANG_UP = select.POLLHUP | select.POLLERR | getattr(select, "POLLRDHUP", 0)
CPUS = "/sys/devices/system/cpu"


class Refusal(Exception):
    """A request that fails."""


# -- the process


def watch_input(parent: int) -> None:
    """End the parent process when standard input closes: the runtime holds Python's lock during a
    run, so that a thread would be too late."""
    poll = select.poll()
    poll.register(0, HANG_UP)
    while os.getppid() == parent:
        if any(events & HANG_UP for _, events in poll.poll(500)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(parent, signal.SIGKILL)
            break
    os._exit(0)


def take_lock() -> Any | None:
    """Return the lock of this device, which ends with the process; `None` if another process holds
    it. Abstract names (Linux, Android) need no file and hold for all users."""
    lock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        lock.bind("\0" + LOCK)
        return lock
    except OSError as e:
        if e.errno == errno.EADDRINUSE:
            return None
    fcntl = importlib.import_module("fcntl")
    handle = os.open(".lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return None
    return handle


# -- the processor


def read(path: str) -> str:
    """Return the text of a file, empty if it cannot be read."""
    try:
        with open(path, "rb") as f:
            return f.read().decode("utf-8", "replace").strip("\0\n ")
    except OSError:
        return ""


def number(path: str) -> float:
    """Return the number in a file; 0 if there is none."""
    try:
        return float(read(path))
    except ValueError:
        return 0.0


def usable() -> list[int]:
    """Return the processors that this process may use."""
    try:
        return sorted(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return list(range(os.cpu_count() or 1))


def clusters() -> list[dict[str, Any]]:
    """Return the processors in groups of equal speed, the fastest first."""
    found: dict[Any, list[int]] = {}
    for cpu in usable():
        folder = f"{CPUS}/cpu{cpu}"
        capacity = number(folder + "/cpu_capacity")
        fastest = number(folder + "/cpufreq/cpuinfo_max_freq")
        found.setdefault((capacity, fastest), []).append(cpu)
    rows: list[dict[str, Any]] = []
    for speed in sorted(found, reverse=True):
        folder = f"{CPUS}/cpu{found[speed][0]}/cpufreq"
        governor = read(folder + "/scaling_governor")
        rows.append({"cpus": found[speed], "max_mhz": speed[1] / 1000, "governor": governor})
    return rows


def frequency(cpus: list[int]) -> float:
    """Return the least current frequency of these processors in MHz; 0 if the system reports
    none."""
    found = [number(f"{CPUS}/cpu{cpu}/cpufreq/scaling_cur_freq") for cpu in cpus]
    return min(found) / 1000 if found and all(found) else 0.0


def facts(ncnn: Any) -> dict[str, Any]:
    """Return the facts about the device."""
    fields: dict[str, str] = {}
    parts: list[str] = []
    for line in read("/proc/cpuinfo").splitlines():
        name, _, value = line.partition(":")
        fields.setdefault(name.strip(), value.strip())
        if name.strip() == "CPU part":
            parts.append(value.strip())
    memory = read("/proc/meminfo").split()
    zones: dict[str, float] = {}
    for zone in sorted(glob.glob("/sys/class/thermal/thermal_zone*")):
        if number(zone + "/temp"):
            zones[read(zone + "/type") or os.path.basename(zone)] = number(zone + "/temp") / 1000
    arm = platform.machine().lower().startswith(("aarch64", "arm"))
    half = arm and bool(ncnn.cpu_support_arm_vfpv4())
    return {
        "arch": platform.machine(),
        "cpu": fields.get("model name") or fields.get("Hardware") or "",
        "parts": parts,
        "board": read("/proc/device-tree/model"),
        "features": (fields.get("flags") or fields.get("Features") or "").split(),
        "clusters": clusters(),
        "memory_mb": int(memory[1]) // 1024 if memory[:1] == ["MemTotal:"] else 0,
        "temperature": zones,
        "ncnn": ncnn.__version__,
        "precision": "float16" if half else "float32",
    }


# -- models


class Net:
    """A loaded model with its inputs."""

    def __init__(self, ncnn: Any, param: str, weights: str, threads: int) -> None:
        self.ncnn = ncnn
        self.clock = clock_for(threads)
        self.net = ncnn.Net()
        # Pools as in ncnn's own benchmark: the heap returns freed memory unpredictably.
        self.pools = ncnn.UnlockedPoolAllocator(), ncnn.PoolAllocator()
        self.net.opt.blob_allocator, self.net.opt.workspace_allocator = self.pools
        self.net.opt.num_threads = threads
        self.net.opt.use_vulkan_compute = False
        for call, path in ((self.net.load_param, param), (self.net.load_model, weights)):
            status = call(path)
            if status:
                raise Refusal(f"{call.__name__}: {status}")
        self.outputs = list(self.net.output_names())

    def extractor(self, inputs: dict[str, Any]) -> Any:
        """Return an extractor with copies of the inputs."""
        extractor = self.net.create_extractor()
        for name, blob in inputs.items():
            status = extractor.input(name, blob.clone())
            if status:
                raise Refusal(f"input '{name}': {status}")
        return extractor

    def extract(self, extractor: Any, name: str) -> Any:
        """Return a blob."""
        status, blob = extractor.extract(name)
        if status:
            raise Refusal(f"extract '{name}': {status}")
        return blob

    def time(self, inputs: dict[str, Any]) -> float:
        """Run the model from inputs to outputs, and return the time in milliseconds."""
        extractor = self.extractor(inputs)
        start = self.clock()
        for name in self.outputs:
            self.extract(extractor, name)
        return 1000 * (self.clock() - start)

    def time_layers(self, inputs: dict[str, Any], blobs: list[str]) -> list[Any]:
        """Extract one blob after the other; return the times, `None` for a failure."""
        extractor = self.net.create_extractor()
        extractor.set_light_mode(False)
        for name, blob in inputs.items():
            extractor.input(name, blob.clone())
        times: list[Any] = []
        for name in blobs:
            start = self.clock()
            status = extractor.extract(name, 1)[0]  # 1: without conversion of its layout
            times.append(None if status else 1000 * (self.clock() - start))
        return times


class Runner:
    """The state of a session."""

    def __init__(self, ncnn: Any, numpy: Any) -> None:
        self.ncnn = ncnn
        self.numpy = numpy
        self.seconds = 60
        self.threads = 1
        self.nets: dict[str, Net] = {}
        self.inputs: dict[str, Any] = {}
        self.kept: list[Any] = []
        self.cpus = usable()

    def do_facts(self) -> dict[str, Any]:
        """The facts about the device."""
        return facts(self.ncnn)

    def do_gpus(self) -> dict[str, Any]:
        """The names of the GPUs that the runtime supports."""
        if not hasattr(self.ncnn, "get_gpu_count"):  # a build without Vulkan
            return {"gpus": []}
        count = self.ncnn.get_gpu_count()
        return {"gpus": [self.ncnn.get_gpu_info(i).device_name() for i in range(count)]}

    def do_limit(self, seconds: str) -> dict[str, Any]:
        """Set the time limit of each later request."""
        self.seconds = int(seconds)
        return {}

    def do_threads(self, count: str) -> dict[str, Any]:
        """Set the number of threads of models that are loaded later."""
        self.threads = int(count)
        return {}

    def do_pin(self) -> dict[str, Any]:
        """Restrict the process to the fastest cluster, if there are several."""
        groups = clusters()
        try:
            if len(groups) > 1:
                os.sched_setaffinity(0, groups[0]["cpus"])
                self.cpus = groups[0]["cpus"]
        except (AttributeError, OSError):
            return {"cpus": []}
        return {"cpus": self.cpus if len(groups) > 1 else []}

    def do_load(self, slot: str, param: str, weights: str) -> dict[str, Any]:
        """Load a model into a slot."""
        self.nets.pop(slot, None)
        self.nets[slot] = Net(self.ncnn, param, weights, self.threads)
        for path in (param, weights):  # the least recently used files are removed first
            os.utime(path)
        return {}

    def do_input(self, name: str, extents: str, data: str) -> dict[str, Any]:
        """Set an input of all models."""
        shape = [int(n) for n in extents.split(",")]
        values = self.numpy.frombuffer(base64.b64decode(data), "<f4").reshape(shape)
        values = self.numpy.ascontiguousarray(values)
        self.kept.append(values)  # a Mat does not keep its array alive
        self.inputs[name] = self.ncnn.Mat(values).clone()
        return {}

    def do_run(self, slot: str) -> dict[str, Any]:
        """Run a model and return its outputs."""
        net = self.nets[slot]
        extractor, outputs = net.extractor(self.inputs_of(net)), {}
        for name in net.outputs:
            blob = net.extract(extractor, name)
            empty = self.numpy.zeros(0, "f4")
            value = empty if blob.empty() else self.numpy.array(blob).astype("<f4")
            data = base64.b64encode(value.tobytes()).decode()
            outputs[name] = {"shape": list(value.shape), "data": data}
        return {"outputs": outputs}

    def do_time(self, blocks: str, *slots: str) -> dict[str, Any]:
        """Time models in turn, in blocks of two rounds: A B B A, then B A A B."""
        nets = [self.nets[slot] for slot in slots]
        runs = [partial(net.time, self.inputs_of(net)) for net in nets]
        warm_up(runs)
        found: list[dict[str, Any]] = []
        for i in range(int(blocks)):
            before = frequency(self.cpus)
            rounds = list(islice(turns(runs, 2 * i), 2))
            mhz = [before, frequency(self.cpus)]
            found.append({"ms": [list(times) for times in zip(*rounds)], "mhz": mhz})
        return {"blocks": found}

    def do_layers(self, slot: str, *blobs: str) -> dict[str, Any]:
        """Time the layers of a model that make these blobs."""
        net = self.nets[slot]
        net.time_layers(self.inputs_of(net), list(blobs))
        return {"ms": net.time_layers(self.inputs_of(net), list(blobs))}

    def inputs_of(self, net: Net) -> dict[str, Any]:
        """Return the inputs that a model has."""
        return {name: self.inputs[name] for name in net.net.input_names() if name in self.inputs}

    def answer(self, line: str) -> dict[str, Any]:
        """Return the answer of a request."""
        name, *words = line.split() or [""]
        method = getattr(self, "do_" + name, None)
        if method is None:
            return {"error": f"unknown request '{name}'"}
        signal.alarm(self.seconds)
        try:
            return method(*words)
        except Refusal as e:
            return {"error": str(e)}
        except (TypeError, ValueError, KeyError) as e:
            return {"error": f"request '{name}': {e!r}"}
        finally:
            signal.alarm(IDLE)


def send(answers: IO[str], answer: dict[str, Any]) -> None:
    """Write an answer as one line."""
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


def main() -> None:
    """Answer requests until standard input ends."""
    # Standard output is for answers only. The runtime prints messages to standard error.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    lock = take_lock()
    if lock is None:
        send(answers, {"busy": True})
        return
    own = os.getpid()
    if os.fork() == 0:
        lock.close() if hasattr(lock, "close") else os.close(lock)
        answers.close()
        watch_input(own)
    signal.alarm(IDLE)
    try:
        ncnn, numpy = importlib.import_module("ncnn"), importlib.import_module("numpy")
    except ImportError as e:
        send(answers, {"missing": str(e), "python": sys.executable})
        return
    gc.disable()
    runner = Runner(ncnn, numpy)
    send(answers, {"protocol": PROTOCOL, "runner": "python", "ncnn": ncnn.__version__})
    for line in sys.stdin:
        send(answers, runner.answer(line))


if __name__ == "__main__":
    main()
