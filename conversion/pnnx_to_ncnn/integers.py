"""Integers: those of an input are bits in its blob, which an Embed reads. All other layers compute
with floats."""

from collections.abc import Set
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.ncnn.embedding import EmbedOp
from ...dialects.ncnn.interfaces import Identity
from ...dialects.pnnx.cast import CastOp
from ...dialects.pnnx.operations import OperatorOp
from ...dialects.pnnx.tensors import shape_in_torch
from .lowering import OperatorBuilder, Refusal

MAX_TABLE = 2**20
"""The most rows of a table of numbers."""

MOVES = (
    *("Tensor.reshape", "Tensor.view", "Tensor.reshape_as", "Tensor.view_as", "Tensor.flatten"),
    *("torch.flatten", "torch.squeeze", "torch.unsqueeze", "Tensor.squeeze", "Tensor.unsqueeze"),
    *("Tensor.slice", "Tensor.select", "torch.select", "torch.split", "torch.chunk"),
    *("torch.cat", "torch.stack", "torch.unbind", "Tensor.expand", "Tensor.expand_as"),
    *("Tensor.repeat", "torch.tile", "torch.clone", "Tensor.clone", "Tensor.contiguous"),
    *("Tensor.permute", "torch.permute", "torch.transpose", "torch.t", "torch.flip"),
    *("aten::alias", "Tensor.detach", "torch.detach"),
)
"""The operators that only move elements: with integers alone, integers stay."""
LOOKUPS = ("nn.Embedding", "F.embedding")
"""The operators that look up rows by integers."""


def holds_integers(value: SSAValue, integers: Set[SSAValue]) -> bool:
    """Whether the blob of a tensor holds integers: its elements are of these inputs."""
    pending, seen = [value], set[SSAValue]()
    while pending:
        value = pending.pop()
        if value in integers:
            return True
        if value not in seen and isinstance(value.owner, CastOp | Identity):
            pending += value.owner.operands
        seen.add(value)
    return False


def as_numbers(b: OperatorBuilder, value: SSAValue, limit: int | None) -> SSAValue:
    """Return the floats for a blob that holds integers below `limit`: a look-up in a table."""
    if limit is None:
        raise Refusal("it computes with integers of an input whose range is not known")
    if limit > MAX_TABLE:
        raise Refusal(f"it computes with integers of an input up to {limit}")
    count = prod(b.shape(value))
    table = b.constant(np.arange(limit).reshape(limit, 1))
    return b.layer_with_weights(
        EmbedOp,
        [b.reshape(value, (count,))],
        {"weight": table},
        (count, 1),
        num_output=1,
        input_dim=limit,
    )[0]


def limit_of(value: SSAValue) -> int | None:
    """Return the number below which the integers of a tensor of the graph are: the rows of a table
    in which the model looks them up. `None` if the model has no such table."""
    pending, seen = [value], set[SSAValue]()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        for use in value.uses:
            op = use.operation
            if isinstance(op, OperatorOp) and (rows := _rows(op, use.index)) is not None:
                return rows
            if isinstance(op, OperatorOp) and op.type.data in MOVES:
                pending += op.outputs
        if isinstance(value.owner, OperatorOp) and value.owner.type.data in MOVES:
            pending += value.owner.inputs
    return None


def _rows(op: OperatorOp, index: int) -> int | None:
    """Return the rows of the table of a look-up by this operand."""
    types = list(op.weight_types().values())
    if op.type.data == "F.embedding" and len(op.inputs) == 2 and index == 0:
        types = [op.inputs[1].type]
    shape = shape_in_torch(types[0]) if op.type.data in LOOKUPS and types else None
    return None if shape is None else shape[0]
