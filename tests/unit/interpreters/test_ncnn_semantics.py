"""What the reference semantics say without the runtime: where there are none, and what values they
take and give."""

import math

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.dialects.ncnn.blob import UNRANKED, BlobType, blob
from ncnn_opt.dialects.ncnn.custom import CustomOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.params import Value
from ncnn_opt.interpreters.ncnn import NoSemantics, evaluate
from ncnn_opt.interpreters.ncnn.erf import erf, erfc
from ncnn_opt.interpreters.ncnn.functions import NcnnFunctions
from ncnn_opt.interpreters.ncnn.shapes import result_shape
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.interpreter import Interpreter
from xdsl.utils.test_value import create_ssa_value

X = np.arange(24, dtype="f4").reshape(2, 3, 4)


def make(type_: str, types: int | list[BlobType] = 1, **params: Value) -> LayerOp:
    """A layer that reads blobs of nothing known, or of these types."""
    inputs = [UNRANKED] * types if isinstance(types, int) else types
    op = BY_TYPE[type_].make([create_ssa_value(t) for t in inputs], {}, [UNRANKED], {})
    op.init_params(params)
    return op


def custom() -> LayerOp:
    properties = {"type": StringAttr("Mine")}
    return CustomOp.make([create_ssa_value(UNRANKED)], {}, [UNRANKED], properties)


def test_custom_layer_has_none() -> None:
    with pytest.raises(NoSemantics, match="^Mine: no reference semantics$"):
        evaluate(custom(), [X])


def test_custom_layer_has_none_for_the_interpreter() -> None:
    interpreter = Interpreter(ModuleOp([]))
    interpreter.register_implementations(NcnnFunctions())
    with pytest.raises(NoSemantics):
        interpreter.run_op(custom(), (X,))


@pytest.mark.parametrize(
    "op",
    [
        make("Reshape", w=2, output_batch_axis=0),  # gives several blobs
        make("Reshape", shape_expr="round(exp(2)),-1,round(exp(0))"),  # as the C library says
        make("Interp", output_height=9, output_width=9),  # resize_type none
        make("Cast", type_from=1, type_to=3),  # the runtime has no such conversion
    ],
    ids=str,
)
def test_what_the_runtime_does_not_define_has_none(op: LayerOp) -> None:
    with pytest.raises(NoSemantics):
        evaluate(op, [X])


@pytest.mark.parametrize(
    ("op", "inputs"),
    [
        (make("Concat", 2, axis=3), [X, X]),
        (make("Permute", order_type=9), [X]),
        (make("Reduction", reduce_all=0, axes=(3,), fixbug0=1), [X]),
        (make("Slice", slices=(3,)), [X]),
        (make("Crop", starts=(2,), ends=(1,)), [X]),
        (make("Crop", 2), [X, np.zeros((3, 3, 4), "f4")]),
        (make("Reshape", w=5, h=5), [X]),
        (make("ShuffleChannel", group=3), [X]),
        (make("YoloDetectionOutput", num_box=1, biases=(1.0, 1.0)), [X]),
    ],
    ids=str,
)
def test_inputs_that_do_not_fit_are_an_error(op: LayerOp, inputs: list[np.ndarray]) -> None:
    with pytest.raises(ValueError, match="."):
        evaluate(op, inputs)


@pytest.mark.parametrize("out_max_val", [0, 1])
def test_arg_max_takes_the_last_of_equal_elements(out_max_val: int) -> None:
    # As the runtime's sort of pairs of element and index; its package has no ArgMax to ask.
    values = np.array([[3, 7, 7], [1, 7, 5]], "f4")
    (y,) = evaluate(make("ArgMax", topk=4, out_max_val=out_max_val), [values])
    rows = [[7, 7, 7, 5]] if out_max_val else []
    assert y.dtype == np.float32
    assert y.tolist() == [*rows, [4, 2, 1, 5]]


def test_float16_is_computed_in_float32() -> None:
    (y,) = evaluate(make("Exp"), [np.full(3, 11.5, "f2")])
    assert y.dtype == np.float32
    assert np.isfinite(y).all()


def test_results_are_contiguous() -> None:
    (y,) = evaluate(make("Permute", order_type=5), [X])
    assert y.shape == (4, 3, 2)
    assert y.flags.c_contiguous


@pytest.mark.parametrize("type_", [UNRANKED, blob((2, 3, 4))], ids=str)
def test_shapes_follow_from_the_values_whatever_the_types_say(type_: BlobType) -> None:
    assert result_shape(make("Reshape", [type_], w=-1, h=6), [X]) == (6, 4)


def test_shape_that_does_not_follow_is_an_error() -> None:
    with pytest.raises(ValueError, match="the result shape is unknown"):
        result_shape(make("PixelShuffle", upscale_factor=2), [X[0]])


def test_error_function() -> None:
    x = np.concatenate([np.linspace(-30, 30, 6001), np.geomspace(1e-30, 1, 100), [np.inf]])
    assert np.allclose(erf(x), [math.erf(v) for v in x], rtol=1e-10, atol=0)
    large = np.array([math.erfc(v) for v in x])
    held = large > 1e-40
    assert np.allclose(erfc(x)[held], large[held], rtol=1e-10, atol=0)
    assert (erfc(x)[~held] < 1e-39).all()
    assert np.isnan(erf(np.array([np.nan]))).all()
