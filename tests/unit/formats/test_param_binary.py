"""The `.param.bin` format: what is read, and what is refused at which byte."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.formats.graph import Graph, LayerRecord, ParamValue
from ncnn_opt.formats.numbers import float_to_word
from ncnn_opt.formats.param_binary import looks_binary, read_param_binary

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Load

TYPES = ("AbsVal", "Input", "ReLU", "Split")
MAGIC = 7767517
END = -233


def ints(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}i", *values)


def text(id_: int, content: bytes) -> bytes:
    padding = b"\0" * (-len(content) % 4)
    return ints(-23400 - id_, len(content)) + content + padding


ONE_LAYER = ints(MAGIC, 1, 1, 1, 0, 1, 0)
SMALL = (
    ints(MAGIC, 3, 4)
    + ints(1, 0, 1, 0, 0, 224, -23330, 4, 3, 224, 224, 3, 31, 1, END)
    + ints(3, 1, 2, 0, 1, 2, END)
    + ints(256 + 7, 2, 1, 1, 2, 3, 0, float_to_word(0.5), -23301, 0)
    + text(2, b"hello")
    + ints(END)
)


def read(data: bytes) -> Graph:
    return read_param_binary(data, "m.param.bin", TYPES)


def refusal(data: bytes) -> str:
    with pytest.raises(FormatError) as caught:
        read(data)
    assert caught.value.line is None
    return str(caught.value)


def outcome(data: bytes) -> Graph | FormatError:
    try:
        return read(data)
    except FormatError as error:
        return error


def test_a_small_model() -> None:
    graph = read(SMALL)
    assert graph.warnings == []
    assert graph.layers == [
        LayerRecord(
            "Input",
            "layer0",
            (),
            ("0",),
            {
                0: ParamValue.of_word(224),
                30: ParamValue.of_words([3, 224, 224, 3]),
                31: ParamValue.of_word(1),
            },
        ),
        LayerRecord("Split", "layer1", ("0",), ("1", "2")),
        LayerRecord(
            "Custom7",
            "layer2",
            ("1", "2"),
            ("3",),
            {
                0: ParamValue.of_word(float_to_word(0.5)),
                1: ParamValue.of_words([]),
                2: ParamValue.of_str("hello"),
            },
        ),
    ]


def test_looks_binary() -> None:
    assert looks_binary(SMALL)
    assert not looks_binary(b"7767517\n")
    assert not looks_binary(SMALL[:3])
    assert not looks_binary(b"")


@pytest.mark.parametrize(
    ("content", "value"), [(b"", ""), (b"abc", "abc"), (b"ab\0c", "ab"), (b"x" * 255, "x" * 255)]
)
def test_strings(content: bytes, value: str) -> None:
    graph = read(ONE_LAYER + text(5, content) + ints(END))
    assert graph.layers[0].params == {5: ParamValue.of_str(value)}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "this is not a .param.bin file: the magic number 7767517 is missing (byte offset 0)"),
        (b"7767517\n", "this is not a .param.bin file"),
        (ints(MAGIC), "the file ends within the number of layers (byte offset 4)"),
        (
            ints(MAGIC, 0, 1),
            "0 is not a valid number of layers: ncnn takes 1 to 1000000 (byte offset 4)",
        ),
        (ints(MAGIC, -1, 1), "-1 is not a valid number of layers"),
        (ints(MAGIC, 2**31 - 1, 1), "2147483647 is not a valid number of layers"),
        (
            ints(MAGIC, 1, -1),
            "-1 is not a valid number of blobs: ncnn takes 1 to 1000000 (byte offset 8)",
        ),
        (ints(MAGIC, 1, 1), "the header declares 1 layers, but the file has 0"),
        (
            ints(MAGIC, 1000000, 1, 1, 0, 1, 0, END),
            "the header declares 1000000 layers, but the file has",
        ),
        (ints(MAGIC, 1, 1) + b"\1\0", "layer 'layer0': the file ends within a layer type"),
        (
            ints(MAGIC, 1, 1, 4),
            "layer 'layer0': 4 is not a layer type: 4 are known (byte offset 12)",
        ),
        (ints(MAGIC, 1, 1, -1), "layer 'layer0': -1 is not a layer type"),
        (ints(MAGIC, 1, 1, 512), "layer 'layer0': 512 is not a layer type"),
        (ints(MAGIC, 1, 1, 1, -1), "layer 'layer0' (Input): -1 is not a valid number of inputs"),
        (ints(MAGIC, 1, 1, 1, 0, 10**6), "layer 'layer0' (Input): the file ends within a blob"),
        (
            ints(MAGIC, 1, 1, 1, 0, 1, 1),
            "layer 'layer0' (Input): 1 is not a blob number: the header",
        ),
        (ints(MAGIC, 1, 1, 1, 0, 1, -1), "layer 'layer0' (Input): -1 is not a blob number"),
        (ints(MAGIC, 1, 1, 1, 1, 0, 0), "layer 'layer0' reads blob '0', which no earlier layer"),
        (
            ints(MAGIC, 1, 1, 1, 0, 2, 0, 0),
            "layer 'layer0' produces blob '0', which layer 'layer0' a",
        ),
        (ONE_LAYER, "layer 'layer0' (Input): the file ends within a parameter id (byte offset 28)"),
        (ONE_LAYER + ints(3), "layer 'layer0' (Input): the file ends within a parameter"),
        (ONE_LAYER + ints(32, 0), "layer 'layer0' (Input): 32 is not a parameter id"),
        (ONE_LAYER + ints(-1, 0), "layer 'layer0' (Input): -1 is not a parameter id"),
        (ONE_LAYER + ints(-23332, 0), "layer 'layer0' (Input): -23332 is not a parameter id"),
        (ONE_LAYER + ints(-23432, 0), "layer 'layer0' (Input): -23432 is not a parameter id"),
        (
            ONE_LAYER + ints(-(2**31), 0),
            "layer 'layer0' (Input): -2147483648 is not a parameter id",
        ),
        (ONE_LAYER + ints(-23300, -1), "layer 'layer0' (Input): -1 is not an array length"),
        (
            ONE_LAYER + ints(-23300, 2**31 - 1, 0),
            "layer 'layer0' (Input): the file ends within an array of 2147483647 elements",
        ),
        (ONE_LAYER + ints(-23400, 256), "layer 'layer0' (Input): 256 is not a string length"),
        (ONE_LAYER + ints(-23400, -1), "layer 'layer0' (Input): -1 is not a string length"),
        (ONE_LAYER + ints(-23400, 5, 0), "layer 'layer0' (Input): the file ends within a string"),
        (ONE_LAYER + text(0, b"\xff"), "layer 'layer0' (Input): a string is not UTF-8 text"),
        (ONE_LAYER + ints(30, 1, END), "layer 'layer0' (Input): parameter 30: the shape hints are"),
    ],
)
def test_damaged_files(data: bytes, message: str) -> None:
    assert refusal(data).startswith(f"m.param.bin: {message}")


def test_files_that_end_too_early_are_refused() -> None:
    for end in range(len(SMALL)):
        assert "byte offset" in refusal(SMALL[:end])


@pytest.mark.parametrize(
    ("data", "warning"),
    [
        (
            ONE_LAYER + ints(END) + b"xyz",
            "the header declares 1 layers; the 3 bytes that follow them",
        ),
        (ints(MAGIC, 1, 5, 1, 0, 1, 4, END), "the header declares 5 blobs, but the layers have 1"),
        (ONE_LAYER + ints(0, 1, 0, 2, END), "layer 'layer0' (Input): parameter 0 twice"),
    ],
)
def test_warnings(data: bytes, warning: str) -> None:
    (message,) = read(data).warnings
    assert message.startswith(warning)


@settings(max_examples=300)
@given(st.data())
def test_mutilated_files_are_read_or_refused(data: st.DataObject) -> None:
    content = bytearray(SMALL)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content) // 4)) * 4
        number = st.one_of(st.integers(-2, 5), st.integers(-23440, -23290), st.just(2**31 - 1))
        content[start : start + 4] = data.draw(st.one_of(number.map(ints), st.binary(max_size=5)))
    result = outcome(bytes(content))
    assert isinstance(result, Graph) or "byte offset" in str(result)


words = st.integers(-(2**31), 2**31 - 1)


@given(
    st.lists(
        st.one_of(
            st.tuples(st.integers(-2, 33), words).map(lambda pair: ints(*pair)),
            st.tuples(st.integers(-23333, -23298), st.lists(words, max_size=4)).map(
                lambda pair: ints(pair[0], len(pair[1]), *pair[1])
            ),
            st.tuples(st.integers(0, 32), st.binary(max_size=20)).map(lambda pair: text(*pair)),
        ),
        max_size=4,
    ).map(b"".join)
)
def test_the_runtime_reads_the_same_parameters(runtime_reads: Load, params: bytes) -> None:
    data = ints(MAGIC, 1, 1, 256, 0, 1, 0) + params + ints(END)
    graph = outcome(data)
    seen = runtime_reads(data)
    if isinstance(graph, FormatError):
        # Text in other encodings is nothing to ncnn.
        assert seen is None or "UTF-8" in graph.message
        return
    assert seen is not None
    assert set(seen[0]) == set(graph.layers[0].params)
    for id_, value in graph.layers[0].params.items():
        code, as_int, as_float, as_words = seen[0][id_]
        assert as_int == value.as_int(77)
        nan = as_float != as_float
        assert nan or float_to_word(as_float) == float_to_word(value.as_float(77.0))
        assert as_words == value.as_ints()
        assert (code == 7) == value.is_str


def test_the_runtime_numbers_blobs_the_same_way(tmp_path: Path) -> None:
    ncnn: Any = pytest.importorskip("ncnn")
    names = ["Input", "ReLU", "Split", "Eltwise"]
    registry = [f"Unused{i}" for i in range(200)]
    for name in names:
        registry[ncnn.layer_to_index(name)] = name
    code = [registry.index(name) for name in names]
    data = (
        ints(MAGIC, 4, 5)
        + ints(code[0], 0, 1, 0, END)
        + ints(code[2], 1, 2, 0, 1, 2, END)
        + ints(code[1], 1, 1, 1, 3, 0, float_to_word(0.25), END)
        + ints(code[3], 2, 1, 3, 2, 4, 0, 1, END)
    )
    file = tmp_path / "m.param.bin"
    file.write_bytes(data)
    net = ncnn.Net()
    assert net.load_param_bin(str(file)) == 0
    graph = read_param_binary(data, "m", registry)
    assert [layer.name for layer in net.layers()] == [""] * 4
    for ours, theirs in zip(graph.layers, net.layers(), strict=True):
        assert ours.bottoms == tuple(map(str, theirs.bottoms))
        assert ours.tops == tuple(map(str, theirs.tops))
        assert ncnn.layer_to_index(ours.type) == theirs.typeindex
