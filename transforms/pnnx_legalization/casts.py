"""Casts between blobs, which are left when all operators are layers: as Reshape."""

from typing import cast

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.ncnn.blob import BlobType, blob, static_shape_of
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.pnnx.cast import CastOp
from ...dialects.pnnx.tensors import shape_in_torch
from ..rewriting.axis_merging import MOST_DIMS

_AXES = {1: "w", 2: "hw", 3: "chw", 4: "cdhw"}


class LegalizeCast(RewritePattern):
    """A cast from a blob to a blob, maybe through tensors, as Reshape to the extents of the result;
    none where the types are the same.

    Where the runtime holds a batch of blobs before or after it, Reshape says which axis of the
    tensor that is.

    Conditions: there is no operator in between. A tensor that is to become a batch has the blob's
    extents beside the batch, and no more dims than Reshape can say: four.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, CastOp):
            return
        shape = static_shape_of(op.output)
        if shape is None or len(shape) > MOST_DIMS or only_cast(op.output):
            return
        source, (from_batch, to_batch) = op.input, op.batches()
        while from_batch is None and isinstance(source.owner, CastOp):
            from_batch, after = source.owner.batches()
            if after is not None:
                return  # to a batch and back: that cast is rewritten before
            source = source.owner.input
        if not is_blob(source):
            return
        same = (source.type == op.output.type) and from_batch is None and to_batch is None
        if same:
            rewriter.replace(op, [], [source])
            return
        logical = shape
        if to_batch is not None:
            tensor = shape_in_torch(op.input.type)
            if tensor is None or len(tensor) > MOST_DIMS:
                return
            if (*tensor[:to_batch], *tensor[to_batch + 1 :]) != shape:
                return
            logical = tensor
        # Types say nothing of batches.
        type_ = cast(BlobType, op.output.type) if to_batch is None else blob(None)
        layer = ReshapeOp.make([source], {}, [type_], {})
        extents = dict(zip(_AXES[len(logical)], logical, strict=True))
        batches = {"input_batch_axis": from_batch, "output_batch_axis": to_batch}
        extents |= {key: axis for key, axis in batches.items() if axis is not None}
        layer.init_params(extents)
        rewriter.replace(op, [layer], layer.results)


def describe_left(op: CastOp) -> str | None:
    """The error for a cast between blobs that no Reshape is; `None` for one between tensors."""
    if op.batches()[1] is None or only_cast(op.output):
        return None
    readers = [use.operation for use in op.output.uses]
    reader = next((r.label() for r in readers if isinstance(r, LayerOp)), "an output")
    maker = op.input.owner
    while isinstance(maker, CastOp):
        maker = maker.input.owner
    source = maker.label() if isinstance(maker, LayerOp) else "an input"
    shape, count = shape_in_torch(op.input.type) or (), len(static_shape_of(op.output) or ())
    return (
        f"{reader} reads a batch of blobs of {count} dims, which no Reshape makes of the "
        f"{'x'.join(map(str, shape))} tensor of {source}; export the model with a batch of 1"
    )


def only_cast(value: SSAValue) -> bool:
    """Whether nothing but casts uses a value."""
    return all(isinstance(use.operation, CastOp) for use in value.uses)


def is_blob(value: SSAValue) -> bool:
    """Whether a value is one of the ncnn model's: no operator of PNNX's makes it, and no cast."""
    owner = value.owner
    return not isinstance(owner, Operation) or not owner.name.startswith("pnnx.")
