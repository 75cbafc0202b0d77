"""Separates kernels from the kernels around them, for IREE.

IREE lays out the factors of an int8 matrix product in tiles, and fuses this with the kernel that
computes a factor. If that kernel is the end of another matrix product, the fused kernel moves a
whole matrix through vectors: it is many times slower than both, or IREE refuses it, and would then
compile all products without tiles.

If IREE fuses borders with the kernels that read them, only loop nests over windows become faster.

A global average of elements that other kernels read, too, as in squeeze and excitation, would
compute the elements once more.
"""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, f32, i8, i16, i32
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.iree import ComputeBarrierStartOp

RESHAPES = tensor.CollapseShapeOp | tensor.ExpandShapeOp

FLOATS_OF_WAY = 1024
"""The number of floats in a way of the first cache (4 KiB)."""


def separate_int8(func: FuncOp) -> None:
    """Put a barrier behind each kernel that rounds to int8, and behind each kernel whose result is
    rounded to int8, or computed from integers, and has other readers. Also put one behind the first
    half of a Winograd transform: IREE would compute it whole for each tile of the other half."""
    for op in list(func.walk()):
        if not isinstance(op, linalg.GenericOp):
            continue
        if _is_rounding(op):
            for value in dict.fromkeys(op.inputs):
                if isinstance(value.owner, linalg.GenericOp) and value.has_more_than_one_use():
                    _separate(value)
            _separate(op.results[0])
        elif _is_widening(op) or (_is_scaling(op) and op.results[0].has_more_than_one_use()):
            _separate(op.results[0])


def insert_float_barriers(func: FuncOp, has_masks: bool) -> None:
    """Put a barrier behind each element-wise kernel or transposition whose result is reduced, and
    has other readers: IREE would compute it in both kernels, and without vectors for the reduction.
    Also put one behind those of slices whose pixels are a multiple of 4 KiB apart: for a matrix
    product, IREE would compute a channel of several pixels at once, from elements in one set of the
    cache. Without masks, also put one behind those that compute a factor of several products of
    static extents: for some (2 products of 5 rows) IREE computes wrong elements."""
    for op in list(func.walk()):
        if not isinstance(op, linalg.GenericOp | linalg.TransposeOp) or _is_reduction(op):
            continue
        users = readers = {use.operation for use in op.results[0].uses}
        for _ in range(2):  # the operations of a reshape
            reshaped = [each.results[0] for each in readers if isinstance(each, RESHAPES)]
            readers = readers | {use.operation for value in reshaped for use in value.uses}
        shared = len(users) > 1 and any(map(_is_reduction, users))
        sliced = any(isinstance(value.owner, tensor.ExtractSliceOp) for value in op.inputs)
        shape = shape_of(op.results[0])
        aliased = sliced and any(n > 0 and n % FLOATS_OF_WAY == 0 for n in shape[-1:])
        factors = not has_masks and DYNAMIC_INDEX not in shape
        multiplied = factors and any(map(_are_products, readers))
        if shared or (loops_of(op)[1] == 0 and (aliased or multiplied)):
            _separate(op.results[0])


def loops_of(op: Operation) -> tuple[int, int]:
    """Return the numbers of parallel loops, and of loops that reduce."""
    kinds = [each.data for each in op.iterator_types] if isinstance(op, linalg.GenericOp) else []
    return kinds.count(IteratorType.PARALLEL), kinds.count(IteratorType.REDUCTION)


def shape_of(value: SSAValue) -> tuple[int, ...]:
    return cast(TensorType[Any], value.type).get_shape()


def _are_products(op: Operation) -> bool:
    """Whether a kernel computes several products of float matrices, without tiles of its own."""
    is_product = loops_of(op) == (3, 1) and "compilation_info" not in op.attributes
    is_product = is_product and element_types(op.results) == [f32]
    return is_product and all(len(shape_of(each)) == 3 for each in op.operands)


def _is_reduction(op: Operation) -> bool:
    """Whether a kernel reduces one tensor: products are computed from two."""
    return isinstance(op, linalg.GenericOp) and len(op.inputs) == 1 and loops_of(op)[1] > 0


def separate_pads(func: FuncOp) -> bool:
    """Return whether only loop nests over windows of static extents read some border. Then put a
    barrier behind each other border."""
    pads = [op for op in func.walk() if isinstance(op, tensor.PadOp)]
    static = [op for op in pads if DYNAMIC_INDEX not in shape_of(op.result)]
    read = [
        op
        for op in static
        if not _has_inner_border(op)
        and all(_is_over_windows(use.operation) for use in op.result.uses)
    ]
    others = [op for op in pads if op not in read]
    if len(others) == len(pads):
        return False
    for op in others:
        _separate(op.result)
    return True


def _has_inner_border(op: tensor.PadOp) -> bool:
    """Whether the innermost axis has a border, as of windows over rows of channels that lie apart.
    IREE (3.13) never ends compiling some of these, where the windows read no other border, if it
    computes the border in their kernel."""
    return shape_of(op.source)[-1] != shape_of(op.result)[-1]


def _is_over_windows(op: Operation) -> bool:
    """Whether a kernel reduces windows: two loops of a reduction behind three parallel ones, over
    several rows of several pixels. For one row, IREE refuses a border in the kernel."""
    return loops_of(op) == (3, 2) and 1 not in shape_of(op.results[0])[:2]


def _is_rounding(op: linalg.GenericOp) -> bool:
    """Whether a kernel computes int8 elements from elements of other types."""
    return is_int8(op.results[0]) and not any(map(is_int8, op.inputs))


def _is_scaling(op: linalg.GenericOp) -> bool:
    """Whether a kernel computes floats from integers, such as the sums of an int8 layer."""
    return element_types(op.results) == [f32] and i32 in element_types(op.inputs)


def _is_widening(op: linalg.GenericOp) -> bool:
    """Whether an element-wise kernel computes int16 from int8."""
    widens = element_types(op.results) == [i16] and i8 in element_types(op.inputs)
    return widens and loops_of(op)[1] == 0


def element_types(values: Sequence[SSAValue]) -> list[Attribute]:
    return [cast(Any, value.type).element_type for value in values]


def is_int8(value: SSAValue) -> bool:
    """Whether a value is an int8, or a tensor of int8."""
    type_ = value.type
    element = cast(Any, type_).element_type if isinstance(type_, TensorType) else type_
    return element == i8


def _separate(value: SSAValue) -> None:
    """Let all users of a value read it through a barrier."""
    users: list[Operation] = [use.operation for use in value.uses]
    if not users or any(isinstance(user, ComputeBarrierStartOp) for user in users):
        return
    barrier = ComputeBarrierStartOp(value)
    value.replace_all_uses_with(barrier.result)
    barrier.operands[0] = value
    Rewriter.insert_op(barrier, InsertPoint.after(value.owner))  # pyright: ignore
