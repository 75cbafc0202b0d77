"""PNNX's own IR as text: what is read, what is written, and what is refused."""

import struct

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.formats.pnnx_graph import PnnxGraph, PnnxOperator, TensorShape
from ncnn_opt.formats.pnnx_param import looks_like_pnnx, read_pnnx_param, write_pnnx_param
from ncnn_opt.formats.pnnx_values import format_float, format_param, parse_param

TEXT = (
    "7767517\n"
    "5 6\n"
    "pnnx.Input               in                       0 1 0 #0=(1,?,8)f32\n"
    "pnnx.Attribute           mask                     0 1 1 @data=(2,3)bool\n"
    "nn.LayerNorm             norm                     1 1 0 2 elementwise_affine=True"
    " eps=1.000000e-5 normalized_shape=(8) @bias=(8)f32 @weight=(8)f32 #0=(1,?,8)f32"
    " #2=(1,?,8)f32\n"
    "torch.unbind             unbind_1                 1 2 2 3 4 dim=0 $input=2 #2=(1,?,8)f32\n"
    "aten::own                own                      3 1 3 1 3 5 alpha=None mode=zeros"
    " names=(a,b) scales=(0.5,2.0) $query=3 $key=3\n"
)


def refusal(text: str) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read_pnnx_param(text.encode(), "m.pnnx.param")
    return caught.value


def test_what_a_file_says() -> None:
    graph = read_pnnx_param(TEXT.encode(), "m.pnnx.param")
    assert not graph.warnings
    _, mask, norm, unbind, own = graph.operators
    assert mask.weights == {"data": TensorShape((2, 3), "bool")}
    assert norm.params["elementwise_affine"] is True
    assert norm.params["eps"] == struct.unpack("<f", struct.pack("<f", 1e-5))[0]
    assert norm.params["normalized_shape"] == (8,)
    assert (unbind.inputs, unbind.outputs, unbind.keys) == (("2",), ("3", "4"), ("input",))
    assert own.params == {"alpha": None, "mode": "zeros", "names": ("a", "b"), "scales": (0.5, 2.0)}
    assert own.keys == ("query", "", "key")
    assert graph.shapes["2"] == TensorShape((1, None, 8), "f32")


def test_what_pnnx_writes_is_written_again() -> None:
    assert write_pnnx_param(read_pnnx_param(TEXT.encode(), "m")) == TEXT
    assert looks_like_pnnx(TEXT.encode())
    assert not looks_like_pnnx(b"7767517\n1 1\nInput in 0 1 in\n")


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("dim", "-1", -1),
        ("end", "2147483647", 2147483647),
        ("p", "0.0", 0.0),
        ("shape", "(1,-1,64)", (1, -1, 64)),
        ("scales", "(1,2.5)", (1.0, 2.5)),
        ("size", "()", None),
        ("expr", "1", "1"),
        ("expr", "[int(mul(@0,2)),3]", "[int(mul(@0,2)),3]"),
        ("equation", "bij,bjk->bik", "bij,bjk->bik"),
        ("n", "3x", "3x"),
        ("t", "%tag", "%tag"),
    ],
)
def test_values(key: str, text: str, value: object) -> None:
    parsed = parse_param(key, text)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e-5, "1.000000e-5"),
        (1e-12, "1.000000e-12"),
        (0.176776692, "0.176776692"),
        (5.65685415, "5.65685415"),
        (0.25, "0.25"),
        (2.0, "2.0"),
        (-0.0, "0.0"),
        (1e6, "1.000000e6"),
    ],
)
def test_floats_as_pnnx_writes_them(value: float, text: str) -> None:
    assert format_float(struct.unpack("<f", struct.pack("<f", value))[0]) == text


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_floats_read_back_to_the_same(value: float) -> None:
    assert parse_param("x", format_param(value)) == value


def net(line: str) -> str:
    return f"7767517\n2 2\npnnx.Input in 0 1 0 #0=(1,8)f32\n{line}\n"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "does not begin with 7767517"),
        ("7767517\n", (2, 1), "numbers of operators"),
        ("7767517\n999999999 1\na a 0 0\n", (2, 1), "not a valid number of operators"),
        ("7767517\n3 1\na a 0 0\n", (2, 1), "3 operators, but the file has 1"),
        (net("a b"), (4, 1), "cut short"),
        (net("a b -1 0"), (4, 5), "'-1' is not a valid number of operands"),
        (net("a b 99999999 0 0"), (4, 14), "99999999 operands, but 1 are given"),
        (net("a b 1 0 7"), (4, 9), "no earlier operator defines it"),
        (net("a b 0 1 0"), (4, 9), "is made twice"),
        (net("a b 1 0 0 word"), (4, 11), "expected key=value, found 'word'"),
        (net("a b 1 0 0 k="), (4, 11), "expected key=value"),
        (net("a b 1 0 0 k=1 k=2"), (4, 15), "'k' is there twice"),
        (net("a b 1 0 0 k=(1,2"), (4, 11), "has no closing bracket"),
        (net("a b 1 0 0 k=99999999999"), (4, 11), "does not fit 32 bits"),
        (net("a b 1 0 0 k=1e99"), (4, 11), "does not fit a float32"),
        (net("a b 1 0 0 @w=(1,2)"), (4, 11), "is not a shape"),
        (net("a b 1 0 0 @w=(1,2)f128"), (4, 11), "unknown element type 'f128'"),
        (net("a b 1 0 0 @w=(1,?)f32"), (4, 11), "unknown extent"),
        (net("a b 1 0 0 @w=(1,-2)f32"), (4, 11), "'-2' is not an extent"),
        (net("a b 1 0 0 @w=(1,99999999999)f32"), (4, 11), "is not an extent"),
        (net("a b 1 0 0 #9=(1)f32"), (4, 11), "'9' is not one of its operands"),
        (net("a b 1 0 0 $k=9"), (4, 11), "'9' is not one of its inputs"),
        (net("a b 1 0 0 $k=0 $l=0"), (4, 16), "'0' is not one of its inputs"),
        (net("a b 1 0 0 #0=(2,8)f32"), (4, 11), "(2,8)f32 here and (1,8)f32"),
        (
            net("a in 1 0 0 @w=(1)f32").replace("#0", "@w=(1)f32 #0", 1),
            (4, 12),
            "two weights 'in.w'",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    text: str, place: tuple[int, int], message: str
) -> None:
    error = refusal(text)
    assert (error.line, error.column) == place
    assert message in error.message


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(FormatError, match="m:2:1: the file is not UTF-8 text"):
        read_pnnx_param(b"7767517\n\xff", "m")
    with pytest.raises(FormatError, match="m:3:1: the file contains a NUL byte"):
        read_pnnx_param(TEXT.encode().replace(b"pnnx.Input", b"\0pnnx.Input", 1), "m")


def test_what_a_file_says_too_much_is_a_warning() -> None:
    graph = read_pnnx_param(TEXT.replace("5 6", "4 9").encode(), "m")
    assert len(graph.operators) == 4
    assert [w.split(";")[0] for w in graph.warnings] == [
        "the header declares 9 operands, but the operators have 5",
        "the header declares 4 operators",
    ]


@pytest.mark.parametrize("word", ["two words", "", "line\nend"])
def test_names_that_no_file_can_hold(word: str) -> None:
    with pytest.raises(FormatError, match="cannot hold"):
        write_pnnx_param(PnnxGraph([PnnxOperator(word, "name")]))


def outcome(text: bytes) -> PnnxGraph | FormatError:
    try:
        return read_pnnx_param(text, "m")
    except FormatError as error:
        return error


@settings(max_examples=300)
@given(st.data())
@example(None)
def test_mutilated_files_are_read_or_refused(data: st.DataObject | None) -> None:
    text = bytearray(TEXT.encode())
    for _ in range(0 if data is None else data.draw(st.integers(1, 4))):
        assert data is not None
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 12))
        extra = st.one_of(st.binary(max_size=4), st.sampled_from([b" ", b"\n", b"=", b"9999999"]))
        text[start:end] = data.draw(extra)
    result = outcome(bytes(text))
    if isinstance(result, FormatError):
        assert result.line is not None
        return
    graph = result
    again = read_pnnx_param(write_pnnx_param(graph).encode(), "m")
    assert (again.shapes, len(again.operators)) == (graph.shapes, len(graph.operators))
    assert [o.params for o in again.operators] == [o.params for o in graph.operators]
