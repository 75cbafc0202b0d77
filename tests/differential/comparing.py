"""Outputs of a model before and after, compared."""

import numpy as np

from .runtime import Array, Blobs, Failure

TOLERANCE = 1e-4
"""Of the largest value of a blob."""

LEAST = 1e-2
"""What that counts for at least: where all cancels out, what is left is the rounding of values
around 1 and 10."""

HALF = 2**-11
"""What float16 rounds by."""

ROUNDINGS = 16
"""So much of that a model may be off by where it stores weights as float16 and the original does
not, or fewer."""

TIMES = 4
"""So much more than the original a model may be off by through what the runtime rounds."""


def is_evidence(blobs: Blobs | Failure) -> bool:
    """Whether a model runs and gives numbers; else nothing can be learnt from it."""
    return not isinstance(blobs, Failure) and all(np.isfinite(b).all() for b in blobs.values())


def difference(
    before: Blobs, after: Blobs | Failure, tolerance: float = TOLERANCE, least: float = LEAST
) -> str:
    """What outputs differ in by more than a tolerance; nothing if they do not."""
    if isinstance(after, Failure):
        return after.reason
    for name, expected in before.items():
        if after[name].shape != expected.shape:
            return f"'{name}' has the extents {after[name].shape}, not {expected.shape}"
        found, scale = error(after[name], expected), max(largest(expected), least)
        if not found <= tolerance * scale:
            return f"'{name}' differs by {found:.3g} of {scale:.3g}"
    return ""


def rounding(exact: Blobs, before: Blobs, after: Blobs | Failure, least: float = LEAST) -> str:
    """In what outputs with rounded weights are clearly further than those of the original from what
    that gives in float32; nothing if they are not."""
    if isinstance(after, Failure):
        return after.reason
    for name, expected in exact.items():
        if after[name].shape != expected.shape:
            return f"'{name}' has the extents {after[name].shape}, not {expected.shape}"
        old, new = error(before[name], expected), error(after[name], expected)
        scale = max(largest(expected), least)
        if not new <= TIMES * old + ROUNDINGS * HALF * scale:
            return f"'{name}' is off by {new:.3g} of {scale:.3g}, before by {old:.3g}"
    return ""


def error(a: Array, b: Array) -> float:
    """The greatest difference of elements."""
    return float(np.abs(a.astype("f8") - b.astype("f8")).max(initial=0))


def largest(values: Array) -> float:
    """The largest of them, whatever its sign."""
    return float(np.abs(values).max(initial=0))


def assert_equal(before: Blobs | Failure, after: Blobs | Failure) -> None:
    """Asserts that both have the same outputs."""
    assert not isinstance(before, Failure), before
    problem = difference(before, after)
    assert not problem, problem
