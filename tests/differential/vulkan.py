"""Random nets and the results of `-O` on a Vulkan device with float16 arithmetic.

    python -m differential.vulkan [--nets N] [--seed N] [--keep DIR]

N nets of each family of the hunt. A result must not be farther from float32 than `FACTOR` times the
distance of the original. DIR gets the nets where it is.
"""

import argparse
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from ncnn_opt.runtime.process import NO_DEVICE, Blobs, Failure, Runtime
from ncnn_opt.transforms.rewriting.counting import RewriteCounter, counting

from .compiler import optimize
from .hunting.sources import FAMILIES
from .nets import Net
from .releases import error, random_nets

FACTOR = 4
"""The largest accepted ratio of the two distances."""

NOISE = 4e-3
"""A distance that counts as this one at least: a few roundings to float16."""

KINDS = sum(map(len, FAMILIES.values()))


def distances(net: Net, folder: Path, runtime: Runtime) -> tuple[float, float] | str | None:
    """The distances of a net and of the result of `-O` from float32; a text where the result does
    not run, `None` where the net itself does not, or overflows."""
    before = net.write(folder, "before")
    after = optimize(before, folder / "after.param")
    exact = runtime.run(before, net.inputs, net.outputs)
    if isinstance(exact, Failure) or not all(np.isfinite(v).all() for v in exact.values()):
        return None
    found: list[float] = []
    for path in (before, after):
        blobs = on_gpu(path, net, runtime)
        if isinstance(blobs, Failure) and path == before and NO_DEVICE not in blobs.reason:
            return None
        if isinstance(blobs, Failure):
            return blobs.reason
        far = error(exact, blobs)
        if far is None:
            return None if path == before else "another shape"
        found.append(far)
    return found[0], found[1]


def on_gpu(path: Path, net: Net, runtime: Runtime) -> Blobs | Failure:
    """The outputs with float16 arithmetic."""
    return runtime.run(path, net.inputs, net.outputs, precision="float16", device="vulkan")


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare random nets. Returns 1 if a result is too far from float32."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--nets", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args(arguments)
    start, fired, bad, compared = time.monotonic(), Counter[str](), list[str](), 0
    with tempfile.TemporaryDirectory() as place, Runtime() as runtime:
        for number in range(args.nets * KINDS):
            if time.monotonic() - start > 60 * args.minutes:
                break
            for name, net in random_nets(1, args.seed + number):
                counter = RewriteCounter()
                with counting(counter):
                    result = distances(net, Path(place), runtime)
                if isinstance(result, str) and NO_DEVICE in result:
                    print(f"skipped: {NO_DEVICE}")
                    return 0
                if result is None:
                    continue
                compared += 1
                fired.update(counter.fired.keys())
                if isinstance(result, str) or result[1] > FACTOR * max(result[0], NOISE):
                    bad.append(f"{name}: {result}")
                    print(bad[-1], ", ".join(counter.fired), flush=True)
                    if args.keep is not None:
                        shutil.copytree(place, args.keep / name.replace(" ", "-"))
    for pattern, count in sorted(fired.items()):
        print(f"{count:6}  {pattern}")
    print(f"{compared} nets compared, {len(fired)} patterns fired, {len(bad)} results too far")
    return bool(bad)


if __name__ == "__main__":
    raise SystemExit(main())
