"""Names of blobs and layers in an exported model, and where a value needs several of them."""

import pytest
from ncnn_opt.dialects.ncnn import NCNN
from ncnn_opt.dialects.ncnn.function import Names
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.formats.graph import LayerRecord
from ncnn_opt.targets.param.export import export_module
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.func import Func
from xdsl.parser import Parser

T = "tensor<*xf32>"


def export(signature: str, *body: str) -> list[LayerRecord]:
    """The layers of a function; `$` stands for the type of all blobs."""
    text = f"func.func @main{signature} {{\n" + "\n".join(body) + "\n}"
    context = Context()
    for dialect in (Builtin, Func, NCNN):
        context.load_dialect(dialect)
    module = Parser(context, text.replace("$", T)).parse_module()
    module.verify()
    return export_module(module).graph.layers


def lines(records: list[LayerRecord]) -> list[str]:
    """A layer as `Type name: bottoms -> tops`."""
    return [
        f"{r.type} {r.name}: {' '.join(r.bottoms)} -> {' '.join(r.tops)}".replace(":  ->", ": ->")
        for r in records
    ]


def relu(result: str, operand: str, attributes: str = "") -> str:
    braces = f" {{{attributes}}}" if attributes else ""
    return f"%{result} = ncnn.relu %{operand}{braces} : ($) -> $"


def test_a_name_is_given_once() -> None:
    names = Names(["a", "a_1"])
    assert names.unique("b") == "b"
    assert names.unique("a") == "a_2"
    assert names.unique("a") == "a_3"
    assert names.unique("b") == "b_1"
    assert names.unique("b_1") == "b_1_1"
    assert [names.numbered("s") for _ in range(2)] == ["s0", "s1"]


def test_numbers_jump_over_what_is_taken() -> None:
    names = Names(["s0", "s2"])
    assert [names.numbered("s") for _ in range(3)] == ["s1", "s3", "s4"]
    assert names.unique("s3") == "s3_1"


def test_layers_and_blobs_without_names_get_some() -> None:
    records = export("(%x: $) -> $", relu("0", "x"), relu("1", "0"), "func.return %1 : $")
    assert lines(records) == [
        "Input x: -> x",
        "ReLU relu_0: x -> relu_0",
        "ReLU relu_1: relu_0 -> out0",
    ]


def test_made_up_names_avoid_those_that_are_there() -> None:
    records = export(
        "(%x: $) -> $",
        relu("0", "x", 'name = "relu_0"'),
        relu("1", "0"),
        relu("2", "1", 'name = "end"'),
        "func.return %2 : $",
    )
    assert [r.name for r in records] == ["x", "relu_0", "relu_1", "end"]


def test_blobs_that_want_one_name_get_two() -> None:
    records = export(
        "(%x: $) -> $",
        relu("0", "x", 'name = "a", blobs = ["same"]'),
        relu("1", "0", 'name = "b", blobs = ["same"]'),
        relu("2", "1", 'name = "c"'),
        "func.return %2 : $",
    )
    assert lines(records)[1:] == [
        "ReLU a: x -> same",
        "ReLU b: same -> same_1",
        "ReLU c: same_1 -> c",
    ]


def test_an_output_has_its_name_before_all_others() -> None:
    records = export(
        '(%x: $) -> ($ {ncnn.blob = "a"})',
        relu("0", "x", 'name = "a"'),
        relu("1", "0", 'name = "b"'),
        "func.return %1 : $",
    )
    assert lines(records)[1:] == ["ReLU a: x -> a_1", "ReLU b: a_1 -> a"]


def test_a_value_with_several_uses_gets_a_split() -> None:
    records = export(
        "(%x: $) -> ($, $, $)",
        relu("0", "x", 'name = "a"'),
        relu("1", "0", 'name = "b"'),
        relu("2", "0", 'name = "c"'),
        "func.return %1, %2, %0 : $, $, $",
    )
    assert lines(records) == [
        "Input x: -> x",
        "ReLU a: x -> a_1",
        "Split splitncnn_0: a_1 -> a_1_splitncnn_0 a_1_splitncnn_1 a",
        "ReLU b: a_1_splitncnn_0 -> b",
        "ReLU c: a_1_splitncnn_1 -> c",
    ]


def test_one_layer_may_read_a_value_twice() -> None:
    records = export(
        "(%x: $) -> $",
        '%0 = ncnn.binaryop %x, %x {name = "sum"} : ($, $) -> $',
        "func.return %0 : $",
    )
    assert lines(records) == [
        "Input x: -> x",
        "Split splitncnn_0: x -> x_splitncnn_0 x_splitncnn_1",
        "BinaryOp sum: x_splitncnn_0 x_splitncnn_1 -> sum",
    ]


def test_a_blob_that_was_shared_in_the_file_still_is() -> None:
    records = export(
        '(%x: $) -> ($, $) attributes {ncnn.shared_blobs = ["x"]}',
        relu("0", "x", 'name = "a"'),
        relu("1", "x", 'name = "b"'),
        "func.return %0, %1 : $, $",
    )
    assert lines(records) == ["Input x: -> x", "ReLU a: x -> a", "ReLU b: x -> b"]


def test_an_input_that_is_returned_needs_a_layer_for_its_other_name() -> None:
    one = export('(%x: $) -> ($ {ncnn.blob = "y"})', "func.return %x : $")
    assert lines(one) == ["Input x: -> x", "Noop noopncnn_0: x -> y"]
    two = export(
        '(%x: $) -> ($ {ncnn.blob = "y"}, $ {ncnn.blob = "z"})', "func.return %x, %x : $, $"
    )
    assert lines(two) == ["Input x: -> x", "Split splitncnn_0: x -> y z"]


def test_an_input_that_is_returned_under_its_own_name_needs_none() -> None:
    records = export(
        '(%x: $ {ncnn.blob = "data"}) -> ($ {ncnn.blob = "data"}, $ {ncnn.blob = "y"})',
        relu("0", "x"),
        "func.return %x, %0 : $, $",
    )
    assert [line for line in lines(records) if line.startswith(("Noop", "Split"))] == []
    assert lines(records)[0] == "Input data: -> data"


def test_layers_with_several_outputs() -> None:
    records = export(
        '(%x: $) -> ($ {ncnn.blob = "right"})',
        '%0, %1 = ncnn.slice %x {name = "s", slices = [2, 2]} : ($) -> ($, $)',
        relu("2", "0", 'name = "r"'),
        "func.return %1 : $",
    )
    assert lines(records)[1:] == ["Slice s: x -> s_0 right", "ReLU r: s_0 -> r"]


def test_neighbouring_inputs_of_one_layer() -> None:
    records = export(
        '(%x: $ {ncnn.blob = "a", ncnn.layer = "in"}, %y: $ {ncnn.blob = "b", ncnn.layer = "in"},'
        ' %z: $ {ncnn.blob = "c"}) -> $',
        '%0 = ncnn.concat %x, %y, %z {name = "cat"} : ($, $, $) -> $',
        "func.return %0 : $",
    )
    assert lines(records) == ["Input in: -> a b", "Input c: -> c", "Concat cat: a b c -> cat"]


@pytest.mark.parametrize(
    ("signature", "returned"),
    [
        ('(%x: $ {ncnn.blob = "a"}, %y: $ {ncnn.blob = "a"}) -> $', "%x : $"),
        ('(%x: $, %y: $) -> ($ {ncnn.blob = "a"}, $ {ncnn.blob = "a"})', "%x, %y : $, $"),
        ('(%x: $, %y: $) -> ($ {ncnn.blob = "a"}, $ {ncnn.blob = "a"})', "%x, %x : $, $"),
        ('(%x: $ {ncnn.blob = "a"}, %y: $) -> ($ {ncnn.blob = "a"})', "%y : $"),
    ],
)
def test_two_inputs_or_outputs_cannot_have_one_name(signature: str, returned: str) -> None:
    with pytest.raises(FormatError, match="'a'"):
        export(signature, f"func.return {returned}")


def test_names_of_values_in_the_text_do_not_clash_with_those_of_blobs() -> None:
    records = export(
        "(%out: $) -> $", relu("0", "out", 'name = "out"'), "func.return %0 : $"
    )  # an SSA name is only a hint
    assert records[1].tops == ("out",)
    assert records[0].tops != ("out",)
