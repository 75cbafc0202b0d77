"""Time of `-O` as models grow: chains of Convolution, BatchNorm and ReLU, all of which fuse.

python benchmarks/scaling.py [TRIPLES …]

Each size runs in a process of its own, smallest first, then all once more; the better time counts.
Printed are seconds of the whole command, milliseconds a rewrite (start-up taken off, as measured
on a chain of one), and both as ratios to the first size.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np

SIZES = (250, 1000, 4000)
CHANNELS = 4
RUNS = 2


def chain(triples: int, folder: Path) -> Path:
    """A model of that many triples, each a 1×1 convolution, its BatchNorm and its ReLU."""
    rng = np.random.default_rng(0)
    lines = ["Input data 0 1 data 0=8 1=8 2=4"]
    weights = bytearray()
    blob = "data"
    for i in range(triples):
        lines.append(f"Convolution conv{i} 1 1 {blob} conv{i} 0={CHANNELS} 1=1 5=1 6={CHANNELS**2}")
        lines.append(f"BatchNorm bn{i} 1 1 conv{i} bn{i} 0={CHANNELS}")
        lines.append(f"ReLU relu{i} 1 1 bn{i} relu{i}")
        blob = f"relu{i}"
        weights += bytes(4)
        for count in (CHANNELS**2, CHANNELS):
            weights += rng.standard_normal(count).astype("<f4").tobytes()
        weights += rng.uniform(0.5, 1.5, 4 * CHANNELS).astype("<f4").tobytes()
    path = folder / f"chain{triples}.param"
    path.write_text("\n".join(["7767517", f"{len(lines)} {len(lines)}", *lines, ""]))
    path.with_suffix(".bin").write_bytes(weights)
    return path


def seconds(param: Path) -> float:
    """Wall time of optimizing a model with the real command."""
    program = Path(sys.executable).with_name("ncnn-opt")
    start = time.perf_counter()
    out = param.with_name("out.param")
    subprocess.run([program, "-O", param, "-o", out], check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def measure(sizes: Iterable[int]) -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory() as folder:
        models = {size: chain(size, Path(folder)) for size in (1, *sizes)}
        times = {size: min(seconds(model) for _ in range(RUNS)) for size, model in models.items()}
    start_up = times.pop(1)
    print(f"start-up {start_up:.2f} s")
    print(f"{'triples':>8} {'s':>8} {'ratio':>7} {'ms/rewrite':>11} {'ratio':>7}")
    first: tuple[float, float] | None = None
    for size, total in times.items():
        each = 1000 * (total - start_up) / (2 * size)
        first = first or (total, each)
        print(f"{size:8} {total:8.2f} {total / first[0]:7.2f} {each:11.3f} {each / first[1]:7.2f}")


if __name__ == "__main__":
    measure([int(word) for word in sys.argv[1:]] or SIZES)
