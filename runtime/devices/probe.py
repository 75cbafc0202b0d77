"""Facts about a device.

Some determine its speed: they identify the kind of device in the cache of tuning decisions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from .session import Session

ARM_PARTS = {
    "0xd03": "Cortex-A53",
    "0xd04": "Cortex-A35",
    "0xd05": "Cortex-A55",
    "0xd07": "Cortex-A57",
    "0xd08": "Cortex-A72",
    "0xd09": "Cortex-A73",
    "0xd0a": "Cortex-A75",
    "0xd0b": "Cortex-A76",
    "0xd0d": "Cortex-A77",
    "0xd41": "Cortex-A78",
    "0xd44": "Cortex-X1",
    "0xd46": "Cortex-A510",
    "0xd47": "Cortex-A710",
    "0xd48": "Cortex-X2",
    "0xd4d": "Cortex-A715",
    "0xd4e": "Cortex-X3",
    "0xd80": "Cortex-A520",
    "0xd81": "Cortex-A720",
    "0xd82": "Cortex-X4",
}
"""The names of Arm's own cores by the part in /proc/cpuinfo (Linux: asm/cputype.h)."""

FEATURES = (
    "sse2 avx fma f16c avx2 avx_vnni avx512f avx512_vnni avx512_bf16 avx512_fp16 amx_int8 "
    "neon asimd vfpv4 fphp asimdhp asimddp asimdfhm bf16 i8mm sve sve2 lsx lasx"
).split()
"""The instruction sets that ncnn has code for, by the names in /proc/cpuinfo."""


@dataclass(frozen=True)
class DeviceFacts:
    """The facts about a device."""

    processor: str
    arch: str
    features: Sequence[str]
    ncnn: str
    runner: str
    precision: str
    """The format of blobs by default: `float32` or `float16`."""
    board: str = ""
    clusters: Sequence[Mapping[str, Any]] = ()
    memory_mb: int = 0
    temperature: Mapping[str, float] = field(default_factory=dict[str, float])
    gpus: Sequence[str] = ()

    @property
    def family(self) -> str | None:
        """The family of processors as in `--tune`; `None` for another one."""
        if self.arch.startswith(("aarch64", "arm")):
            return "arm"
        return "x86" if self.arch in ("x86_64", "amd64", "i686", "i386") else None

    @property
    def identity(self) -> dict[str, str]:
        """The facts that timings depend on."""
        cores = "+".join(str(len(cluster["cpus"])) for cluster in self.clusters)
        return {
            "processor": self.processor,
            "arch": self.arch,
            "cores": cores,
            "features": " ".join(self.features),
            "ncnn": self.ncnn,
        }

    def lines(self) -> list[str]:
        """Return the facts as lines of text."""
        rows = {"processor": self.processor}
        if self.board:
            rows["board"] = self.board
        rows["instruction sets"] = f"{self.arch}: {' '.join(self.features) or 'none known'}"
        for cluster in self.clusters:
            mhz, governor = cluster["max_mhz"], cluster["governor"]
            words = [f"processors {_ranges(cluster['cpus'])}"]
            words.append(f"at most {mhz:.0f} MHz" if mhz else "frequency unknown")
            words += [f"governor {governor}"] if governor else []
            rows.setdefault("clusters", "; ")
            rows["clusters"] = f"{rows['clusters']}; {', '.join(words)}".removeprefix("; ; ")
        rows["memory"] = f"{self.memory_mb} MiB"
        zones = ", ".join(f"{name} {value:.0f} °C" for name, value in self.temperature.items())
        rows["temperature"] = zones or "not readable"
        rows["ncnn"] = f"{self.ncnn} ({self.runner} runner), blobs in {self.precision}"
        rows["GPU"] = ", ".join(self.gpus) or "none that this ncnn supports"
        width = max(map(len, rows))
        return [f"{name:<{width}}  {text}" for name, text in rows.items()]


def probe(session: Session, gpus: bool = False) -> DeviceFacts:
    """Return the facts about a device. Raise `DeviceError`."""
    found = session.call("facts")
    parts = [ARM_PARTS.get(part, part) for part in cast(list[str], found["parts"])]
    counts = {part: parts.count(part) for part in parts}
    arm = " + ".join(f"{count} {part}" for part, count in counts.items())
    known = set(cast(list[str], found["features"]))
    return DeviceFacts(
        arm or found["cpu"] or found["arch"],
        found["arch"],
        [name for name in FEATURES if name in known],
        session.ncnn,
        session.runner,
        found["precision"],
        found["board"],
        found["clusters"],
        found["memory_mb"],
        found["temperature"],
        session.call("gpus") if gpus else (),
    )


def _ranges(cpus: Sequence[int]) -> str:
    """Return numbers as text: `0-3, 6`."""
    found: list[list[int]] = []
    for cpu in cpus:
        if found and cpu == found[-1][-1] + 1:
            found[-1][1:] = [cpu]
        else:
            found.append([cpu])
    return ", ".join("-".join(map(str, part)) for part in found)
