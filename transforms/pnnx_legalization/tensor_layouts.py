"""How the blobs of an ncnn model stand for tensors: which axis of the tensor the runtime does not
have, or holds as a batch of blobs."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from ...dialects.ncnn.blob import blob, static_shape_of
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.expressions import evaluate
from ...dialects.ncnn.extents import AXES
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.pnnx.operations import OperatorOp
from .legalization import Shape, shape_of_tensor
from .shape_operators import order_of

NO_AXIS = 233
"""Reshape's word for no batch."""


@dataclass(frozen=True)
class Facts:
    """What is known of a blob."""

    shape: Shape | None
    """The extents of one blob of the batch."""
    batch: int = 1
    """How many blobs there are; 0 if that is not known."""
    axis: int | None = None
    """The axis of the tensor that Reshape made the batch of; `None` if none did."""


@dataclass(frozen=True)
class Layout:
    """How a blob stands for a tensor."""

    axis: int | None
    """The axis that is not in the blob; `None`: all are."""
    batch: int
    """Its extent: that of the batch of blobs."""


class BlobFacts:
    """What is known of the blobs of a function, layer by layer: in batches as well, of which types
    say nothing."""

    def __init__(self, func: FuncOp, inputs: Sequence[Shape | None]) -> None:
        """`inputs` are the tensors that the model was converted for. Their first axis is that of a
        batch of one, which blobs do not have."""
        self._facts: dict[SSAValue, Facts] = {}
        for i, arg in enumerate(func.body.block.args):
            shape = static_shape_of(arg)
            if shape is None and i < len(inputs) and (tensor := inputs[i]) is not None:
                shape = tensor[1:] if tensor[0] == 1 and len(tensor) > 1 else tensor
            self._facts[arg] = Facts(shape)

    def of(self, value: SSAValue) -> Facts:
        """The facts of a blob."""
        return self._facts.get(value) or Facts(static_shape_of(value))

    def say(self, value: SSAValue, facts: Facts) -> None:
        """Gives a blob facts that follow from elsewhere."""
        self._facts[value] = facts

    def visit(self, op: LayerOp) -> None:
        """Works out the facts of a layer's results from those of its operands."""
        inputs = [self.of(value) for value in op.operands]
        batch = max([f.batch for f in inputs], default=1)
        batch = 0 if any(f.batch == 0 for f in inputs) else batch
        axis = next((f.axis for f in inputs if f.batch == batch), None)
        if isinstance(op, ReshapeOp):
            self.say(op.results[0], _reshaped(op, inputs))
            return
        shapes = self._inferred(op, inputs)
        for result, shape in zip(op.results, shapes, strict=True):
            self.say(result, Facts(shape, batch, axis))

    def _inferred(self, op: LayerOp, inputs: Sequence[Facts]) -> list[Shape | None]:
        """The extents of the results, if the operands had the extents that are known of them."""
        known = [static_shape_of(result) for result in op.results]
        if all(known) or not any(f.shape for f in inputs):
            return known
        types = op.infer_types(
            [_type(v, facts) for v, facts in zip(op.operands, inputs, strict=True)]
        )
        if types is None:
            return known
        return [k or static_shape_of(t) for k, t in zip(known, types, strict=False)]


def _type(value: SSAValue, facts: Facts) -> Attribute:
    """The type of an operand, if it has the extents that are known of it."""
    if facts.shape is None or isinstance(value.owner, ConstantOp):
        return value.type
    return blob(facts.shape)


def _reshaped(op: ReshapeOp, inputs: Sequence[Facts]) -> Facts:
    """What Reshape makes of a batch, or makes a batch of."""
    x = inputs[0]
    if op.input_batch_axis == op.output_batch_axis == NO_AXIS:
        shape = static_shape_of(op.results[0]) or _wanted(op, inputs, x.shape)
        return Facts(shape, x.batch, x.axis)
    logical = _wanted(op, inputs, _with(x.shape, op.input_batch_axis, x.batch))
    axis = op.output_batch_axis
    if axis == NO_AXIS:
        return Facts(logical)
    if logical is None or axis >= len(logical):
        return Facts(None, 0)
    return Facts((*logical[:axis], *logical[axis + 1 :]), logical[axis], axis)


def _with(shape: Shape | None, axis: int, extent: int) -> Shape | None:
    if shape is None or axis == NO_AXIS:
        return shape
    return (*shape[:axis], extent, *shape[axis:])


def _wanted(op: ReshapeOp, inputs: Sequence[Facts], x: Shape | None) -> Shape | None:
    """The extents that Reshape is told, of the blob with its batch."""
    rank = op.output_rank()
    if op.shape_expr:
        values = evaluate(op.shape_expr, [f.shape for f in inputs])
        numbers = [n for n in values or () if isinstance(n, int)]
        wanted = numbers[::-1] if values and len(numbers) == len(values) else None
    else:
        wanted = op.wanted(rank) if rank in AXES else None
    if wanted is None or x is None or DYNAMIC_INDEX in x:
        return tuple(wanted) if wanted is not None and min(wanted) > 0 else None
    total = prod(x)
    named = dict(zip(AXES.get(len(x), ""), x, strict=True)) if len(x) in AXES else {}
    axes = AXES.get(len(wanted), "")
    filled = [named.get(a, 0) if n == 0 else n for a, n in zip(axes, wanted, strict=False)]
    filled = filled or wanted
    if filled.count(-1) == 1:
        rest = -prod(filled)
        filled[filled.index(-1)] = total // rest if rest > 0 else 0
    return tuple(filled) if filled and min(filled) > 0 else None


def layout_of(facts: Facts, value: SSAValue) -> Layout | None:
    """How a blob stands for a tensor of a PNNX graph: with all of its axes, or without the one of
    the batch; `None` if it does not, or if it cannot be told which axis a batch is."""
    tensor = shape_of_tensor(value)
    if tensor is None:
        return None
    if facts.shape == tensor and facts.batch == 1:
        return Layout(None, 1)
    fits = [
        k
        for k, n in enumerate(tensor)
        if n == facts.batch and (*tensor[:k], *tensor[k + 1 :]) == facts.shape
    ]
    if facts.batch == 1:
        return Layout(fits[0], 1) if fits else _without_shape(facts, tensor)
    if len(fits) > 1:
        # Those that were an axis of their own in the tensors before.
        lived = {k: _generations(value, k) for k in fits}
        fits = [k for k in fits if lived[k] == max(lived.values())]
    return Layout(fits[0], facts.batch) if len(fits) == 1 else None


MOST_GENERATIONS = 16
"""So many tensors back an axis is followed."""


def _generations(value: SSAValue, axis: int) -> int:
    """In how many tensors before this one an axis was an axis as well."""
    for count in range(MOST_GENERATIONS):
        op, shape = value.owner, shape_of_tensor(value)
        if not isinstance(op, OperatorOp) or not op.inputs or shape is None:
            return count
        before = shape_of_tensor(op.inputs[0])
        if before is None:
            return count
        found = _axis_before(op, before, shape, axis)
        if found is None:
            return count
        value, axis = op.inputs[0], found
    return MOST_GENERATIONS


def _axis_before(op: OperatorOp, before: Shape, after: Shape, axis: int) -> int | None:
    """The axis of an operator's input that an axis of its result was."""
    if op.type.data in ("Tensor.permute", "torch.permute", "torch.transpose"):
        order = order_of(op, len(before))
        return None if order is None else order[axis]
    if prod(before) == prod(after) or len(before) == len(after):
        # In a reshape as many elements are outside of it; elsewhere outer axes stay.
        outside = prod(after[:axis])
        places = (i for i, n in enumerate(before) if n == after[axis])
        return next((i for i in places if prod(before[:i]) == outside), None)
    return None


def _without_shape(facts: Facts, tensor: Shape) -> Layout | None:
    """A blob of which only the elements are those of the tensor: their order is what counts. Of one
    whose extents do not follow from anything the tensor says them."""
    if facts.shape is None:
        return Layout(0 if tensor[0] == 1 and len(tensor) > 1 else None, 1)
    return Layout(None, 1) if prod(facts.shape) == prod(tensor) else None
