"""Random nets and the results of `-O` on a Vulkan device with float16 arithmetic.

    python -m differential.vulkan [--nets N] [--runs N] [--inputs N] [--minutes M] [--tune]
        [--keep DIR]

N nets of each family of the hunt, each with several inputs; with `--runs`, nets until each pattern
has run so often, from the families where the missing patterns have applied most. The outputs of a
result must not be farther from float32 than `FACTOR` times the distance of the original. DIR gets
the nets where they are.
"""

import argparse
import importlib
import shutil
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from ncnn_opt.runtime.host import NO_DEVICE, Blobs, Refused, extract, feed, load_net
from ncnn_opt.transforms import OPTIMIZE
from ncnn_opt.transforms.rewriting.observers import observing
from ncnn_opt.transforms.rewriting.rewrite_counter import RewriteCounter

from .compiler import optimize
from .hunting.sources import FAMILIES
from .nets import Net
from .releases import error, random_nets

FACTOR = 4
"""The largest accepted ratio of the two distances."""

ZERO = 1e-4
"""Outputs whose largest magnitude is below are the noise of sums that cancel, and not compared."""

NOISE = 4e-3
"""The least distance that counts: a few roundings to float16."""

KINDS = sum(map(len, FAMILIES.values()))

EXPLORED = 4
"""Every so many draws, the family is the next one in turn."""


class Draws:
    """The choice of families by the patterns that have applied in their nets."""

    def __init__(self, seed: int) -> None:
        self.number = seed
        self.drawn = Counter[int]()
        self.seen: dict[int, Counter[str]] = defaultdict(Counter)

    def next(self, missing: frozenset[str]) -> tuple[int, list[tuple[str, Net]]]:
        """The index of a family and a net of it, in turn, or from the family in which most of the
        missing patterns have applied."""
        self.number += 1
        kind = self.number % KINDS
        if missing and self.number % EXPLORED and len(self.drawn) == KINDS:
            kind = max(range(KINDS), key=lambda k: self._expected(k, missing))
        self.drawn[kind] += 1
        return kind, random_nets(1, kind + KINDS * self.number)

    def _expected(self, kind: int, missing: frozenset[str]) -> float:
        return sum(self.seen[kind][name] for name in missing) / self.drawn[kind]


class Device:
    """A process that runs models, and another one after a crash."""

    def __init__(self) -> None:
        self._pool = self._new()

    def outputs(
        self, path: Path, batch: Sequence[Blobs], names: Sequence[str], precision: str, device: str
    ) -> list[Blobs] | str:
        """The outputs for each of the inputs, or the reason why there are none."""
        try:
            return self._pool.submit(_run, path, batch, names, precision, device).result()
        except BrokenProcessPool:
            self._pool.shutdown(wait=False)
            self._pool = self._new()
            return "the runtime crashed"

    @staticmethod
    def _new() -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, get_context("spawn"))


def _run(
    path: Path, batch: Sequence[Blobs], names: Sequence[str], precision: str, device: str
) -> list[Blobs] | str:
    ncnn = importlib.import_module("ncnn")
    weights = str(path.with_suffix(".bin"))
    found: list[Blobs] = []
    try:
        net = load_net(ncnn, str(path), weights, precision=precision, device=device)
        for inputs in batch:
            extractor = feed(ncnn, net, inputs, {})
            found.append({name: extract(extractor, name) for name in names})
    except Refused as e:
        return str(e)
    return found


def inputs_of(net: Net, count: int) -> Iterator[Blobs]:
    """The inputs of a net, and their elements in other orders."""
    rng = np.random.default_rng(count)
    yield net.inputs
    for _ in range(count - 1):
        yield {k: rng.permutation(v.reshape(-1)).reshape(v.shape) for k, v in net.inputs.items()}


def distances(
    net: Net, before: Path, after: Path, device: Device, count: int
) -> list[tuple[float, float]] | str:
    """The distances of a net and of the result of `-O` from float32, for each of the inputs for
    which the net itself has finite outputs; a text if the result does not run."""
    batch = list(inputs_of(net, count))
    exact = device.outputs(before, batch, net.outputs, "float32", "cpu")
    original = device.outputs(before, batch, net.outputs, "float16", "vulkan")
    if NO_DEVICE in (exact, original):
        return NO_DEVICE
    if isinstance(exact, str) or isinstance(original, str):
        return []
    result = device.outputs(after, batch, net.outputs, "float16", "vulkan")
    if isinstance(result, str):
        return result
    found: list[tuple[float, float]] = []
    for right, first, second in zip(exact, original, result, strict=True):
        far = error(right, first)
        if far is None or not all(_is_comparable(value) for value in right.values()):
            continue
        farther = error(right, second)
        if farther is None:
            return "another shape"
        found.append((far, farther))
    return found


def _is_comparable(value: np.ndarray) -> bool:
    """Whether an output is finite, and more than noise."""
    return bool(np.isfinite(value).all()) and bool((np.abs(value) > ZERO).any())


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare random nets. Returns 1 if a result is too far from float32."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--nets", type=int, default=2)
    parser.add_argument("--runs", type=int, help="instead of --nets: the runs of each pattern")
    parser.add_argument("--inputs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--tune", action="store_true", help="rewrites of --tune vulkan, too")
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args(arguments)
    end, runs, bad, compared = time.monotonic() + 60 * args.minutes, Counter[str](), 0, 0
    passes = ["ncnn-tune{processor=vulkan}"] * args.tune + list(OPTIMIZE)
    draws, device, worst = Draws(args.seed), Device(), defaultdict[str, float](float)
    with tempfile.TemporaryDirectory() as place:
        while time.monotonic() < end and (args.runs or draws.drawn.total() < args.nets * KINDS):
            missing = frozenset(p for p, n in runs.items() if args.runs and n < args.runs)
            if args.runs and not missing and draws.drawn.total() > 2 * KINDS:
                break
            kind, nets = draws.next(missing)
            for name, net in nets:
                before, counter = net.write(Path(place), "before"), RewriteCounter()
                with observing(counter):
                    after = optimize(before, Path(place) / "after.param", passes)
                draws.seen[kind].update(set(counter.fired))
                if args.runs and all(runs[p] >= args.runs for p in counter.fired):
                    continue
                found = distances(net, before, after, device, args.inputs)
                if found == NO_DEVICE:
                    print(f"skipped: {NO_DEVICE}")
                    return 0
                compared += bool(found)
                pairs = [] if isinstance(found, str) else found
                ratio = max((b / max(a, NOISE) for a, b in pairs), default=0.0)
                for pattern in counter.fired:
                    runs[pattern] += len(pairs)
                    worst[pattern] = max(worst[pattern], ratio)
                if isinstance(found, str) or ratio > FACTOR:
                    bad += 1
                    problem = found if isinstance(found, str) else f"{ratio:.3g} times as far"
                    print(f"{name}: {problem}", ", ".join(counter.fired), flush=True)
                    if args.keep is not None:
                        shutil.copytree(place, args.keep / name.replace(" ", "-"))
    print("  runs  worst ratio  pattern")
    for pattern, count in sorted(runs.items()):
        print(f"{count:6}  {worst[pattern]:11.2f}  {pattern}")
    print(f"{compared} nets compared, {len(runs)} patterns fired, {bad} results too far")
    return bool(bad)


if __name__ == "__main__":
    raise SystemExit(main())
