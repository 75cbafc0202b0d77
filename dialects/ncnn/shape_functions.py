"""Shape functions of custom layers: `*(0w,p0),*(0h,p0),0c` lists the extents of an output in the
order of a Reshape (w, h, d, c), in the notation of its expressions (`expressions.py`).

`p0` is the layer's parameter 0, and `in0` alone is the shape of input 0. `;` separates outputs.
"""

import re
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute

from ..shapes.terms import Extents
from .expressions import evaluate, expression_length, is_function, is_number
from .extents import AXES, MAX_DIMS

_SAME = re.compile(r"in([0-9])")
_EXTENT = re.compile(r"([0-9])([whdc])")
_PARAMETER = re.compile(r"p([0-9]+)")
_WORD = re.compile(r"[^(),]+")


class InvalidShape(ValueError):
    """A shape function that is malformed or does not fit its layer; the message is the
    predicate of a sentence about the layer."""


def check_function(text: str) -> None:
    """Raise `InvalidShape` for a text that is a shape function of no layer."""
    for output in text.split(";"):
        if not _SAME.fullmatch(output):
            _check_extents(output)


def _check_extents(output: str) -> None:
    """Raise `InvalidShape` for a text that does not list the extents of an output."""
    for word in _WORD.findall(output):
        if not (_EXTENT.fullmatch(word) or _PARAMETER.fullmatch(word)):
            if not (is_function(word) or is_number(word)):
                raise InvalidShape(
                    f"'{word}' is no extent (as 0w), parameter (as p0), number or function (as *)"
                )
    length = expression_length(output)
    values = evaluate(_PARAMETER.sub("1", output), [None] * 10)
    if length is None or values is None or len(values) != length:
        raise InvalidShape(f"'{output}' is no list of extents, as *(0w,2),0h,0c")
    if length > MAX_DIMS:
        raise InvalidShape(f"'{output}' has {length} extents, and a blob has at most {MAX_DIMS}")


def infer_function(
    text: str, shapes: Sequence[Extents | None], outputs: int, extra: Mapping[str, Attribute]
) -> list[Extents | None]:
    """Return the shapes of a layer's outputs, `None` for an unknown one, from the shapes of its
    inputs and its parameters by id. Raise `InvalidShape`."""
    check_function(text)
    functions = text.split(";")
    if len(functions) != outputs:
        raise InvalidShape(
            f"has another number of outputs, {outputs}, than '{text}', {len(functions)}"
        )
    return [_infer(function, shapes, extra) for function in functions]


def _infer(
    function: str, shapes: Sequence[Extents | None], extra: Mapping[str, Attribute]
) -> Extents | None:
    """Return the shape of an output. Raise `InvalidShape`."""
    if same := _SAME.fullmatch(function):
        return shapes[_index(same[1], function, shapes)]
    for extent in filter(None, map(_EXTENT.fullmatch, _WORD.findall(function))):
        index = _index(extent[1], function, shapes)
        shape = shapes[index]
        if shape is not None and extent[2] not in AXES[len(shape)]:
            raise InvalidShape(
                f"has no {extent[0]}, which '{function}' names: input {index} is {len(shape)}-D"
            )
    filled = _WORD.sub(lambda word: _value(word[0], function, extra), function)
    extents = evaluate(filled, shapes)
    if extents is None:
        raise InvalidShape(f"has an input for which '{function}' cannot be computed")
    if any(isinstance(extent, int) and extent < 1 for extent in extents):
        raise InvalidShape(f"has an output without elements by '{function}'")
    return tuple(reversed(extents))


def _index(digit: str, function: str, shapes: Sequence[Extents | None]) -> int:
    """Return the index of an input. Raise `InvalidShape` if the layer lacks the input."""
    if int(digit) >= len(shapes):
        raise InvalidShape(f"has no input {digit}, which '{function}' names")
    return int(digit)


def _value(word: str, function: str, extra: Mapping[str, Attribute]) -> str:
    """Return a word, or the value of the parameter that it names. Raise `InvalidShape`."""
    if (named := _PARAMETER.fullmatch(word)) is None:
        return word
    match extra.get(named[1]):
        case IntegerAttr() as attr:
            return str(attr.value.data)
        case FloatAttr() as attr:
            value = attr.value.data
            return str(int(value)) if value.is_integer() else repr(value)
        case _:
            raise InvalidShape(f"has no number as parameter {named[1]}, which '{function}' names")
