"""The pass that converts `fused` operations into layers.

It is the inverse of `convert-ncnn-to-fused`: a model that was optimized as fused operations runs in
ncnn again. `anchors.py` has the layer of the operation, `activation.py` the activation in it, and
`instruction_selection.py` the layers behind it.
"""

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, f32, i8, i32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.fused import ElementwiseOp, FusedOp
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.function import update_type
from ...dialects.ncnn.interfaces import ActivationHost
from ...dialects.ncnn.quantization import QuantizeOp
from ...dialects.ncnn.structure import NoopOp
from ...transforms.canonicalization.fused_epilogue import rebuilt
from ...transforms.rewriting.remarks import remark
from ...transforms.rewriting.scalar_code import flags_of
from ..epilogues.constants import like
from .activation import find_activation
from .anchors import Anchor, anchor_of
from .instruction_selection import Covering, NotLowered, name_layers
from .int8 import add_scales, find_output_scale, find_sums


class ConvertFusedToNcnn(ModulePass):
    """Convert operations of the `fused` dialect back to layers (docs/fused.md): to one layer with a
    fused activation where ncnn has one, otherwise to several layers.

    The epilogue alone determines the layers: each value becomes the result of the layer whose
    formula covers the most operations. An operation that no layers compute stays; a remark names
    the reason.
    """

    name = "convert-fused-to-ncnn"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lift(op)


def lift(module: ModuleOp) -> None:
    """Turn `fused` operations back into layers (`ConvertFusedToNcnn`)."""
    for fused in [o for o in module.walk() if isinstance(o, FusedOp)]:
        try:
            convert(fused)
        except NotLowered as e:
            remark(ConvertFusedToNcnn.name, fused.label(), note=str(e))
    for func in [f for f in module.walk() if isinstance(f, FuncOp)]:
        if not func.is_declaration and isinstance(func.body.blocks[0].last_op, ReturnOp):
            update_type(func)


def convert(op: FusedOp) -> None:
    """Replace an operation by layers. Raises `NotLowered`; then the operation stays, with a
    simplified epilogue."""
    op = _simplified(op)
    covering, result = _cover(op)
    name_layers(covering.layers, op)
    Rewriter.insert_op(covering.layers, InsertPoint.before(op))
    if result.type != op.result.type:
        result = Rewriter.replace_value_with_new_type(result, op.result.type)
    op.result.replace_all_uses_with(result)
    operands = op.operands
    Rewriter.erase_op(op)
    for value in operands:  # replaced weights; the Quantize that an int8 layer does itself
        if isinstance(value.owner, ConstantOp | QuantizeOp) and not value.uses:
            Rewriter.erase_op(value.owner)


def _cover(op: FusedOp) -> tuple[Covering, SSAValue]:
    """Return the layers of an operation, which are not inserted yet, and the blob that is its
    result. Raises `NotLowered`."""
    covering = Covering(op)
    try:
        anchor = anchor_of(op, covering)
        if anchor is not None:
            _add_anchor(op, anchor, covering)
        elif isinstance(op, ElementwiseOp) and op.input is not None:
            covering.stand_for(op.block.args[0], op.input)
        result = covering.finish()
        if not isinstance(result, OpResult) or result.op not in covering.layers:
            result = covering.add(NoopOp, [result], op.result.type)  # a result needs its own name
    except NotLowered:
        covering.drop()
        raise
    return covering, result


def _simplified(op: FusedOp) -> FusedOp:
    """Replace an operation by one with the same epilogue in its simplest form, without fast-math
    flags."""
    for scalar in op.block.ops:
        if flags := flags_of(scalar):
            kept = flags & {FastMathFlag.APPROX_FUNC}  # other flags apply to all layers
            scalar.properties["fastmath"] = arith.FastMathFlagsAttr(kept)
    simpler = rebuilt(op)
    Rewriter.replace_op(op, simpler)
    return simpler


def _add_anchor(op: FusedOp, anchor: Anchor, covering: Covering) -> None:
    """Add the layer of an anchor, with the part of the epilogue that the layer computes itself."""
    accumulator = op.accumulator
    assert accumulator is not None
    made: SSAValue = accumulator
    if accumulator.type == i32:
        sums = find_sums(op, covering)
        add_scales(op, anchor, sums, covering)
        made = sums.value
    found = (
        find_activation(op, made, covering.scalars)
        if issubclass(anchor.cls, ActivationHost)
        else None
    )
    if found is not None:
        made, activation = found
        anchor.params["activation_type"] = activation.type
        anchor.params["activation_params"] = activation.params
    element = i8 if accumulator.type == i8 else f32
    scale = (
        find_output_scale(op, made, covering) if "top_int8_scales" in anchor.cls.WEIGHTS else None
    )
    if scale is not None and accumulator.type == i32:
        made, element = op.yielded, i8
        anchor.params["int8_scale_term"] = 101
        anchor.weights["top_int8_scales"] = scale
    type_ = like(op.result, element)
    value = covering.add(anchor.cls, anchor.data, type_, anchor.params, anchor.weights)
    covering.stand_for(made, value)
