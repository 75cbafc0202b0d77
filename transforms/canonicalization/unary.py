"""Unary functions in sequence, and negations before additions."""

from xdsl.ir import OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.ranges import range_of_blob
from ...dialects.ncnn.unary import UNARY_OPS, AbsValOp, UnaryOpOp
from ..rewriting.pattern_set import LayerReplacement
from ..rewriting.remarks import emit_remark
from .identity import may_replace_by, replace_by
from .rewriting import replace_by_new

ROUNDING = {"floor", "ceil", "round", "trunc"}
"""Functions that leave integers unchanged."""

INTEGER_VALUED = {*ROUNDING, "sign"}
"""Functions whose values are integers."""

EVEN = {"abs", "square", "cos", "cosh"}
"""Functions with `f(-x) = f(x)`."""


class MergeUnaryOps(RewritePattern):
    """Remove a function that another one makes redundant.

    Algebra: `-(-x) = x`; `f(g(x)) = g(x)`, where f leaves all values of g unchanged (rounding after
    rounding, abs of a non-negative blob: see `range_of_blob`); `f(g(x)) = f(x)`, where f ignores
    the effect of g (abs or square after neg or abs). The sign of a zero may differ.

    Conditions, and why: neither layer has unknown parameters; the conditions of `may_replace_by`.
    The blob between may have other users: it stays for them.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UnaryOpOp | AbsValOp, rewriter: PatternRewriter) -> None:
        if op.extra:
            return
        inner = op.input.op if isinstance(op.input, OpResult) else None
        if not isinstance(inner, LayerOp) or inner.extra:
            return
        outer = function_of(op)
        if outer == "abs" and range_of_blob(op.input).low >= 0:
            self._remove(op, inner, op.input, rewriter)
            return
        if not isinstance(inner, UnaryOpOp | AbsValOp):
            return
        first = function_of(inner)
        if outer == first == "neg":
            self._remove(op, inner, inner.input, rewriter)
        elif (outer in ROUNDING and first in INTEGER_VALUED) or outer == first == "sign":
            self._remove(op, inner, op.input, rewriter)
        elif outer in EVEN and first in ("neg", "abs"):
            emit_remark(self, op, inner)
            op.operands[0] = inner.input
            rewriter.notify_op_modified(op)

    def _remove(
        self, op: LayerOp, inner: LayerOp, value: SSAValue, rewriter: PatternRewriter
    ) -> None:
        """Replace the result of `op` by an earlier value, if that is possible."""
        if may_replace_by(op, [value]):
            emit_remark(self, inner, op)
            replace_by(op, [value], rewriter)


def function_of(op: LayerOp) -> str:
    """Return the name of the function that a layer computes."""
    return UNARY_OPS[op.op_type] if isinstance(op, UnaryOpOp) else "abs"


class MergeNegation(RewritePattern):
    """Turn an addition of a negated operand into a subtraction, and a subtraction into an addition.

    Algebra: `a + (-b) = a - b`, `(-a) + b = b - a`, `a - (-b) = a + b`.

    Conditions, and why: neither layer has unknown parameters. The negation may have other users: it
    stays for them.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: BinaryOpOp, rewriter: PatternRewriter) -> None:
        if len(op.inputs) != 2 or op.extra:
            return
        for place, others in enumerate(WITHOUT_NEGATION):
            kind = others.get(BINARY_OPS[op.op_type])
            layer = op.inputs[place].owner
            if kind is None or not isinstance(layer, UnaryOpOp) or layer.extra:
                continue
            if function_of(layer) == "neg":
                emit_remark(self, op, layer)
                op.set_params(op_type=BINARY_OPS.index(kind))
                op.operands[place] = layer.input
                rewriter.notify_op_modified(op)
                return


WITHOUT_NEGATION = ({"add": "rsub", "rsub": "add"}, {"add": "sub", "sub": "add"})
"""The operation of a BinaryOp without the negation of its first, or second, operand."""


class ReplaceProductBySquare(LayerReplacement):
    """Replace the product of a blob with itself by its square.

    Algebra: `x * x`. A UnaryOp reads the blob once, so a file needs no Split before it.

    Conditions, and why:
    - nothing else reads the blob, and it is no input of the model: the UnaryOp works in place, so
      the runtime would copy a blob that is needed again, and the copy takes longer than the
      product;
    - the layer has no unknown parameters.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: BinaryOpOp, rewriter: PatternRewriter) -> None:
        if len(op.inputs) != 2 or op.extra:
            return
        x = op.inputs[0]
        alone = all(use.operation is op for use in x.uses) and isinstance(x, OpResult)
        if BINARY_OPS[op.op_type] == "mul" and x is op.inputs[1] and alone:
            params = {"op_type": UNARY_OPS.index("square")}
            replace_by_new(op, UnaryOpOp, op.inputs[:1], {}, params, rewriter)
