"""Where weights go in code for other compilers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp as ArithConstantOp
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects.ncnn.constant import ConstantOp


@dataclass(frozen=True)
class ExternalizeWeights(ModulePass):
    """Turn the constants of a model that was lowered to linalg into what other compilers read:
    values in the text (`style=dense`), or further arguments of the function (`style=args`)."""

    name = "externalize-weights"

    style: str = "dense"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        place = _STYLES[self.style]
        for func in [f for f in op.ops if isinstance(f, FuncOp) and not f.is_declaration]:
            for constant in [c for c in func.body.block.ops if isinstance(c, ConstantOp)]:
                value = place(func, constant)
                constant.output.replace_all_uses_with(value)
                Rewriter.erase_op(constant)
            _strip(func)


def _dense(func: FuncOp, op: ConstantOp) -> SSAValue:
    values = op.read()
    type_ = cast(Any, op.output.type)
    new = ArithConstantOp(
        DenseIntOrFPElementsAttr.from_list(type_, values.reshape(-1).tolist()), type_
    )
    Rewriter.insert_op(new, InsertPoint.before(op))
    return new.result


def _argument(func: FuncOp, op: ConstantOp) -> SSAValue:
    block = func.body.block
    arg = block.insert_arg(op.output.type, len(block.args))
    arg.name_hint = op.output.name_hint
    inputs, outputs = func.function_type.inputs, func.function_type.outputs
    func.function_type = FunctionType.from_lists([*inputs, arg.type], [*outputs])
    return arg


_STYLES: Mapping[str, Callable[[FuncOp, ConstantOp], SSAValue]] = {
    "dense": _dense,
    "args": _argument,
}


def _strip(func: FuncOp) -> None:
    """Takes away what only our own dialect reads."""
    func.arg_attrs = None
    func.res_attrs = None
    for name in [name for name in func.attributes if name.startswith("ncnn.")]:
        del func.attributes[name]
