"""Random numbers from wide ranges, and at thresholds, for the inputs of a model or of a region.

A rewrite that is right in (-1, 1) may be wrong at 6, where a Clip ends. So some numbers are larger
than every constant of the layers, some are constants of the layers or lie close to one, some are
multiples of 1/2, and some are equal.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import isfinite, prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.weights import ElidedAttr

BITS = 40
"""Binary digits of random numbers behind the point."""

LARGEST = 1e5
"""The largest magnitude of a constant that counts as a threshold."""

FEW = 16
"""The largest number of elements of a weight whose values count as thresholds, and the largest
number of constants whose sums do."""

INSIDE, WIDE, AT, NEAR, HALVES = 0.45, 0.7, 0.82, 0.92, 0.96
"""Bounds of the kinds of numbers in [0, 1): inside (-1, 1), beyond all thresholds, at a threshold,
close to one, multiples of 1/2, and copies of others."""

NEIGHBOURS = 1 << 24
"""Numbers close to a threshold differ from it by multiples of the reciprocal."""

DENORMAL = np.float32(1e-40)
RARE = 0.99
"""One of a hundred float32 numbers is denormal."""

SIGNS = (0, 0, 0, 1, -1)
"""The sign of all numbers of a channel; 0: both signs."""


def thresholds_of(ops: Iterable[Operation]) -> tuple[float, ...]:
    """Return the numbers at which layers may change their behaviour: their constants, and sums and
    quotients of these. 0 is always one of them."""
    single: set[float] = set()
    derived: set[float] = set()
    for op in ops:
        if isinstance(op, ConstantOp):
            single |= _few_values(op)
        elif isinstance(op, LayerOp):
            own = {x for x in _params(op) if isfinite(x) and 0 < abs(x) <= LARGEST}
            single |= own
            derived |= {-b / a for a in own for b in own}  # the zero of a * x + b
            derived |= {(1 - b) / a for a in own for b in own}  # and where it is 1
    if len(single) <= FEW:
        derived |= {
            s * a + t * b for a, b in combinations(single, 2) for s in (1, -1) for t in (1, -1)
        }
    every = single | {-x for x in single} | {x for x in derived if abs(x) <= LARGEST} | {0.0}
    return tuple(sorted(every, key=lambda x: (abs(x), x)))


def _params(op: LayerOp) -> Iterable[float]:
    for name in op.PARAMS:
        value: Any = getattr(op, name, None)
        for each in value if isinstance(value, tuple | list) else (value,):  # pyright: ignore
            if isinstance(each, float):
                yield each


def _few_values(op: ConstantOp) -> set[float]:
    if isinstance(op.value, ElidedAttr) or not isinstance(op.output.type, TensorType):
        return set()
    if prod(op.output.type.get_shape()) > FEW:
        return set()
    values = np.asarray(op.read(), "f8").reshape(-1)
    return {float(x) for x in values if isfinite(x) and 0 < abs(x) <= LARGEST}


def float_sample(
    shape: Sequence[int],
    random: np.random.Generator,
    thresholds: Sequence[float],
    reach: float = 2 * LARGEST,
) -> Any:
    """Return random float32 numbers, at most `reach` large; in (-1, 1) only without thresholds.
    Some are denormal."""
    found, is_free = numerators(shape, random, thresholds, reach)
    values = (found / (1 << BITS)).astype("f4")
    for i, at, offset in specials(is_free, random, thresholds):
        values[i] = np.float32(at + offset / NEIGHBOURS)
    copy_some(is_free, random, thresholds, values)
    if thresholds:
        values[is_free & (random.random(len(values)) > RARE)] = DENORMAL
    return values.reshape(shape)


def numerators(
    shape: Sequence[int],
    random: np.random.Generator,
    thresholds: Sequence[float],
    most: float = 2 * LARGEST,
) -> tuple[Any, Any]:
    """Return numerators of numbers with `BITS` binary digits behind the point, and which of them
    may become special numbers.

    With thresholds some are wide, and in some of the channels all are wide and have one sign: a
    window there has no element of the other sign.
    """
    found = random.integers(1 - (1 << BITS), 1 << BITS, shape)
    if thresholds and found.size:
        reach = min(2 * max(map(abs, thresholds)) + 8, most)
        rows = found.reshape(found.shape[0] if found.ndim > 1 else 1, -1)
        sign = random.choice(SIGNS, (len(rows), 1))
        is_wide = (random.random(rows.shape) < WIDE - INSIDE) | (sign != 0)
        digits = int(reach).bit_length()
        shifts = random.integers(1, digits + 1, rows.shape)
        wide = rows << np.where(sign == 0, shifts, digits)
        wide = np.where(sign == 0, wide, sign * np.abs(wide))
        found = np.where(is_wide, wide, rows)
        is_free = np.broadcast_to(sign == 0, rows.shape).reshape(-1)
        return found.reshape(-1), is_free
    return found.reshape(-1), np.zeros(found.size, bool)


def specials(
    is_free: Any, random: np.random.Generator, thresholds: Sequence[float]
) -> list[tuple[int, float, int]]:
    """Return positions with numbers at thresholds, close to them, and multiples of 1/2: a constant,
    and how many parts of 1 / `NEIGHBOURS` are added to it."""
    if not thresholds:
        return []
    kinds = random.random(len(is_free)) * is_free
    found: list[tuple[int, float, int]] = []
    for i in np.flatnonzero(kinds >= WIDE).tolist():
        at = thresholds[min(int(random.exponential(8)), len(thresholds) - 1)]
        if kinds[i] < AT:
            found.append((i, at, 0))
        elif kinds[i] < NEAR:
            found.append((i, at, int(random.integers(-NEIGHBOURS >> 4, NEIGHBOURS >> 4))))
        elif kinds[i] < HALVES:
            found.append((i, 0.0, int(random.integers(-15, 16)) * NEIGHBOURS // 2))
    return found


def copy_some(
    is_free: Any, random: np.random.Generator, thresholds: Sequence[float], *arrays: Any
) -> None:
    """Make some elements equal to others."""
    count = len(arrays[0])
    if thresholds and count > 1:
        to = np.flatnonzero(is_free * random.random(count) > HALVES)
        of = random.integers(0, count, len(to))
        for array in arrays:
            array[to] = array[of]
