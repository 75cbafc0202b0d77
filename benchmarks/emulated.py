"""Instruction counts of models on a 64-bit arm processor that qemu emulates. `arm/README.md`
explains how to build the required files.

Counts of two runs differ by less than a thousandth, so one run is enough. They are a proxy for
time: they ignore the duration of instructions and the waits for memory.
"""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from ncnn_opt.runtime.host import Array

EMULATOR = "qemu-aarch64"


class DoesNotCount(Exception):
    """A model does not run on the emulated processor."""


@dataclass(frozen=True)
class Count:
    """A run of a model."""

    instructions: int
    outputs: Mapping[str, Array]


@dataclass(frozen=True)
class Arm:
    """The programs that count instructions."""

    runner: Path
    """`arm/runner.cpp` with ncnn, for aarch64."""
    counter: Path
    """`arm/counter.c` for this machine."""
    half: bool = False
    """Whether blobs and weights are float16, the runtime's default."""

    def count(self, model: Path, inputs: Mapping[str, Array], folder: Path) -> Count:
        """Run a model, whose weights are in the file beside it, and return the count and the
        outputs. Raise `DoesNotCount`."""
        words: list[str] = []
        for i, (name, value) in enumerate(inputs.items()):
            file = folder / f"input{i}.raw"
            file.write_bytes(value.tobytes())
            words += [name, ",".join(map(str, value.shape)), str(file)]
        result = folder / "result.raw"
        command = [EMULATOR, "-plugin", str(self.counter.absolute()), str(self.runner.absolute())]
        command += [str(model), str(model.with_suffix(".bin")), str(result)]
        command += ["half" if self.half else "single", *words]
        done = subprocess.run(command, capture_output=True, text=True)
        lines = done.stderr.strip().splitlines() or [""]
        if done.returncode:
            raise DoesNotCount(f"{lines[-1]} ({done.returncode})")
        begin, end = (int(w.split()[1]) for w in lines if w.startswith("executed "))
        return Count(end - begin, read_outputs(result))


def read_outputs(path: Path) -> dict[str, Array]:
    """Read the outputs of the runner: for each blob a line with its name and extents, then its
    elements."""
    outputs: dict[str, Array] = {}
    with path.open("rb") as file:
        while words := file.readline().decode().split():
            shape = tuple(map(int, words[1:]))
            data = file.read(4 * int(np.prod(shape)))
            outputs[words[0]] = np.frombuffer(data, "<f4").reshape(shape)
    return outputs


def difference(counts: Sequence[Count], a: int, b: int) -> float:
    """Return the largest difference between the outputs of two runs, relative to the largest value
    of each output: infinite for different shapes or non-finite values at different positions, NaN
    if no output has a finite value."""
    worst = 0.0
    if not any(np.isfinite(output).any() for output in counts[b].outputs.values()):
        return float("nan")
    for name, expected in counts[b].outputs.items():
        got = counts[a].outputs[name]
        if got.shape != expected.shape or not (np.isfinite(got) == np.isfinite(expected)).all():
            return float("inf")
        known = np.isfinite(expected)
        if known.any():
            apart = np.abs(got[known] - expected[known]).max()
            worst = max(worst, float(apart / max(np.abs(expected[known]).max(), 1e-30)))
    return worst
