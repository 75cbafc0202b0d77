"""Insertion of layers that replace layers of batches."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ...analysis.batches import Batches, BlobBatch
from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.extents import MAX_DIMS
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from ...dialects.shapes.terms import Extents
from ..canonicalization.rewriting import changed
from ..rewriting.layer_builder import LayerBuilder, Shape

Rewrite: TypeAlias = Callable[["BatchBuilder"], Sequence[SSAValue]]
"""Inserts layers before a layer, and returns replacements of its results."""


def merged_shape(blobs: BlobBatch) -> Shape:
    """Return the shape of the blob that replaces a batch: the batch is its outermost axis. If
    each blob has 4 dims, the batch is merged into their outermost axis."""
    count, shape = blobs.count, blobs.known_extents()
    assert count is not None
    return (count, *shape) if len(shape) < MAX_DIMS else (count * shape[0], *shape[1:])


class BatchBuilder(LayerBuilder):
    """Inserts layers before one layer of a batch, to replace it. All shapes are static."""

    def __init__(
        self,
        op: LayerOp,
        batches: Batches,
        replacements: dict[SSAValue, SSAValue],
        shapes: dict[SSAValue, Extents],
        rewriter: PatternRewriter,
    ) -> None:
        """`replacements` are the blobs that replace batches, `shapes` the shapes of new blobs. Both
        are shared by the builders of a function."""
        super().__init__(op, rewriter)
        self._layer = op
        self._batches = batches
        self._is_named = False
        self._replacements = replacements
        self._shapes = shapes

    def insert(self, op: Operation) -> None:
        op.location = self.op.location
        super().insert(op)

    def record(self, value: SSAValue, shape: Extents) -> None:
        self._shapes[value] = shape

    def input(self, place: int) -> SSAValue:
        """Return the blob that replaces an input of the layer."""
        return self.replacement(self._layer.data_operands()[place])

    def replacement(self, value: SSAValue) -> SSAValue:
        """Return the blob that replaces a batch, or the value itself if it is no batch."""
        found = self._replacements.get(value, value)
        if found not in self._shapes and (extents := self._batches.of(value).extents()) is not None:
            self._shapes[found] = extents
        return found

    def copy(self, inputs: Sequence[SSAValue], **params: Value) -> list[SSAValue]:
        """Insert a copy of the layer with these inputs and changed parameters, and return its
        results."""
        self._is_named = True
        return self.insert_layer(changed(self._layer, inputs, **params))

    def insert_layer(self, new: LayerOp) -> list[SSAValue]:
        """Insert a layer, and return its results with their inferred types."""
        new.set_params(shape_hints=())
        super().insert(new)
        given = [self._shapes.get(v) or self._batches.of(v).shape for v in new.operands]
        shapes = new.infer_shapes(given) or (None,) * len(new.results)
        results: list[SSAValue] = []
        types = new.infer_types() or new.result_types
        for old, type_, shape in zip(tuple(new.results), types, shapes, strict=True):
            results.append(self.rewriter.replace_value_with_new_type(old, type_))
            if (extents := BlobBatch(shape).extents()) is not None:
                self.record(results[-1], extents)
        return results

    def reshape(self, value: SSAValue, shape: Shape) -> SSAValue:
        return value if self._shapes.get(value) == shape else super().reshape(value, shape)

    def keep_names(self, value: SSAValue) -> SSAValue:
        """Return a replacement of the layer's result with the result's name, unless it replaces a
        batch: users may extract a named blob. If no new layer has the layer's name yet, the last
        one gets it."""
        op, owner = self._layer, value.owner
        is_blob = len(op.results) == 1 and self._batches.of(op.results[0]).count == 1
        if not isinstance(owner, LayerOp) or owner.layer_name is not None:
            if not is_blob:
                return value
            shape = BlobBatch(self._shapes[value]).known_extents()
            value = super().reshape(value, shape)
            owner = value.owner
        if is_blob or not self._is_named:
            assert isinstance(owner, LayerOp)
            name = None if op.layer_name is None else op.layer_name.data
            set_names(owner, name, names_of(op) if is_blob else (None,) * len(owner.results))
        return value
