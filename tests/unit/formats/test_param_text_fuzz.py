"""Whatever is done to a `.param` file, it is read or refused, and as the runtime does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.formats.graph import Graph
from ncnn_opt.formats.numbers import float_to_word
from ncnn_opt.formats.param_text import read_param_text, write_param_text

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from .conftest import Load

SMALL = b"""7767517
3 3
Input                    input                    0 1 data 0=4 1=4 2=1
InnerProduct             ip                       1 1 data fc 0=10 1=1 2=80 -23310=2,1.000000e-01,3
Softmax                  softmax                  1 1 fc prob 0=0 31=1
"""


def outcome(text: bytes) -> Graph | FormatError:
    try:
        return read_param_text(text, "m.param")
    except FormatError as error:
        return error


@settings(max_examples=300)
@given(st.data())
def test_mutilated_files_are_read_or_refused(data: st.DataObject) -> None:
    text = bytearray(SMALL)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 12))
        text[start:end] = data.draw(
            st.one_of(st.binary(max_size=4), st.sampled_from([b" ", b"\n"]))
        )
    result = outcome(bytes(text))
    if isinstance(result, FormatError):
        assert result.line is not None or text.startswith(b"\xdd\x85\x76\x00")
    else:
        assert outcome(write_param_text(result).encode()) == result


def test_files_that_end_too_early_are_read_or_refused() -> None:
    accepted = [
        end for end in range(len(SMALL)) if not isinstance(outcome(SMALL[:end]), FormatError)
    ]
    # Only after the last layer's counts can it go unnoticed.
    assert min(accepted, default=len(SMALL)) > SMALL.index(b" 1 1 fc prob")


tokens = st.one_of(
    st.sampled_from(
        ["0=1", "3=0.5", "4=a", '5="', 'x"', '""', "6=1,", "7=1.0,2", "-23308=2,1,2", "=", "\t"]
    ),
    st.from_regex(r"[+-]?[0-9]{1,2}=[+-]?[0-9.e,+-]{0,8}", fullmatch=True),
    st.from_regex(r"-233[0-9]{2}=[0-9]?(,[0-9.e-]{0,4}){0,3}", fullmatch=True),
    st.from_regex(r'[0-9]{1,2}="?[a-z0-9",=. ]{0,18}"?', fullmatch=True),
    st.text('0123456789=,.e+-"ab \t\v\f', max_size=6),
)


@settings(max_examples=500)
@given(st.lists(tokens, max_size=4).map(" ".join))
@example(f"4={'x' * 255}")
@example(f"4={'x' * 256}")
@example(f'4="{"x" * 255}"')
@example(f'4="{"x" * 256}"')
@example(f"4=1,{'0' * 127}")
@example(f"4=1,{'0' * 128}")
def test_the_runtime_reads_the_same_parameters(runtime_reads: Load, text: str) -> None:
    file = f"7767517\n1 1\nSpy spy 0 1 blob {text}\n"
    seen = runtime_reads(file.encode())
    graph = outcome(file.encode())
    if isinstance(graph, FormatError):
        assert seen is None
        return
    assert seen is not None
    assert set(seen[0]) == set(graph.layers[0].params)
    for id_, value in graph.layers[0].params.items():
        code, as_int, as_float, as_words = seen[0][id_]
        assert as_int == value.as_int(77)
        assert float_to_word(as_float) == float_to_word(value.as_float(77.0))
        assert as_words == value.as_ints()
        assert (code == 7) == value.is_str
        assert (code == 5) == value.is_int_array


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("7767517\n2 1\nSpy s 0 1 a\n", False),
        ("7767517\n1 1\nSpy s 0 1 a\nSpy t 0 1 b\n", True),
        ("7767517\n1 1\nSpy s 0 2 a b\n", False),
        ("7767517\n1 9\nSpy s 0 1 a\n", True),
        ("7767517\n1 1\nSpy s\n0\n1\na\n", True),
        ("7767517 1 1 Spy s 0 1 a 0=1", True),
        ("7767517\r1 1\rSpy s 0 1 a 0=1\r", True),
        ("7767518\n1 1\nSpy s 0 1 a\n", False),
        ("7767517\n-1 1\nSpy s 0 1 a\n", False),
        ("7767517\n1 1000001\nSpy s 0 1 a\n", False),
        ("7767517\n1 1\nSpy s 0 -1 a\n", False),
        ("7767517\n1 1x\nSpy s 0 1 a\n", False),
        (f"7767517\n1 1\nSpy s 0 1 {'n' * 255}\n", True),
        (f"7767517\n1 1\nSpy s 0 1 {'n' * 256}\n", False),
        (f"7767517\n1 1\nSpy {'n' * 256} 0 1 a\n", False),
        ("\ufeff7767517\n1 1\nSpy s 0 1 a\n", False),
        ("7767517\n1 1\nSpy s 0 1 a 0=1 b\n", False),
        ("7767517\n1 1\nSpy s 0 1\n", False),
        ("", False),
    ],
)
def test_the_runtime_takes_the_same_files(runtime_reads: Load, text: str, accepted: bool) -> None:
    assert (runtime_reads(text.encode()) is not None) == accepted
    assert isinstance(outcome(text.encode()), Graph) == accepted
