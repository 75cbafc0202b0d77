"""Numbers in ncnn's `.param` syntax, and text that ncnn reads back exactly.

Source: `vstr_is_float`, `vstr_to_int` and `vstr_to_float` in ncnn's src/paramdict.cpp as of
1.0.20261020. That release rewrote them. Before it (up to 1.0.20260526) numbers were truncated to 15
characters, trailing characters were ignored, digits were accumulated in 32-bit unsigned integers
that wrapped around, and the powers of ten were multiplied in another order. So a text may give
another float32 there. Reading follows the new rules; `format_float` writes only text that both
generations read as the same float32.

A "word" in this package is a 32-bit pattern as a signed int, -2**31 to 2**31 - 1.
"""

from __future__ import annotations

import re
import struct
from functools import cache, lru_cache

from .errors import FormatError

NUMBER_LIMIT = 127
"""The maximum length of a number that ncnn reads, in characters (src/paramdict.cpp,
`scan_numeric_value`)."""

INT_MIN = -(2**31)
INT_MAX = 2**31 - 1

_FLT_MAX = 3.4028234663852886e38
# Half-way between FLT_MAX and 2**128: ncnn refuses this and larger numbers.
_OVERFLOW = str(2**128 - 2**103)
_EXPONENT_CAP = 1024  # ncnn clamps exponents to this value, which is already out of range

_FLOAT = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?)([0-9]+))?")
_INT = re.compile(r"([+-]?)([0-9]+)")
_SINGLE = struct.Struct("<f")
_WORD = struct.Struct("<i")


def float_to_word(value: float) -> int:
    """Return the word of `value` rounded to float32; infinity if it is too large."""
    try:
        packed = _SINGLE.pack(value)
    except OverflowError:
        packed = _SINGLE.pack(float("inf") if value > 0 else float("-inf"))
    word: int = _WORD.unpack(packed)[0]
    return word


def word_to_float(word: int) -> float:
    """Return the float32 of a word as a Python float."""
    value: float = _SINGLE.unpack(_WORD.pack(word))[0]
    return value


def round_to_float32(value: float) -> float:
    """Return `value` rounded to the nearest float32; infinity if it is too large."""
    return word_to_float(float_to_word(value))


def is_float_text(text: str) -> bool:
    """Whether ncnn reads this number as a float: it has a point or an exponent."""
    return "." in text or "e" in text or "E" in text


def parse_int(text: str) -> int | None:
    """Return the int32 that ncnn reads, or `None` if it refuses the text.

    Valid text is an optional sign and decimal digits within 32 bits.
    """
    match = _INT.fullmatch(text)
    if match is None or len(text) > NUMBER_LIMIT:
        return None
    value = int(text)
    return value if INT_MIN <= value <= INT_MAX else None


def parse_float(text: str) -> float | None:
    """Return the float32 that ncnn reads, as a Python float, or `None` if it refuses the text.

    It may differ from the float32 nearest to the decimal: ncnn sums the digits in float64 and
    rounds once at the end, and the result must be the runtime's number. Too large a number is
    refused, too small a number is 0; infinity and NaN have no text.
    """
    match = _FLOAT.fullmatch(text)
    if match is None or len(text) > NUMBER_LIMIT:
        return None
    sign, whole, fraction, exponent_sign, exponent = match.groups("")
    if not whole and not fraction:
        return None
    value = _digits(whole)
    # Without digits after the point, both orders are exact.
    if fraction:
        value += _digits(fraction) / _tens(len(fraction))
    if value != 0.0 and exponent:
        scale = _power(min(int(exponent), _EXPONENT_CAP))
        value = value / scale if exponent_sign == "-" else value * scale
    if value >= _FLT_MAX:
        if not _fits(whole, fraction, exponent_sign + (exponent or "0")):
            return None
        value = _FLT_MAX
    return round_to_float32(-value if sign == "-" else value)


def format_float(value: float) -> str:
    """Return a token of at most 15 characters that every ncnn reads as the float32 of `value`.

    It is ncnn's `%e` where that is exact, else one or two digits longer (nine significant digits
    distinguish all float32). Raises `FormatError` for infinity and NaN, which have no float token.
    Their 32-bit pattern as an integer does not work either: ncnn kept int and float in an untyped
    union, but since 1.0.20261020 it converts an integer by value, and 2139095040 becomes
    2139095040.0.
    """
    text = _format_word(float_to_word(value))
    if text is None:
        raise FormatError("", f"ncnn's text format cannot express the number {value}")
    return text


@lru_cache(maxsize=4096)
def _format_word(word: int) -> str | None:
    value = word_to_float(word)
    if value - value != 0.0:  # infinity or NaN
        return None
    for precision in (6, 7, 8):
        text = f"{value:.{precision}e}"
        # Compare patterns: 0.0 and -0.0 are equal numbers.
        if _reads_as(parse_float(text), word) and _reads_as(_parse_old(text), word):
            return text
    return None  # unreachable for finite float32: checked for all of them


def _reads_as(value: float | None, word: int) -> bool:
    return value is not None and float_to_word(value) == word


def _parse_old(text: str) -> float:
    """Return the number that ncnn up to 1.0.20260526 reads from a token `[-]d.dddddde±dd`.

    Only for tokens from `_format_word`, which are too short for its wrap-around.
    """
    mantissa, _, exponent = text.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    value = int(whole) + int(fraction) / 10 ** len(fraction)
    eights, ones = divmod(abs(int(exponent)), 8)
    scale = 1.0
    for _ in range(eights):
        scale *= 1e8
    for _ in range(ones):
        scale *= 10.0
    value = value / scale if exponent.startswith("-") else value * scale
    return -value if text.startswith("-") else value


def _digits(digits: str) -> float:
    """Return the digits summed one by one in float64, as in ncnn."""
    if len(digits) <= 15:  # exact below 2**53
        return float(digits or "0")
    value = 0.0
    for digit in digits:
        value = value * 10.0 + float(digit)
    return value


@cache
def _tens(count: int) -> float:
    """Return 10 to the `count` by repeated multiplication; `count` is at most NUMBER_LIMIT."""
    scale = 1.0
    for _ in range(count):
        scale *= 10.0
    return scale


@cache
def _power(exponent: int) -> float:
    """Return 10 to the `exponent` by squaring, in ncnn's order; may be infinite."""
    scale, base = 1.0, 10.0
    while exponent:
        if exponent & 1:
            scale *= base
        exponent >>= 1
        base *= base
    return scale


def _fits(whole: str, fraction: str, exponent: str) -> bool:
    """Whether the exact decimal is below float32's overflow threshold."""
    digits = (whole + fraction).lstrip("0")
    leading_zeros = len(whole + fraction) - len(digits)
    length = len(whole) - leading_zeros + int(exponent)
    if length != len(_OVERFLOW):
        return length < len(_OVERFLOW)
    return digits.ljust(len(_OVERFLOW), "0")[: len(_OVERFLOW)] < _OVERFLOW
