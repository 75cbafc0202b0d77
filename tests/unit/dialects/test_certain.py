"""What is certain of blobs follows from weights and parameters, not from the extents of inputs."""

import pytest
from ncnn_opt.dialects.ncnn import NCNN
from ncnn_opt.dialects.ncnn.certain import certain_rank, certain_shape
from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, Builtin, ModuleOp
from xdsl.dialects.func import Func, FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.parser import Parser

N = DYNAMIC_INDEX


def last_value(body: str, inputs: str) -> SSAValue:
    """The result of the last layer of a function."""
    context = Context()
    for dialect in (Builtin, Func, NCNN):
        context.load_dialect(dialect)
    text = f"builtin.module {{ func.func @main({inputs}) {{ {body}\n func.return }} }}"
    module = Parser(context, text).parse_module()
    assert isinstance(module, ModuleOp)
    module.verify()
    (func,) = module.ops
    assert isinstance(func, FuncOp)
    terminator = func.body.block.last_op
    assert terminator is not None
    assert terminator.prev_op is not None
    return terminator.prev_op.results[0]


IMAGE, ROW, ANY = "%x: tensor<3x8x8xf32>", "%x: tensor<1x4xf32>", "%x: tensor<*xf32>"

CONV = """
  %w = ncnn.constant #ncnn.elided : tensor<4x3x3x3xf32>
  %y = ncnn.convolution %x weight %w {num_output = 4, kernel_w = 3}
       : (tensor<3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<4x6x6xf32>
"""
POOL = CONV + "%p = ncnn.pooling %y {global_pooling = 1} : (tensor<4x6x6xf32>) -> tensor<4xf32>\n"
CONSTANT = '%k = ncnn.constant {name = "k"} dense<1.0> : tensor<2x3xf32>\n'
SQUEEZED = "%y = ncnn.squeeze %x {axes = [0]} : (tensor<1x4xf32>) -> tensor<4xf32>\n"
RESHAPED = """
  %y = ncnn.reshape %x {w = 4, h = 2, c = -1} : (tensor<3x8x8xf32>) -> tensor<24x2x4xf32>
"""
CUSTOM = '%y = ncnn.custom "Other"(%x) : (tensor<1x4xf32>) -> tensor<1x4xf32>'


@pytest.mark.parametrize(
    ("body", "inputs", "shape"),
    [
        ("%y = ncnn.tanh %x : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>", IMAGE, (N, N, N)),
        ("%y = ncnn.tanh %x : (tensor<*xf32>) -> tensor<*xf32>", ANY, None),
        (CONV, IMAGE, (4, N, N)),
        (POOL, IMAGE, (4,)),
        (POOL + "%r = ncnn.relu %p : (tensor<4xf32>) -> tensor<4xf32>", IMAGE, (4,)),
        (RESHAPED, IMAGE, (N, 2, 4)),
        (CONSTANT, IMAGE, (2, 3)),
        (
            CONSTANT
            + "%y = ncnn.permute %k {order_type = 1} : (tensor<2x3xf32>) -> tensor<3x2xf32>",
            IMAGE,
            (3, 2),
        ),
        # What a Squeeze drops depends on extents: how many dims there are then is not certain.
        (SQUEEZED, ROW, None),
        (SQUEEZED + "%z = ncnn.tanh %y : (tensor<4xf32>) -> tensor<4xf32>", ROW, None),
        (SQUEEZED + "%z = ncnn.flatten %y : (tensor<4xf32>) -> tensor<4xf32>", ROW, (N,)),
        (SQUEEZED.replace("axes = [0]", "squeeze_c = 1").replace("<4x", "<1x4x"), ROW, (N, N)),
        (CUSTOM, ROW, None),
    ],
)
def test_certain_shapes(body: str, inputs: str, shape: tuple[int, ...] | None) -> None:
    value = last_value(body, inputs)
    assert certain_shape(value) == shape
    assert certain_rank(value) == (None if shape is None else len(shape))


def test_asking_leaves_no_trace() -> None:
    value = last_value(POOL, IMAGE)
    block = value.owner.parent
    assert isinstance(block, Block)
    values = [v for op in block.ops for v in op.results]
    before = [len(list(v.uses)) for v in values]
    certain_shape(value)
    assert before == [len(list(v.uses)) for v in values]


def test_models_may_be_deep() -> None:
    type_ = "tensor<?x?xf32>"
    lines = [f"%v{i + 1} = ncnn.tanh %v{i} : ({type_}) -> {type_}" for i in range(3000)]
    assert certain_rank(last_value("\n".join(lines), f"%v0: {type_}")) == 2
