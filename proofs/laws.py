"""Algebraic laws of functions and constants that a proof may use, by name.

A proof uses no law unless it needs one, and lists the laws that it used.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from math import isfinite, sqrt
from typing import Any, cast

import numpy as np

from .expressions import constant_of, is_recording
from .field import PRIME, Residues, inverse, residue_of, simple, uninterpreted

SIGN = "f(-x) = -f(x)"
EXPONENT = "exp(-x) = 1 / exp(x)"
LOGARITHM = "log1p(x) = log(1 + x)"
ROOT = "0.70710678 = 1 / sqrt(2), and likewise other multiples of sqrt(2)"
LAWS = (SIGN, EXPONENT, LOGARITHM, ROOT)

ODD = frozenset(
    {"arcsin", "arcsinh", "arctan", "arctanh", "cbrt", "erf", "sin", "sinh", "tan", "tanh"}
)
"""Functions that `SIGN` holds for."""

ROOT_OF_TWO = pow(2, (PRIME + 1) // 4, PRIME)
"""A number whose square is 2 modulo the prime."""

_ENABLED: ContextVar[Sequence[str]] = ContextVar("laws", default=())


@contextmanager
def enabled(laws: Sequence[str]) -> Generator[None]:
    """Let the computations of the block use these laws."""
    token = _ENABLED.set(laws)
    try:
        yield
    finally:
        _ENABLED.reset(token)


def function(name: str, residues: Residues) -> Residues:
    """Return the residues of a function of one argument under the enabled laws."""
    laws = _ENABLED.get()
    negative = np.asarray(residues > PRIME // 2, bool)  # either x or -x, the same for both
    if name == "log1p" and LOGARITHM in laws:
        return uninterpreted("log", (residues + 1) % PRIME)
    if name in ODD and SIGN in laws:
        found = uninterpreted(name, np.where(negative, -residues % PRIME, residues))
        return np.where(negative, -found % PRIME, found)
    if name == "exp" and EXPONENT in laws:
        found = uninterpreted(name, np.where(negative, -residues % PRIME, residues))
        return np.where(negative, inverse(found), found)
    return uninterpreted(name, residues)


def residues_of(values: Any) -> Residues:
    """Return the residues of an array of constants."""
    return cast(Residues, _of_numbers(values.astype("f8")))


def constant(number: float) -> Any:
    """Return the residue of a constant under the enabled laws, or its expression."""
    if ROOT in _ENABLED.get() and number and abs(number) < 1e6:
        factor = Fraction(number / sqrt(2)).limit_denominator(16)
        if factor and np.float32(float(factor) * sqrt(2)) == np.float32(number):
            residue = residue_of(float(factor)) * ROOT_OF_TWO % PRIME
            return constant_of(residue, None) if is_recording() else residue
    if is_recording():
        return constant_of(residue_of(number), simple(number) if isfinite(number) else None)
    return residue_of(number)


_of_numbers = np.frompyfunc(lambda number: constant(float(number)), 1, 1)
