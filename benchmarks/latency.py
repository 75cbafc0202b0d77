"""What the user gains: the time of a model in the ncnn runtime as it was, as ncnnoptimize leaves it
and as we do. The three run in turn, so that what else the machine does strikes all alike."""

import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from .measuring import TOOL, print_table
from .models import CLASSIC

ROUNDS = 40

_RUNNER = """
import json, re, sys, time
import numpy as np, ncnn
rounds, *paths = sys.argv[1:]
def shape(line):
    params = dict(p.split("=") for p in line.split() if re.fullmatch(r"[0-9]+=[0-9]+", p))
    return [int(params[i]) for i in ("2", "11", "1", "0") if params.get(i, "0") != "0"]
nets = []
for path in paths:
    net = ncnn.Net()
    net.opt.num_threads = 1
    assert net.load_param(path) == 0 and net.load_model(path[:-5] + "bin") == 0
    nets.append(net)
lines = [l for l in open(paths[0]).read().splitlines() if l.split()[:1] == ["Input"]]
rng = np.random.default_rng(0)
inputs = {}
for line in lines:
    words = line.split()
    values = rng.standard_normal(shape(line)).astype(np.float32)
    for blob in words[4 + int(words[2]):4 + int(words[2]) + int(words[3])]:
        inputs[blob] = ncnn.Mat(values).clone()
def run(net):
    start = time.perf_counter()
    extractor = net.create_extractor()
    for name, blob in inputs.items():
        extractor.input(name, blob)
    for name in net.output_names():
        assert extractor.extract(name)[0] == 0
    return time.perf_counter() - start
for net in nets:
    run(net)
times = []
for i in range(int(rounds)):
    order = [(i + k) % len(nets) for k in range(len(nets))]
    times.append([t for _, t in sorted((k, run(nets[k])) for k in order)])
json.dump(times, sys.stdout)
"""


def measure(folder: Path, ncnnoptimize: Path | None, others: list[Path]) -> None:
    """Prints the table; `others` are further models."""
    models = {name: make(folder / f"{name}.param") for name, make in CLASSIC.items()}
    models |= {path.stem: path for path in others}
    rows: list[list[str]] = []
    for name, model in models.items():
        rows.append(_row(name, model, folder, ncnnoptimize))
    head = ["model", "original ms", "-O ms", "gain"]
    if ncnnoptimize is not None:
        head += ["ncnnoptimize ms", "-O to it", "9 of 10 runs"]
    print_table(f"Latency in the ncnn runtime, one thread, {ROUNDS} rounds in turn", head, rows)


def _row(name: str, model: Path, folder: Path, ncnnoptimize: Path | None) -> list[str]:
    ours, theirs = folder / "ours.param", folder / "theirs.param"
    subprocess.run([TOOL, "-O", model, "-o", ours], check=True, stderr=subprocess.DEVNULL)
    paths = [model, ours]
    if ncnnoptimize is not None:
        files = [model, model.with_suffix(".bin"), theirs, theirs.with_suffix(".bin")]
        output = subprocess.run([ncnnoptimize, *files, "0"], capture_output=True)
        if output.returncode == 0:
            paths.append(theirs)
    times = _times(paths)
    if times is None and len(paths) == 3:  # what ncnnoptimize wrote may not run at all
        times = _times(paths[:2])
    if times is None:
        return [name, "does not run", "", "", *([""] * 3 if ncnnoptimize else [])]
    medians = [1000 * statistics.median(column) for column in zip(*times, strict=True)]
    gain = statistics.median(t[0] / t[1] for t in times)
    row = [name, f"{medians[0]:.2f}", f"{medians[1]:.2f}", f"{gain:.2f}×"]
    if ncnnoptimize is None:
        return row
    if len(medians) < 3:
        return [*row, "does not run", "", ""]
    ratios = sorted(t[1] / t[2] for t in times)
    low, high = ratios[len(ratios) // 20], ratios[-1 - len(ratios) // 20]
    middle = statistics.median(ratios)
    return [*row, f"{medians[2]:.2f}", f"{middle:.3f}", f"{low:.2f}–{high:.2f}"]


def _times(paths: Sequence[Path]) -> list[list[float]] | None:
    """Seconds of each round, a model at a time; `None` if one does not run."""
    words = [str(path) for path in paths]
    done = subprocess.run(
        [sys.executable, "-c", _RUNNER, str(ROUNDS), *words], capture_output=True, text=True
    )
    return json.loads(done.stdout) if done.returncode == 0 else None
