"""The shapes of random inputs."""

import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.environment import make_context
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.runtime.drawn_shapes import drawn_shape

SDPA = """func.func @main(%x: tensor<{n}x4xf32>, %p: tensor<2x{steps}x3xf32>)
    -> tensor<2x{n}x3xf32> {{
  %q = ncnn.reshape %x {{name = "q", w = 3, h = {n}, c = 2}}
    : (tensor<{n}x4xf32>) -> tensor<2x{n}x3xf32>
  %y, %k, %v = ncnn.sdpa %q, %q, %q, %p, %p {{name = "y", blobs = ["y", "k", "v"], kv_cache = 1}}
    : (tensor<2x{n}x3xf32>, tensor<2x{n}x3xf32>, tensor<2x{n}x3xf32>, tensor<2x{steps}x3xf32>,
       tensor<2x{steps}x3xf32>)
    -> (tensor<2x{n}x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>)
  func.return %y : tensor<2x{n}x3xf32>
}}"""


@pytest.mark.parametrize(
    ("steps", "new", "room"), [(5, 1, 64), (63, 1, 64), (63, 2, 128), (0, 1, 64), (128, 7, 192)]
)
def test_a_cache_has_room_for_whole_blocks(steps: int, new: int, room: int) -> None:
    """The x86 code packs at most 64 steps together."""
    module = parse_ir(make_context(), SDPA.format(n=new, steps=steps).encode(), "it.mlir")
    x, past = model_of(module).body.block.args
    assert drawn_shape(x) == ((new, 4), None)
    assert drawn_shape(past) == ((2, room, 3), steps)
