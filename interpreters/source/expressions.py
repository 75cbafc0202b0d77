"""The values of PNNX expressions such as `add(@0,mul(@1,0.5))` (`expand_expression` in PNNX's
src/ir.cpp)."""

import math
import operator
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .source_steps import StepError, torch

_TOKEN = re.compile(r"[()\[\],]|[^()\[\],\s]+")
MAX_TOKENS = 10_000
MAX_DEPTH = 100

Node = "Call | Operand | object"


@dataclass(frozen=True)
class Operand:
    """An input of the operator."""

    index: int


@dataclass(frozen=True)
class Call:
    """A function of nodes; `[` is a list."""

    function: str
    arguments: "tuple[Any, ...]"


def parse(text: str) -> Any:
    """Return the tree of an expression: `Call`, `Operand`, or a number. Raises `StepError`."""
    tokens = _TOKEN.findall(text)
    if not tokens or len(tokens) > MAX_TOKENS:
        raise StepError(f"the expression '{text[:60]}' cannot be parsed")
    stream = _Stream(tokens)
    try:
        node = _node(stream, 0)
    except StopIteration:
        raise StepError(f"the expression '{text[:60]}' ends too early") from None
    if stream.peek():
        raise StepError(f"the expression '{text[:60]}' has surplus text")
    return node


class _Stream:
    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens, self._at = tokens, 0

    def peek(self) -> str:
        """The next token; "" at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def take(self) -> str:
        """Return the next token and advance. Raises `StopIteration`."""
        if not (token := self.peek()):
            raise StopIteration
        self._at += 1
        return token


def _node(stream: _Stream, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise StepError(f"the expression is nested deeper than {MAX_DEPTH}")
    token = stream.take()
    if token == "[":
        return Call("[", tuple(_arguments(stream, "]", depth)))
    if stream.peek() == "(":
        stream.take()
        return Call(token, tuple(_arguments(stream, ")", depth)))
    if token.startswith("@") and token[1:].isdecimal():
        return Operand(int(token[1:]))
    return _literal(token)


def _arguments(stream: _Stream, end: str, depth: int) -> Iterator[Any]:
    while stream.peek() != end:
        yield _node(stream, depth + 1)
        if stream.peek() == ",":
            stream.take()
        elif stream.peek() != end:
            raise StepError(f"'{stream.peek()}' instead of '{end}' in the expression")
    stream.take()


def _literal(token: str) -> Any:
    known = {"None": None, "True": True, "False": False}
    if token in known:
        return known[token]
    for convert in (int, float, complex):
        try:
            return convert(token)
        except ValueError:
            pass
    raise StepError(f"'{token}' in the expression is not a number")


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": lambda a, b: a / b,
    "floor_divide": lambda a, b: a // b,
    "remainder": operator.mod,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "lshift": lambda a, b: a << b,
    "rshift": lambda a, b: a >> b,
}
"""Functions that are Python's operators, on tensors and on numbers."""

_TORCH = frozenset(
    "abs acos acosh asin asinh atan atanh ceil cos cosh erf exp expm1 floor log log10 log1p "
    "reciprocal round rsqrt sign sin sinh sqrt square tan tanh trunc atan2 fmod max maximum min "
    "minimum pow logaddexp".split()
)
"""Functions of PyTorch with the same name, on tensors."""

_CASTS = {"torch.bool": "bool", "torch.float": "float", "torch.long": "long"}


def call(function: str, arguments: Sequence[Any]) -> Any:
    """Return the value of one function. Raises `StepError` for an unknown function."""
    if function == "[":
        return list(arguments)
    if function == "neg":
        return -arguments[0]
    if function == "int":
        return arguments[0].trunc() if _is_tensor(arguments[0]) else int(arguments[0])
    if function == "size":
        return _size(*arguments)
    if function in _CASTS:
        return torch.as_tensor(arguments[0]).to(getattr(torch, _CASTS[function]))
    if function in _OPERATORS:
        return _OPERATORS[function](*arguments)
    if function not in _TORCH:
        raise StepError(f"the function '{function}' of the expression is unknown")
    if not any(map(_is_tensor, arguments)):
        return _of_numbers(function, arguments)
    floats = next(value.dtype for value in arguments if _is_tensor(value))
    if len(arguments) == 2 and function not in ("pow", "fmod"):
        arguments = [torch.as_tensor(value, dtype=floats) for value in arguments]
    return getattr(torch, function)(*arguments)


def _is_tensor(value: object) -> bool:
    return isinstance(value, torch.Tensor)


def _size(tensor: Any, *axis: Any) -> Any:
    return tensor.size(int(axis[0])) if axis else tensor.shape


def _of_numbers(function: str, arguments: Sequence[Any]) -> Any:
    """Return the value of a function of sizes and literals."""
    if function in ("ceil", "floor", "trunc", "round"):
        return getattr(math, function)(*arguments) if function != "round" else round(*arguments)
    values = [torch.as_tensor(float(value), dtype=torch.float64) for value in arguments]
    result = getattr(torch, function)(*values).item()
    integers = all(isinstance(value, int) for value in arguments)
    return int(result) if integers and float(result).is_integer() else result
