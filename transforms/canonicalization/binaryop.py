"""BinaryOp: constant operands as scalars, and weighted sums."""

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.elementwise import BinaryOpOp, EltwiseOp, reversed_op
from ...dialects.ncnn.interfaces import ChannelAffine
from ...dialects.ncnn.layer import LayerOp
from ...dialects.shapes.analysis import Shapes
from ..rewriting.pattern_set import LayerReplacement
from ..rewriting.remarks import emit_remark
from .affine import uniform_affine
from .parallel_branches import factors_of
from .rewriting import all_finite, only_producer, replace_by_new


class ScalarOperand(RewritePattern):
    """Replace a constant operand of one element by the scalar parameter of a BinaryOp.

    Algebra: `op(x, [c]) = op(x, c)`; `op([c], x) = rop(x, c)`, where rop is op with swapped
    operands, which BinaryOp has for all non-symmetric operations.

    Conditions, and why:
    - the constant has one element and at most the rank of the blob: otherwise the result has a
      higher rank;
    - it is a finite float: the scalar is a parameter in text.

    The constant may have other users; it stays for them.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: BinaryOpOp, rewriter: PatternRewriter) -> None:
        side = None if op.with_scalar or op.extra else op.constant_side()
        if side is None:
            return
        x, constant, first = side
        shape, rank = static_shape_of(constant.output), shapes_of(rewriter).rank(x)
        if shape is None or any(n != 1 for n in shape) or not constant.has_values():
            return
        if shape != (1,) and (rank is None or len(shape) > rank):
            return
        values = constant.read()
        if values.dtype.kind != "f" or not all_finite((values,)):
            return
        op.operands = [x]
        op_type = reversed_op(op.op_type) if first else op.op_type
        op.set_params(op_type=op_type, with_scalar=1, b=float(values.reshape(-1)[0]))
        emit_remark(self, op, constant)
        rewriter.notify_op_modified(op)


class FormWeightedSum(LayerReplacement):
    """Replace a sum or difference of operands that are multiplied by scalars by one Eltwise.

    Algebra: `a x ± b y`.

    Conditions, and why:
    - both operands provably have the same shape: a BinaryOp broadcasts, an Eltwise does not;
    - each multiplication has this one use and is no output;
    - there is at least one multiplication: without it nothing is gained;
    - the coefficients are finite in float32.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: BinaryOpOp, rewriter: PatternRewriter) -> None:
        signs = factors_of(op)
        if signs is None:
            return
        shapes = shapes_of(rewriter)
        terms = [_term(value, op, shapes) for value in op.inputs]
        factors = [layer for _, _, layer in terms if layer is not None]
        coeffs = tuple(sign * factor for sign, (_, factor, _) in zip(signs, terms, strict=True))
        if not factors or not all_finite(coeffs) or not shapes.same(*op.inputs):
            return
        params = {"op_type": _SUM, "coeffs": coeffs}
        replace_by_new(op, EltwiseOp, [x for x, _, _ in terms], {}, params, rewriter)
        for layer in factors:
            rewriter.erase(layer)


_SUM = 1
"""The op_type of Eltwise for sums."""


def _term(
    value: SSAValue, op: BinaryOpOp, shapes: Shapes
) -> tuple[SSAValue, float, LayerOp | None]:
    """Return a blob, its factor, and the layer that multiplies them, if there is one."""
    layer = only_producer(value, op)
    factor = None if layer is None else uniform_affine(layer, shapes)
    if isinstance(layer, ChannelAffine) and factor is not None and factor[1] == 0:
        x = layer.affine_operand()
        if x is not None and x.type == value.type:
            return x, factor[0], layer
    return value, 1.0, None
