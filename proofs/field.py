"""Arithmetic modulo a prime, on arrays of Python integers.

A number of the reals that a computation makes from its inputs by `+`, `-`, `*` and `/` has a
residue modulo `PRIME`. Two polynomials of degree d that differ have equal residues at a random
point with a probability of at most d / n, if each number is drawn from n (Schwartz and Zippel).
Equal residues at random points are a proof up to that probability. Functions that are no
polynomials are *uninterpreted*: their residue is a pseudorandom function of the argument's residue,
so they are equal only where their arguments are.
"""

from fractions import Fraction
from functools import cache
from math import isfinite
from typing import Any, cast
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

PRIME = (1 << 61) - 1
"""The modulus."""

DENOMINATOR = 1 << 10
"""The largest denominator of a constant that is taken as a simple fraction."""

Residues = NDArray[Any]
"""Residues as an array of Python integers (`dtype=object`)."""


@cache
def residue_of(number: float) -> int:
    """Return the residue of a constant.

    A constant that float32 rounds stands for the simplest fraction that rounds to it: 0.16666667
    for 1/6. Other numbers stand for themselves. Numbers that are not finite have residues, too,
    that no computation makes.
    """
    if not isfinite(number):
        return crc32(repr(number).encode())
    found = simple(number)
    return found.numerator * pow(found.denominator, -1, PRIME) % PRIME


@cache
def simple(number: float) -> Fraction:
    """Return the fraction that a finite constant stands for."""
    exact = Fraction(number)
    found = exact.limit_denominator(DENOMINATOR)
    return found if np.float32(float(found)) == np.float32(number) else exact


def inverse(residues: Residues) -> Residues:
    """Return the reciprocals. The reciprocal of 0, an infinity, has a residue that no other
    computation makes."""
    array: Residues = np.asarray(residues, dtype=object)
    numbers: list[Any] = array.reshape(-1).tolist()
    # One power for all: the reciprocal of a product, from which factors are taken in turn.
    products, product = list[int](), 1
    results: dict[int, Any] = {}
    for i, number in enumerate(numbers):
        products.append(product)
        if number and not isinstance(number, int):  # an expression
            results[i], numbers[i] = number.inverse(), 0
        product = product * (numbers[i] or 1) % PRIME
    rest = pow(product, -1, PRIME)
    found: Residues = np.empty(len(numbers), dtype=object)
    for i in reversed(range(len(numbers))):
        number = numbers[i]
        found[i] = rest * products[i] % PRIME if number else results.get(i, _INFINITY)
        rest = rest * (number or 1) % PRIME
    return found.reshape(array.shape)


_INFINITY = crc32(b"1/0")


def uninterpreted(name: str, *arguments: Residues) -> Residues:
    """Return the residues of a function without algebraic laws."""

    def apply(*args: Any) -> Any:
        for each in args:
            if not isinstance(each, int):  # an expression
                return each.function(name, args)
        return hashed(name, *args)

    return cast(Residues, np.frompyfunc(apply, len(arguments), 1)(*arguments))


def hashed(name: str, *arguments: int) -> int:
    """Return the residue of a function without algebraic laws."""
    return hash((_code_of(name), *arguments)) % PRIME


@cache
def _code_of(name: str) -> int:
    return crc32(name.encode())


_LIMB = 21
"""Binary digits of a part of a residue: three parts hold a residue."""

_LONGEST = 1 << 11
"""The longest sum of products of parts that float64 holds exactly."""

_FEW = 1 << 12
"""Products of fewer numbers are not worth the conversion to parts."""


def matmul(a: Residues, b: Residues) -> Residues:
    """Return a product of matrices modulo the prime.

    Large products are sums of products of parts of 21 binary digits, which float64 holds exactly.
    """
    if min(a.ndim, b.ndim) < 2 or a.size * b.shape[-1] < _FEW:
        return cast(Residues, np.matmul(np.asarray(a), np.asarray(b)) % PRIME)
    try:
        parts, others = (_parts(np.asarray(x)) for x in (a, b))
    except TypeError:  # expressions
        return cast(Residues, np.matmul(np.asarray(a), np.asarray(b)) % PRIME)
    total: Any = np.uint64(0)
    for start in range(0, a.shape[-1], _LONGEST):
        piece = slice(start, start + _LONGEST)
        for i, left in enumerate(parts):
            for j, right in enumerate(others):
                sums = np.matmul(left[..., piece], right[..., piece, :]).astype(np.uint64)
                total = (total + _shifted(sums, _LIMB * (i + j) % 61)) % np.uint64(PRIME)
    return cast(Residues, total.astype(object))


def _parts(residues: Residues) -> list[NDArray[np.float64]]:
    """Return the binary digits of residues, the lowest first."""
    numbers = (residues % PRIME).astype(np.uint64)
    mask = np.uint64((1 << _LIMB) - 1)
    return [(numbers >> np.uint64(_LIMB * i) & mask).astype("f8") for i in range(3)]


def _shifted(numbers: Any, by: int) -> Any:
    """Return numbers below 2^61 times a power of 2, modulo 2^61 - 1: a rotation of 61 digits."""
    high = numbers >> np.uint64(61 - by)
    return ((numbers << np.uint64(by)) & np.uint64(PRIME)) | high


class FieldArray(np.ndarray[Any, Any]):
    """Residues whose matrix products are computed by `matmul`: `array.view(FieldArray)`."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        plain = [x.view(np.ndarray) if isinstance(x, FieldArray) else x for x in inputs]
        if ufunc is np.matmul and method == "__call__" and not kwargs:
            return matmul(plain[0], plain[1])
        out = tuple(
            x.view(np.ndarray) if isinstance(x, FieldArray) else x for x in kwargs.pop("out", ())
        )
        return getattr(ufunc, method)(*plain, **({"out": out} if out else {}), **kwargs)
