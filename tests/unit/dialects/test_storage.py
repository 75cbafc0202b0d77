"""How elements are stored: casts, blocks of bits, and which scales a layer has."""

import pytest
from ncnn_opt.dialects.ncnn.blob import blob
from ncnn_opt.dialects.ncnn.conversion import CastOp, storage_word
from ncnn_opt.dialects.ncnn.formulas import Arg, NoFormula
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.quantization import BlockQuantization
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value


def test_words_for_element_types() -> None:
    words = ["-1", "auto", "float32", "float16", "int8", "bfloat16", "5"]
    assert [storage_word(n) for n in range(-1, 6)] == words


def cast(before: int, after: int) -> CastOp:
    """A Cast of a blob of float32."""
    type_ = blob((2, 3))
    op = CastOp.make([create_ssa_value(type_)], {}, [type_], {})
    assert isinstance(op, CastOp)
    op.init_params({"type_from": before, "type_to": after})
    return op


def test_a_cast_to_what_it_is_from_changes_nothing() -> None:
    """Whatever the elements are: the runtime hands them on."""
    x = Arg(0)
    for number in range(6):
        assert cast(number, number).formula(x) is x


def test_a_cast_of_what_the_blob_is_not_has_no_formula() -> None:
    with pytest.raises(NoFormula, match="a cast from float16 on elements of f32"):
        cast(2, 1).formula(Arg(0))
    assert cast(1, 2).formula(Arg(0)) is not None


def test_bytes_of_a_row_in_blocks() -> None:
    four, six = BlockQuantization(4, 32, False), BlockQuantization(6, 64, False)
    assert [four.packed_bytes(n) for n in (1, 2, 3, 32)] == [1, 1, 2, 16]
    assert [six.packed_bytes(n) for n in (1, 2, 4, 5)] == [1, 2, 3, 4]
    with pytest.raises(VerifyException, match="a block-quantized row has 0 elements"):
        four.packed_bytes(0)


def test_a_dynamic_weight_has_no_scales() -> None:
    """The runtime takes them for float, and reads none."""
    lines = [
        "Input x 0 1 x 0=8 1=8 2=4",
        "Input w 0 1 w 0=3 1=3 11=1 2=4",
        "ConvolutionDepthWise it 2 1 x w y 0=4 1=3 7=4 8=1 19=1",
    ]
    text = "\n".join(["7767517", "3 3", *lines]) + "\n"
    module, _ = import_param(text.encode(), "it.param", ReadOptions("none"))
    (op,) = (op for op in module.walk() if isinstance(op, LayerOp) and op.layer_name is not None)
    assert len(op.operands) == 2
    assert op.weight_operands()["weight_int8_scales"] is None
