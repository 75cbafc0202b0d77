"""What is certain of blobs follows from weights and parameters, not from the extents of inputs; and
extents that are not certain can be known to be equal."""

import gc
from weakref import ref

import pytest
from ncnn_opt.analysis.shapes import shapes_of
from ncnn_opt.dialects.ncnn import NCNN
from ncnn_opt.dialects.ncnn.activation import ReLUOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.shapes.analysis import Shapes
from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, Builtin, ModuleOp
from xdsl.dialects.func import Func, FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern

N = DYNAMIC_INDEX


def parsed(body: str, inputs: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, Func, NCNN):
        context.load_dialect(dialect)
    text = f"builtin.module {{ func.func @main({inputs}) {{ {body}\n func.return }} }}"
    module = Parser(context, text).parse_module()
    assert isinstance(module, ModuleOp)
    module.verify()
    return module


def layers(body: str, inputs: str) -> dict[str, LayerOp]:
    """The layers of a function, by the name of their first result."""
    (func,) = parsed(body, inputs).ops
    assert isinstance(func, FuncOp)
    ops = [op for op in func.body.block.ops if isinstance(op, LayerOp)]
    return {op.results[0].name_hint or "": op for op in ops}


def last_value(body: str, inputs: str) -> SSAValue:
    """The result of the last layer of a function."""
    *_, last = layers(body, inputs).values()
    return last.results[0]


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


CROPPED = (
    "%y = ncnn.crop %x {starts = [0], ends = [100], axes = [2]} : "
    "(tensor<3x8x8xf32>) -> tensor<3x8x8xf32>"
)


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
        # A blob of 2 dims with as many rows stays as it is, whatever a Reshape says.
        ("%y = ncnn.reshape %x {w = 4, h = 1} : (tensor<1x4xf32>) -> tensor<1x4xf32>", ROW, (1, N)),
        (
            "%y = ncnn.reshape %x {w = 64, h = 3} : (tensor<3x8x8xf32>) -> tensor<3x64xf32>",
            IMAGE,
            (3, 64),
        ),
        # What a model promises of its inputs counts.
        (CONV, f"{IMAGE} {{ncnn.promised}}", (4, 6, 6)),
        (SQUEEZED, f"{ROW} {{ncnn.promised}}", (4,)),
        (
            "%y = ncnn.tanh %x : (tensor<?x4xf32>) -> tensor<?x4xf32>",
            "%x: tensor<?x4xf32> {ncnn.promised}",
            (N, 4),
        ),
        # Along some axes inputs may have less; which ones must be said.
        (CONV, f"{IMAGE} {{ncnn.promised, ncnn.at_most = array<i64: 1>}}", (4, N, 6)),
        (CONV, f"{IMAGE} {{ncnn.promised, ncnn.at_most = 1 : i64}}", (4, N, N)),
        (CONV, f"{IMAGE} {{ncnn.at_most = array<i64: 1>}}", (4, N, N)),
        # What is cut at the bound is all there is.
        (CROPPED, f"{IMAGE} {{ncnn.promised, ncnn.at_most = array<i64: 2>}}", (3, 8, N)),
    ],
)
def test_certain_shapes(body: str, inputs: str, shape: tuple[int, ...] | None) -> None:
    value = last_value(body, inputs)
    assert Shapes().certain(value) == shape
    assert Shapes().rank(value) == (None if shape is None else len(shape))


IMAGES = "%x: tensor<3x8x8xf32>, %z: tensor<3x8x8xf32>"
TYPES = "(tensor<3x8x8xf32>) -> tensor<3x8x8xf32>"
STRIDED = """
  %w = ncnn.constant #ncnn.elided : tensor<3x3x3x3xf32>
  %v = ncnn.constant #ncnn.elided : tensor<3x3x1x1xf32>
  %a = ncnn.convolution %x weight %w {num_output = 3, kernel_w = 3, stride_w = 2, pad_left = 1}
       : (tensor<3x8x8xf32>, tensor<3x3x3x3xf32>) -> tensor<3x4x4xf32>
  %b = ncnn.convolutiondepthwise %x weight %v {num_output = 3, kernel_w = 1, stride_w = 2}
       : (tensor<3x8x8xf32>, tensor<3x3x1x1xf32>) -> tensor<3x4x4xf32>
"""
POOLED = """
  %a = ncnn.pooling %x {kernel_w = 3, stride_w = 2, pad_mode = full}
       : (tensor<3x8x8xf32>) -> tensor<3x4x4xf32>
  %b = ncnn.pooling %x {kernel_w = 3, stride_w = 2, pad_mode = full}
       : (tensor<3x8x8xf32>) -> tensor<3x4x4xf32>
  %c = ncnn.pooling %x {kernel_w = 2, stride_w = 2, pad_mode = full}
       : (tensor<3x8x8xf32>) -> tensor<3x4x4xf32>
"""


@pytest.mark.parametrize(
    ("body", "same"),
    [
        (f"%a = ncnn.relu %x : {TYPES}\n%b = ncnn.tanh %x : {TYPES}", True),
        (f"%a = ncnn.relu %x : {TYPES}\n%b = ncnn.tanh %z : {TYPES}", False),
        (STRIDED, True),
        (STRIDED.replace("%x weight %v", "%z weight %v"), False),
        (STRIDED.replace("pad_left = 1", "pad_left = 2").replace("4x4xf32>\n  %b", "5x5xf32>\n %b"),
         False),
        (POOLED, True),
        (POOLED.replace("%b", "%d").replace("%c", "%b"), False),
        # Up and down again.
        (
            """%b = ncnn.tanh %x : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
            %up = ncnn.interp %x {resize_type = nearest, height_scale = 2.0, width_scale = 2.0}
                  : (tensor<3x8x8xf32>) -> tensor<3x16x16xf32>
            %r = ncnn.reorg %x {stride = 2} : (tensor<3x8x8xf32>) -> tensor<12x4x4xf32>
            %a = ncnn.pixelshuffle %r {upscale_factor = 2}
                 : (tensor<12x4x4xf32>) -> tensor<3x8x8xf32>""",
            False,  # of 7 rows the Reorg leaves 3
        ),
        (
            """%b = ncnn.tanh %x : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
            %up = ncnn.pixelshuffle %x {upscale_factor = 1}
                  : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
            %p = ncnn.padding %up {left = 1, right = 1}
                 : (tensor<3x8x8xf32>) -> tensor<3x8x10xf32>
            %a = ncnn.crop %p {starts = [1], ends = [-1], axes = [-1]}
                 : (tensor<3x8x10xf32>) -> tensor<3x8x8xf32>""",
            True,
        ),
        (
            """%f = ncnn.flatten %x : (tensor<3x8x8xf32>) -> tensor<192xf32>
            %a = ncnn.relu %f : (tensor<192xf32>) -> tensor<192xf32>
            %r = ncnn.reshape %x {w = -1, h = 3} : (tensor<3x8x8xf32>) -> tensor<3x64xf32>
            %b = ncnn.flatten %r : (tensor<3x64xf32>) -> tensor<192xf32>""",
            False,  # a Reshape to 3 rows may leave elements out: it is an error only in the end
        ),
    ],
)  # fmt: skip
def test_equal_extents(body: str, same: bool) -> None:
    found = layers(body, IMAGES)
    assert Shapes().same(found["a"].results[0], found["b"].results[0]) == same


def test_unknown_numbers_of_dims_are_equal_where_a_shape_is_kept() -> None:
    line = "%{} = ncnn.{} %{} {} : (tensor<*xf32>) -> tensor<*xf32>"
    rows = (
        ("relu", "x", "{}"),
        ("tanh", "x", "{}"),
        ("squeeze", "x", "{axes = [0]}"),
        ("sigmoid", "tanh", "{}"),
    )
    found = layers("\n".join(line.format(kind, kind, *rest) for kind, *rest in rows), ANY)
    x, relu = found["relu"].operands[0], found["relu"].results[0]
    squeeze, sigmoid = found["squeeze"].results[0], found["sigmoid"].results[0]
    shapes = Shapes()
    assert shapes.same(relu, sigmoid, x)
    assert not shapes.same(relu, squeeze)
    assert shapes.same(squeeze, squeeze)


def test_asking_leaves_no_trace() -> None:
    value = last_value(POOL, IMAGE)
    block = value.owner.parent
    assert isinstance(block, Block)
    values = [v for op in block.ops for v in op.results]
    before = [len(list(v.uses)) for v in values]
    Shapes().certain(value)
    assert before == [len(list(v.uses)) for v in values]


def test_models_may_be_deep() -> None:
    type_ = "tensor<?x?xf32>"
    lines = [f"%v{i + 1} = ncnn.tanh %v{i} : ({type_}) -> {type_}" for i in range(3000)]
    assert Shapes().rank(last_value("\n".join(lines), f"%v0: {type_}")) == 2


# -- what changes


CHAIN = """
  %r = ncnn.reshape %x {w = 4, h = 2, c = -1} : (tensor<3x8x8xf32>) -> tensor<24x2x4xf32>
  %t = ncnn.tanh %r : (tensor<24x2x4xf32>) -> tensor<24x2x4xf32>
  %f = ncnn.permute %t {order_type = 1} : (tensor<24x2x4xf32>) -> tensor<24x4x2xf32>
"""


def test_what_follows_from_a_change_is_found_anew() -> None:
    found = layers(CHAIN, IMAGE)
    shapes, value = Shapes(), found["f"].results[0]
    assert shapes.certain(value) == (N, 4, 2)
    found["r"].set_params(w=6)
    assert shapes.certain(value) == (N, 4, 2)  # it was not told
    shapes.changed(found["r"])
    assert shapes.certain(value) == (N, 6, 2)
    found["t"].operands[0] = found["r"].operands[0]
    shapes.changed(found["t"])
    assert shapes.certain(value) == (N, N, N)
    assert shapes.same(found["t"].results[0], found["r"].operands[0])


class Look(RewritePattern):
    """Asks for a shape, changes it once, and asks again."""

    def __init__(self) -> None:
        self.found: list[tuple[int, ...] | None] = []
        self.analyses: list[ref[Shapes]] = []

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, LayerOp) and op.results[0].name_hint == "f":
            reshape = op.operands[0].owner.operands[0].owner  # pyright: ignore
            shapes = shapes_of(rewriter)
            self.analyses.append(ref(shapes))
            self.found.append(shapes.certain(op.results[0]))
            if isinstance(reshape, LayerOp) and len(self.found) == 1:
                reshape.set_params(w=6)
                rewriter.notify_op_modified(reshape)
                self.found.append(shapes_of(rewriter).certain(op.results[0]))


def test_an_analysis_is_told_and_lives_for_one_walk() -> None:
    module, look = parsed(CHAIN, IMAGE), Look()
    for _ in range(2):
        PatternRewriteWalker(look, apply_recursively=False).rewrite_module(module)
        gc.collect()
    assert look.found == [(N, 4, 2), (N, 6, 2), (N, 6, 2)]
    assert len(look.analyses) == 2
    assert all(analysis() is None for analysis in look.analyses)


def test_operations_that_go_are_forgotten() -> None:
    class Replace(RewritePattern):
        def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
            if isinstance(op, LayerOp) and op.name == "ncnn.tanh":
                shapes = shapes_of(rewriter)
                assert shapes.certain(op.results[0]) == (N, 2, 4)
                relu = ReLUOp.make(op.operands, {}, op.result_types, {})
                rewriter.replace(op, relu)
                assert shapes.certain(relu.results[0]) == (N, 2, 4)
                assert len(shapes._found) == 3  # pyright: ignore[reportPrivateUsage]

    PatternRewriteWalker(Replace(), apply_recursively=False).rewrite_module(parsed(CHAIN, IMAGE))
