"""The pass that converts layers into `fused` operations.

It holds the table of the functions that plan an operation; facts about single layer types are in
the modules beside it.
"""

from collections.abc import Mapping
from functools import partial

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i8
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.convolution import ConvolutionDepthWiseOp, ConvolutionOp, Forward
from ...dialects.ncnn.deconvolution import Transposed
from ...dialects.ncnn.formulas import NoFormula
from ...dialects.ncnn.function import declare_outputs, set_blobs_without_split, update_type
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.interfaces import HasFormula
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.matmul import GemmOp
from ...dialects.ncnn.pooling import Pool1D
from ...dialects.ncnn.structure import InputOp
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.tensors import element_of
from ...transforms.canonicalization.fused import FUSION
from ...transforms.canonicalization.identity import EliminateIdentity
from ...transforms.rewriting.observers import running
from ...transforms.rewriting.pattern_set import PatternSet
from ...transforms.rewriting.remarks import remark
from ...transforms.rewriting.scalar_code import NotFused
from .anchors import Anchor, build, elementwise_plan
from .convolution import convolution, convolution_2d, deconvolution
from .linear import gemm, inner_product
from .pooling import pooling

ANCHORS: Mapping[type[LayerOp], Anchor] = {
    ConvolutionOp: convolution_2d,
    ConvolutionDepthWiseOp: convolution_2d,
    Forward: convolution,
    Transposed: deconvolution,
    InnerProductOp: inner_product,
    GemmOp: gemm,
    Pool1D: pooling,
}
"""The functions that plan the fused operations of layer types, and of the types derived from them.
"""

IDENTITIES = ("eliminate-split", "eliminate-dropout", "eliminate-noop")
"""The passes that remove layers without an effect. They run first."""


class ConvertNcnnToFused(ModulePass):
    """Convert layers to operations of the `fused` dialect, and fuse element-wise layers into the
    convolution, linear layer or pooling before them (docs/fused.md).

    - Convolutions, deconvolutions, InnerProduct, Gemm with a constant B and pooling become anchors.
      Element-wise layers become epilogues. Split, Dropout and Noop disappear.
    - Types are taken as true: SAME pads and similar parameters are resolved for the shapes of the
      types.
    - A layer without a fused form stays; a remark names the reason.
    """

    name = "convert-ncnn-to-fused"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lower(op)


def lower(module: ModuleOp) -> None:
    """Turn layers into `fused` operations (`ConvertNcnnToFused`)."""
    functions = [f for f in module.walk() if isinstance(f, FuncOp) and _returns(f)]
    for func in functions:
        declare_outputs(func)
        set_blobs_without_split(func, [])
    identities = PatternSet([EliminateIdentity()])
    with running(*IDENTITIES):
        PatternRewriteWalker(GreedyRewritePatternApplier([identities])).rewrite_module(module)
    int8: set[SSAValue] = set()
    shapes = Shapes(declared=True)
    for layer in [layer for layer in module.walk() if isinstance(layer, LayerOp)]:
        if isinstance(layer, ConstantOp | InputOp):
            continue
        # A layer that stays may pass int8 on, whatever the types are.
        doubtful = any(element_of(v) == i8 or v in int8 for v in layer.data_operands())
        try:
            if any(v in int8 for v in layer.data_operands()):
                raise NotFused("its input may be int8")
            _convert(layer, shapes)
        except (NotFused, NoFormula) as e:
            remark(ConvertNcnnToFused.name, layer.label(), note=str(e))
            if doubtful or layer.writes_int8():
                int8.update(layer.results)
    for func in functions:
        update_type(func)
    PatternRewriteWalker(GreedyRewritePatternApplier([PatternSet(FUSION)])).rewrite_module(module)


def anchor_of(layer: type[LayerOp]) -> Anchor | None:
    """Return the function that plans the fused operation of a layer type; `None` if the type is no
    anchor."""
    return next((ANCHORS[cls] for cls in layer.mro() if cls in ANCHORS), None)


def _convert(layer: LayerOp, shapes: Shapes) -> None:
    """Replace a layer. Raises `NotFused` or `NoFormula` if it has no fused form."""
    if isinstance(layer, HasFormula):
        plan = partial(elementwise_plan, layer, shapes)
    elif (found := anchor_of(type(layer))) is not None:
        plan = partial(found, layer)
    else:
        raise NotFused("no fused form")
    if layer.featmask:
        raise NotFused("it may not use all features of the runtime (featmask)")
    if layer.extra:
        raise NotFused("it has parameters that ncnn does not document")
    fused, new = build(plan(), layer)
    hint = layer.results[0].name_hint
    Rewriter.insert_op([*new, fused], InsertPoint.before(layer))
    layer.results[0].replace_all_uses_with(fused.result)
    Rewriter.erase_op(layer)
    fused.result.name_hint = hint


def _returns(func: FuncOp) -> bool:
    """Whether a function is a model: one block that ends with a return."""
    blocks = func.body.blocks
    return len(blocks) == 1 and isinstance(func.body.block.last_op, ReturnOp)
