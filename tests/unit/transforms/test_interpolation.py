"""Models that cannot be interpolated: each difference is named, and nothing changes."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.driver.environment import make_context
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.transforms.edits.interpolate_models import InterpolateModels
from ncnn_opt.transforms.edits.interpolation import interpolate
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import PassFailedException

import ncnn_opt

MODEL = """
func.func @NAME(%x: tensor<2xf32>, %u: tensor<2xf32>) -> tensor<2xf32> {
  %w = ncnn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %y = ncnn.innerproduct %x weight %w {name = "fc", num_output = 2}
    : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %z = ncnn.binaryop %y, %u {name = "sum", op_type = add}
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = ncnn.relu %z {name = "act"} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %r : tensor<2xf32>
}
"""

MORE = '  %s = ncnn.relu %r {name = "more"} : (tensor<2xf32>) -> tensor<2xf32>\n'

OTHERS = (
    (
        "relu %z {name",
        "relu %z {slope = 0.5, name",
        "ReLU 'act' has another slope in the other model",
    ),
    ("ncnn.relu", "ncnn.absval", "ReLU 'act' is AbsVal 'act' in the other model"),
    ("%y, %u {", "%u, %y {", "BinaryOp 'sum' reads other blobs in the other model"),
    ("ncnn.relu %z", "ncnn.relu %y", "ReLU 'act' reads other blobs in the other model"),
    ("func.return %r", "func.return %z", "the models have different outputs"),
    (", %u: tensor<2xf32>)", ", %u: tensor<2xf32>, %v: tensor<2xf32>)", "2 and 3 inputs"),
    (
        "dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>",
        "dense<[[1.0], [3.0]]> : tensor<2x1xf32>",
        "a weight of InnerProduct 'fc' has 2 x 2 elements, and 2 x 1 in the other model",
    ),
    (
        "  func.return %r",
        f"{MORE}  func.return %s",
        "the end of the model is ReLU 'more' in the other model",
    ),
    (
        "dense<[[1.0, 2.0], [3.0, 4.0]]>",
        "#ncnn.elided",
        "interpolation needs the weights of all models",
    ),
)


def models(old: str = "", new: str = "", both: tuple[str, str] = ("", "")) -> ModuleOp:
    """Return the model, and another one in which a text is replaced; `both`: in both models."""
    text = MODEL.replace(*both)
    if "xi8>" in both[1]:
        text = text.replace("tensor<2x2xf32>) ->", "tensor<2x2xi8>) ->")
    first, other = text.replace("NAME", "main"), text.replace("NAME", "model2")
    changed = other.replace(old, new)
    if "2x1xf32" in new:
        changed = changed.replace("tensor<2x2xf32>) ->", "tensor<2x1xf32>) ->")
    assert changed != other
    return parse_ir(make_context(), (first + changed).encode(), "it.mlir")


@pytest.mark.parametrize(("old", "new", "message"), OTHERS)
def test_a_difference_is_named(old: str, new: str, message: str) -> None:
    module = models(old, new)
    before = str(module)
    with pytest.raises(PassFailedException) as caught:
        interpolate(module, [0.5])
    assert message in str(caught.value)
    assert str(module) == before


def test_the_other_order_of_lengths() -> None:
    module = models(
        "  func.return %r",
        f"{MORE}  func.return %s",
    )
    functions = list(module.body.block.ops)
    functions[0].detach()
    module.body.block.add_op(functions[0])
    with pytest.raises(PassFailedException, match="ReLU 'more' is the end of the model"):
        interpolate(module, [0.5])


def test_quantized_weights_are_refused() -> None:
    int8 = (
        "dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>",
        "dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>",
    )
    module = models("[3, 4]", "[3, 5]", both=int8)
    with pytest.raises(PassFailedException, match="a weight of InnerProduct 'fc' is stored as i8"):
        interpolate(module, [0.5])


def test_several_models() -> None:
    module = models("4.0", "8.0")
    text = MODEL.replace("NAME", "model3").replace("4.0", "-4.0")
    third = parse_ir(make_context(), text.encode(), "it.mlir").body.block.first_op
    assert third is not None
    third.detach()
    module.body.block.add_op(third)
    with pytest.raises(PassFailedException, match="1 fractions are for 1 further models, not 2"):
        interpolate(module, [0.5])
    assert interpolate(module, [0.25, 0.5]) == 1
    (weight,) = (op for op in module.walk() if isinstance(op, ConstantOp))
    assert weight.read().tolist() == [[1.0, 2.0], [3.0, 0.25 * 4 + 0.25 * 8 - 0.5 * 4]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("{fractions=1.5}", "a fraction is a number from 0 to 1, not '1.5'"),
        ("{fractions=-1}", "a fraction is a number from 0 to 1, not '-1'"),
        ("{fractions=0.75,0.5}", "the fractions are more than the whole: 0.75 + 0.5 > 1"),
        ('{fractions="half"}', "a fraction is a number from 0 to 1, not 'half'"),
        ("", "interpolate-models needs fractions=…"),
        ("{rate=1}", "interpolate-models has the options fractions, not 'rate'"),
    ],
)
def test_options(options: str, message: str) -> None:
    (spec,) = parse_pipeline(f"interpolate-models{options}")
    with pytest.raises(ValueError, match="fraction") as caught:
        InterpolateModels.from_spec(spec)
    assert str(caught.value) == message


def test_weights_of_files(tmp_path: Path) -> None:
    param = "7767517\n2 2\nInput x 0 1 x 0=2\nScale y 1 1 x y 0=2\n"
    found: list[Path] = []
    for name, weights in (("a", [1.0, 2.0]), ("b", [3.0, 8.0])):
        found.append(tmp_path / f"{name}.param")
        found[-1].write_text(param)
        found[-1].with_suffix(".bin").write_bytes(np.array(weights, "<f4").tobytes())
    model, other = map(ncnn_opt.load, found)
    model.interpolate(other, 0.25)
    (constant,) = (op for op in model.module.walk() if isinstance(op, ConstantOp))
    assert constant.read().tolist() == [1.5, 3.5]
