"""Element-wise functions of exact numbers."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from .array import ExactArray, ExactBooleans, NotExact, exact, reduced
from .decisions import are_functions, by_values, larger, note, positive, smaller, zero
from .field import PRIME, inverse, matmul, uninterpreted
from .laws import function

_COMPARISONS = frozenset(
    {
        np.isfinite,
        np.isnan,
        np.isinf,
        np.signbit,
        np.logical_and,
        np.logical_or,
        np.logical_not,
    }
)
"""Functions whose results are booleans that the values decide."""

_OF_REALS = frozenset({np.isfinite, np.isnan, np.isinf})
"""Those that are the same for all real numbers."""

_ORDERS: Mapping[np.ufunc, bool] = {
    np.less: False,
    np.less_equal: True,
    np.greater: False,
    np.greater_equal: True,
}
"""Comparisons, each with its result for equal numbers: values of equal numbers may be rounded."""

_AND = frozenset({np.logical_and, np.bitwise_and})

_LOGIC = _AND | {np.logical_or, np.bitwise_or, np.logical_not, np.invert}
"""Functions of comparisons."""

_STEPS = frozenset({np.sign, np.floor, np.ceil, np.rint, np.trunc})
"""Functions whose results are integers, exactly known from the values."""


def apply(ufunc: np.ufunc, inputs: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Return the results of an element-wise function. Raises `NotExact`."""
    check_options(ufunc, kwargs)
    is_fixed = all(not isinstance(x, ExactArray) or x.is_fixed for x in inputs)
    with by_values() if is_fixed else nullcontext():
        found = _applied(ufunc, inputs)
    if isinstance(found, ExactArray):
        found.is_fixed = is_fixed
    return found


def _applied(ufunc: np.ufunc, inputs: Sequence[Any]) -> Any:
    if ufunc in _LOGIC and any(isinstance(x, ExactBooleans) for x in inputs):
        return _logical(ufunc, *map(exact, inputs))
    if ufunc in _ORDERS:
        a, b = map(exact, inputs)
        if are_functions():
            return _ordered(ufunc, a, b)
        equal = np.asarray(np.equal(a.residues, b.residues), bool)
        return np.where(equal, _ORDERS[ufunc], ufunc(a.values, b.values))
    if ufunc in _COMPARISONS:
        if ufunc not in _OF_REALS:
            note(ufunc.__name__)
        return ufunc(*(x.values if isinstance(x, ExactArray) else x for x in inputs))
    if ufunc in (np.equal, np.not_equal):
        a, b = map(exact, inputs)
        if are_functions():
            return _equality(ufunc, a, b)
        return np.asarray(ufunc(a.residues, b.residues), bool)
    args = [exact(x) for x in inputs]
    if ufunc is np.sign and are_functions():
        (x,) = args
        return reduced(positive(x.residues) - positive(-x.residues), np.sign(x.values))
    if ufunc in _STEPS:
        (x,) = args
        if are_functions():
            return ExactArray(uninterpreted(ufunc.__name__, x.residues), ufunc(x.values))
        return exact(ufunc(x.values))
    if ufunc in _ARITHMETIC:
        return _ARITHMETIC[ufunc](*args)
    with np.errstate(all="ignore"):
        values = ufunc(*(x.values for x in args))
    if len(args) == 1:
        return ExactArray(function(ufunc.__name__, args[0].residues), values)
    return ExactArray(uninterpreted(ufunc.__name__, *(x.residues for x in args)), values)


def check_options(function: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Raise `NotExact` for options that change a result; a float type does not."""
    if found := [name for name, value in options.items() if name != "dtype" and value is not None]:
        raise NotExact(f"{function.__name__} with {', '.join(found)}")


def reduce(
    ufunc: np.ufunc,
    x: Any,
    axis: Any = 0,
    keepdims: bool = False,
    initial: Any = None,
    **kwargs: Any,
) -> Any:
    """Return the reduction of an array along axes. Raises `NotExact`."""
    check_options(ufunc, kwargs)
    axes = tuple(range(x.ndim)) if axis is None else np.atleast_1d(axis).tolist()
    axes = tuple(sorted(a % x.ndim for a in axes))
    result = x
    for each in reversed(axes):
        rows = [result[(slice(None),) * each + (i,)] for i in range(result.shape[each])]
        if not rows:
            raise NotExact(f"{ufunc.__name__} of no elements")
        result = rows[0]
        for row in rows[1:]:
            result = apply(ufunc, (result, row), {})
    if initial is not None:
        result = apply(ufunc, (result, initial), {})
    if not keepdims:
        return result
    shape = tuple(1 if i in axes else n for i, n in enumerate(x.shape))
    return result.reshape(shape)


def _ordered(ufunc: np.ufunc, a: ExactArray, b: ExactArray) -> ExactBooleans:
    """Return a comparison as a function of a difference."""
    difference = a.residues - b.residues
    match ufunc.__name__:
        case "less":
            residues = positive(-difference)
        case "greater":
            residues = positive(difference)
        case "less_equal":
            residues = (1 - positive(difference)) % PRIME
        case _:
            residues = (1 - positive(-difference)) % PRIME
    return ExactBooleans(residues, ufunc(a.values, b.values))


def _equality(ufunc: np.ufunc, a: ExactArray, b: ExactArray) -> ExactBooleans:
    """Return an equality as a function of a difference and its negative."""
    residues = zero(a.residues - b.residues)
    equal = a.residues == b.residues
    if ufunc is np.not_equal:
        return ExactBooleans((1 - residues) % PRIME, ~equal)
    return ExactBooleans(residues, equal)


def _logical(ufunc: np.ufunc, a: ExactArray, b: ExactArray | None = None) -> ExactBooleans:
    """Return the conjunction, the disjunction or the negation of comparisons."""
    if b is None:
        return ExactBooleans((1 - a.residues) % PRIME, a.values == 0)
    both = a.residues * b.residues
    residues = both if ufunc in _AND else a.residues + b.residues - both
    function = np.logical_and if ufunc in _AND else np.logical_or
    return ExactBooleans(residues % PRIME, function(a.values, b.values))


def chosen(first: Any, a: ExactArray, b: ExactArray) -> ExactArray:
    """Return the elements of `a` where `first` is true, else those of `b`."""
    if isinstance(first, ExactBooleans):
        truth = first.values != 0
        residues = b.residues + first.residues * (a.residues - b.residues)
        return reduced(residues, np.where(truth, a.values, b.values))
    return ExactArray(np.where(first, a.residues, b.residues), np.where(first, a.values, b.values))


def _add(a: ExactArray, b: ExactArray) -> ExactArray:
    return reduced(a.residues + b.residues, a.values + b.values)


def _subtract(a: ExactArray, b: ExactArray) -> ExactArray:
    return reduced(a.residues - b.residues, a.values - b.values)


def _multiply(a: ExactArray, b: ExactArray) -> ExactArray:
    return reduced(a.residues * b.residues, a.values * b.values)


def _divide(a: ExactArray, b: ExactArray) -> ExactArray:
    with np.errstate(all="ignore"):
        return reduced(a.residues * inverse(b.residues), a.values / b.values)


def _matmul(a: ExactArray, b: ExactArray) -> ExactArray:
    return ExactArray(matmul(a.residues, b.residues), np.matmul(a.values, b.values))


def _power(a: ExactArray, b: ExactArray) -> ExactArray:
    """Integer exponents are products; others have no laws."""
    exponents = np.unique(b.values)
    if exponents.size == 1 and exponents[0] == int(exponents[0]) and abs(exponents[0]) <= 8:
        n = int(exponents[0])
        power: Any = np.frompyfunc(lambda residue: pow(residue, abs(n), PRIME), 1, 1)
        residues = power(a.residues if n >= 0 else inverse(a.residues))
        return ExactArray(residues, np.power(a.values, float(n)))
    with np.errstate(all="ignore"):
        values = np.power(a.values, b.values)
    return ExactArray(uninterpreted("power", a.residues, b.residues), values)


def _negative(a: ExactArray) -> ExactArray:
    return reduced(-a.residues, -a.values)


def _square(a: ExactArray) -> ExactArray:
    return _multiply(a, a)


def _reciprocal(a: ExactArray) -> ExactArray:
    return _divide(exact(1), a)


def _absolute(a: ExactArray) -> ExactArray:
    if are_functions():
        return _maximum(a, _negative(a))
    return chosen(a.values >= 0, a, _negative(a))


def _maximum(a: ExactArray, b: ExactArray) -> ExactArray:
    if are_functions():
        return ExactArray(larger(a.residues, b.residues), np.maximum(a.values, b.values))
    return chosen(a.values >= b.values, a, b)


def _minimum(a: ExactArray, b: ExactArray) -> ExactArray:
    if are_functions():
        return ExactArray(smaller(a.residues, b.residues), np.minimum(a.values, b.values))
    return chosen(a.values <= b.values, a, b)


_ARITHMETIC: Mapping[np.ufunc, Callable[..., ExactArray]] = {
    np.add: _add,
    np.subtract: _subtract,
    np.multiply: _multiply,
    np.divide: _divide,
    np.matmul: _matmul,
    np.power: _power,
    np.float_power: _power,
    np.negative: _negative,
    np.positive: ExactArray.copy,
    np.square: _square,
    np.reciprocal: _reciprocal,
    np.absolute: _absolute,
    np.fabs: _absolute,
    np.maximum: _maximum,
    np.minimum: _minimum,
    np.fmax: _maximum,
    np.fmin: _minimum,
}
