"""Numbers as ncnn's `.param` reader understands them, and text that it reads back exactly.

Source: `vstr_is_float`, `vstr_to_int` and `vstr_to_float` in ncnn's src/paramdict.cpp as of
1.0.20261020. That release rewrote them. Before it (up to 1.0.20260526) a number was cut off
after 15 characters, trailing junk was ignored, digits were gathered in 32-bit unsigned integers
that wrapped around, and the powers of ten were multiplied in another order; a text may therefore
give another float32 there. Reading follows the new rules; `format_float` writes only
text that both generations read as the very same float32.

A "word" in this package is a 32-bit pattern held as a signed int, -2**31 to 2**31 - 1.
"""

from __future__ import annotations

import re
import struct
from functools import cache, lru_cache

from .errors import FormatError

NUMBER_LIMIT = 127
"""Longest number, in characters, that ncnn reads (src/paramdict.cpp, `scan_numeric_value`)."""

INT_MIN = -(2**31)
INT_MAX = 2**31 - 1

_FLT_MAX = 3.4028234663852886e38
# Half-way between FLT_MAX and what would come next, 2**128: from here on ncnn refuses.
_OVERFLOW = str(2**128 - 2**103)
_EXPONENT_CAP = 1024  # ncnn treats larger exponents as this one, which is already out of range

_FLOAT = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?)([0-9]+))?")
_INT = re.compile(r"([+-]?)([0-9]+)")
_SINGLE = struct.Struct("<f")
_WORD = struct.Struct("<i")


def float_to_word(value: float) -> int:
    """The word of `value` rounded to float32; what is too large becomes infinity."""
    try:
        packed = _SINGLE.pack(value)
    except OverflowError:
        packed = _SINGLE.pack(float("inf") if value > 0 else float("-inf"))
    word: int = _WORD.unpack(packed)[0]
    return word


def word_to_float(word: int) -> float:
    """The float32 whose word this is, as a Python float."""
    value: float = _SINGLE.unpack(_WORD.pack(word))[0]
    return value


def round_to_float32(value: float) -> float:
    """`value` rounded to the nearest float32; what is too large becomes infinity."""
    return word_to_float(float_to_word(value))


def is_float_text(text: str) -> bool:
    """Whether ncnn reads this number as a float: it has a point or an exponent."""
    return "." in text or "e" in text or "E" in text


def parse_int(text: str) -> int | None:
    """The int32 that ncnn reads, or None where it refuses the text.

    Only a sign and decimal digits; beyond 32 bits it refuses rather than wrapping around.
    """
    match = _INT.fullmatch(text)
    if match is None or len(text) > NUMBER_LIMIT:
        return None
    value = int(text)
    return value if INT_MIN <= value <= INT_MAX else None


def parse_float(text: str) -> float | None:
    """The float32 that ncnn reads, as a Python float, or None where it refuses the text.

    It need not be the float32 nearest to the decimal: ncnn adds up the digits in float64 and
    rounds once at the end, and what counts is the number that the runtime will use.
    Too large is refused, too small is 0; there is no text for infinity or nan.
    """
    match = _FLOAT.fullmatch(text)
    if match is None or len(text) > NUMBER_LIMIT:
        return None
    sign, whole, fraction, exponent_sign, exponent = match.groups("")
    if not whole and not fraction:
        return None
    value = _digits(whole)
    # With no digits after the point the sum is exact either way.
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
    """A token of at most 15 characters that every ncnn reads as exactly the float32 of `value`.

    ncnn's own `%e` where that is exact, else one or two digits more (nine significant digits
    tell all float32 apart). Infinity and nan raise FormatError: there is no float token for
    them. Their 32-bit pattern as an integer is no way out either: it used to be, when ncnn kept
    int and float in an untyped union, but since 1.0.20261020 an integer where a float is
    wanted is converted by value, and 2139095040 is then 2139095040.0.
    """
    text = _format_word(float_to_word(value))
    if text is None:
        raise FormatError("", f"ncnn's text format cannot express the number {value}")
    return text


@lru_cache(maxsize=4096)
def _format_word(word: int) -> str | None:
    value = word_to_float(word)
    if value - value != 0.0:  # infinity or nan
        return None
    for precision in (6, 7, 8):
        text = f"{value:.{precision}e}"
        # Compared as patterns: 0.0 and -0.0 are equal numbers.
        if _reads_as(parse_float(text), word) and _reads_as(_parse_old(text), word):
            return text
    return None  # not reached for any finite float32: tried on all of them


def _reads_as(value: float | None, word: int) -> bool:
    return value is not None and float_to_word(value) == word


def _parse_old(text: str) -> float:
    """What ncnn up to 1.0.20260526 makes of a token of the form `[-]d.dddddde±dd`.

    Only for tokens that `_format_word` makes: they are too short for its wrap-around.
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
    """The digits added up one by one in float64, as ncnn does."""
    if len(digits) <= 15:  # below 2**53 every step is exact
        return float(digits or "0")
    value = 0.0
    for digit in digits:
        value = value * 10.0 + float(digit)
    return value


@cache
def _tens(count: int) -> float:
    """10 to the `count` by repeated multiplication; `count` is at most NUMBER_LIMIT."""
    scale = 1.0
    for _ in range(count):
        scale *= 10.0
    return scale


@cache
def _power(exponent: int) -> float:
    """10 to the `exponent` by squaring, in ncnn's order; may be infinite."""
    scale, base = 1.0, 10.0
    while exponent:
        if exponent & 1:
            scale *= base
        exponent >>= 1
        base *= base
    return scale


def _fits(whole: str, fraction: str, exponent: str) -> bool:
    """Whether the exact decimal stays below the point where float32 overflows."""
    digits = (whole + fraction).lstrip("0")
    leading_zeros = len(whole + fraction) - len(digits)
    length = len(whole) - leading_zeros + int(exponent)
    if length != len(_OVERFLOW):
        return length < len(_OVERFLOW)
    return digits.ljust(len(_OVERFLOW), "0")[: len(_OVERFLOW)] < _OVERFLOW
