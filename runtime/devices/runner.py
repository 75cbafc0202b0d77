"""The runner on a device, in Python: a host with requests about the device, and about times.

docs/devices.md describes the requests that a session sends. `runtime/runner/` is the same program
in C++. `program` in `session.py` packs this file and all files that it imports for a device, so
they must work with its Python, 3.7 or newer.
"""

from __future__ import annotations

import glob
import os
import platform
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Sequence  # noqa: UP035

from ...paired_times.clock import turns, warm_up
from ..host import Host
from ..timed_net import TimedNet
from .start import IDLE

if TYPE_CHECKING:
    from ..host import Blobs, Sample

CPUS = "/sys/devices/system/cpu"


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


class Runner(Host):
    """The requests of a host, and those of a session with a device. Models have the runtime's
    default options."""

    idle = IDLE

    def __init__(self) -> None:
        super().__init__()
        self.count = 1
        self.timed: dict[str, TimedNet] = {}
        """The loaded models by key, as in `nets`."""
        self.cpus = usable()

    def facts(self) -> dict[str, Any]:
        """Return the facts about the device."""
        return facts(self.ncnn)

    def gpus(self) -> list[str]:
        """Return the names of the GPUs that the runtime supports."""
        if not hasattr(self.ncnn, "get_gpu_count"):  # a build without Vulkan
            return []
        count = self.ncnn.get_gpu_count()
        return [self.ncnn.get_gpu_info(i).device_name() for i in range(count)]

    def threads(self, count: int) -> None:
        """Set the number of threads of models that are loaded later."""
        self.count = count

    def pin(self) -> list[int]:
        """Restrict the process to the fastest cluster, if there are several. Return its
        processors."""
        groups = clusters()
        try:
            if len(groups) > 1:
                os.sched_setaffinity(0, groups[0]["cpus"])
                self.cpus = groups[0]["cpus"]
        except (AttributeError, OSError):
            return []
        return self.cpus if len(groups) > 1 else []

    def load(self, key: str, param: str, weights: str, *settings: Any) -> None:
        """Load a model under a key, instead of any other model."""
        if key in self.nets:
            self.drop(key)
        self.timed[key] = TimedNet(self.ncnn, param, weights, self.count)
        self.nets[key] = self.timed[key].net
        for path in (param, weights):  # the least recently used files are removed first
            os.utime(path)

    def drop(self, key: str) -> None:
        """Release a model."""
        super().drop(key)
        del self.timed[key]

    def inputs_of(self, key: str, sample: Sample) -> Blobs:
        """Return the blobs of a sample that are inputs of a model: another one may have others."""
        inputs, names = super().inputs_of(key, sample), self.nets[key].input_names()
        return {name: inputs[name] for name in names if name in inputs}

    def time(self, blocks: int, sample: Sample, keys: Sequence[str]) -> list[dict[str, Any]]:
        """Time models in turn, in blocks of two rounds: A B B A, then B A A B."""
        runs = [partial(self.timed[key].time, self.inputs_of(key, sample)) for key in keys]
        warm_up(runs)
        found: list[dict[str, Any]] = []
        for i in range(blocks):
            before = frequency(self.cpus)
            rounds = list(islice(turns(runs, 2 * i), 2))
            mhz = [before, frequency(self.cpus)]
            found.append({"ms": [list(times) for times in zip(*rounds)], "mhz": mhz})
        return found

    def layers(self, key: str, sample: Sample, blobs: Sequence[str]) -> list[float | None]:
        """Time the layers of a model that make these blobs."""
        inputs = self.inputs_of(key, sample)
        self.timed[key].time_layers(inputs, blobs)
        return self.timed[key].time_layers(inputs, blobs)
