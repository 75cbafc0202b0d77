"""`iree_tensor_ext.compute_barrier.start`: a value whose users are no part of its kernel."""

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
class ComputeBarrierStartOp(IRDLOperation):
    """Return the operand. IREE fuses no kernel of a user with a kernel of the producer.

    The operand is a tensor of static extents: IREE asks for the other extents as operands.
    IREE removes the operation once it has formed the kernels, so it costs no copy and no wait.

    Example: `%b = iree_tensor_ext.compute_barrier.start %a : tensor<4xi8> -> tensor<4xi8>`
    Source: compiler/src/iree/compiler/Dialect/TensorExt/IR/TensorExtOps.td in IREE.
    """

    name = "iree_tensor_ext.compute_barrier.start"

    T: ClassVar = VarConstraint("T", AnyAttr())

    value = operand_def(T)
    result = result_def(T)

    assembly_format = "$value attr-dict `:` type($value) `->` type($result)"

    def __init__(self, value: SSAValue) -> None:
        super().__init__(operands=[value], result_types=[value.type])
