"""The facts of a device, on systems that are scripted, and the text about them."""

import os
import platform
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest
from ncnn_opt.runtime.devices import runner
from ncnn_opt.runtime.devices.probe import DeviceFacts, probe
from ncnn_opt.runtime.devices.session import Session

CPU = "/sys/devices/system/cpu/cpu"
ARM = {
    "/proc/cpuinfo": "".join(
        f"processor\t: {i}\nFeatures\t: fp asimd asimdhp\nCPU part\t: {part}\n\n"
        for i, part in enumerate(["0xd05", "0xd0b", "0xfff", "0xd05"])
    )
    + "Hardware\t: BCM2712",
    "/proc/meminfo": "MemTotal:        8255472 kB\nMemFree:  12 kB",
    "/proc/device-tree/model": "Raspberry Pi 5",
    f"{CPU}0/cpu_capacity": "400",
    f"{CPU}1/cpu_capacity": "1024",
    f"{CPU}2/cpu_capacity": "1024",
    f"{CPU}3/cpu_capacity": "400",
    f"{CPU}1/cpufreq/cpuinfo_max_freq": "2400000",
    f"{CPU}2/cpufreq/cpuinfo_max_freq": "2400000",
    f"{CPU}1/cpufreq/scaling_governor": "ondemand",
}
X86 = {
    "/proc/cpuinfo": "model name\t: Some CPU @ 2 GHz\nflags\t: sse2 avx f16c\n",
    "/proc/meminfo": "",
}
OLD_ARM = {"/proc/cpuinfo": "Hardware\t: BCM2711\n"}


class System:
    """A session with a device whose system has these files."""

    ncnn, runner = "1.0", "python"

    def __init__(self, files: Mapping[str, str], machine: str, patch: pytest.MonkeyPatch) -> None:
        def read(path: str) -> str:
            return files.get(path, "")

        def no_files(pattern: str) -> list[str]:
            del pattern
            return []

        patch.setattr(runner, "read", read)
        patch.setattr(runner.glob, "glob", no_files)
        patch.setattr(platform, "machine", lambda: machine)
        patch.setattr(runner, "usable", lambda: [0, 1, 2, 3])

    def call(self, name: str) -> Any:
        assert name == "facts"
        return runner.facts(SimpleNamespace(__version__="1.0", cpu_support_arm_vfpv4=lambda: 1))


def test_a_system_with_two_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = probe(cast(Session, System(ARM, "aarch64", monkeypatch)))
    assert facts.processor == "2 Cortex-A55 + 1 Cortex-A76 + 1 0xfff"
    assert facts.clusters == [
        {"cpus": [1, 2], "max_mhz": 2400.0, "governor": "ondemand"},
        {"cpus": [0, 3], "max_mhz": 0.0, "governor": ""},
    ]
    assert (facts.board, facts.memory_mb) == ("Raspberry Pi 5", 8061)
    assert (facts.features, facts.precision) == (["asimd", "asimdhp"], "float16")
    assert (facts.temperature, facts.gpus) == ({}, ())


def test_other_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = probe(cast(Session, System(X86, "x86_64", monkeypatch)))
    assert facts.processor == "Some CPU @ 2 GHz"
    assert facts.features == ["sse2", "avx", "f16c"]
    assert (facts.precision, facts.memory_mb) == ("float32", 0)
    assert len(facts.clusters) == 1
    assert probe(cast(Session, System(OLD_ARM, "armv7l", monkeypatch))).processor == "BCM2711"
    assert probe(cast(Session, System({}, "riscv64", monkeypatch))).processor == "riscv64"


def test_a_run_is_restricted_to_the_fastest_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[list[int]] = []

    def pin(process: int, cpus: list[int]) -> None:
        assert process == 0
        chosen.append(cpus)

    monkeypatch.setattr(os, "sched_setaffinity", pin, raising=False)
    System(ARM, "aarch64", monkeypatch)
    made = runner.Runner()
    assert made.pin() == made.cpus == [1, 2]
    assert chosen == [[1, 2]]
    System(X86, "x86_64", monkeypatch)
    equal = runner.Runner()
    assert equal.pin() == []
    assert equal.cpus == [0, 1, 2, 3]
    assert chosen == [[1, 2]]


def test_a_device_of_which_much_is_known() -> None:
    facts = DeviceFacts(
        processor="4 Cortex-A76 + 2 Cortex-A55",
        arch="aarch64",
        features=["neon", "asimddp"],
        ncnn="1.0.20260113",
        runner="python",
        precision="float16",
        board="Raspberry Pi 5",
        clusters=[
            {"cpus": [0, 1, 2, 3], "max_mhz": 2400.0, "governor": "ondemand"},
            {"cpus": [4, 6], "max_mhz": 0.0, "governor": ""},
        ],
        memory_mb=8062,
        temperature={"cpu-thermal": 51.6, "gpu": 48.0},
        gpus=["V3D 7.1"],
    )
    assert facts.family == "arm"
    assert facts.identity == {
        "processor": "4 Cortex-A76 + 2 Cortex-A55",
        "arch": "aarch64",
        "cores": "4+2",
        "features": "neon asimddp",
        "ncnn": "1.0.20260113",
    }
    assert facts.lines() == [
        "processor         4 Cortex-A76 + 2 Cortex-A55",
        "board             Raspberry Pi 5",
        "instruction sets  aarch64: neon asimddp",
        "clusters          processors 0-3, at most 2400 MHz, governor ondemand; "
        "processors 4, 6, frequency unknown",
        "memory            8062 MiB",
        "temperature       cpu-thermal 52 °C, gpu 48 °C",
        "ncnn              1.0.20260113 (python runner), blobs in float16",
        "GPU               V3D 7.1",
    ]


def test_a_device_of_which_little_is_known() -> None:
    facts = DeviceFacts("riscv64", "riscv64", [], "1.0.20260113", "program", "float32")
    assert facts.family is None
    assert facts.lines() == [
        "processor         riscv64",
        "instruction sets  riscv64: none known",
        "memory            0 MiB",
        "temperature       not readable",
        "ncnn              1.0.20260113 (program runner), blobs in float32",
        "GPU               none that this ncnn supports",
    ]
