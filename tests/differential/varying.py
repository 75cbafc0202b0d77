"""Inputs of other extents and other ranks than those that a net was made for."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from .nets import Array, Net, Shape
from .oracle_worker import BATCH

LARGEST = 600
"""Elements of an input, so that nets stay quick."""

MOST_BLOBS = 4
"""In a batch."""

ALONE = 0.2
"""How often an input is one blob beside a batch."""

Rng = np.random.Generator
Change = Callable[[Rng, Sequence[Shape]], Sequence[Shape]]
"""Other shapes for all inputs at once: what was alike stays alike."""


@dataclass(frozen=True)
class Feed:
    """What a net is fed with."""

    inputs: Mapping[str, Array]
    kind: str
    """How this differs from what the net was made for: a key of `KINDS`, or nothing."""

    @property
    def shapes(self) -> dict[str, Shape]:
        """The extents of the inputs."""
        return {name: values.shape for name, values in self.inputs.items()}


def feeds(net: Net, tries: int, seed: int) -> Iterator[Feed]:
    """Inputs of other extents than a net has, after so many tries. Of other ranks only where the
    file tells no extents: what it says of ranks is certain."""
    rng = np.random.default_rng(seed)
    names, old = list(net.inputs), [values.shape for values in net.inputs.values()]
    kinds = ["extents", "rank"] if net.undeclared.issuperset(names) else ["extents"]
    seen = [old]
    for i in range(tries if names else 0):
        kind = kinds[i % len(kinds)]
        change = KINDS[kind][int(rng.integers(len(KINDS[kind])))]
        shapes = list(change(rng, old))
        if shapes not in seen and all(map(fits, shapes)):
            seen.append(shapes)
            new = zip(names, shapes, strict=True)
            exact = net.dress.values is not None
            inputs = {name: like(rng, net.inputs[name], shape, exact) for name, shape in new}
            yield Feed(inputs, kind)


def batch_feeds(net: Net, count: int, seed: int) -> Iterator[Feed]:
    """Inputs that are batches of 2 to 4 blobs, all or some of them. (Blobs of one batch only go
    with those of a batch of as many, or with one blob.)"""
    rng = np.random.default_rng(seed)
    for _ in range(count if net.inputs else 0):
        number, alone = int(rng.integers(2, MOST_BLOBS + 1)), rng.random(len(net.inputs)) < ALONE
        alone[int(rng.integers(len(alone)))] = False
        inputs: dict[str, Array] = {}
        for (name, values), one in zip(net.inputs.items(), alone, strict=True):
            shape = values.shape if one else (number, *values.shape)
            whole = like(rng, values, shape, net.dress.values is not None)
            inputs[name if one else f"{name}{BATCH}"] = whole
        yield Feed(inputs, "batch")


def fits(shape: Shape) -> bool:
    """Whether an input may have this shape."""
    return 0 < prod(shape) <= LARGEST


def like(rng: Rng, values: Array, shape: Shape, exact: bool = False) -> Array:
    """Values like these of another shape; `exact`: some of these."""
    if exact:
        return rng.choice(values.flat, shape).astype(values.dtype)
    return (rng.choice(values.flat, shape) * rng.uniform(0.8, 1.2, shape)).astype(values.dtype)


def another(rng: Rng, n: int) -> int:
    """Another extent: small, near the old one, or one that the runtime packs."""
    return int(rng.choice([m for m in (1, 2, 3, n - 1, n + 1, 2 * n, 4, 8, 16) if m not in (0, n)]))


def inner(rng: Rng, shapes: Sequence[Shape]) -> list[Shape]:
    """All axes but the outermost: what windows and channels take."""
    new = {n: another(rng, n) for shape in shapes for n in shape[1:]}
    return [(*shape[:1], *(new[n] for n in shape[1:])) for shape in shapes]


def outer(rng: Rng, shapes: Sequence[Shape]) -> list[Shape]:
    """All axes but the innermost: what rows of features take."""
    new = {n: another(rng, n) for shape in shapes for n in shape[:-1]}
    return [(*(new[n] for n in shape[:-1]), *shape[-1:]) for shape in shapes]


def every(rng: Rng, shapes: Sequence[Shape]) -> list[Shape]:
    """All axes."""
    new = {n: another(rng, n) for shape in shapes for n in shape}
    return [tuple(new[n] for n in shape) for shape in shapes]


def one(rng: Rng, shapes: Sequence[Shape]) -> list[Shape]:
    """One extent, wherever it is, in all inputs."""
    old = int(rng.choice([n for shape in shapes for n in shape]))
    new = another(rng, old)
    return [tuple(new if n == old else n for n in shape) for shape in shapes]


def moved(rng: Rng, shapes: Sequence[Shape]) -> list[Shape]:
    """As many elements, in other axes."""
    n = max(map(len, shapes))
    order = [int(i) for i in rng.permutation(n)]
    return [tuple(shape[i] for i in order if i < len(shape)) for shape in shapes]


def joined(rng: Rng, shapes: Sequence[Shape]) -> list[Shape]:
    """Two neighbouring axes become one."""
    n = max(map(len, shapes))
    at = int(rng.integers(max(n - 1, 1)))
    return [(*s[:at], s[at] * s[at + 1], *s[at + 2 :]) if len(s) > at + 1 else s for s in shapes]


def parted(rng: Rng, shapes: Sequence[Shape]) -> list[Shape]:
    """One axis becomes two: of two factors, or one of them is 1."""
    n = max(map(len, shapes))
    at, low = int(rng.integers(n)), bool(rng.integers(2))

    def part(shape: Shape) -> Shape:
        if len(shape) <= at or len(shape) == 4:
            return shape
        extent = shape[at]
        factor = 1 if low else next((f for f in (2, 3, 5) if extent % f == 0), extent)
        return (*shape[:at], factor, extent // factor, *shape[at + 1 :])

    return [part(shape) for shape in shapes]


def without(rng: Rng, shapes: Sequence[Shape]) -> list[Shape]:
    """An axis less."""
    n = max(map(len, shapes))
    at = int(rng.integers(n))
    return [(*s[:at], *s[at + 1 :]) if len(s) > max(at, 1) else s for s in shapes]


KINDS: Mapping[str, Sequence[Change]] = {
    "extents": (inner, inner, outer, every, one, moved),
    "rank": (joined, parted, without),
}
"""Ways to other shapes: of as many dims, or of more or fewer."""
