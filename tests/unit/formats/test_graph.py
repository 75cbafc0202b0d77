"""Parameter values as ncnn's typed `get` gives them, and what makes a graph well-formed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.formats.graph import (
    Graph,
    LayerRecord,
    ParamValue,
    Wanted,
    check_graph,
    reserved_param_error,
)
from ncnn_opt.formats.numbers import float_to_word, word_to_float
from ncnn_opt.formats.param_text import write_param_text

if TYPE_CHECKING:
    from .conftest import Load

ONE = float_to_word(1.0)


def test_an_int() -> None:
    value = ParamValue.of_int(6)
    assert value.as_int() == 6
    assert value.as_float() == 6.0
    assert value.as_ints() == value.as_floats() == ()
    assert value.as_str("none") == "none"
    assert not value.is_array
    assert not value.is_str


def test_a_float() -> None:
    value = ParamValue.of_float(0.1)
    assert value.as_float() == word_to_float(float_to_word(0.1)) != 0.1
    assert value.as_int(3) == 3
    assert value.as_floats((1.0,)) == (1.0,)


def test_a_string() -> None:
    value = ParamValue.of_str("x,y")
    assert value.is_str
    assert value.as_str() == "x,y"
    assert (value.as_int(), value.as_float(), value.as_ints(), value.as_floats()) == (0, 0, (), ())


def test_arrays() -> None:
    ints = ParamValue.of_ints([1, -2])
    assert ints.is_array
    assert ints.as_ints() == (1, -2)
    assert ints.as_floats() == (1.0, -2.0)
    floats = ParamValue.of_floats([1.0, 0.5])
    assert floats.as_floats() == (1.0, 0.5)
    assert floats.as_ints() == (ONE, float_to_word(0.5))
    assert floats.as_int(9) == 9
    assert ParamValue.of_floats([]) == ParamValue.of_ints([]) == ParamValue.of_words([])


def test_the_last_element_makes_a_mixed_array() -> None:
    ends_in_float = ParamValue("array", (1, ONE), (False, True))
    assert ends_in_float.as_floats() == (word_to_float(1), 1.0)
    ends_in_int = ParamValue("array", (ONE, 1), (True, False))
    assert ends_in_int.as_floats() == (float(ONE), 1.0)
    assert ends_in_int.as_ints() == (ONE, 1)


def test_a_word_is_whatever_one_asks_for() -> None:
    value = ParamValue.of_word(ONE)
    assert value.as_int() == ONE
    assert value.as_float() == 1.0
    assert ParamValue.of_words([ONE, 2]).as_floats() == (1.0, word_to_float(2))
    assert ParamValue.of_words([ONE, 2]).as_ints() == (ONE, 2)


def test_values_are_hashable_and_tell_kinds_apart() -> None:
    values = {
        ParamValue.of_int(0),
        ParamValue.of_float(0.0),
        ParamValue.of_float(-0.0),
        ParamValue.of_word(0),
        ParamValue.of_ints([0]),
        ParamValue.of_floats([0.0]),
        ParamValue.of_str(""),
    }
    assert len(values) == 7
    assert ParamValue.of_float(math.nan) == ParamValue.of_float(math.nan)


@pytest.mark.parametrize("value", [2**31, -(2**31) - 1])
def test_more_than_32_bits(value: int) -> None:
    with pytest.raises(FormatError, match="32-bit"):
        ParamValue.of_int(value)
    with pytest.raises(FormatError, match="32-bit"):
        ParamValue.of_ints([0, value])


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        (ParamValue.of_int(6), {"int", "float"}),
        (ParamValue.of_int(2**24 + 1), {"int"}),
        (ParamValue.of_float(6.0), {"float"}),
        # Not even 0.0 is an int: ncnn takes the layer's default, which need not be 0.
        (ParamValue.of_float(0.0), {"float"}),
        (ParamValue.of_str("s"), {"str"}),
        (ParamValue.of_ints([1, 2]), {"ints", "floats"}),
        (ParamValue.of_ints([2**24 + 1]), {"ints"}),
        (ParamValue.of_floats([1.0]), {"floats"}),
        (ParamValue("array", (1, ONE), (False, True)), set[str]()),
        (ParamValue("array", (ONE, 1), (True, False)), set[str]()),
        (ParamValue("array", (0, ONE), (False, True)), {"floats"}),
        (ParamValue.of_ints([]), {"int", "float", "ints", "floats", "str"}),
        (ParamValue.of_word(6), {"int", "float"}),
        (ParamValue.of_words([6]), {"ints", "floats"}),
    ],
)
@pytest.mark.parametrize("wanted", ["int", "float", "ints", "floats", "str"])
def test_mismatch(value: ParamValue, fits: set[str], wanted: Wanted) -> None:
    assert value.mismatch(wanted) == (wanted not in fits)


words = st.integers(-(2**31), 2**31 - 1)
finite_words = words.filter(lambda word: math.isfinite(word_to_float(word)))
elements = st.one_of(st.tuples(words, st.just(False)), st.tuples(finite_words, st.just(True)))
values = st.one_of(
    words.map(ParamValue.of_int),
    finite_words.map(lambda word: ParamValue.of_float(word_to_float(word))),
    st.lists(elements, max_size=5).map(
        lambda pairs: ParamValue("array", tuple(w for w, _ in pairs), tuple(f for _, f in pairs))
    ),
    st.just(ParamValue.of_str("text")),
)


@given(values)
def test_the_runtime_is_given_the_same(runtime_reads: Load, value: ParamValue) -> None:
    graph = Graph([LayerRecord("Spy", "spy", (), ("blob",), {5: value})])
    seen = runtime_reads(write_param_text(graph).encode())
    assert seen is not None
    code, as_int, as_float, as_words = seen[0][5]
    assert as_int == value.as_int(77)
    assert float_to_word(as_float) == float_to_word(value.as_float(77.0))
    assert as_words == value.as_ints()
    assert (code == 7) == value.is_str
    assert (code in (4, 5, 6)) == value.is_array
    assert (code == 5) == value.is_int_array


def graph(*layers: LayerRecord) -> Graph:
    return Graph(list(layers))


DATA = LayerRecord("Input", "in", (), ("a",), line=3)


def test_two_readers_need_no_split() -> None:
    check_graph(
        graph(DATA, LayerRecord("ReLU", "x", ("a",), ("b",)), LayerRecord("ReLU", "y", ("a", "a")))
    )


@pytest.mark.parametrize(
    ("layer", "message"),
    [
        (
            LayerRecord("ReLU", "x", ("b",), ("b",), line=4),
            "m:4: layer 'x' reads blob 'b', which no earlier layer produces",
        ),
        (
            LayerRecord("ReLU", "x", ("a",), ("a",), line=4),
            "m:4: layer 'x' produces blob 'a', which layer 'in' already produces",
        ),
        (
            LayerRecord("Split", "x", ("a",), ("b", "b")),
            "m: layer 'x' produces blob 'b', which layer 'x' already produces",
        ),
    ],
)
def test_graphs_that_are_not_well_formed(layer: LayerRecord, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        check_graph(graph(DATA, layer), "m")
    assert str(caught.value) == message


def test_blob_count_is_ncnns() -> None:
    assert graph().blob_count == 0
    split = LayerRecord("Split", "s", ("a",), ("b", "c"))
    assert graph(DATA, split).blob_count == 3
    # Inputs without a layer are blobs to ncnn.
    assert graph(LayerRecord("Add", "s", ("p", "q", "p"), ("r",))).blob_count == 3


def test_where_a_layer_stands_does_not_count_when_comparing() -> None:
    assert LayerRecord("A", "a", line=1) == LayerRecord("A", "a", line=2)
    assert Graph([], ["warning"]) == Graph()


def hint(*numbers: int) -> dict[int, ParamValue]:
    return {30: ParamValue.of_ints(numbers)}


@pytest.mark.parametrize(
    ("params", "tops"),
    [
        ({}, 1),
        (hint(), 1),
        (hint(1, 2, 3), 0),
        (hint(3, 224, 224, 3), 1),
        (hint(4, 2, 3, 4, 5), 1),
        (hint(1, 2, 0, 0, 0, 0, 0, 0), 2),
        ({30: ParamValue.of_words([1, 5, 1, 1])}, 1),
        ({31: ParamValue.of_int(1)}, 1),
        ({31: ParamValue.of_word(1)}, 1),
    ],
)
def test_reserved_params(params: dict[int, ParamValue], tops: int) -> None:
    assert reserved_param_error(params, tops) is None


BAD_RESERVED: list[tuple[dict[int, ParamValue], int]] = [
    (hint(1, 2, 3), 1),
    (hint(1, 2, 3, 4, 5), 2),
    (hint(4, 2, 3, 4), 1),
    (hint(5, 1, 1, 1, 1), 1),
    (hint(-1, 1, 1, 1), 1),
    (hint(2, 3, -1, 1), 1),
    (hint(3, 2**31 - 1, 2**31 - 1, 2**31 - 1), 1),
    ({30: ParamValue.of_int(1)}, 1),
    ({30: ParamValue.of_floats([1.0, 2.0, 1.0, 1.0])}, 1),
    ({30: ParamValue.of_str("1")}, 1),
    ({31: ParamValue.of_float(1.0)}, 1),
    ({31: ParamValue.of_ints([1])}, 1),
    ({31: ParamValue.of_str("1")}, 1),
]


@pytest.mark.parametrize(("params", "tops"), BAD_RESERVED)
def test_reserved_params_that_ncnn_refuses(params: dict[int, ParamValue], tops: int) -> None:
    error = reserved_param_error(params, tops)
    assert error is not None
    assert error[0] in params


extents = st.one_of(st.integers(-1, 5), st.just(0), st.integers(-(2**31), 2**31 - 1))
shapes = st.tuples(st.integers(-1, 5), extents, extents, extents, extents)


@given(st.lists(shapes, max_size=3), st.sampled_from([4, 5]), st.integers(0, 3))
def test_the_runtime_refuses_the_same_hints(
    runtime_reads: Load, hints: list[tuple[int, ...]], step: int, tops: int
) -> None:
    numbers = [number for shape in hints for number in shape[:step]]
    names = " ".join(f"b{i}" for i in range(tops))
    array = ",".join(map(str, [len(numbers), *numbers]))
    seen = runtime_reads(f"7767517\n1 3\nSpy spy 0 {tops} {names} -23330={array}\n".encode())
    assert (seen is None) == (reserved_param_error(hint(*numbers), tops) is not None)
