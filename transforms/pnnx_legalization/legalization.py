"""The base of the legalizations of single PNNX operators, and access to operators."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import Float32Type, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...analysis.shape_inference import infer
from ...dialects.ncnn.blob import blob
from ...dialects.ncnn.function import declare_outputs, is_one_block
from ...dialects.pnnx.cast import CastOp
from ...dialects.pnnx.operations import GraphOp, OperatorOp
from ...dialects.pnnx.tensors import shape_in_torch
from ..rewriting.axis_merging import broadcast_shapes, fold_around, fold_shape
from ..rewriting.layer_builder import LayerBuilder, Shape
from ..rewriting.remarks import emit_remark


class TensorBuilder(LayerBuilder):
    """Inserts layers before an operator. Casts convert between tensors and blobs; adjacent casts
    are folded."""

    def __init__(
        self,
        op: OperatorOp,
        rewriter: PatternRewriter,
        inputs: Sequence[Shape],
        outputs: Sequence[Shape],
    ) -> None:
        super().__init__(op, rewriter)
        self.inputs = inputs
        """The shapes of the operator's tensors in PyTorch."""
        self.outputs = outputs
        """The shapes of its results in PyTorch."""

    def cast(self, value: SSAValue, type_: Attribute) -> SSAValue:
        """Return a value of this type with the same elements."""
        while isinstance(value.owner, CastOp) and value.owner.batches() == (None, None):
            value = value.owner.input
        if value.type == type_:
            return value
        cast = CastOp(value, type_)
        self.insert(cast)
        return cast.output

    def reshape(self, value: SSAValue, shape: Shape) -> SSAValue:
        return self.cast(value, blob(shape))

    def fold(self, shape: Shape) -> Shape:
        """Return the shape of the blob for a tensor: the same elements in at most four dims."""
        return fold_shape(shape)

    def fold_around(self, shape: Shape, axis: int) -> tuple[Shape, int]:
        """Return the shape of a blob that keeps `axis` as one axis, and its place there."""
        return fold_around(shape, axis)

    def fold_together(self, shapes: Sequence[Shape]) -> Sequence[Shape] | None:
        """Return shapes of blobs that broadcast as these tensors do; `None` if they need more than
        four dims."""
        if len(set(shapes)) == 1:
            return [fold_shape(shape) for shape in shapes]
        return broadcast_shapes(shapes)


class Legalization(RewritePattern):
    """Replaces operators of some types by layers. All shapes must be static, and the required
    parameters present."""

    TYPES: ClassVar[frozenset[str]]
    """PNNX's names of the operators."""
    NUM_TENSORS: ClassVar[int | None] = 1
    """The number of operands; `None`: any."""
    TAKES_NUMBER: ClassVar[bool] = False
    """Whether an operand that is a number may follow the tensors."""
    NUM_RESULTS: ClassVar[int | None] = 1
    """The number of results; `None`: any."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, OperatorOp) or op.type.data not in self.TYPES:
            return
        if isinstance(op.parent_op(), GraphOp):
            return
        tensors, results = self.tensors_of(op), list(op.outputs)
        inputs, outputs = shapes_of(tensors or ()), shapes_of(results)
        if tensors is None or inputs is None or outputs is None:
            return
        builder = TensorBuilder(op, rewriter, inputs, outputs)
        values = self.legalize(op, builder)
        if values is None:
            return
        outputs = [builder.cast(v, o.type) for v, o in zip(values, op.outputs, strict=True)]
        emit_remark(self, op)
        rewriter.replace(op, [], outputs)

    def tensors_of(self, op: OperatorOp) -> list[SSAValue] | None:
        """Return the operands that are tensors; `None` for another number of operands or
        results."""
        tensors = list(op.inputs)
        if self.TAKES_NUMBER:
            tensors = tensors[: self.NUM_TENSORS]
        fits = self.NUM_TENSORS in (None, len(tensors))
        return tensors if fits and self.NUM_RESULTS in (None, len(op.outputs)) else None

    @abstractmethod
    def legalize(self, op: OperatorOp, b: TensorBuilder) -> Sequence[SSAValue] | None:
        """Return values with the elements of the results, row-major. Return `None`, and insert
        nothing, if a condition does not hold."""


def shape_of_tensor(value: SSAValue) -> Shape | None:
    """Return the extents of a float32 tensor if all are static and none is 0."""
    type_ = value.type
    if not isinstance(type_, TensorType):
        return None
    if not isinstance(cast(TensorType[Attribute], type_).element_type, Float32Type):
        return None
    shape = shape_in_torch(value.type)
    return None if shape is None or 0 in shape else shape


def shapes_of(values: Sequence[SSAValue]) -> list[Shape] | None:
    """Return the shapes of values (see `shape_of_tensor`); `None` unless all are known."""
    shapes = [shape for v in values if (shape := shape_of_tensor(v)) is not None]
    return shapes if len(shapes) == len(values) else None


def as_ints(value: object) -> tuple[int, ...] | None:
    """Return the integers of a parameter: one, or a list; `None` for another value."""
    if isinstance(value, int) and not isinstance(value, bool):
        return (value,)
    if isinstance(value, tuple):
        found = [n for n in cast(tuple[object, ...], value) if isinstance(n, int)]
        return tuple(found) if len(found) == len(cast(tuple[object, ...], value)) else None
    return None


def as_axis(value: object, rank: int) -> int | None:
    """Return the axis that a parameter specifies, counted from the outermost; `None` if the
    parameter is no axis of a tensor of this rank."""
    if not isinstance(value, int) or isinstance(value, bool) or not -rank <= value < rank:
        return None
    return value % rank


def resized(shape: Shape, axis: int, *extents: int) -> Shape:
    """Return a shape with other extents, or none, in place of one axis."""
    return (*shape[:axis], *extents, *shape[axis + 1 :])


def replace_in_model(op: Operation, values: Sequence[SSAValue], rewriter: PatternRewriter) -> None:
    """Replace a layer of an ncnn model, whose results have unknown shapes, by values. Outputs keep
    their names, and the shapes that follow are inferred."""
    func = op.parent_op()
    model = func if isinstance(func, FuncOp) and is_one_block(func) else None
    if model is not None:
        declare_outputs(model)
    rewriter.replace(op, [], values)
    if model is not None:
        infer(model)
