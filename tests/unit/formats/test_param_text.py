"""Reading the `.param` text format: what is accepted, and what is refused where."""

from __future__ import annotations

import pytest
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.formats.graph import Graph, LayerRecord, ParamValue
from ncnn_opt.formats.numbers import float_to_word
from ncnn_opt.formats.param_text import read_param_text

SMALL = b"""7767517
3 3
Input                    input                    0 1 data 0=4 1=4 2=1
InnerProduct             ip                       1 1 data fc 0=10 1=1 2=80 -23310=2,1.000000e-01,3
Softmax                  softmax                  1 1 fc prob 0=0 31=1
"""


def read(text: str | bytes) -> Graph:
    return read_param_text(text if isinstance(text, bytes) else text.encode(), "m.param")


def params(text: str) -> dict[int, ParamValue]:
    """The parameters of a layer whose line ends in `text`."""
    graph = read(f"7767517\n1 1\nSpy spy 0 1 blob {text}\n")
    assert not graph.warnings
    return graph.layers[0].params


def refusal(text: str | bytes) -> str:
    with pytest.raises(FormatError) as caught:
        read(text)
    return str(caught.value)


def test_a_small_model() -> None:
    graph = read(SMALL)
    assert graph.warnings == []
    assert graph.layers == [
        LayerRecord(
            "Input",
            "input",
            (),
            ("data",),
            {0: ParamValue.of_int(4), 1: ParamValue.of_int(4), 2: ParamValue.of_int(1)},
        ),
        LayerRecord(
            "InnerProduct",
            "ip",
            ("data",),
            ("fc",),
            {
                0: ParamValue.of_int(10),
                1: ParamValue.of_int(1),
                2: ParamValue.of_int(80),
                10: ParamValue("array", (float_to_word(0.1), 3), (True, False)),
            },
        ),
        LayerRecord(
            "Softmax",
            "softmax",
            ("fc",),
            ("prob",),
            {0: ParamValue.of_int(0), 31: ParamValue.of_int(1)},
        ),
    ]
    assert [layer.line for layer in graph.layers] == [3, 4, 5]


@pytest.mark.parametrize(
    "text",
    [
        SMALL.rstrip(b"\n"),
        SMALL.replace(b"\n", b"\r\n"),
        SMALL.replace(b"\n", b"\r"),
        SMALL.replace(b" ", b"\t"),
        SMALL.replace(b" ", b" \v \f\t"),
        SMALL.replace(b"\n", b" \n\n \t\n"),
        b"\n\n  " + SMALL,
        SMALL.replace(b"7767517\n3 3\n", b"007767517 +3 03 "),
    ],
)
def test_blanks_and_line_ends(text: bytes) -> None:
    graph = read(text)
    assert graph == read(SMALL)
    assert graph.warnings == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5=7", ParamValue.of_int(7)),
        ("5=-2147483648", ParamValue.of_int(-(2**31))),
        ("+5=+7", ParamValue.of_int(7)),
        ("5=.5", ParamValue.of_float(0.5)),
        ("5=1e3", ParamValue.of_float(1000.0)),
        ("5=0.1234567890123456789012345", ParamValue.of_float(0.12345679)),
        ("5=1,2", ParamValue.of_ints([1, 2])),
        ("5=1,", ParamValue.of_ints([1])),
        # The first element decides, in the old style each does for itself.
        ("5=1.0,2", ParamValue.of_floats([1.0, 2.0])),
        ("5=1.0,", ParamValue.of_floats([1.0])),
        ("-23305=2,1,2", ParamValue.of_ints([1, 2])),
        ("-23305=2,1.0,2", ParamValue("array", (float_to_word(1.0), 2), (True, False))),
        ("-23305=0", ParamValue.of_ints([])),
        ("5=word", ParamValue.of_str("word")),
        ("5=a,b=c", ParamValue.of_str("a,b=c")),
        ('5=say"so"', ParamValue.of_str('say"so"')),
        ('5="two words, one comma"', ParamValue.of_str("two words, one comma")),
        ('5=" \t"', ParamValue.of_str(" \t")),
        ('5=""', ParamValue.of_str("")),
        ('5="12345678901234"', ParamValue.of_str("12345678901234")),
        ('5="\u6df1\u5ea6"', ParamValue.of_str("\u6df1\u5ea6")),
        ("5=e", ParamValue.of_str("e")),
        ("5=inf", ParamValue.of_str("inf")),
        ("5=" + "x" * 255, ParamValue.of_str("x" * 255)),
        (f'5="{"x" * 255}"', ParamValue.of_str("x" * 255)),
    ],
)
def test_values(text: str, value: ParamValue) -> None:
    assert params(text) == {5: value}
    assert params(f"{text}\t6=1") == {5: value, 6: ParamValue.of_int(1)}


def test_the_longest_names() -> None:
    name = "n" * 255
    graph = read(f"7767517\n1 1\n{name} {name} 0 1 {name}")
    assert graph == Graph([LayerRecord(name, name, (), (name,))])


HEAD = "7767517\n2 2\nInput in 0 1 a\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "m.param:1:1: the file is empty"),
        (" \n\n", "m.param:2:1: the file is empty"),
        ("75 83\n", "m.param:1:1: this is not a .param file: it begins with '75' and not with"),
        ("7767518\n1 1\n", "m.param:1:1: this is not a .param file"),
        ("x" * 1000, f"m.param:1:1: this is not a .param file: it begins with '{'x' * 57}...'"),
        ("7767517\n", "m.param:1:8: the file ends before the number of layers"),
        ("7767517\n3", "m.param:2:2: the file ends before the number of blobs"),
        ("7767517\nthree 3", "m.param:2:1: expected the number of layers, found 'three'"),
        ("7767517\n0 3", "m.param:2:1: 0 is not a valid number of layers"),
        ("7767517\n-3 3", "m.param:2:1: -3 is not a valid number of layers"),
        ("7767517\n3 -3", "m.param:2:3: -3 is not a valid number of blobs"),
        ("7767517\n1000001 3", "m.param:2:1: 1000001 is not a valid number of layers"),
        ("7767517\n99999999999 3", "m.param:2:1: expected the number of layers"),
        (
            "7767517\n3 2\nInput in 0 1 a",
            "m.param:2:1: the header declares 3 layers, but the file has 1",
        ),
        (
            "7767517\n1 1\nInput in 0 2 a b",
            "m.param:2:3: the header declares 1 blobs, but the layers have 2",
        ),
        ("7767517\n1 1\nInput", "m.param:3:6: layer 1 (Input) is cut short: no name in its line"),
        (
            "7767517\n1 1\nInput in 0",
            "m.param:3:11: layer 'in' is cut short: no number of outputs in its line",
        ),
        (
            HEAD + "ReLU relu 1 1 a\nReLU relu2 1 1 b c 0=1",
            "m.param:4:16: layer 'relu' is cut short: no output 1 of 1 in its line",
        ),
        (
            HEAD + "ReLU relu 1 1 a\n0=0.5",
            "m.param:4:16: layer 'relu' is cut short: no output 1 of 1 in its line",
        ),
        (
            HEAD + "ReLU relu 1 1 a 0=0.5",
            "m.param:4:17: layer 'relu': expected output 1 of 1, found the parameter '0=0.5'",
        ),
        (HEAD + "ReLU relu one 1 a b", "m.param:4:11: layer 'relu': expected its number of inputs"),
        (HEAD + "ReLU relu 1.0 1 a b", "m.param:4:11: layer 'relu': expected its number of inputs"),
        (
            HEAD + "ReLU relu -1 1 a b",
            "m.param:4:11: layer 'relu': -1 is not a valid number of inputs",
        ),
        (
            HEAD + "ReLU relu 1 -1 a b",
            "m.param:4:13: layer 'relu': -1 is not a valid number of outputs",
        ),
        (
            HEAD + "ReLU relu 1 1000001 a b",
            "m.param:4:13: layer 'relu': 1000001 is not a valid number of",
        ),
        (HEAD + "ReLU relu 2 1 a b", "m.param:4:17: layer 'relu' reads blob 'b', which no earlier"),
        (HEAD + "ReLU relu 1 1 a a", "m.param:4:17: layer 'relu' produces blob 'a', which layer"),
        (HEAD + "ReLU relu 1 1 a b c", "m.param:4:19: layer 'relu': expected id=value, found 'c'"),
        (HEAD + "ReLU relu 1 1 a b w=1", "m.param:4:19: layer 'relu': expected id=value, found"),
        (HEAD + "w=1 relu 1 1 a b", "m.param:4:1: expected a layer, found 'w=1'"),
        (HEAD + "\u6df1\u5ea6 relu 1 1 a b 0", "m.param:4:17: layer 'relu': expected id=value"),
        (HEAD + "n" * 256 + " relu 1 1 a b", "m.param:4:1: a layer type of 256 bytes"),
        (HEAD + f"ReLU {'n' * 256} 1 1 a b", "m.param:4:6: a layer name of 256 bytes"),
        (HEAD + f"ReLU relu 1 1 a {'n' * 256}", "m.param:4:17: layer 'relu': a blob name of 256"),
    ],
)
def test_damaged_structure(text: str, message: str) -> None:
    assert refusal(text).startswith(message)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("0", 1, "expected id=value, found '0'"),
        ("0 =1", 1, "expected id=value, found '0'"),
        ("=1", 1, "expected id=value, found '=1'"),
        ("--1=1", 1, "expected id=value, found '--1=1'"),
        ("32=1", 1, "32 is not a parameter id"),
        ("-1=1", 1, "-1 is not a parameter id"),
        ("-23332=1,1", 1, "-23332 is not a parameter id"),
        ("99999999999999=1", 1, "99999999999999 is not a parameter id"),
        ("3=", 3, "parameter 3: a number is missing"),
        ("3= 1", 3, "parameter 3: a number is missing"),
        ("3=1x", 3, "parameter 3: '1x' is not a number that ncnn can hold"),
        ("3=0x10", 3, "parameter 3: '0x10' is not a number"),
        ("3=2147483648", 3, "parameter 3: '2147483648' is not a number"),
        ("3=1e39", 3, "parameter 3: '1e39' is not a number"),
        ("3=-inf", 3, "parameter 3: '-inf' is not a number"),
        ("3=1e", 3, "parameter 3: '1e' is not a number"),
        ("3=" + "1" * 128, 3, "parameter 3: 128 characters: ncnn reads at most 127"),
        ("3=,", 3, "parameter 3: a number is missing"),
        ("3=1,,2", 5, "parameter 3: a number is missing"),
        ("3=1,2.0", 5, "parameter 3: '2.0' is not an int"),
        ("3=1.0,2,x", 9, "parameter 3: 'x' is not a number"),
        ("-23303=", 8, "parameter 3: '' is not an array length"),
        ("-23303=-1", 8, "parameter 3: '-1' is not an array length"),
        ("-23303=x", 8, "parameter 3: 'x' is not an array length"),
        ("-23303=2,1", 8, "parameter 3: an array of length 2 has 1 elements"),
        ("-23303=1,1,1", 8, "parameter 3: an array of length 1 has 2 elements"),
        ("-23303=0,", 8, "parameter 3: an array of length 0 has 1 elements"),
        ("-23303=2147483647,1", 8, "parameter 3: an array of length 2147483647 has 1 elements"),
        ("-23303=2,1,a", 12, "parameter 3: 'a' is not an int"),
        ('-23303="a"', 8, "parameter 3: '\"a\"' is not an array length"),
        ('3="a', 3, "parameter 3: a quoted string without its closing quote"),
        ('3="', 3, "parameter 3: a quoted string without its closing quote"),
        ('3="a"b', 6, "parameter 3: text right after the closing quote"),
        ("3=" + "x" * 256, 3, "parameter 3: a string of 256 bytes: ncnn reads at most 255"),
        (f'3="{"x" * 256}"', 3, "parameter 3: a string of 256 bytes: ncnn reads at most 255"),
        ("30=1,2,3", 1, "parameter 30: 3 numbers cannot be the shape hints of 1 blobs"),
        ("31=0.5", 1, "parameter 31: the feature mask is not an int"),
    ],
)
def test_damaged_parameters(text: str, column: int, message: str) -> None:
    start = "Spy spy 0 1 blob 0=1 "
    place = f"m.param:3:{len(start) + column}: layer 'spy': "
    assert refusal(f"7767517\n1 1\n{start}{text}\n").startswith(place + message)


def test_an_array_length_costs_nothing() -> None:
    lengths = "".join(f" -233{id_:02}=2147483647,0" for id_ in range(30))
    assert "has 1 elements" in refusal(f"7767517\n1 1\nSpy spy 0 1 blob {lengths}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"7767517\n1 1\nIn\x00put", "m.param:3:3: a NUL byte (byte offset 14)"),
        (b"7767517\n1 1\nIn\xffput", "m.param:3:3: byte 0xff is not UTF-8 text (byte offset 14)"),
        (b"7767517\r1 1\r\n\xc3", "m.param:3:1: byte 0xc3 is not UTF-8 text (byte offset 13)"),
        ("7767517\n\u6df1\0".encode(), "m.param:2:2: a NUL byte (byte offset 11)"),
        (b"\xff\xfe7\x007\x00", "m.param:1:1: byte 0xff is not UTF-8 text (byte offset 0)"),
        (b"\xef\xbb\xbf7767517\n", "m.param:1:1: the file begins with a byte order mark"),
        (b"\xdd\x85\x76\x00\x01\x00", "m.param: this is a binary .param.bin file"),
    ],
)
def test_what_is_no_text(text: bytes, message: str) -> None:
    assert refusal(text).startswith(message)


PNNX = """7767517
4 3
pnnx.Input               pnnx_input_0             0 1 0 #0=(1,3,224,224)f32
nn.Conv2d                conv                     1 1 0 1 bias=True @weight=(8,3,1,1)f32
F.relu                   F.relu_0                 1 1 1 2 $input=1 #1=(1,8,224,224)f32
pnnx.Output              pnnx_output_0            1 0 2
"""


@pytest.mark.parametrize("first_line", [2, 3, 4])
def test_pnnx_ir_is_recognised(first_line: int) -> None:
    lines = PNNX.splitlines(keepends=True)
    text = "7767517\n5 5\nInput in 0 3 0 x y\n" + "".join(lines[first_line:])
    with pytest.raises(FormatError, match=r"PNNX's own IR .* use the \.ncnn\.param file"):
        read(text.replace(" 1 1 1 2 ", " 1 1 0 2 "))


def test_pnnx_ir_has_a_file_beside_it() -> None:
    with pytest.raises(FormatError, match=r"use /models/x\.ncnn\.param, which pnnx writes"):
        read_param_text(PNNX.encode(), "/models/x.pnnx.param")


def test_operators_that_pnnx_could_not_convert_are_layers() -> None:
    graph = read(HEAD + "aten::roll roll 1 1 a b 0=1")
    assert graph.layers[1].type == "aten::roll"


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (
            "7767517\n1 1\nInput in 0 1 a\nReLU r 1 1 a b\n\n",
            "the header declares 1 layers; the 1 lines that follow them are ignored, as ncnn does",
        ),
        ("7767517\n1 9\nInput in 0 1 a", "the header declares 9 blobs, but the layers have 1"),
        ("7767517\n1 1\nInput in 0 1 a 0=1 0=2", "layer 'in': parameter 0 twice; ncnn takes"),
        ("7767517\n1 1\nInput\nin 0 1 a", "line 3: layer 1 (Input): its name is read from the"),
        ("7767517\n1 1\nInput in 0 1\n\na", "line 3: layer 'in': its output 1 of 1 is read from"),
        (
            "7767517\n1 1\nInput in 0 1 a 0=1\n\n 1=2",
            "line 5: layer 'in' continues in a new line, which ncnn 1.0.20261020 does not read",
        ),
    ],
)
def test_warnings(text: str, warning: str) -> None:
    (message,) = read(text).warnings
    assert message.startswith(warning)


def test_the_last_of_two_parameters_counts() -> None:
    graph = read("7767517\n1 1\nInput in 0 1 a 0=1 1=7 -23300=1,2")
    assert graph.layers[0].params == {0: ParamValue.of_ints([2]), 1: ParamValue.of_int(7)}


def test_parameters_may_go_on_in_further_lines() -> None:
    graph = read('7767517\n2 2\nInput in 0 1 a 0=1\n1=2 2="x\ty"\n\n3=4\nReLU r 1 1 a b\n 0=0.5\n')
    assert graph.layers[0].params == {
        0: ParamValue.of_int(1),
        1: ParamValue.of_int(2),
        2: ParamValue.of_str("x\ty"),
        3: ParamValue.of_int(4),
    }
    assert graph.layers[1].params == {0: ParamValue.of_float(0.5)}
    assert len(graph.warnings) == 3
