"""Merging of Reshapes, and removal of Reshapes before layers that do not depend on the shape."""

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.batches import origins, repeats_blobs
from ...analysis.module_attributes import is_tuned_for_vulkan
from ...analysis.shapes import shapes_of
from ...analysis.tuning_facts import broadcasts_wrongly_on_vulkan
from ...dialects.ncnn.elementwise import BinaryOpOp, expand
from ...dialects.ncnn.extents import reshape_params
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.interfaces import ElementWise, Reshaping
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reshaping import ExpandDimsOp, FlattenOp, ReshapeOp, SqueezeOp
from ...dialects.shapes.analysis import Shapes, numbers
from ...dialects.shapes.terms import Extents, provably_equal
from ..rewriting.pattern_set import LayerReplacement
from ..rewriting.release_conditions import Replacement
from ..rewriting.remarks import emit_remark
from ..rewriting.running_passes import is_requested
from .rewriting import MAX_BETWEEN, agrees, only_producer, redirect_operand, sole_chain, successor


class MergeReshapes(RewritePattern):
    """Replace two layers that only reshape by one Reshape (Reshape, Flatten, Squeeze, ExpandDims,
    and a Permute that only moves axes of extent 1).

    Algebra: both keep the row-major order of elements, so only the second shape matters.

    Conditions, and why:
    - the parameters of a Reshape can express this shape in terms of the first input: an extent that
      the second layer copies from the blob between may not be expressible;
    - the inferred shape has the same static extents as before. If the input may already have two
      dims and the same rows, Reshape may leave it unchanged, and only the two layers together
      determine the columns;
    - each value between has this one use and is no output: otherwise the first layer would stay,
      and nothing would be gained. Element-wise layers may be between, because they do not depend on
      the shape;
    - neither has batch axes;
    - a blob that a Reshape reads only extents from is no batch unless the first blob is one (see
      `repeats_blobs`).
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Reshaping, rewriter: PatternRewriter) -> None:
        shapes = shapes_of(rewriter)
        before = reshape_before(op, 0, shapes)
        if before is None or not before.is_only_for_this() or not op.keeps_order(shapes):
            return
        first, source = before.layer, before.layer.operands[0]
        if any(len(each.operands) > 1 and repeats_blobs(each) for each in (first, op)):
            return
        new = _as_reshape(op, source, shapes)
        if new is None:
            return
        if before.is_layer_unsupported(self, rewriter):
            new.drop_all_references()
            return
        emit_remark(self, op, first)
        before.bypass(rewriter)
        new.operands[0] = op.operands[0]
        rewriter.replace(op, new)


def _as_reshape(op: Reshaping, source: SSAValue, shapes: Shapes) -> LayerOp | None:
    """Return a layer that gives `source` the shape of the result of `op`; `None` if the parameters
    of a Reshape cannot express this shape, or the inferred shape has not the same static
    extents."""
    given, wanted = shapes.of(source), shapes.of(op.results[0])
    params = None if wanted is None else reshape_params(wanted, given)
    if wanted is None or params is None:
        return None
    new = reshaping(params, source, op)
    found = new.infer_shapes([given])
    shape = found[0] if found else None
    if shape is not None and numbers(shape) == numbers(wanted) and agrees(new):
        return new
    new.drop_all_references()
    return None


class ReplaceSqueeze(RewritePattern):
    """Replace a Squeeze or an ExpandDims by a Reshape, which has a Vulkan implementation.

    Algebra: none; the elements stay in order.

    Conditions, and why:
    - the model is tuned for Vulkan, or the pass is requested by name: on a CPU nothing is gained;
    - the parameters of a Reshape can express the shape, and the inferred shape has the same static
      extents, as for `MergeReshapes`;
    - the layer has no batch axes.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SqueezeOp | ExpandDimsOp, rewriter: PatternRewriter) -> None:
        if not is_requested(self) and not is_tuned_for_vulkan(op):
            return
        shapes = shapes_of(rewriter)
        if op.extra:
            return
        if (new := _as_reshape(op, op.input, shapes)) is not None:
            emit_remark(self, op)
            rewriter.replace(op, new)


class ReplaceShapeExpression(LayerReplacement):
    """Replace a Reshape that reads extents of other blobs by a plain one, if parameters can express
    its shape: as numbers, as extents of its own input, or as the remaining elements. (The runtime
    unpacks the channels of all blobs whose extents are read.)

    Algebra: none; the elements stay in order.

    Conditions, and why:
    - the parameters of a Reshape can express the shape (`reshape_params`): its extents are static,
      as in a model for one input shape, or at most one extent is neither static nor the input's
      along the same axis;
    - the inferred shape is provably the same, by terms over the extents of the inputs. (A blob of 2
      dims with the same rows stays unchanged.);
    - the other blobs are no batches unless the first one is (see `repeats_blobs`).
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReshapeOp, rewriter: PatternRewriter) -> None:
        shapes = shapes_of(rewriter)
        if op.extra or not op.keeps_order(shapes) or not (op.shape_expr or len(op.inputs) > 1):
            return
        wanted, source = shapes.of(op.results[0]), op.inputs[0]
        params = None if wanted is None else reshape_params(wanted, shapes.of(source))
        if params is None or (op.shape_expr and repeats_blobs(op)):
            return
        new = successor(op, ReshapeOp, [source], {}, params)
        found = new.infer_shapes([shapes.of(source)])
        if not provably_equal(found, [wanted]) or not agrees(new):
            new.drop_all_references()
            return
        rewriter.replace(op, new)


class ReadShapeOfEarlierBlob(RewritePattern):
    """Make a Reshape read extents from an earlier blob that has several users anyway.

    Algebra: none; both blobs have the extents that the expression reads. A blob without other users
    can be part of further rewrites.

    Conditions, and why:
    - the expression provably has the same values, by terms over the extents of the inputs. Behind
      an input of unknown rank, and behind a batch of blobs, extents are unknown. (The shape of the
      result tells nothing: it may be known by the number of elements alone.);
    - the blob has at most one other user, and is computed from the earlier blob, directly or
      indirectly;
    - the earlier blob has at least two users: otherwise the rewrite would only move the problem;
    - the result has as many blobs as before: the runtime computes a Reshape once for each blob of a
      batch, even if it reads only extents from it.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReshapeOp, rewriter: PatternRewriter) -> None:
        if not op.shape_expr or op.extra:
            return
        shapes = shapes_of(rewriter)
        given = [shapes.of(v) for v in op.inputs]
        for i, value in enumerate(op.inputs[1:], 1):
            if value in op.inputs[:i] or _count_of_uses(value) > 2:
                continue
            for earlier in _sources_of(value):
                changed = [*given[:i], shapes.of(earlier), *given[i + 1 :]]
                if _count_of_uses(earlier) < 2:
                    continue
                if not op.asks_for_same(changed, given):
                    continue
                others = [*op.inputs[:i], *op.inputs[i + 1 :]]
                if origins(*others, earlier) != origins(*op.inputs):
                    continue
                owner = value.owner
                emit_remark(self, op, *([owner] if isinstance(owner, LayerOp) else []))
                op.operands[i] = earlier
                rewriter.notify_op_modified(op)
                for use in value.uses:
                    rewriter.notify_op_modified(use.operation)
                return


def _sources_of(value: SSAValue) -> Iterator[SSAValue]:
    """Yield the direct and indirect operands of the producer of a blob, the nearest first."""
    pending, seen = deque([value]), {value}
    while pending and len(seen) < MAX_BETWEEN:
        owner = pending.popleft().owner
        for operand in owner.data_operands() if isinstance(owner, LayerOp) else ():
            if operand not in seen:
                seen.add(operand)
                pending.append(operand)
                yield operand


def _count_of_uses(value: SSAValue) -> int:
    """Return the number of uses of a blob, at most 3."""
    return len(list(islice(value.uses, 3)))


class ReshapeBefore(NamedTuple):
    """A layer that only reshapes and that a reader does not need, and the element-wise layers
    between them, which do not depend on the shape."""

    layer: Reshaping
    between: tuple[LayerOp, ...]
    """The last one first. Each has the next one as its only user."""
    reader: LayerOp
    place: int
    """The index of the reader's operand."""

    def is_only_for_this(self) -> bool:
        """Whether the layer's result has no other users, and both layers have the same feature
        mask."""
        user = self.between[-1] if self.between else self.reader
        return only_producer(self.layer.results[0], user) is self.layer

    def is_layer_unsupported(self, pattern: RewritePattern, rewriter: PatternRewriter) -> bool:
        """Whether the blob before has dims that the reader, or a layer between, does not take in
        the release for which the module is made."""
        source, layers = self.layer.operands[0], [self.reader, self.layer]
        return any(
            Replacement(pattern, layers, type(op)).is_rank_unsupported(source, rewriter)
            for op in (self.reader, *self.between)
        )

    def remove(self, pattern: RewritePattern, rewriter: PatternRewriter) -> bool:
        """Bypass the layer if the known shape before it is compatible with the reader. Return
        whether that was possible."""
        read = self.reader.operands[self.place]
        if not agrees(self.reader, {read: self.layer.operands[0].type}):
            return False
        if self.is_layer_unsupported(pattern, rewriter):
            return False
        emit_remark(pattern, self.reader, self.layer)
        self.bypass(rewriter)
        return True

    def bypass(self, rewriter: PatternRewriter) -> None:
        """Make the reader, and the layers between, read the input of the layer."""
        redirect_operand(self.reader, self.place, self.between, self.layer.operands[0], rewriter)


def reshape_before(reader: LayerOp, place: int, shapes: Shapes) -> ReshapeBefore | None:
    """Return the layer before an operand that only reshapes, if there is one."""
    between = sole_chain(
        reader, place, lambda op: isinstance(op, ElementWise) and op.is_elementwise()
    )
    layer = (between[-1].operands[0] if between else reader.operands[place]).owner
    if not isinstance(layer, Reshaping) or not layer.keeps_order(shapes) or layer.extra:
        return None
    return ReshapeBefore(layer, between, reader, place)


def reshaping(params: Mapping[str, int], source: SSAValue, op: LayerOp) -> LayerOp:
    """Return a layer that reshapes `source`, to replace `op`: a Flatten if that is sufficient."""
    if len(params) == 1:
        return successor(op, FlattenOp, [source], {}, {})
    return successor(op, ReshapeOp, [source], {}, params)


class EliminateReshapeBeforeBinaryOp(RewritePattern):
    """Make a BinaryOp read a blob before a layer that only reshapes it.

    Algebra: BinaryOp appends axes of extent 1 to the operand of lower rank, or uses a 1-D blob as
    the outermost or innermost axis. If the layer gives the same shape, it is not needed.

    Conditions, and why:
    - the next layer is the only user of each element-wise layer between;
    - the other operand has the rank of the result: otherwise that operand would be expanded;
    - the blob expands to the same shape with and without the layer, for inputs of any extents: a
      1-D blob is the outermost axis only if its extent equals the other operand's, else the
      innermost one;
    - the runtime's Vulkan code broadcasts the blob correctly if it does so for the layer's result,
      unless the module is tuned for a CPU.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: BinaryOpOp, rewriter: PatternRewriter) -> None:
        if len(op.inputs) != 2 or op.extra:
            return
        shapes = shapes_of(rewriter)
        for place, other in ((0, op.inputs[1]), (1, op.inputs[0])):
            before = reshape_before(op, place, shapes)
            if before is None or not expands_alike(before.layer, other, shapes):
                continue
            if before.remove(self, rewriter):
                return


def expands_alike(layer: Reshaping, other: SSAValue, shapes: Shapes) -> bool:
    """Whether input and output of a layer that only reshapes expand to the same shape beside
    another operand, and a BinaryOp is right on Vulkan with the input if it is with the output."""
    found = [shapes.of(v) for v in (layer.operands[0], layer.results[0], other)]
    before, after, beside = found
    if before is None or after is None or beside is None:
        return False
    if max(len(before), len(after)) > len(beside):
        return False
    expanded = expand(before, beside)
    if expanded is None or not provably_equal(expanded, expand(after, beside)):
        return False
    wrong, was_wrong = (
        broadcasts_wrongly_on_vulkan(layer, len(shape), expanded, beside)
        for shape in (before, after)
    )
    return was_wrong or not wrong


class EliminateReshapeBeforeInnerProduct(RewritePattern):
    """Make an InnerProduct read a blob before a layer that only reshapes it.

    Algebra: an InnerProduct reads the elements in row-major order.

    Conditions, and why:
    - the next layer is the only user of each element-wise layer between;
    - neither the blob before nor the blob after is a batch of rows (2 dims, columns equal to the
      number of inputs): an InnerProduct multiplies rows separately.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: InnerProductOp, rewriter: PatternRewriter) -> None:
        if op.extra:
            return
        shapes = shapes_of(rewriter)
        before = reshape_before(op, 0, shapes)
        if before is None:
            return
        both = (shapes.of(before.layer.operands[0]), shapes.of(op.input))
        if any(_may_be_rows(shape, op.num_input()) for shape in both):
            return
        before.remove(self, rewriter)


def _may_be_rows(shape: Extents | None, inputs: int) -> bool:
    """Whether a blob may be a batch of rows for an InnerProduct with this number of inputs."""
    if shape is None or len(shape) != 2:
        return shape is None
    return shape[1] == inputs or not isinstance(shape[1], int)
