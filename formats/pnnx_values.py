"""Values and shapes in a `.pnnx.param` (`Parameter` in PNNX's src/ir.cpp): parsing and
formatting."""

from __future__ import annotations

import re
import struct

from .numbers import round_to_float32
from .pnnx_graph import DTYPES, TensorShape, Value

_INT = re.compile(r"-?[0-9]{1,18}")
_FLOAT = re.compile(r"-?[0-9]{1,40}(\.[0-9]{0,60})?([eE][-+]?[0-9]{1,4})?")
_SHAPE = re.compile(r"\(([^()]*)\)([a-z0-9]+)")

MAX_DIMS = 64
"""A limit beyond the rank of any framework's tensors."""


class BadValue(Exception):
    """The error in a piece of text."""


def parse_param(key: str, text: str) -> Value:
    """Return the value of a parameter. Text that is not PNNX's form of a number, a bool, `None` or
    a list in round brackets is a string; an expression is always a string. Raises `BadValue`."""
    if key == "expr" or "%" in text:
        return text
    if text in ("None", "()"):
        return None
    if text in ("True", "False"):
        return text == "True"
    if not text.startswith("("):
        if not _is_number(text):
            return text
        return _int(text) if _INT.fullmatch(text) else _float(text)
    if not text.endswith(")"):
        raise BadValue("the list has no closing bracket")
    elements = text[1:-1].split(",")
    if all(_INT.fullmatch(e) for e in elements):
        return tuple(_int(e) for e in elements)
    if all(_is_number(e) for e in elements):
        return tuple(_float(e) for e in elements)
    return tuple(elements)


def format_param(value: Value) -> str:
    """Return the text of a value in PNNX's form."""
    if isinstance(value, tuple):
        return f"({','.join(format_param(v) for v in value)})" if value else "None"
    if isinstance(value, float):
        return format_float(value)
    return str(value)


def format_float(value: float) -> str:
    """Return a float32 in PNNX's shortest form (`float_to_string` in its src/utils.cpp): 6 digits,
    or 9 if 6 do not read back equal."""
    if value == 0:
        return "0.0"
    if not 1e-4 <= abs(round_to_float32(value)) < 1e6:
        text = f"{value:e}"
        if round_to_float32(float(text)) != value:
            text = f"{value:.8e}"
        return _short_exponent(text)
    text = f"{value:g}"
    if round_to_float32(float(text)) != value:
        text = f"{value:.9g}"
        if len(text.partition(".")[2]) > 9:
            return _short_exponent(f"{value:.8e}")
    return text if "." in text or "e" in text else f"{text}.0"


def parse_shape(text: str) -> TensorShape:
    """Return a shape such as `(1,3,?,224)f32`. Raises `BadValue`."""
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise BadValue(f"'{text[:60]}' is not a shape such as (1,3,224,224)f32")
    if match[2] not in DTYPES:
        raise BadValue(f"unknown element type '{match[2][:20]}'")
    extents = match[1].split(",") if match[1] else []  # a number has no extents
    if len(extents) > MAX_DIMS:
        raise BadValue(f"a shape cannot have {len(extents)} dims")
    return TensorShape(tuple(_extent(e) for e in extents), match[2])


def format_shape(shape: TensorShape) -> str:
    """Return the text of a shape."""
    extents = ",".join("?" if n is None else str(n) for n in shape.extents)
    return f"({extents}){shape.dtype}"


def _extent(text: str) -> int | None:
    # `%name` is a symbol shared by several shapes; here it is a dynamic extent.
    if text == "?" or text.startswith("%"):
        return None
    if not text.isdecimal() or not text.isascii() or len(text) > 10 or int(text) > 0x7FFFFFFF:
        raise BadValue(f"'{text[:20]}' is not an extent")
    return int(text)


def _is_number(text: str) -> bool:
    return _FLOAT.fullmatch(text) is not None


def _int(text: str) -> int:
    value = int(text)
    if not -0x80000000 <= value <= 0x7FFFFFFF:
        raise BadValue(f"{value} does not fit 32 bits")
    return value


def _float(text: str) -> float:
    try:
        return struct.unpack("<f", struct.pack("<f", float(text)))[0]
    except OverflowError:
        raise BadValue(f"{text[:40]} does not fit a float32") from None


def _short_exponent(text: str) -> str:
    """Remove a plus sign and leading zeros from the exponent."""
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}"
