"""Layers that give back what is there already."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...dialects.ncnn.blob import BlobType, agree, blob, combined, shape_of
from ...dialects.ncnn.function import declare_outputs, update_type
from ...dialects.ncnn.interfaces import ChannelAffine, ChannelAxis, Identity
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.structure import InputOp, SplitOp
from ..analysis.shapes import shapes_of
from ..remarks import tell
from ..selection import Selection
from .rewriting import agrees
from .selective import SelectivePattern


class EliminateIdentity(SelectivePattern):
    """Removes a layer whose outputs are its inputs, or other blobs that are there already.

    Algebra: `y = x`. When a layer is an identity, it says itself (`Identity.forwarded`).

    Conditions, and why: those of `replace_by`.
    """

    selection: Selection
    """Of the layer and the one before it."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Identity, rewriter: PatternRewriter) -> None:
        if not op.results:
            return
        before = op.operands[0].owner if op.operands else None
        before = before if isinstance(before, LayerOp) else None
        values = op.forwarded(shapes_of(rewriter)) if self.selection.has(op, before) else None
        if values is None:
            return
        layers = (op,) if before is None else (before, op)
        replace_by(
            op, values, rewriter, partial(tell, self, *layers, of=(op, before), behind=before)
        )


class EliminateNeutralAffine(RewritePattern):
    """Removes a layer that multiplies each channel by 1 and adds 0.

    Algebra: `1 * x + 0 = x`. The sign of a zero may differ: `-0.0 + 0.0` is `0.0`, but the
    runtime's own implementations of a layer do not agree on it either.

    Conditions, and why:
    - the layer acts per channel on this blob and leaves its shape as it is (see
      `ChannelAffine.affine`): a constant may broadcast a smaller blob;
    - and those of `replace_by`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ChannelAffine, rewriter: PatternRewriter) -> None:
        value = op.affine_operand()
        if value is None:
            return
        shapes = shapes_of(rewriter)
        shape = shapes.of(value)
        # What is uniform is so for one channel; what is not does not fit one.
        channels = 1 if shape is None or op.affine_channels(shapes) is None else shape[0]
        channels = channels if isinstance(channels, int) else 1
        affine = op.affine(ChannelAxis(channels, shape))
        if affine is not None and (affine.scale == 1).all() and not affine.shift.any():
            replace_by(op, [value], rewriter, partial(tell, self, op))


def replace_by(
    op: LayerOp, values: Sequence[SSAValue], rewriter: PatternRewriter, told: Callable[[], None]
) -> bool:
    """Lets values stand for the results of a layer, once that is told; returns whether that was
    possible.

    Conditions, and why:
    - the layer has no parameters that we do not know;
    - what reads a blob must not lose what is known of it: the value of another layer is given a
      type that says all that both types say, an input of the model must say it already; and what
      is said more goes together with what is known already;
    - an output of the model keeps its name. The value's producer takes it; where the value is
      needed under other names as well, export puts a Split, which it would need in any case. What
      is all there is between an input of the model and an output stays, unless it is a Split.
    """
    pairs = list(zip(op.results, values, strict=True))
    types = [_both_say(value, result) for result, value in pairs]
    if op.extra or any(type_ is None for type_ in types):
        return False
    if not all(map(_suits_readers, op.results, types)):
        return False
    if not isinstance(op, SplitOp) and any(_stands_between_names(r, v) for r, v in pairs):
        return False
    func = op.parent_op()
    returned = any(isinstance(use.operation, ReturnOp) for r in op.results for use in r.uses)
    if returned and isinstance(func, FuncOp):
        declare_outputs(func)
    told()
    typed = dict(zip(values, values, strict=True))
    for result, value in pairs:
        type_ = _both_say(typed[value], result)
        if type_ is not None and typed[value].type != type_:
            typed[value] = rewriter.replace_value_with_new_type(typed[value], type_)
            returned |= any(isinstance(use.operation, ReturnOp) for use in typed[value].uses)
    rewriter.replace(op, [], [typed[value] for value in values])
    if returned and isinstance(func, FuncOp):
        update_type(func)
    return True


def _both_say(value: SSAValue, result: SSAValue) -> BlobType | None:
    """The type of one value with what that of another one says besides, if it may have that."""
    own, other = cast(BlobType, value.type), cast(BlobType, result.type)
    if own == other:
        return own
    shape, wanted = shape_of(value), shape_of(result)
    if own.element_type != other.element_type or not agree(shape, wanted):
        return None
    both = combined(shape, wanted)
    return blob(both, own.element_type) if both == shape or isinstance(value, OpResult) else None


def _suits_readers(result: SSAValue, type_: BlobType | None) -> bool:
    """Whether a type of a value goes together with what its readers give."""
    if result.type == type_ or type_ is None:
        return True
    readers = [use.operation for use in result.uses]
    return all(agrees(op, {result: type_}) for op in readers if isinstance(op, LayerOp))


def _stands_between_names(result: SSAValue, value: SSAValue) -> bool:
    """Whether a layer is all there is between an input of the model and outputs of it."""
    is_input = isinstance(value, BlockArgument) or isinstance(value.owner, InputOp)
    returned = any(isinstance(use.operation, ReturnOp) for use in result.uses)
    return is_input and returned and value.has_one_use()
