"""Writing the `.param` text format: what is written reads back equal."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.formats.graph import Graph, LayerRecord, ParamValue
from ncnn_opt.formats.numbers import float_to_word, word_to_float
from ncnn_opt.formats.param_text import read_param_text, write_param_text

if TYPE_CHECKING:
    from .conftest import Load

SMALL = """7767517
3 3
Input                    input                    0 1 data 0=4 1=4 2=1
InnerProduct             ip                       1 1 data fc 0=10 1=1 2=80 -23310=2,1.000000e-01,3
Softmax                  softmax                  1 1 fc prob 0=0 4="a b" 5=ab 31=1
"""


def read(text: str) -> Graph:
    return read_param_text(text.encode(), "m.param")


def test_the_layout_is_ncnns_own() -> None:
    assert write_param_text(read(SMALL)) == SMALL


words = st.integers(-(2**31), 2**31 - 1)
finite = words.map(word_to_float).filter(math.isfinite)
names = st.text(min_size=1, max_size=40).filter(
    lambda text: not set(text) & set(" \t\n\v\f\r\0") and len(text.encode(errors="replace")) <= 255
)
strings = st.text(max_size=80)
elements = st.one_of(
    st.tuples(words, st.just(False)), st.tuples(finite.map(float_to_word), st.just(True))
)
values = st.one_of(
    words.map(ParamValue.of_int),
    finite.map(ParamValue.of_float),
    st.lists(elements, max_size=8).map(
        lambda pairs: ParamValue("array", tuple(w for w, _ in pairs), tuple(f for _, f in pairs))
    ),
    strings.map(ParamValue.of_str),
)
param_dicts = st.dictionaries(st.integers(0, 29), values, max_size=6)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Models whose layers read any of the blobs before them."""
    layers: list[LayerRecord] = []
    known: list[str] = []
    for blob in draw(st.lists(names, min_size=1, max_size=6, unique=True)):
        joins_last = bool(layers) and draw(st.booleans())
        if joins_last:
            layers[-1].tops += (blob,)
        else:
            bottoms = draw(st.lists(st.sampled_from(known), max_size=3)) if known else []
            layers.append(
                LayerRecord(draw(names), draw(names), tuple(bottoms), (blob,), draw(param_dicts))
            )
        known.append(blob)
    if draw(st.booleans()):
        layers.append(LayerRecord(draw(names), draw(names), (known[0],)))
    return Graph(layers)


def written(graph: Graph) -> str | None:
    try:
        return write_param_text(graph)
    except FormatError:
        return None


@given(graphs())
def test_what_is_written_reads_back_equal(graph: Graph) -> None:
    text = written(graph)
    assume(text is not None)
    assert text is not None
    again = read(text)
    assert again == graph
    assert [list(layer.params) for layer in again.layers] == [
        list(layer.params) for layer in graph.layers
    ]
    assert again.warnings == []
    assert write_param_text(again) == text


@given(strings)
@example("a b")
@example('a"b')
@example("")
@example(",")
def test_strings(text: str) -> None:
    graph = Graph([LayerRecord("A", "a", (), ("b",), {0: ParamValue.of_str(text)})])
    output = written(graph)
    broken = set(text) & set("\r\n\0") or text != text.encode(errors="replace").decode()
    quote_and_blank = '"' in text and (set(text) & set(" \t\v\f") or not text[0].isalpha())
    if broken or quote_and_blank or len(text.encode()) > 255:
        assert output is None
    elif text.isascii():
        assert output is not None


@pytest.mark.parametrize(
    ("value", "token"),
    [
        (ParamValue.of_int(-1), "7=-1"),
        (ParamValue.of_float(1.0), "7=1.000000e+00"),
        (ParamValue.of_ints([1, -2]), "-23307=2,1,-2"),
        (ParamValue.of_floats([1.0]), "-23307=1,1.000000e+00"),
        (ParamValue.of_ints([]), "-23307=0"),
        (ParamValue.of_str("word"), "7=word"),
        (ParamValue.of_str("0w,1h"), '7="0w,1h"'),
        (ParamValue.of_str("two words"), '7="two words"'),
        (ParamValue.of_str('a"'), '7=a"'),
        (ParamValue.of_str(""), '7=""'),
    ],
)
def test_how_values_are_written(value: ParamValue, token: str) -> None:
    text = write_param_text(Graph([LayerRecord("A", "a", (), ("b",), {7: value})]))
    assert text.endswith(f" b {token}\n")


@pytest.mark.parametrize(
    ("layer", "message"),
    [
        (LayerRecord("A", "a b", (), ("x",)), "cannot be a name"),
        (LayerRecord("A", "", (), ("x",)), "cannot be a name"),
        (LayerRecord("A\n", "a", (), ("x",)), "cannot be a type"),
        (LayerRecord("A=1", "a", (), ("x",)), "cannot be a layer type"),
        (LayerRecord("pnnx.Input", "a", (), ("x",)), "cannot be a layer type"),
        (LayerRecord("A", "a", (), ("x\0",)), "cannot be a blob name"),
        (LayerRecord("A", "a", (), ("0=1",)), "would be read as a parameter"),
        (LayerRecord("A", "n" * 256, (), ("x",)), "a name of more than 255 bytes"),
        (LayerRecord("A", "\ud800", (), ("x",)), "is not Unicode text"),
        (LayerRecord("A", "a", ("y",), ("x",)), "reads blob 'y'"),
        (LayerRecord("A", "a"), "0 blobs"),
        (LayerRecord("A", "a", (), ("x",), {32: ParamValue.of_int(0)}), "32 is not a parameter id"),
        (
            LayerRecord("A", "a", (), ("x",), {3: ParamValue.of_float(math.inf)}),
            "layer 'a' (A): parameter 3: ncnn's text format cannot express the number inf",
        ),
        (
            LayerRecord("A", "a", (), ("x",), {3: ParamValue.of_floats([math.nan])}),
            "parameter 3: ncnn's text format cannot express the number nan",
        ),
        (LayerRecord("A", "a", (), ("x",), {3: ParamValue.of_word(1)}), "from a binary file"),
        (LayerRecord("A", "a", (), ("x",), {3: ParamValue.of_words([1])}), "from a binary file"),
        (LayerRecord("A", "a", (), ("x",), {3: ParamValue.of_str("a\nb")}), "cannot express the"),
        (LayerRecord("A", "a", (), ("x",), {3: ParamValue.of_str('a "b"')}), "cannot express the"),
        (LayerRecord("A", "a", (), ("x",), {3: ParamValue.of_str("x" * 256)}), "255 bytes"),
        (LayerRecord("A", "a", (), ("x",), {31: ParamValue.of_str("x")}), "feature mask"),
    ],
)
def test_what_cannot_be_written(layer: LayerRecord, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        write_param_text(Graph([layer]), "out.param")
    assert str(caught.value).startswith("out.param: ")
    assert message in str(caught.value)


def test_an_empty_model_cannot_be_written() -> None:
    with pytest.raises(FormatError, match="0 layers"):
        write_param_text(Graph())


@given(graphs())
def test_the_runtime_takes_what_is_written(runtime_reads: Load, graph: Graph) -> None:
    for layer in graph.layers:
        layer.type = "Spy"
    text = written(graph)
    assume(text is not None)
    assert text is not None
    seen = runtime_reads(text.encode())
    assert seen is not None
    assert [set(params) for params in seen] == [set(layer.params) for layer in graph.layers]


@pytest.mark.parametrize(
    ("expression", "shape"), [("3,4", (4, 3)), ("//(0w,2),-1", (2, 6)), ("floor(2.5),6", (6, 2))]
)
def test_the_runtime_understands_written_strings(
    tmp_path: Path, expression: str, shape: tuple[int, ...]
) -> None:
    ncnn: Any = pytest.importorskip("ncnn")
    graph = Graph(
        [
            LayerRecord("Input", "in", (), ("a",)),
            LayerRecord("Reshape", "reshape", ("a",), ("b",), {6: ParamValue.of_str(expression)}),
        ]
    )
    file = tmp_path / "m.param"
    file.write_text(write_param_text(graph))
    net = ncnn.Net()
    assert net.load_param(str(file)) == 0
    weights = tmp_path / "m.bin"
    weights.touch()
    assert net.load_model(str(weights)) == 0
    extractor = net.create_extractor()
    extractor.input("a", ncnn.Mat(np.arange(12, dtype=np.float32)))
    code, result = extractor.extract("b")
    assert code == 0
    assert np.array(result).shape == shape
