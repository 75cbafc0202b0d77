"""Creates tensor operations, and the channels-last copies of blobs.

A blob of shape `channels x … x h x w` has a channels-last copy of shape `h x w x channels x …`. A
convolution computes many channels of one pixel from the same few inputs, so vectors hold channels.
Then no vector ends inside a row, padding copies whole rows, strides skip whole vectors, and windows
need no columns. Layers compute channels-last copies where they can. The blob itself is the
transposed copy; it is removed where only copies are read.
"""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, TypeAlias, TypeVar, cast

from xdsl.dialects import tensor
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.rewriter import Rewriter

from ...dialects.shapes.terms import Extent, Extents, ExtentTerm, provably_equal
from ..tracing.nodes import DType, count
from .extents import ExtentValues
from .scalars import type_of

Body = Callable[[Sequence[SSAValue], Callable[[Operation], SSAValue]], SSAValue]
"""Writes the block of a generic operation: returns the yielded value for the block's arguments."""

_T = TypeVar("_T")

Index: TypeAlias = Extent | SSAValue
"""An index, known or computed."""


class Builder:
    """Creates operations; `place` inserts them."""

    def __init__(self, place: Callable[[Operation], SSAValue], extents: ExtentValues) -> None:
        self.place = place
        self.extents = extents

    def type(self, shape: Extents, dtype: DType) -> TensorType[Any]:
        """Return a tensor type."""
        return tensor_type(shape, type_of(dtype))

    def dynamic(self, shape: Sequence[Extent]) -> list[SSAValue]:
        """Return the values of a shape's extents that its type leaves open."""
        return [self.extents.of(n) for n in shape if not isinstance(n, int)]

    def indices(self, extents: Sequence[Index]) -> list[SSAValue | int]:
        """Return extents as numbers if they are known, else as values."""
        return [self.extents.of(n) if isinstance(n, ExtentTerm) else n for n in extents]

    def empty(self, shape: Extents, dtype: DType) -> SSAValue:
        """Create a tensor without values."""
        return self.place(tensor.EmptyOp(self.dynamic(shape), self.type(shape, dtype)))

    def dense(self, values: Any) -> SSAValue:
        """Create a tensor of known values."""
        type_ = self.type(values.shape, values.dtype)
        flat = values.reshape(-1).tolist()
        return self.place(ConstantOp(DenseIntOrFPElementsAttr.from_list(type_, flat), type_))

    def fill(self, value: SSAValue, shape: Extents, dtype: DType) -> SSAValue:
        """Create a tensor that repeats one value."""
        out = self.empty(shape, dtype)
        return self.place(linalg.FillOp([value], [out], [out.type]))

    def generic(
        self,
        inputs: Sequence[tuple[SSAValue, Sequence[AffineExpr]]],
        out: SSAValue,
        out_map: Sequence[AffineExpr],
        dims: int,
        body: Body,
    ) -> SSAValue:
        """Create a `linalg.generic` with `dims` loops. Loops that the map of the result lacks are
        reductions. The body's arguments are the elements of the inputs, then the element of
        `out`."""
        maps = [AffineMap(dims, 0, tuple(exprs)) for _, exprs in inputs]
        maps.append(AffineMap(dims, 0, tuple(out_map)))
        kept = {expr.position for expr in out_map if isinstance(expr, AffineDimExpr)}
        iterators = [
            IteratorTypeAttr(IteratorType.PARALLEL if i in kept else IteratorType.REDUCTION)
            for i in range(dims)
        ]
        operands = [value for value, _ in inputs]
        block = Block(arg_types=[_element(v.type) for v in (*operands, out)])

        def inside(op: Operation) -> SSAValue:
            block.add_op(op)
            return op.results[0]

        result = body(block.args, inside)
        block.add_op(linalg.YieldOp(result))
        return self.place(
            linalg.GenericOp(
                operands,
                [out],
                Region(block),
                ArrayAttr([AffineMapAttr(each) for each in maps]),
                ArrayAttr(iterators),
                [out.type],
            )
        )

    def transpose(self, value: SSAValue, shape: Extents, order: Sequence[int]) -> SSAValue:
        """Return `value`, a tensor of `shape`, with axis `order[i]` as its i-th axis."""
        type_ = tensor_type(tuple(shape[i] for i in order), _element(value.type))
        out = self.place(tensor.EmptyOp(self.dynamic([shape[i] for i in order]), type_))
        permutation = DenseArrayBase.from_list(i64, list(order))
        return self.place(linalg.TransposeOp(value, out, permutation))

    def concat(self, parts: Sequence[SSAValue], axis: int, shape: Extents) -> SSAValue:
        """Return tensors joined along an axis, as a tensor of `shape`."""
        type_ = tensor_type(shape, _element(parts[0].type))
        return self.place(tensor.ConcatOp(parts, axis, type_))

    def reshape(self, value: SSAValue, old: Extents, shape: Extents) -> SSAValue:
        """Return the same elements in another shape: merge axes, then split axes."""
        if provably_equal(old, shape):
            return value
        groups = grouped(old, shape)
        dtype = _element(value.type)
        middle = tuple(count(old[i] for i in each) for each, _ in groups)
        if not provably_equal(middle, old):
            value = self.place(
                tensor.CollapseShapeOp.build(
                    operands=[value],
                    properties={"reassociation": _reassociation([each for each, _ in groups])},
                    result_types=[tensor_type(middle, dtype)],
                )
            )
        if not provably_equal(middle, shape):
            value = self.place(
                tensor.ExpandShapeOp(
                    value,
                    self.dynamic(shape),
                    _reassociation([each for _, each in groups]),
                    [n if isinstance(n, int) else DYNAMIC_INDEX for n in shape],
                    tensor_type(shape, dtype),
                )
            )
        return value

    def slice(
        self,
        value: SSAValue,
        offsets: Sequence[Index],
        shape: Extents,
        strides: Sequence[int],
        result: Extents | None = None,
    ) -> SSAValue:
        """Return some of the elements; as a tensor of the shape `result` if it lacks axes."""
        type_ = tensor_type(shape if result is None else result, _element(value.type))
        where = self.indices(offsets), self.indices(shape), list(strides)
        return self.place(tensor.ExtractSliceOp(value, *where, type_))

    def insert(
        self,
        part: SSAValue,
        into: SSAValue,
        offsets: Sequence[Index],
        shape: Extents,
        strides: Sequence[int],
    ) -> SSAValue:
        """Return a tensor with a part replaced."""
        fixed, offset_values = _split(self.indices(offsets))
        sizes, size_values = _split(self.indices(shape))
        return self.place(
            tensor.InsertSliceOp.get(
                part,
                into,
                static_sizes=sizes,
                static_offsets=fixed,
                static_strides=list(strides),
                offsets=offset_values,
                sizes=size_values,
                result_type=into.type,
            )
        )

    def pad(
        self, value: SSAValue, old: Extents, border: SSAValue, low: Extents, shape: Extents
    ) -> SSAValue:
        """Return a tensor with a border of one value, as a tensor of `shape`."""
        high = tuple(n - m - before for n, m, before in zip(shape, old, low, strict=True))
        fixed_low, low_values = _split(self.indices(low))
        fixed_high, high_values = _split(self.indices(high))
        # An operation behind all that may raise: nothing would remove its use of the border.
        block = Block(arg_types=[IndexType()] * len(shape))
        block.add_op(tensor.YieldOp(border))
        type_ = tensor_type(shape, _element(value.type))
        return self.place(
            tensor.PadOp(
                value, low_values, high_values, Region(block), fixed_low, fixed_high, type_
            )
        )


def dim(index: int) -> AffineExpr:
    """Return a loop of a loop nest as an affine expression."""
    return AffineExpr.dimension(index)


def tensor_type(shape: Extents, element: Attribute) -> TensorType[Any]:
    """Return a tensor type with `?` for unknown extents."""
    return TensorType(element, [n if isinstance(n, int) else DYNAMIC_INDEX for n in shape])


def _element(type_: Attribute) -> Attribute:
    return cast(TensorType[Any], type_).element_type if isinstance(type_, TensorType) else type_


def _split(values: Sequence[SSAValue | int]) -> tuple[list[int], list[SSAValue]]:
    """Return numbers, with the marker of dynamic extents in the place of values, and the values."""
    numbers = [v if isinstance(v, int) else DYNAMIC_INDEX for v in values]
    return numbers, [v for v in values if not isinstance(v, int)]


def _reassociation(groups: Sequence[Sequence[int]]) -> Any:
    return ArrayAttr([ArrayAttr([IntegerAttr(i, i64) for i in group]) for group in groups])


def grouped(old: Extents, new: Extents) -> list[tuple[list[int], list[int]]]:
    """Return the smallest groups of adjacent axes that hold the same elements in both shapes."""
    groups: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(old) or j < len(new):
        a, b = _leading(old[i:], new[j:])
        groups.append((list(range(i, i + a)), list(range(j, j + b))))
        i, j = i + a, j + b
    return [(a, b) for a, b in _joined(groups)]


def _leading(old: Extents, new: Extents) -> tuple[int, int]:
    """Return the least numbers of leading axes that hold the same elements in both shapes."""
    counts = product(*(range(min(1, len(shape)), len(shape) + 1) for shape in (old, new)))
    same = [(a, b) for a, b in counts if count(old[:a]) == count(new[:b])]
    return min(same, key=sum, default=(len(old), len(new)))


def _joined(groups: Sequence[tuple[list[int], list[int]]]) -> list[tuple[list[int], list[int]]]:
    """Join each group that has no axes on one side (extent 1 on the other) with its neighbor."""
    result: list[tuple[list[int], list[int]]] = []
    for a, b in groups:
        if result and (not a or not b or not result[-1][0] or not result[-1][1]):
            result[-1][0].extend(a)
            result[-1][1].extend(b)
        else:
            result.append((list(a), list(b)))
    return result


# -- channels-last copies


def channels_last(axes: Sequence[_T]) -> tuple[_T, ...]:
    """Return one item per axis of a blob in the order of its channels-last copy."""
    return (*axes[-2:], *axes[:-2])


def channels_first(axes: Sequence[_T]) -> tuple[_T, ...]:
    """Return one item per axis of a channels-last copy in the order of the blob."""
    return (*axes[2:], *axes[:2])


class ChannelsLastCopies:
    """The channels-last copies of blobs; each blob is transposed at most once."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._copies: dict[SSAValue, SSAValue] = {}

    def find(self, blob: SSAValue) -> SSAValue | None:
        """Return the copy of `blob`; `None` if it has none yet."""
        copy = self._copies.get(blob) or _transposed_from(blob, channels_first)
        if copy is not None:
            self._copies[blob] = copy
        return copy

    def of(self, blob: SSAValue, shape: Extents) -> SSAValue:
        """Return the copy of `blob`, a tensor of `shape`. Create it if necessary."""
        copy = self.find(blob)
        if copy is None:
            order = channels_last(range(len(shape)))
            copy = self._copies[blob] = self._builder.transpose(blob, shape, order)
        return copy

    def blob_of(self, copy: SSAValue, shape: Extents) -> SSAValue:
        """Create the blob of `shape` whose copy is `copy`."""
        order = channels_first(range(len(shape)))
        blob = self._builder.transpose(copy, channels_last(shape), order)
        self._copies[blob] = copy
        return blob


def _transposed_from(
    value: SSAValue, order: Callable[[Sequence[int]], tuple[int, ...]]
) -> SSAValue | None:
    """Return the tensor that `value` transposes by this order of the axes; `None` for others."""
    op = value.owner
    if not isinstance(op, linalg.TransposeOp):
        return None
    permutation = op.permutation.get_values()
    rank = len(permutation)
    return op.inputs[0] if rank > 2 and permutation == order(range(rank)) else None


def remove_unused(block: Block) -> None:
    """Remove transpositions that undo others, then tensor operations without users.

    xDSL's dead-code elimination cannot do this: xDSL's linalg operations declare no memory effects.
    """
    for op in list(block.ops):
        if isinstance(op, linalg.TransposeOp):
            copy = _transposed_from(op.res[0], channels_last)
            original = None if copy is None else _transposed_from(copy, channels_first)
            if original is not None:
                op.res[0].replace_all_uses_with(original)
    for op in reversed(list(block.ops)):
        if op.dialect_name() in ("linalg", "tensor") and not any(r.uses for r in op.results):
            Rewriter.erase_op(op)
