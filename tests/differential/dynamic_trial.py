"""One random net made dynamic, with or without another export, and compared at other sizes with
itself as it is generated there."""

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np

from .compiler import command
from .dynamic_nets import DynamicNet, Indivisible, NoSuchSize
from .runtime import Failure, Runtime

NEAR = 1e-4

PRIMES = ((13, 11), (11, 17), (7, 5), (5, 7), (17, 13))
"""Sizes, in multiples, at which nets that need further multiples do not exist."""


@dataclass
class Counts:
    """Results of `--dynamic` so far."""

    total: Counter[str] = field(default_factory=Counter[str])
    """`right`, `refused` and `wrong`, each also with ` --other-export`."""
    reasons: Counter[str] = field(default_factory=Counter[str])
    """The layers that were refused."""
    wrong: list[str] = field(default_factory=list[str])

    @property
    def nets(self) -> int:
        """All nets that exist at several sizes."""
        return self.total.total() - self.total["without sizes"]

    def lines(self) -> Iterator[str]:
        """A line for each result."""
        yield ", ".join(f"{n:,} {name}" for name, n in sorted(self.total.items()))
        yield "refused: " + ", ".join(f"{n} {kind}" for kind, n in self.reasons.most_common())
        yield from self.wrong


def attempt(seed: int, runtime: Runtime, folder: Path, counts: Counts) -> None:
    """Draw a net by a seed, every second with another export, and count its result."""
    random = Random(-seed)
    times = random.choice((1, 1, 1, 2, 4))
    sizes = _sizes(seed, random, times)
    if len(sizes) < 4:
        counts.total["without sizes"] += 1
        return
    like = seed % 2 == 1
    suffix = " --other-export" if like else ""
    source, result = DynamicNet(seed, *sizes[0]).net.write(folder), folder / "any.param"
    axes = f"{times}*h,{times}*w"
    other = DynamicNet(seed, *sizes[1]).net.write(folder, "other")
    options = ["--other-export", other] if like else []
    stderr = io.StringIO()
    result.unlink(missing_ok=True)
    try:
        with redirect_stderr(stderr):
            command(source, "--dynamic", f"in0={axes}", *options, "-o", result)
    except SystemExit:
        found = re.search(
            r"error: .*net\.param: the shapes cannot be dynamic: (\w+) '", stderr.getvalue()
        )
        if found is None or result.exists():
            counts.wrong.append(f"seed {seed} at {sizes[0]}: {stderr.getvalue().strip()}")
            counts.total[f"wrong{suffix}"] += 1
        else:
            counts.total[f"refused{suffix}"] += 1
            counts.reasons[found[1]] += 1
        return
    exported = sizes[: 1 + like]
    problem = next(_differences(seed, sizes, exported, result, runtime, folder), None)
    counts.total[("wrong" if problem else "right") + suffix] += 1
    if problem:
        shown = ", ".join(map(str, exported))
        counts.wrong.append(f"seed {seed}{suffix}, in0={axes} exported at {shown}: {problem}")


def _sizes(seed: int, random: Random, times: int) -> list[tuple[int, int]]:
    """Sizes at which a net exists: those of the exports, and others. None if it does not exist at
    all multiples."""
    found: list[tuple[int, int]] = []
    for n in range(40):
        size = (random.randint(3, 20) * times, random.randint(3, 20) * times)
        if random.random() < 0.2:
            size = size[0], size[0]
        if n < len(PRIMES):
            size = PRIMES[n][0] * times, PRIMES[n][1] * times
        try:
            DynamicNet(seed, *size)
        except Indivisible:
            return []
        except NoSuchSize:
            continue
        if n >= len(PRIMES) and len(found) < 4:
            found.append(size)
        if len(found) == 4:
            break
    return found


def _differences(
    seed: int,
    sizes: Sequence[tuple[int, int]],
    exported: Sequence[tuple[int, int]],
    result: Path,
    runtime: Runtime,
    folder: Path,
) -> Iterator[str]:
    tables = [DynamicNet(seed, *size).tables for size in exported]
    longest = [max(lengths) for lengths in zip(*tables, strict=True)]
    for size in sizes:
        drawn = DynamicNet(seed, *size)
        if any(n > most for n, most in zip(drawn.tables, longest, strict=True)):
            continue  # no export has so much of a table
        net = drawn.net
        expected = runtime.run(net.write(folder, "sized"), net.inputs, ["out0"], light_mode=False)
        blobs = runtime.run(result, net.inputs, ["out0"])
        if isinstance(expected, Failure):
            continue
        if isinstance(blobs, Failure):
            yield f"fails at {size}: {blobs}"
            continue
        a, b = expected["out0"], blobs["out0"]
        if a.shape != b.shape:
            yield f"{b.shape} at {size}, not {a.shape}"
        elif not np.abs(a - b).max() <= NEAR * max(np.abs(a).max(), 1e-3):
            yield f"off by {np.abs(a - b).max():.2g} of {np.abs(a).max():.2g} at {size}"
