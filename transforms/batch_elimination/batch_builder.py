"""Layers in the place of those of batches."""

from collections.abc import Callable, Sequence
from math import prod
from typing import TypeAlias

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint

from ...analysis.batches import Blobs, Facts
from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.blob import UNRANKED
from ...dialects.ncnn.extents import ABSENT, AXES, ORDERS, permutation
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.reshaping import PermuteOp, ReshapeOp
from ..canonicalization.rewriting import changed, typed
from ..rewriting.axis_merging import MOST_DIMS, plan

Shape = tuple[int, ...]

Rewrite: TypeAlias = Callable[["Builder"], Sequence[SSAValue]]
"""Puts layers before one; returns what stands for its results."""


def joined(blobs: Blobs) -> Shape:
    """The extents of the one blob that stands for a batch: the batch is its outermost axis, or part
    of that where each blob has 4 dims already."""
    count, shape = blobs.number, blobs.extents()
    assert count is not None
    assert shape is not None
    return (count, *shape) if len(shape) < MOST_DIMS else (count * shape[0], *shape[1:])


class Builder:
    """Puts layers before one layer of batches, which they stand for. Each value that is given out
    has certain extents, which are noted."""

    def __init__(
        self,
        op: LayerOp,
        facts: Facts,
        instead: dict[SSAValue, SSAValue],
        shapes: dict[SSAValue, Shape],
        rewriter: PatternRewriter,
    ) -> None:
        """`instead` are the blobs that stand for batches, `shapes` the extents of what was put."""
        self.op = op
        self.facts = facts
        self.rewriter = rewriter
        self._is_named = False
        self._instead = instead
        self._shapes = shapes

    def blob(self, place: int) -> SSAValue:
        """The blob for an input: what stands for a batch, or a blob as it is."""
        return self.of(self.op.data_operands()[place])

    def of(self, value: SSAValue) -> SSAValue:
        """The same for any value that there was before."""
        found = self._instead.get(value, value)
        if found not in self._shapes and (extents := self.facts.of(value).extents()) is not None:
            self._shapes[found] = extents
        return found

    def rank(self, value: SSAValue) -> int:
        """How many dims a blob has."""
        return len(self._shapes[value])

    def put(self, layer: LayerOp) -> SSAValue:
        """Puts a layer, without a name; returns what it gives."""
        set_names(layer, None, (None,) * len(layer.results))
        return self._put(layer)

    def layer(self, data: Sequence[SSAValue], **params: Value) -> SSAValue:
        """Puts a layer like the one in question, of its name, of other blobs; returns what it
        gives."""
        self._is_named = True
        return self._put(changed(self.op, data, **params))

    def new(self, cls: type[LayerOp], data: Sequence[SSAValue], **params: Value) -> SSAValue:
        """Puts a layer without weights and with one result; returns that."""
        layer = cls.make(data, {}, [UNRANKED], {})
        layer.init_params(params)
        layer.location = self.op.location
        return self.put(layer)

    def parts(self, value: SSAValue, shapes: Sequence[Shape], **params: Value) -> list[SSAValue]:
        """Puts a layer like the one in question that gives several blobs, of these extents."""
        self._is_named = True
        layer = changed(self.op, [value], **params)
        layer.set_params(shape_hints=())
        self.rewriter.insert(layer, InsertPoint.before(self.op))
        found: list[SSAValue] = [*layer.results]
        for i, type_ in enumerate(layer.infer_types() or ()):
            found[i] = self.rewriter.replace_value_with_new_type(found[i], type_)
        for result, shape in zip(found, shapes, strict=True):
            self._shapes[result] = shape
        return found

    def reshape(self, value: SSAValue, shape: Shape) -> SSAValue:
        """The same elements as a blob of these extents."""
        if self._shapes.get(value) == shape:
            return value
        return self._note(self.new(ReshapeOp, [value], **_extents(shape)), shape)

    def permute(self, value: SSAValue, shape: Shape, order: Sequence[int]) -> SSAValue:
        """The elements, row-major, as a tensor of these extents, and its axes in another order. A
        blob of these elements in that order comes out."""
        for step in plan(shape, order):
            value = self.reshape(value, step.shape)
            rank = len(step.shape)
            orders = range(len(ORDERS[rank]))
            number = next(i for i in orders if permutation(i, rank) == step.order)
            value = self._note(self.new(PermuteOp, [value], order_type=number), step.result())
        return value

    def outermost(self, value: SSAValue, shape: Shape, axis: int) -> SSAValue:
        """The same with one axis as the outermost."""
        split = prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :])
        return self.permute(value, split, (1, 0, 2))

    def inside(self, value: SSAValue, shape: Shape, axis: int) -> SSAValue:
        """The same as a tensor of these extents, of which one axis is the outermost one as yet."""
        split = shape[axis], prod(shape[:axis]), prod(shape[axis + 1 :])
        return self.permute(value, split, (1, 0, 2))

    def named(self, value: SSAValue) -> SSAValue:
        """A blob that has the name of the one that it stands for, if that is no batch: somebody
        may ask for it. What else has no name yet gets that of the layer."""
        op, owner = self.op, value.owner
        is_blob = len(op.results) == 1 and self.facts.of(op.results[0]).number == 1
        if not isinstance(owner, LayerOp) or owner.layer_name is not None:
            if not is_blob:
                return value
            value = self.new(ReshapeOp, [value], **_extents(self._shapes[value]))
            owner = value.owner
        if is_blob or not self._is_named:
            assert isinstance(owner, LayerOp)
            name = None if op.layer_name is None else op.layer_name.data
            set_names(owner, name, names_of(op) if is_blob else (None,) * len(owner.results))
        return value

    def _put(self, layer: LayerOp) -> SSAValue:
        layer.set_params(shape_hints=())
        self.rewriter.insert(layer, InsertPoint.before(self.op))
        result = typed(layer)
        found = layer.infer_shapes(
            [self._shapes.get(v) or self.facts.of(v).shape for v in layer.operands]
        )
        numbers = Blobs(1, found[0] if found else None).extents()
        return result if numbers is None else self._note(result, numbers)

    def _note(self, value: SSAValue, shape: Shape) -> SSAValue:
        self._shapes[value] = shape
        return value


def _extents(shape: Shape) -> dict[str, Value]:
    """The parameters of a Reshape that gives these extents."""
    extents = dict(zip(AXES[len(shape)], shape, strict=True))
    return {axis: extents.get(axis, ABSENT) for axis in "whdc"}
