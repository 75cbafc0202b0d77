"""Parameters of layers: plain values in Python, one form in the IR."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ncnn_opt.dialects.ncnn import LAYERS
from ncnn_opt.dialects.ncnn.activation import ClipOp, HardSwishOp
from ncnn_opt.dialects.ncnn.blob import UNRANKED, blob
from ncnn_opt.dialects.ncnn.convolution import ConvolutionDepthWiseOp, ConvolutionOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import layers_of, model_of
from ncnn_opt.dialects.ncnn.params import (
    Param,
    ParamKind,
    ParamView,
    Value,
    decode,
    encode,
    kind_of,
    to_float32,
)
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, StringAttr, f32, f64, i32, i64
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value


def convolution(**params: Value) -> ConvolutionOp:
    weights = {
        "weight": create_ssa_value(blob((4, 3, 3, 3))),
        "bias": create_ssa_value(blob((4,))),
    }
    op = ConvolutionOp.make([create_ssa_value(blob((3, 8, 8)))], weights, [UNRANKED], {})
    assert isinstance(op, ConvolutionOp)
    op.init_params(params)
    return op


def own(op: LayerOp) -> dict[str, Value]:
    """The parameters that the IR of an operation has."""
    return {
        name: decode(op.properties[name])
        for name, param in op.PARAMS.items()
        if isinstance(param, Param) and name in op.properties
    }


def resolved(op: LayerOp) -> dict[str, Value]:
    return {name: getattr(op, name) for name in op.PARAMS}


def test_a_parameter_that_is_left_out_has_its_default() -> None:
    op = convolution()
    assert (op.num_output, op.stride_w, op.pad_left, op.pad_value) == (0, 1, 0, 0.0)
    assert (op.activation_type, op.activation_params, op.featmask) == (0, (), 0)
    assert own(op) == {}


def test_a_default_may_be_another_parameter() -> None:
    op = convolution(kernel_w=3, pad_left=1, pad_top=2)
    assert (op.kernel_w, op.kernel_h) == (3, 3)
    assert (op.pad_left, op.pad_right, op.pad_top, op.pad_bottom) == (1, 1, 2, 2)
    assert own(op) == {"kernel_w": 3, "pad_left": 1, "pad_top": 2}


def test_what_equals_its_default_is_no_property() -> None:
    op = convolution(kernel_w=3, kernel_h=3, stride_w=1, pad_value=0.0, activation_params=())
    assert own(op) == {"kernel_w": 3}


def test_setting_one_parameter_changes_no_other() -> None:
    op = convolution(kernel_w=3, pad_left=1)
    op.kernel_w = 5
    op.pad_left = 4
    assert (op.kernel_w, op.kernel_h) == (5, 3)
    assert (op.pad_left, op.pad_right, op.pad_top, op.pad_bottom) == (4, 1, 1, 1)
    op.kernel_h = 5
    assert own(op)["kernel_w"] == 5
    assert "kernel_h" not in own(op)


def test_setting_a_parameter_to_its_default_drops_it() -> None:
    op = convolution(stride_w=2, activation_type=3, activation_params=(0.0, 6.0))
    assert own(op) == {
        "stride_w": 2,
        "activation_type": 3,
        "activation_params": (0.0, 6.0),
    }
    op.set_params(stride_w=1, activation_type=0, activation_params=())
    # The other stride was copied from this one.
    assert own(op) == {"stride_h": 2}


def test_several_parameters_at_once() -> None:
    op = convolution(kernel_w=3)
    op.set_params(kernel_w=5, kernel_h=7, dilation_w=2)
    assert own(op) == {"kernel_w": 5, "kernel_h": 7, "dilation_w": 2, "dilation_h": 1}


SETTABLE = [name for name, param in ConvolutionOp.PARAMS.items() if isinstance(param, Param)]


def values_of(param: Any) -> st.SearchStrategy[Value]:
    numbers = st.floats(width=32, allow_nan=False)
    strategies: dict[ParamKind, st.SearchStrategy[Value]] = {
        ParamKind.INT: st.integers(-3, 3),
        ParamKind.FLOAT: numbers,
        ParamKind.INTS: st.lists(st.integers(-3, 3), max_size=3).map(tuple),
        ParamKind.FLOATS: st.lists(numbers, max_size=3).map(tuple),
        ParamKind.STR: st.text(max_size=3),
    }
    return strategies[param.kind]


some_params = st.fixed_dictionaries(
    {}, optional={name: values_of(ConvolutionOp.PARAMS[name]) for name in SETTABLE}
)


@settings(derandomize=True, database=None, deadline=None, max_examples=300)
@given(some_params, some_params)
def test_any_assignment_keeps_the_rest(first: dict[str, Value], second: dict[str, Value]) -> None:
    op = convolution(**first)
    before = resolved(op)
    assert before == {**resolved(convolution()), **before, **first}
    op.set_params(**second)
    assert resolved(op) == before | second
    # The form depends on the values alone, not on how they came about.
    assert own(op) == own(convolution(**{name: getattr(op, name) for name in SETTABLE}))


@pytest.mark.parametrize("cls", LAYERS, ids=lambda cls: cls.LAYER_TYPE)
def test_defaults_refer_to_what_comes_before(cls: type[LayerOp]) -> None:
    # Assigning goes through the parameters in order and needs defaults that are settled.
    seen: list[str] = []

    class Asked:
        def __getattr__(self, name: str) -> Any:
            seen.append(name)
            return 1

    order = list(cls.PARAMS)
    for name, param in cls.PARAMS.items():
        seen.clear()
        param.default_for(Asked())
        assert all(order.index(other) < order.index(name) for other in seen if other in order)


def test_floats_are_those_of_the_runtime() -> None:
    op = HardSwishOp.make([create_ssa_value(UNRANKED)], {}, [UNRANKED], {})
    op.init_params({"alpha": 0.2, "beta": 1 / 3})
    assert own(op) == {"beta": to_float32(1 / 3)}  # 0.2 is the default, rounded or not
    assert to_float32(1 / 3) != 1 / 3
    assert to_float32(1e300) == math.inf
    assert to_float32(-1e300) == -math.inf
    clip = ClipOp.make([create_ssa_value(UNRANKED)], {}, [UNRANKED], {})
    clip.init_params({"max": 3.4028234663852886e38, "min": -0.0})
    assert list(own(clip)) == ["min"]


def test_zero_and_minus_zero_are_two_values() -> None:
    op = convolution(pad_value=-0.0)
    assert math.copysign(1, float(op.pad_value)) == -1.0
    assert "pad_value" in own(op)


def test_what_the_operands_say_is_no_property() -> None:
    op = convolution()
    assert (op.bias_term, op.weight_data_size) == (1, 108)
    op.set_weights(bias=None)
    assert op.bias_term == 0
    assert own(op) == {}


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (ParamKind.INT, -(2**31)),
        (ParamKind.FLOAT, 0.5),
        (ParamKind.FLOAT, -math.inf),
        (ParamKind.INTS, (1, -2)),
        (ParamKind.INTS, ()),
        (ParamKind.FLOATS, (0.25, math.inf)),
        (ParamKind.FLOATS, ()),
        (ParamKind.STR, "+(0w,1)"),
        (ParamKind.STR, ""),
    ],
)
def test_an_attribute_holds_a_value_and_its_kind(kind: ParamKind, value: Value) -> None:
    attr = encode(kind, value)
    assert kind_of(attr) is kind
    assert decode(attr) == value


@pytest.mark.parametrize(
    "attr", [FloatAttr(3.0, f32), IntegerAttr(3, i64), StringAttr("3"), FloatAttr(3.0, f64)]
)
def test_an_attribute_of_another_kind_does_not_verify(attr: Any) -> None:
    op = convolution(num_output=4, kernel_w=3)
    op.verify()
    op.properties["stride_w"] = attr
    with pytest.raises(VerifyException):
        op.verify()
    op.properties["stride_w"] = IntegerAttr(3, i32)
    op.verify()


def test_parameters_of_a_line_resolve_like_those_of_an_operation() -> None:
    values: dict[str, Value] = {"kernel_w": 3, "pad_top": 2, "group": 4}
    view = ParamView(ConvolutionDepthWiseOp.PARAMS, values)
    assert (view.kernel_h, view.pad_left, view.pad_bottom) == (3, 0, 2)
    assert (view.group, view.bias_term) == (4, 0)
    with pytest.raises(AttributeError):
        _ = view.kernel_d


def test_names_shape_hints_and_counts_of_operands_are_no_parameters() -> None:
    line = "Gemm g 1 1 x y 3=1 5=1 6=1 7=4 8=5 9=8 10=4 31=2 -23330=4,2,5,4,1"
    text = f"7767517\n2 2\nInput x 0 1 x 0=8 1=4\n{line}\n"
    module, _ = import_param(text.encode(), "m.param", ReadOptions("random"))
    op = layers_of(model_of(module))[-1]
    left_out = {"name", "blobs", "shape_hints", "operandSegmentSizes"}
    assert left_out <= op.properties.keys()
    assert op.parameters().keys() == op.properties.keys() - left_out
    assert {"featmask", "constantB", "constantN"} <= op.parameters().keys()
