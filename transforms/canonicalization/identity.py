"""Layers that give their inputs back unchanged."""

from dataclasses import dataclass

from xdsl.dialects.func import ReturnOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.ncnn.interfaces import Identity
from ...dialects.ncnn.structure import SplitOp
from ..remarks import remark


@dataclass(frozen=True)
class EliminateIdentity(RewritePattern):
    """Removes a layer whose outputs are its inputs.

    Algebra: `y = x`.

    Conditions, and why:
    - types are equal: the uses of a value must not see its type change;
    - an output of the model keeps its name: the input's producer takes it, unless the input is
      needed under its own name too (it is an input of the model, or has other uses). Then a layer
      is needed in any case, and this one stays. Not so for a Split, which is written anew wherever
      a value needs several names.
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
        if not isinstance(op, SplitOp) and any(_needs_both_names(r, v) for r, v in pairs):
            return
        remark(f"eliminate-{op.LAYER_TYPE.lower()}", op.label())
        rewriter.replace(op, [], values)


def _needs_both_names(result: SSAValue, value: SSAValue) -> bool:
    returned = any(isinstance(use.operation, ReturnOp) for use in result.uses)
    return returned and (isinstance(value, BlockArgument) or not value.has_one_use())
