"""Numbers: read as the runtime reads them, written so that it reads them back."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.formats.numbers import (
    float_to_word,
    format_float,
    is_float_text,
    parse_float,
    parse_int,
    word_to_float,
)

if TYPE_CHECKING:
    from .conftest import Load

words = st.integers(-(2**31), 2**31 - 1)

# The zeros, the least and greatest denormal, the least and greatest normal, one and its neighbours,
# and the two whose text of seven digits the old and the new reader take for different numbers.
LANDMARKS = [
    0x00000000,
    -0x80000000,
    0x00000001,
    0x007FFFFF,
    0x00800000,
    0x7F7FFFFF,
    0x3F7FFFFF,
    0x3F800000,
    0x3F800001,
    0x15AE43FD,
    0x15AE43FE,
]


def old_parse(text: str) -> float:
    """How ncnn up to 1.0.20260526 reads a number: in unsigned 32-bit integers, which wrap."""
    text = text[:15]
    negative, text = text.startswith("-"), text.lstrip("+-")

    def digits() -> tuple[int, int]:
        nonlocal text
        value, power = 0, 1
        while text[:1].isdigit():
            value, power = (value * 10 + int(text[0])) % 2**32, power * 10 % 2**32
            text = text[1:]
        return value, power

    value = float(digits()[0])
    if text.startswith("."):
        text = text[1:]
        fraction, power = digits()
        value += fraction / float(power)
    if text.startswith("e"):
        down = text[1] == "-"
        text = text[1:].lstrip("+-")
        exponent = digits()[0]
        scale = 1.0
        while exponent >= 8:
            scale *= 1e8
            exponent -= 8
        while exponent > 0:
            scale *= 10.0
            exponent -= 1
        value = value / scale if down else value * scale
    single: float = struct.unpack("<f", struct.pack("<f", -value if negative else value))[0]
    return single


def assert_reads_back(word: int) -> None:
    text = format_float(word_to_float(word))
    assert len(text) <= 15
    assert is_float_text(text)
    read = parse_float(text)
    assert read is not None
    assert float_to_word(read) == word
    assert float_to_word(old_parse(text)) == word


@pytest.mark.parametrize("word", LANDMARKS)
def test_landmarks_read_back(word: int) -> None:
    assert_reads_back(word)


@given(words)
def test_written_floats_read_back_to_the_bit(word: int) -> None:
    value = word_to_float(word)
    if math.isfinite(value):
        assert_reads_back(word)
    else:
        with pytest.raises(FormatError):
            format_float(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.000000e+00"),
        (-0.0, "-0.000000e+00"),
        (1.0, "1.000000e+00"),
        (0.1, "1.000000e-01"),
        (0.3, "3.000000e-01"),
        (16777215.0, "1.6777215e+07"),
        (3.4028234663852886e38, "3.4028235e+38"),
    ],
)
def test_ncnns_own_form_where_it_is_exact(value: float, text: str) -> None:
    assert format_float(value) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("+7", 7),
        ("0000000000000000000000042", 42),
        ("2147483647", 2**31 - 1),
        ("-2147483648", -(2**31)),
        ("2147483648", None),
        ("-2147483649", None),
        ("4294967296", None),
        ("9" * 127, None),
        ("0" * 127 + "1", None),
        ("", None),
        ("-", None),
        ("+-1", None),
        (" 1", None),
        ("1 ", None),
        ("1\n", None),
        ("3abc", None),
        ("0x10", None),
        ("1.0", None),
        ("1e3", None),
        ("\u0663", None),
    ],
)
def test_parse_int(text: str, value: int | None) -> None:
    assert parse_int(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("-2.5E+1", -25.0),
        ("4294967296.5", 4294967296.0),
        ("1e-99999999999999999999", 0.0),
        ("0e99999999999999999999", 0.0),
        ("0." + "0" * 60 + "1e61", 1.0),
        # The largest float32 and what still rounds to it; then the exact half-way point.
        ("3.4028235e38", 3.4028234663852886e38),
        ("340282356779733661637539395458142568447", 3.4028234663852886e38),
        ("340282356779733661637539395458142568448", None),
        ("1e39", None),
        ("1e99999999999999999999", None),
        ("", None),
        (".", None),
        ("-.e5", None),
        ("1e", None),
        ("1e+", None),
        ("1.0x", None),
        ("1.0 ", None),
        ("1..0", None),
        ("inf", None),
        ("nan", None),
        ("1" + "0" * 127, None),
        ("\u0661.5", None),
    ],
)
def test_parse_float(text: str, value: float | None) -> None:
    assert parse_float(text) == value


def test_the_sign_of_zero_is_kept() -> None:
    value = parse_float("-0.0")
    assert value is not None
    assert math.copysign(1.0, value) == -1.0


@pytest.mark.parametrize(
    ("text", "is_float"), [("1", False), ("1.", True), ("1e2", True), ("1E2", True)]
)
def test_is_float_text(text: str, is_float: bool) -> None:
    assert is_float_text(text) == is_float


@given(words)
def test_words_are_numpys_bits(word: int) -> None:
    value = word_to_float(word)
    assert np.array(word, np.int32).view(np.float32) == np.float32(value) or math.isnan(value)
    if not math.isnan(value):
        assert float_to_word(value) == word


def test_floats_are_rounded_and_saturate() -> None:
    assert float_to_word(0.1) == np.array(0.1, np.float32).view(np.int32)
    assert word_to_float(float_to_word(1e300)) == math.inf
    assert word_to_float(float_to_word(-1e300)) == -math.inf


digits = st.text("0123456789", max_size=25)
numerals = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "+", "-"]),
        digits,
        st.sampled_from(["", "."]),
        digits,
        st.one_of(st.just(""), st.integers(-60, 60).map(lambda n: f"e{n}")),
    ),
)
# What begins with a letter is a string to ncnn.
almost_numerals = st.from_regex(r"[0-9+.-][0-9+.eE-]{0,20}", fullmatch=True)
long_numerals = st.text("0123456789", min_size=100, max_size=130)


@given(st.one_of(numerals, almost_numerals, long_numerals))
@example("16777217.0")
@example("340282356779733661637539395458142568447.9")
@example("1.401298464324817e-45")
def test_the_runtime_reads_the_same(runtime_reads: Load, text: str) -> None:
    assume(not text.startswith("e"))
    seen = runtime_reads(f"7767517\n1 1\nSpy s 0 1 b 0={text}\n".encode())
    if is_float_text(text):
        value = parse_float(text)
        assert (seen is None) == (value is None)
        if seen is not None and value is not None:
            assert seen[0][0][0] == 3
            assert float_to_word(seen[0][0][2]) == float_to_word(value)
    else:
        value = parse_int(text)
        assert (seen is None) == (value is None)
        if seen is not None:
            assert seen[0][0][:2] == (2, value)


@given(words)
@example(LANDMARKS[2])
@example(LANDMARKS[9])
@example(LANDMARKS[10])
def test_the_runtime_reads_written_floats_back(runtime_reads: Load, word: int) -> None:
    value = word_to_float(word)
    if math.isfinite(value):
        seen = runtime_reads(f"7767517\n1 1\nSpy s 0 1 b 5={format_float(value)}\n".encode())
        assert seen is not None
        assert float_to_word(seen[0][5][2]) == word
