"""Casts between blobs, which remain when all operators are layers, as Reshapes."""

from typing import cast

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.ncnn.blob import UNRANKED, BlobType, static_shape_of
from ...dialects.ncnn.extents import MAX_DIMS, extent_params
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.pnnx.cast import CastOp
from ...dialects.pnnx.tensors import shape_in_torch


class LegalizeCast(RewritePattern):
    """Replace a cast from a blob to a blob, perhaps through tensors, by a Reshape to the result's
    extents. A cast between equal types is removed.

    If one of the blobs is a batch, the Reshape specifies the tensor's axis that is the batch.

    Conditions: there is no operator in between. A tensor that becomes a batch has the blob's
    extents beside the batch, and at most four dims, the maximum of Reshape.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, CastOp):
            return
        shape = static_shape_of(op.output)
        if shape is None or len(shape) > MAX_DIMS or only_cast(op.output):
            return
        source, (from_batch, to_batch) = op.input, op.batches()
        while from_batch is None and isinstance(source.owner, CastOp):
            from_batch, after = source.owner.batches()
            if after is not None:
                return  # to a batch and back: the earlier cast is rewritten first
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
            if tensor is None or len(tensor) > MAX_DIMS:
                return
            if (*tensor[:to_batch], *tensor[to_batch + 1 :]) != shape:
                return
            logical = tensor
        # Types do not describe batches.
        type_ = cast(BlobType, op.output.type) if to_batch is None else UNRANKED
        layer = ReshapeOp.make([source], {}, [type_], {})
        extents = extent_params(logical)
        batches = {"input_batch_axis": from_batch, "output_batch_axis": to_batch}
        extents |= {key: axis for key, axis in batches.items() if axis is not None}
        layer.init_params(extents)
        rewriter.replace(op, [layer], layer.results)


def describe_left(op: CastOp) -> str | None:
    """Return the error for a cast between blobs that no Reshape can express; `None` for a cast
    between tensors."""
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
    """Whether all users of a value are casts."""
    return all(isinstance(use.operation, CastOp) for use in value.uses)


def is_blob(value: SSAValue) -> bool:
    """Whether a value belongs to the ncnn model: no operator of PNNX and no cast produces it."""
    owner = value.owner
    return not isinstance(owner, Operation) or not owner.name.startswith("pnnx.")
