"""Loops as `scf.for`."""

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.shapes.terms import Extents
from ..tracing.loops import Loop
from .builder import Index
from .kernels import LinalgWriter


def write_loop(kernels: LinalgWriter, node: Loop) -> list[SSAValue]:
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
    width = node.row.shape
    body.set_value(node.row, body.builder.slice(rows, *_row(at, width), width))
    for parameter, value in zip(node.carried, carried, strict=True):
        body.set_value(parameter, value)
    for outer in node.outer:
        body.set_value(outer, kernels.value(outer))
    after = body.write(node.next)
    result = body.builder.insert(after[0], filled, *_row(at, node.first[0].shape))
    block.add_op(scf.YieldOp(result, *after))
    begin, end, by = (builder.extents.of(n) for n in (0, count, 1))
    op = scf.ForOp(begin, end, by, [made, *first], block)
    builder.place(op)
    return list(op.results)


def _row(at: SSAValue, shape: Extents) -> tuple[Sequence[Index], Extents, Sequence[int]]:
    """Return the offsets, the sizes and the strides of a row of a matrix."""
    return (at, *(0 for _ in shape)), (1, *shape), (1,) * (1 + len(shape))
