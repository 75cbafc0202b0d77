"""The roles of layers with weights at the ends of a model."""

from collections.abc import Iterable, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.layer import LayerOp

STEM, HEAD = "stem", "head"
"""The first layers with weights behind an input, and the last ones before an output."""


def layers_in_role(role: str, layers: Sequence[LayerOp]) -> set[LayerOp]:
    """Return the layers with a role: from the inputs (`stem`), or back from the outputs (`head`),
    the first layers with weights on each path."""
    found: set[LayerOp] = set()
    seen: set[Operation] = set()
    waiting = list(_ends(role, layers))
    while waiting:
        op = waiting.pop()
        if op in seen:
            continue
        seen.add(op)
        if isinstance(op, LayerOp) and _has_weights(op):
            found.add(op)
        else:
            waiting += _following(op) if role == STEM else _preceding(op)
    return found


def _ends(role: str, layers: Sequence[LayerOp]) -> Iterable[Operation]:
    """Return the operations at the inputs or the outputs of the models of some layers."""
    functions = {func for op in layers if isinstance(func := op.parent_op(), FuncOp)}
    for func in functions:
        if role == STEM:
            yield from (use.operation for arg in func.body.block.args for use in arg.uses)
        elif func.body.block.last_op is not None:
            yield from _preceding(func.body.block.last_op)


def _has_weights(op: LayerOp) -> bool:
    return any(value is not None for value in op.weight_operands().values())


def _following(op: Operation) -> list[Operation]:
    return [use.operation for result in op.results for use in result.uses]


def _preceding(op: Operation) -> list[Operation]:
    owners = (value.owner for value in op.operands)
    return [
        each for each in owners if isinstance(each, LayerOp) and not isinstance(each, ConstantOp)
    ]
