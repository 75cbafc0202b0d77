"""Casts between PyTorch tensors and ncnn blobs."""

from math import prod

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .tensors import shape_in_torch


@irdl_op_definition
class CastOp(IRDLOperation):
    """Reinterpret the same row-major elements in another shape: a blob as a tensor or a tensor as a
    blob.

    `from_batch` and `to_batch` give the tensor axis that the runtime holds as a batch of blobs. The
    blob's type is the type of one element of the batch.

    Example: `%t = pnnx.cast %x {from_batch = 0 : i32} : tensor<49x128xf32> to
    tensor<16x49x128xf32>`
    """

    name = "pnnx.cast"

    input = operand_def()
    output = result_def()
    from_batch = opt_prop_def(IntegerAttr)
    to_batch = opt_prop_def(IntegerAttr)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

    def __init__(
        self,
        value: SSAValue,
        type_: Attribute,
        from_batch: int | None = None,
        to_batch: int | None = None,
    ) -> None:
        super().__init__(
            operands=[value],
            result_types=[type_],
            properties={
                "from_batch": None if from_batch is None else IntegerAttr(from_batch, i32),
                "to_batch": None if to_batch is None else IntegerAttr(to_batch, i32),
            },
        )

    def batches(self) -> tuple[int | None, int | None]:
        """The properties `from_batch` and `to_batch`."""
        old, new = self.from_batch, self.to_batch
        return (
            None if old is None else old.value.data,
            None if new is None else new.value.data,
        )

    def verify_(self) -> None:
        old, new = shape_in_torch(self.input.type), shape_in_torch(self.output.type)
        from_batch, to_batch = self.batches()
        if from_batch is not None and to_batch is not None:
            raise VerifyException("from_batch and to_batch exclude each other")
        tensor, blob = (old, new) if to_batch is not None else (new, old)
        if tensor is None or blob is None:
            return
        batch = from_batch if to_batch is None else to_batch
        if batch is not None:
            if not 0 <= batch < len(tensor):
                raise VerifyException(f"a tensor of {len(tensor)} dims has no axis {batch}")
            tensor = (*tensor[:batch], *tensor[batch + 1 :])
        if prod(tensor) != prod(blob):
            raise VerifyException(f"{prod(blob)} elements cannot be {prod(tensor)}")
