"""Expressions on the extents of blobs in parameters of Reshape, Crop and Interp:
`*(0w,2),-(1h,1),24` lists twice the w of input 0, the h of input 1 minus 1, and 24.

The notation is prefix. Values are int32 or float32 (src/expression.cpp).
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence

from ..shapes.terms import UNKNOWN, Extent, Extents, ExtentTerm, at_least, maximum, minimum
from .params import to_float32

ExpressionValue = int | float | ExtentTerm
"""A value; a term if it depends on dynamic extents."""

_EXTENT = re.compile(r"([0-9])([whdcn])")
_LITERAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

_UNARY: Mapping[str, Callable[[int | float], int | float]] = {
    "abs": abs,
    "neg": lambda a: -a,
    "sign": lambda a: type(a)((a > 0) - (a < 0)),
    "square": lambda a: a * a,
    "trunc": math.trunc,
    "ceil": math.ceil,
    "floor": math.floor,
    "round": lambda a: math.floor(abs(a) + 0.5) * (-1 if a < 0 else 1),
}
"""Unary functions that return an int for an int."""

_FLOAT_UNARY: Mapping[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "reciprocal": lambda a: 1 / a,
    "rsqrt": lambda a: 1 / to_float32(math.sqrt(a)),
}
"""Unary functions that return a float, rounded once or twice as in C."""

_BINARY: Mapping[str, Callable[[int | float, int | float], int | float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: _divide(a, b),
    "max": max,
    "min": min,
}
"""Binary functions that return an int for two ints, else a float."""

_TERMS: Mapping[str, Callable[[Extent, Extent], Extent]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b if at_least(a, 0) and at_least(b, 1) else UNKNOWN,
    "max": maximum,
    "min": minimum,
}
"""Binary functions on dynamic extents."""

_FLOAT_BINARY: Mapping[str, Callable[[float, float], float]] = {
    "/": lambda a, b: a / b,
    "fmod": math.fmod,
    "remainder": lambda a, b: math.fmod(a, b) + (b if a * b < 0 else 0),
}
"""Binary functions that return a float for any two numbers."""

_INT_BINARY: Mapping[str, Callable[[int, int], int]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "lshift": lambda a, b: a << b if 0 <= min(a, b) and b < 32 else 1 << 32,
    "rshift": lambda a, b: a >> b if 0 <= b < 32 else 1 << 32,
}
"""Binary functions on two ints; results undefined in C count as out of range."""

_UNKNOWN = {
    1: {"acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "erf", "exp", "log",
        "log10", "sin", "sinh", "tan", "tanh"},
    2: {"atan2", "pow", "logaddexp"},
}  # fmt: skip
"""The number of operands of functions whose last bit depends on the C library."""


def is_function(word: str) -> bool:
    """Whether a word of an expression is a function."""
    return _arity(word) > 0


def is_number(word: str) -> bool:
    """Whether a word of an expression is a number."""
    return _LITERAL.fullmatch(word) is not None


def expression_length(expression: str) -> int | None:
    """Return the number of values in an expression such as `0w,*(0h,1h)`; `None` for unbalanced
    parentheses."""
    depth, length = 0, 1
    for char in expression:
        depth += (char == "(") - (char == ")")
        length += char == "," and depth == 0
        if depth < 0:
            return None
    return length if depth == 0 else None


def evaluate(
    expression: str, shapes: Sequence[Extents | None], counts: Sequence[Extent | None] = ()
) -> list[Extent] | None:
    """Return the values of an expression for inputs of these shapes, with `UNKNOWN` for an unknown
    value; `None` if the runtime cannot evaluate it.

    `counts`: for each input, the number of blobs in its batch, if known.
    """
    stack: list[ExpressionValue] = []
    extents: list[ExtentTerm] = []
    for token in reversed([t for t in re.split(r"[(),]", expression) if t]):
        arity = _arity(token)
        if len(stack) < arity:
            return None
        operands = [stack.pop() for _ in range(arity)]
        if arity:
            stack.append(_apply(token, operands))
        elif extent := _EXTENT.fullmatch(token):
            if (index := int(extent[1])) >= len(shapes):
                return None
            count = counts[index] if index < len(counts) else None
            stack.append(value := _extent(shapes[index], count, extent[2]))
            extents += [value] if isinstance(value, ExtentTerm) else []
        elif _LITERAL.fullmatch(token):
            value = to_float32(float(token))
            leading = re.match(
                r"[+-]?[0-9]{1,300}(?![0-9])", token
            )  # longer ones do not fit float64 either
            number = None if leading is None else int(leading[0])
            whole = number is not None and to_float32(float(number)) == value
            stack.append(_in_range(number if number is not None and whole else value))
        else:
            return None
    if not stack:
        return None
    return [_to_parameter(value, extents) for value in reversed(stack)]


def _to_parameter(value: ExpressionValue, extents: Sequence[ExtentTerm]) -> Extent:
    """Return a value as a parameter. A term that may be 0 or less is not an extent, since such
    parameters have special meanings; extents of blobs are always positive."""
    if isinstance(value, ExtentTerm):
        return value if value in extents or at_least(value, 1) else UNKNOWN
    whole = _in_range(math.trunc(value))
    return int(whole) if not isinstance(whole, ExtentTerm) else whole


def _arity(token: str) -> int:
    """Return the number of operands of a token."""
    if token in _UNARY or token in _FLOAT_UNARY or token in _UNKNOWN[1]:
        return 1
    tables = (_BINARY, _FLOAT_BINARY, _INT_BINARY, _UNKNOWN[2])
    return 2 if any(token in table for table in tables) else 0


def _apply(token: str, operands: Sequence[ExpressionValue]) -> ExpressionValue:
    """Return the value of an operator; `UNKNOWN` if it is undefined or depends on the C library."""
    extents = [value for value in operands if isinstance(value, Extent)]
    numbers = [value for value in operands if not isinstance(value, ExtentTerm)]
    if len(numbers) == len(operands):
        return _applied(token, numbers)
    return _TERMS[token](*extents) if token in _TERMS and len(extents) == 2 else UNKNOWN


def _applied(token: str, operands: Sequence[int | float]) -> ExpressionValue:
    """Return the value of an operator on numbers."""
    floats = [to_float32(value) for value in operands]
    whole = [value for value in operands if isinstance(value, int)]
    try:
        if token in _UNARY:
            return _in_range(_UNARY[token](operands[0]))
        if token in _FLOAT_UNARY:
            return _in_range(_FLOAT_UNARY[token](floats[0]))
        if token in _BINARY:
            a, b = whole if len(whole) == 2 else floats
            return _in_range(_BINARY[token](a, b))
        if token in _FLOAT_BINARY:
            return _in_range(_FLOAT_BINARY[token](*floats))
        if token in _INT_BINARY and len(whole) == 2:
            return _in_range(_INT_BINARY[token](*whole))
    except (ArithmeticError, ValueError):
        pass
    return UNKNOWN


def _in_range(value: int | float) -> ExpressionValue:
    """Return a number rounded to int32 or float32; `UNKNOWN` if it is out of range."""
    if isinstance(value, int):
        return value if -(2**31) <= value < 2**31 else UNKNOWN
    rounded = to_float32(value)
    return rounded if math.isfinite(rounded) else UNKNOWN


def _divide(a: int | float, b: int | float) -> int | float:
    """Return `//`: truncated for ints, floored for floats."""
    if isinstance(a, int) and isinstance(b, int):
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return float(math.floor(to_float32(a / b)))


def _extent(shape: Extents | None, count: Extent | None, axis: str) -> Extent:
    """Return an extent of a blob, 1 along an axis that it lacks, or the number of blobs."""
    if axis == "n":
        return UNKNOWN if count is None else count
    if shape is None:
        return UNKNOWN
    axes = {1: "w", 2: "hw", 3: "chw", 4: "cdhw"}.get(len(shape), "")
    return shape[axes.index(axis)] if axis in axes else 1
