"""What the legalizations of single operators have in common: layers between casts."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import Float32Type, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from ...dialects.ncnn.blob import blob
from ...dialects.ncnn.extents import ORDERS, permutation
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.reshaping import PermuteOp
from ...dialects.pnnx.cast import CastOp
from ...dialects.pnnx.operations import GraphOp, OperatorOp
from ...dialects.pnnx.tensors import shape_in_torch
from ..rewriting.axis_merging import MOST_DIMS
from ..rewriting.remarks import tell

Shape = tuple[int, ...]


class Layers:
    """Makes layers in front of an operator. Between two of them a value is a blob or a tensor,
    whatever it came as: casts say which, and fold where they meet."""

    def __init__(self, op: OperatorOp, rewriter: PatternRewriter) -> None:
        self.op = op
        self._rewriter = rewriter

    def insert(self, op: Operation) -> None:
        """Puts an operation in front."""
        self._rewriter.insert(op, InsertPoint.before(self.op))

    def cast(self, value: SSAValue, type_: Attribute) -> SSAValue:
        """The same elements as a value of this type."""
        while isinstance(value.owner, CastOp) and value.owner.batches() == (None, None):
            value = value.owner.input
        if value.type == type_:
            return value
        cast = CastOp(value, type_)
        self.insert(cast)
        return cast.output

    def blob(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        """The same elements as a blob."""
        return self.cast(value, blob(shape))

    def make(
        self,
        cls: type[LayerOp],
        inputs: Sequence[SSAValue],
        *shapes: Sequence[int],
        **params: Value,
    ) -> Sequence[SSAValue]:
        """The results, of these shapes, of a layer with these parameters."""
        op = cls.make(inputs, {}, [blob(shape) for shape in shapes], {})
        op.init_params(params)
        self.insert(op)
        return op.results

    def permute(self, value: SSAValue, shape: Sequence[int], order: Sequence[int]) -> SSAValue:
        """A blob of this shape with its axes in another order, of 2 to 4."""
        orders = range(len(ORDERS[len(shape)]))
        number = next(i for i in orders if permutation(i, len(shape)) == tuple(order))
        result = [shape[axis] for axis in order]
        return self.make(PermuteOp, [self.blob(value, shape)], result, order_type=number)[0]


class Legalization(RewritePattern):
    """Makes layers of operators of some types. Fires where all shapes are known, and where what it
    needs of the parameters is there."""

    TYPES: ClassVar[frozenset[str]]
    """PNNX's names of the operators."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, OperatorOp) or op.type.data not in self.TYPES:
            return
        if isinstance(op.parent_op(), GraphOp):
            return
        shapes = [shape_of_tensor(v) for v in op.outputs]
        if any(shape is None for shape in shapes):
            return
        layers = Layers(op, rewriter)
        results = self.legalize(op, layers)
        if results is None:
            return
        outputs = [layers.cast(v, o.type) for v, o in zip(results, op.outputs, strict=True)]
        tell(self, op)
        rewriter.replace(op, [], outputs)

    @abstractmethod
    def legalize(self, op: OperatorOp, layers: Layers) -> Sequence[SSAValue] | None:
        """Values with the elements of the results, row-major; `None`, and nothing was made, where
        that cannot be done."""


def shape_of_tensor(value: SSAValue) -> Shape | None:
    """The extents of a float32 tensor if all are known and it has elements."""
    type_ = value.type
    if not isinstance(type_, TensorType):
        return None
    if not isinstance(cast(TensorType[Attribute], type_).element_type, Float32Type):
        return None
    shape = shape_in_torch(value.type)
    return None if shape is None or 0 in shape else shape


def shapes_of(op: OperatorOp) -> tuple[list[Shape], list[Shape]] | None:
    """The shapes of operands and results, if all are known."""
    inputs = [shape_of_tensor(v) for v in op.inputs]
    outputs = [shape_of_tensor(v) for v in op.outputs]
    if None in inputs or None in outputs:
        return None
    return [s for s in inputs if s], [s for s in outputs if s]


def ints_in(value: object) -> tuple[int, ...] | None:
    """The ints that a parameter is: one, or a list of them."""
    if isinstance(value, int) and not isinstance(value, bool):
        return (value,)
    if isinstance(value, tuple):
        found = [n for n in cast(tuple[object, ...], value) if isinstance(n, int)]
        return tuple(found) if len(found) == len(cast(tuple[object, ...], value)) else None
    return None


def axis_in(value: object, rank: int) -> int | None:
    """An axis counted from the outermost, of a parameter that may be anything."""
    if not isinstance(value, int) or isinstance(value, bool) or not -rank <= value < rank:
        return None
    return value % rank


def around(shape: Shape, axis: int) -> tuple[Shape, int]:
    """A shape of the same elements with at most four dims in which this axis is one, and where it
    is there: as it is if that is few enough, else without other axes of extent 1, and if that is
    not enough with outer ones merged, or inner ones where there are no outer ones."""
    extents = list(shape)
    if len(extents) > MOST_DIMS:
        kept = [i for i, n in enumerate(extents) if n != 1 or i == axis]
        axis, extents = kept.index(axis), [extents[i] for i in kept]
    while len(extents) > MOST_DIMS:
        at = 0 if axis >= 2 else axis + 1
        extents[at : at + 2] = [extents[at] * extents[at + 1]]
        axis -= axis >= 2
    return tuple(extents), axis
