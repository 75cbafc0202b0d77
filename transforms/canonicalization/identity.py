"""Layers whose results already exist as other blobs."""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.batches import repeats_blobs
from ...analysis.shapes import shapes_of
from ...dialects.ncnn.blob import BlobType, agree, blob, combined, shape_of
from ...dialects.ncnn.function import declare_outputs, update_type
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.interfaces import ChannelAffine, ChannelAxis, Identity
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.pooling import Pool1D
from ...dialects.ncnn.reshaping import FlattenOp, ReshapeOp
from ...dialects.ncnn.structure import InputOp, SplitOp
from ..rewriting.remarks import emit_remark
from ..rewriting.running_passes import is_enabled
from .rewriting import agrees


class EliminateIdentity(RewritePattern):
    """Remove a layer whose results are its inputs, or other existing blobs.

    Algebra: `y = x`. Each layer type defines when it is an identity (`Identity.fold_to_values`).

    Conditions, and why: the conditions of `may_replace_by`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Identity, rewriter: PatternRewriter) -> None:
        if not op.results or not is_enabled(self, op):
            return
        values = op.fold_to_values(shapes_of(rewriter))
        if values is not None and may_replace_by(op, values):
            emit_remark(self, op)
            replace_by(op, values, rewriter)


class EliminateReshapeOfVector(RewritePattern):
    """Remove a Flatten or Reshape after a global Pooling, or a Flatten after an InnerProduct.

    This is a case of `EliminateIdentity`. Its remark also lists the layer before.

    Algebra: `y = x`, because the blob already has one dimension.

    Conditions, and why: the conditions of `may_replace_by`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: FlattenOp | ReshapeOp, rewriter: PatternRewriter) -> None:
        before = op.operands[0].owner
        if isinstance(before, Pool1D):
            if before.global_pooling != 1:
                return
        elif not isinstance(before, InnerProductOp) or not isinstance(op, FlattenOp):
            return
        if not is_enabled(self, before, op):
            return
        values = op.fold_to_values(shapes_of(rewriter))
        if values is not None and may_replace_by(op, values):
            emit_remark(self, before, op)
            replace_by(op, values, rewriter)


class EliminateNeutralAffine(RewritePattern):
    """Remove a layer that multiplies each channel by 1 and adds 0.

    Algebra: `1 * x + 0 = x`. The sign of a zero may differ: `-0.0 + 0.0` is `0.0`, but the
    runtime's implementations of one layer also differ in it.

    Conditions, and why:
    - the layer acts per channel on this blob and keeps its shape (see `ChannelAffine.affine`): a
      constant may broadcast a smaller blob;
    - the conditions of `may_replace_by`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ChannelAffine, rewriter: PatternRewriter) -> None:
        value = op.affine_operand()
        if value is None:
            return
        shapes = shapes_of(rewriter)
        shape = shapes.of(value)
        # One channel suffices to check a uniform layer; other layers do not accept one channel.
        channels = 1 if shape is None or op.affine_channels(shapes) is None else shape[0]
        channels = channels if isinstance(channels, int) else 1
        affine = op.affine(ChannelAxis(channels, shape))
        if affine is not None and (affine.scale == 1).all() and not affine.shift.any():
            if may_replace_by(op, [value]):
                emit_remark(self, op)
                replace_by(op, [value], rewriter)


def may_replace_by(op: LayerOp, values: Sequence[SSAValue]) -> bool:
    """Whether the results of a layer may be replaced by existing values.

    Conditions, and why:
    - the layer has no unknown parameters;
    - each value is a batch if the layer reads a batch (see `repeats_blobs`);
    - no known extent may be lost. The result of another layer gets a type with the extents that
      either type specifies; an input of the model must already specify them. The combined type must
      be compatible with all users;
    - an output of the model keeps its name. The producer of the value takes the name over. If the
      value needs several names, export adds a Split, which is necessary in any case. A layer that
      is alone between an input of the model and an output stays, unless it is a Split.
    """
    pairs = list(zip(op.results, values, strict=True))
    types = [_combined_type(value, result) for result, value in pairs]
    if op.extra or any(type_ is None for type_ in types):
        return False
    if not all(map(_fits_users, op.results, types)):
        return False
    if any(repeats_blobs(op, value) for value in values):
        return False
    if not isinstance(op, SplitOp) and any(_connects_input_to_output(r, v) for r, v in pairs):
        return False
    return True


def replace_by(op: LayerOp, values: Sequence[SSAValue], rewriter: PatternRewriter) -> None:
    """Replace the results of a layer by existing values, where `may_replace_by` allows it."""
    pairs = list(zip(op.results, values, strict=True))
    func = op.parent_op()
    returned = any(isinstance(use.operation, ReturnOp) for r in op.results for use in r.uses)
    if returned and isinstance(func, FuncOp):
        declare_outputs(func)
    typed = dict(zip(values, values, strict=True))
    for result, value in pairs:
        type_ = _combined_type(typed[value], result)
        if type_ is not None and typed[value].type != type_:
            typed[value] = rewriter.replace_value_with_new_type(typed[value], type_)
            returned |= any(isinstance(use.operation, ReturnOp) for use in typed[value].uses)
    rewriter.replace(op, [], [typed[value] for value in values])
    if returned and isinstance(func, FuncOp):
        update_type(func)


def _combined_type(value: SSAValue, result: SSAValue) -> BlobType | None:
    """Return the type of `value` with the extents that the type of `result` specifies in addition;
    `None` if `value` may not have it."""
    own, other = cast(BlobType, value.type), cast(BlobType, result.type)
    if own == other:
        return own
    shape, wanted = shape_of(value), shape_of(result)
    if own.element_type != other.element_type or not agree(shape, wanted):
        return None
    both = combined(shape, wanted)
    return blob(both, own.element_type) if both == shape or isinstance(value, OpResult) else None


def _fits_users(result: SSAValue, type_: BlobType | None) -> bool:
    """Whether a type of a value is compatible with the results of its users."""
    if result.type == type_ or type_ is None:
        return True
    readers = [use.operation for use in result.uses]
    return all(agrees(op, {result: type_}) for op in readers if isinstance(op, LayerOp))


def _connects_input_to_output(result: SSAValue, value: SSAValue) -> bool:
    """Whether a layer alone connects an input of the model to its outputs."""
    is_input = isinstance(value, BlockArgument) or isinstance(value.owner, InputOp)
    returned = any(isinstance(use.operation, ReturnOp) for use in result.uses)
    return is_input and returned and value.has_one_use()
