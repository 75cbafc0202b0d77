"""Operands for which the ncnn runtime computes something else than PyTorch does, function by
function: the table of docs/pnnx.md as predicates.

The runtime's vector code leaves infinities and NaNs out of account, and takes a division by zero or
by an infinity for one by a number.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Mask = NDArray[np.bool_]

EXACT_QUOTIENT = 2.0**12
"""Up to this quotient the remainder by a number is exact."""
LARGEST_ANGLE = 1e7
"""Up to this angle sine and cosine are those of PyTorch."""


def _zero_or_infinite(x: Array) -> Mask:
    """Whether the reciprocal of a number is none, or below the normal numbers."""
    return (x == 0) | (np.abs(x) > 2.0**126)


def _not_finite(result: Array, *_: Array) -> Mask:
    return ~np.isfinite(result)


def _nan(result: Array, *operands: Array) -> Mask:
    found = np.zeros(result.shape, bool)
    for x in operands:
        found = found | np.isnan(x)
    return found


def _overflow(result: Array, *operands: Array) -> Mask:
    return np.isinf(result) | (np.abs(result) > 1e38) | _nan(result, *operands)


def _tiny(result: Array) -> Mask:
    """Whether a result near zero is within the absolute error of 1e-6."""
    return (np.abs(result) < 1e-6) & (result != 0)


def _near_zero_or_nan(result: Array, x: Array) -> Mask:
    return _tiny(result) | np.isnan(x)


def _near_zero_or_not_finite(result: Array, x: Array) -> Mask:
    return _tiny(result) | ~np.isfinite(result)


def _near_zero_or_overflow(result: Array, x: Array) -> Mask:
    return _tiny(result) | _overflow(result, x)


def _angle(result: Array, x: Array) -> Mask:
    return np.abs(x) > LARGEST_ANGLE


def _inverse(result: Array, x: Array) -> Mask:
    return _zero_or_infinite(x)


def _infinite(result: Array, x: Array) -> Mask:
    return np.isinf(x)


def _quotient(result: Array, a: Array, b: Array) -> Mask:
    return _zero_or_infinite(b)


def _atan2(result: Array, y: Array, x: Array) -> Mask:
    quotient = y / x
    return (
        ~np.isfinite(y)
        | ~np.isfinite(x)
        | (np.isinf(quotient) & (x != 0))
        | ((y == 0) & np.signbit(y))
        | ((x == 0) & np.signbit(x))
    )


def _power(result: Array, x: Array, p: Array) -> Mask:
    if p.ndim:  # of a number
        return _overflow(result, p)
    whole = float(p).is_integer()
    infinite = (x == -np.inf) & (not whole)
    return infinite | (_zero_or_infinite(x) if p < 0 else np.zeros(x.shape, bool))


def _divided(result: Array, a: Array, b: Array) -> Mask:
    """Zero and infinite divisors, and quotients that are rounded to a neighbouring integer."""
    a, b = np.broadcast_arrays(a, b)
    quotient = np.abs(a.astype("f8") / b)
    most = EXACT_QUOTIENT
    near = np.abs(quotient - np.rint(quotient)) < 1e-6 * np.maximum(quotient, 1)
    exact = (a == np.rint(a)) & (b == np.rint(b)) & (np.abs(a) < 2**24) & (quotient < 2**22)
    by_number = np.unique(b).size == 1 and quotient.shape != ()
    small = (quotient < most) & (~near if not by_number else True)
    return _zero_or_infinite(b) | ~(exact | small | np.isnan(quotient)) | np.isinf(a)


DEVIATIONS: Mapping[str, Callable[..., Mask]] = {
    "rsqrt": _inverse,
    "reciprocal": _inverse,
    "div": _quotient,
    "exp": _overflow,
    "expm1": _near_zero_or_overflow,
    "sinh": _near_zero_or_overflow,
    "cosh": _overflow,
    "log": _not_finite,
    "log10": _not_finite,
    "log1p": _near_zero_or_not_finite,
    "asinh": _near_zero_or_not_finite,
    "acosh": _not_finite,
    "atanh": _not_finite,
    "tanh": _near_zero_or_nan,
    "sin": _angle,
    "cos": _angle,
    "tan": _angle,
    "atan": _infinite,
    "atan2": _atan2,
    "sign": _nan,
    "max": _nan,
    "min": _nan,
    "logaddexp": _nan,
    "pow": _power,
    "fmod": _divided,
    "remainder": _divided,
    "floor_divide": _divided,
}
"""Where the result of a function is not compared, from the result in PyTorch and the operands."""


def deviates(function: str, result: Array, *operands: Array) -> Mask:
    """The elements of a function's result in PyTorch that the runtime may not have."""
    with np.errstate(all="ignore"):
        subnormal = np.zeros(result.shape, bool)
        for x in operands:
            subnormal = subnormal | ((np.abs(x) < 2.0**-126) & (x != 0))
        if function not in DEVIATIONS:
            return subnormal
        return subnormal | DEVIATIONS[function](result, *operands)
