"""Parser of PNNX expressions such as `add(@0,mul(@1,0.5))`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...dialects.ncnn.elementwise import BINARY_OPS
from ...dialects.ncnn.params import to_float32
from ...dialects.ncnn.unary import UNARY_OPS

BINARY = frozenset(word for word in BINARY_OPS if word[0] != "r" or word == "remainder")
"""Functions of two operands, by their PyTorch names."""
UNARY = frozenset((*UNARY_OPS, "erf"))
"""Functions of one operand."""

_TOKEN = re.compile(r"[(),]|[^(),\s]+")
_SYNONYMS = {"maximum": "max", "minimum": "min", "fmax": "max", "fmin": "min"}
MAX_DEPTH = 100
"""The maximal depth of an expression."""
MAX_TOKENS = 10_000
"""The maximal number of tokens of an expression."""
MAX_POWER = 1024
"""The largest integer exponent that is replaced by a chain of multiplications."""


class ExpressionError(ValueError):
    """No layers compute the expression."""


@dataclass(frozen=True)
class Call:
    """A function of expressions."""

    function: str
    """A member of `BINARY` or `UNARY`."""
    arguments: tuple["Node", ...]


@dataclass(frozen=True)
class Operand:
    """An input of the operator."""

    index: int


Node = Call | Operand | float
"""An expression; a float is a number."""


def parse_expression(text: str) -> Node | None:
    """Return the tree of an expression; `None` if no layers compute it."""
    try:
        return read_expression(text)
    except ExpressionError:
        return None


def read_expression(text: str) -> Node:
    """Return the tree of an expression. Raises `ExpressionError` with the reason if no layers
    compute it."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != text or len(tokens) > MAX_TOKENS:
        raise ExpressionError("the expression cannot be parsed")
    stream = iter([*tokens, ""])
    try:
        node = _parse(next(stream), stream, 0)
    except StopIteration:
        raise ExpressionError("the expression cannot be parsed") from None
    if next(stream, None) != "":
        raise ExpressionError("the expression cannot be parsed")
    return node


def _parse(token: str, stream: Iterator[str], depth: int) -> Node:
    if depth > MAX_DEPTH:
        raise ExpressionError(f"functions are nested deeper than {MAX_DEPTH}")
    if token.startswith("@") and token[1:].isdecimal():
        return Operand(int(token[1:]))
    word = _SYNONYMS.get(token, token)
    if word not in BINARY and word not in UNARY:
        return _number(token)
    _expect("(", stream)
    arguments = [_parse(next(stream), stream, depth + 1)]
    if word in BINARY:
        _expect(",", stream)
        arguments.append(_parse(next(stream), stream, depth + 1))
    _expect(")", stream)
    call = Call(word, tuple(arguments))
    if word == "pow":
        _check_power(*call.arguments)
    return call


def _number(token: str) -> float:
    try:
        value = to_float32(float(token))
    except ValueError:
        raise ExpressionError(f"'{token}' has no layer") from None
    if value - value != 0:
        raise ExpressionError(f"'{token}' is not a finite number")
    return value


def _expect(token: str, stream: Iterator[str]) -> None:
    if next(stream) != token:
        raise ExpressionError("the expression cannot be parsed")


def _check_power(base: Node, exponent: Node) -> None:
    """Raise `ExpressionError` for a power that the runtime computes as `exp(exponent * log(base))`
    if the base may be zero or negative."""
    if isinstance(exponent, float):
        if exponent.is_integer() and abs(exponent) > MAX_POWER:
            raise ExpressionError(f"the exponent of 'pow' is an integer beyond {MAX_POWER}")
    elif not isinstance(base, float) or base <= 0:
        raise ExpressionError(
            "'pow' with an exponent that is not a number needs a positive number as base; if the "
            "base is always positive, export exp(exponent * log(base))"
        )


def depth_of(node: Node, index: int) -> int | None:
    """Return the number of functions around the first use of an operand; `None` without a use."""
    if isinstance(node, Operand):
        return 0 if node.index == index else None
    if isinstance(node, Call):
        found = [d for a in node.arguments if (d := depth_of(a, index)) is not None]
        return found[0] + 1 if found else None
    return None
