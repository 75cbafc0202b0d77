"""Options and orders that edits of models take."""

import pytest
from ncnn_opt.driver.environment import make_context
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.transforms.edits.join_models import JoinModels
from ncnn_opt.transforms.edits.reorder_model import ReorderModel


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (("a",), "models are connected by OUTPUT=INPUT, not 'a'"),
        (("a=b", "=b"), "models are connected by OUTPUT=INPUT, not '=b'"),
        (("a=b", "c=b"), "two outputs are connected to input 'b'"),
    ],
)
def test_pairs_of_joined_models(pairs: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        JoinModels(pairs=pairs)
    assert JoinModels(pairs=("a=b", "a=c")).pairs == ("a=b", "a=c")


def test_an_output_that_is_an_input_stays_first() -> None:
    text = """builtin.module {
      func.func @main(%x: tensor<4xf32> {ncnn.blob = "x"})
          -> (tensor<4xf32> {ncnn.blob = "x"}, tensor<4xf32> {ncnn.blob = "y"}) {
        %y = ncnn.relu %x {name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
        func.return %x, %y : tensor<4xf32>, tensor<4xf32>
      }
    }"""
    module = parse_ir(make_context(), text.encode(), "it.mlir")
    before = str(module)
    ReorderModel(outputs=("x", "y")).apply(make_context(), module)
    assert str(module) == before
