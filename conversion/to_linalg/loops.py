"""Loops as `scf.for`."""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType
from xdsl.ir import Block, Operation, SSAValue

from ..tracing.loops import Loop
from .builder import Builder, tensor_type
from .kernels import Kernels


def write_loop(kernels: Kernels, node: Loop) -> list[SSAValue]:
    """Write a loop over the rows of a matrix. Return the rows of its results, and the state after
    the last step. Loop-invariant values are computed before it."""
    builder = kernels.builder
    rows, first = kernels.value(node.x), [kernels.value(each) for each in node.first]
    count = node.x.shape[0]
    made = builder.empty((count, *node.first[0].shape), node.first[0].dtype)
    block = Block(arg_types=[IndexType(), made.type, *(value.type for value in first)])

    def inside(op: Operation) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    at, filled, *carried = block.args
    if node.reverse:
        last = inside(arith.SubiOp(builder.extents.of(count), builder.extents.of(1)))
        at = inside(arith.SubiOp(last, at))
    body = kernels.inside(inside)
    body.set_value(node.row, _row(body.builder, rows, at, node))
    for parameter, value in zip(node.carried, carried, strict=True):
        body.set_value(parameter, value)
    for outer in node.outer:
        body.set_value(outer, kernels.value(outer))
    after = body.write(node.next)
    width = body.builder.indices(node.first[0].shape)
    block.add_op(insert := _insert(after[0], filled, at, width))
    block.add_op(scf.YieldOp(insert.result, *after))
    begin, end, by = (builder.extents.of(n) for n in (0, count, 1))
    op = scf.ForOp(begin, end, by, [made, *first], block)
    builder.place(op)
    return list(op.results)


def _row(builder: Builder, rows: SSAValue, at: SSAValue, node: Loop) -> SSAValue:
    """Return one row of a matrix as a vector."""
    shape = node.row.shape
    sizes = builder.indices(shape)
    type_ = tensor_type(shape, cast(Any, rows.type).element_type)
    return builder.place(
        tensor.ExtractSliceOp(
            rows, [at, *(0 for _ in shape)], [1, *sizes], [1] * (1 + len(shape)), type_
        )
    )


def _insert(
    row: SSAValue, into: SSAValue, at: SSAValue, sizes: Sequence[SSAValue | int]
) -> tensor.InsertSliceOp:
    fixed = [n if isinstance(n, int) else DYNAMIC_INDEX for n in sizes]
    return tensor.InsertSliceOp.get(
        row,
        into,
        static_sizes=[1, *fixed],
        static_offsets=[DYNAMIC_INDEX, *(0 for _ in sizes)],
        static_strides=[1] * (1 + len(sizes)),
        offsets=[at],
        sizes=[n for n in sizes if not isinstance(n, int)],
        result_type=into.type,
    )
