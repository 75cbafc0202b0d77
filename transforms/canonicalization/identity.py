"""Layers that give their inputs back unchanged."""

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.ncnn.function import declare_outputs
from ...dialects.ncnn.interfaces import Identity
from ...dialects.ncnn.structure import InputOp, SplitOp
from ..remarks import remark


@dataclass(frozen=True)
class EliminateIdentity(RewritePattern):
    """Removes a layer whose outputs are its inputs.

    Algebra: `y = x`.

    Conditions, and why:
    - types are equal: the uses of a value must not see its type change;
    - an output of the model keeps its name. The input's producer takes it; where the input is
      needed under other names as well, export puts a Split, which it would need in any case. What
      is all there is between an input of the model and an output stays, unless it is a Split.
    """

    only: type[Identity] | None = None
    """Only layers of this type."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, Identity) or not isinstance(op, self.only or Identity):
            return
        values = op.forwarded()
        if not op.results or values is None or op.extra:
            return
        pairs = list(zip(op.results, values, strict=True))
        if any(result.type != value.type for result, value in pairs):
            return
        if not isinstance(op, SplitOp) and any(_stands_between_names(r, v) for r, v in pairs):
            return
        if any(isinstance(use.operation, ReturnOp) for r in op.results for use in r.uses):
            func = op.parent_op()
            if isinstance(func, FuncOp):
                declare_outputs(func)
        remark(f"eliminate-{op.LAYER_TYPE.lower()}", op.label())
        rewriter.replace(op, [], values)


def _stands_between_names(result: SSAValue, value: SSAValue) -> bool:
    """Whether a layer is all there is between an input of the model and outputs of it."""
    is_input = isinstance(value, BlockArgument) or isinstance(value.owner, InputOp)
    returned = any(isinstance(use.operation, ReturnOp) for use in result.uses)
    return is_input and returned and value.has_one_use()
