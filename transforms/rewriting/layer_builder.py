"""Insertion of new ncnn layers before an operation."""

from collections.abc import Mapping, Sequence

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint

from ...dialects.ncnn.blob import blob
from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp
from ...dialects.ncnn.extents import extent_params, order_type
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.reshaping import PermuteOp, ReshapeOp
from ...dialects.shapes.analysis import numbers
from ...dialects.shapes.terms import Extents
from .axis_merging import permutation_steps

Shape = tuple[int, ...]


class LayerBuilder:
    """Inserts layers before an operation. The caller gives the shape of each result, outermost axis
    first. A subclass may type or record results in another way."""

    def __init__(self, op: Operation, rewriter: PatternRewriter) -> None:
        self.op = op
        self.rewriter = rewriter

    def result_type(self, shape: Extents) -> Attribute:
        """Return the type of a new result of this shape."""
        return blob(numbers(shape))

    def record(self, value: SSAValue, shape: Extents) -> None:
        """Record the shape of a new result."""

    def insert(self, op: Operation) -> None:
        """Insert an operation."""
        self.rewriter.insert(op, InsertPoint.before(self.op))

    def layer(
        self, cls: type[LayerOp], inputs: Sequence[SSAValue], *shapes: Extents, **params: Value
    ) -> Sequence[SSAValue]:
        """Insert a layer with these parameters, and return its results, one for each shape."""
        return self.layer_with_weights(cls, inputs, {}, *shapes, **params)

    def layer_with_weights(
        self,
        cls: type[LayerOp],
        inputs: Sequence[SSAValue],
        weights: Mapping[str, SSAValue | None],
        *shapes: Extents,
        **params: Value,
    ) -> Sequence[SSAValue]:
        """Insert a layer with these parameters and weights, and return its results."""
        types = [self.result_type(shape) for shape in shapes]
        new = cls.make(inputs, weights, types, {})
        new.init_params(params)
        self.insert(new)
        for result, shape in zip(new.results, shapes, strict=True):
            self.record(result, shape)
        return new.results

    def binary(self, function: str, a: SSAValue, b: SSAValue, shape: Extents) -> SSAValue:
        """Insert a BinaryOp of two blobs, and return its result."""
        return self.layer(BinaryOpOp, [a, b], shape, op_type=BINARY_OPS.index(function))[0]

    def reshape(self, value: SSAValue, shape: Shape) -> SSAValue:
        """Return a blob of this shape with the elements of `value`, row-major."""
        return self.layer(ReshapeOp, [value], shape, **extent_params(shape))[0]

    def permute(self, value: SSAValue, shape: Sequence[int], order: Sequence[int]) -> SSAValue:
        """Return a blob with the elements of a permuted tensor, row-major.

        `shape` and `order` are those axes: the tensor has the elements of `value` in this shape, of
        any rank, and axis `i` of the result is its axis `order[i]`.
        """
        for step in permutation_steps(shape, order):
            value = self.reshape(value, step.shape)
            params = {"order_type": order_type(step.order)}
            value = self.layer(PermuteOp, [value], step.result(), **params)[0]
        return value

    def move_outermost(self, value: SSAValue, shape: Shape, axis: int) -> SSAValue:
        """Return the elements of a tensor of this shape with one axis as the outermost one."""
        return self.permute(value, shape, (axis, *(i for i in range(len(shape)) if i != axis)))

    def move_from_outermost(self, value: SSAValue, shape: Shape, axis: int) -> SSAValue:
        """Return the elements of a tensor of this shape. In `value`, this axis is the outermost
        one."""
        moved = (shape[axis], *shape[:axis], *shape[axis + 1 :])
        order = (*range(1, axis + 1), 0, *range(axis + 1, len(shape)))
        return self.permute(value, moved, order)
