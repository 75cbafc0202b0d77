"""`util.optimization_barrier`: a value that no optimization sees through."""

from typing import ClassVar

from xdsl.ir import SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    result_def,
)


@irdl_op_definition
class OptimizationBarrierOp(IRDLOperation):
    """Return the operand. IREE fuses no kernel of a user with a kernel of the producer.

    Example: `%b = util.optimization_barrier %a : tensor<8x8x16xi8>`
    Source: compiler/src/iree/compiler/Dialect/Util/IR/UtilOps.td in IREE.
    """

    name = "util.optimization_barrier"

    T: ClassVar = VarConstraint("T", AnyAttr())

    value = operand_def(T)
    result = result_def(T)

    assembly_format = "$value attr-dict `:` type($value)"

    def __init__(self, value: SSAValue) -> None:
        super().__init__(operands=[value], result_types=[value.type])
