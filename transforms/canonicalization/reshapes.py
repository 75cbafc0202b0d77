"""Layers that only reshape: one for several, and none before what does not care."""

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...dialects.ncnn.elementwise import BinaryOpOp, expand
from ...dialects.ncnn.extents import reshape_params
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.interfaces import ElementWise, Reshaping
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reshaping import FlattenOp, ReshapeOp
from ...dialects.shapes.analysis import Shapes, numbers
from ...dialects.shapes.terms import Extents
from ..analysis.shapes import shapes_of
from ..releases import is_rank_withheld
from ..remarks import tell
from .rewriting import MOST_BETWEEN, agrees, feed, only_producer, sole_chain, successor


class MergeReshapes(RewritePattern):
    """Makes one Reshape of two layers that only reshape (Reshape, Flatten, Squeeze, ExpandDims, a
    Permute that moves axes of extent 1 only).

    Algebra: both keep the row-major order of the elements, so the second one's shape is all there
    is to say.

    Conditions, and why:
    - that shape can be said in terms of the first one's input by the parameters of a Reshape: not
      every extent that the second one copies from the blob between is one;
    - what follows from these parameters is as certain as before: where the input may have two dims
      and as many rows already, Reshape may leave it as it is, and only the two layers together say
      how many columns there are;
    - what is between has this one use and is no output: otherwise the first layer would stay, and
      nothing be gained. Element-wise layers may be between: they do not see a shape;
    - neither has batch axes.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Reshaping, rewriter: PatternRewriter) -> None:
        shapes = shapes_of(rewriter)
        before = reshape_before(op, 0, shapes)
        if before is None or not before.is_only_for_this() or not op.keeps_order(shapes):
            return
        first, source = before.layer, before.layer.operands[0]
        wanted = shapes.of(op.results[0])
        if wanted is None or (params := reshape_params(wanted, shapes.of(source))) is None:
            return
        new = reshaping(params, source, op)
        if not _is_as_certain(new, shapes.of(source), wanted) or not agrees(new):
            new.drop_all_references()
            return
        if before.is_withheld(self, rewriter):
            new.drop_all_references()
            return
        tell(self, op, first)
        before.bypass(rewriter)
        new.operands[0] = op.operands[0]
        rewriter.replace(op, new)


def _is_as_certain(layer: LayerOp, source: Extents | None, wanted: Extents) -> bool:
    """Whether of what a layer gives as many extents are numbers as of a shape."""
    found = layer.infer_shapes([source])
    shape = found[0] if found else None
    return shape is not None and numbers(shape) == numbers(wanted)


class SayShape(RewritePattern):
    """Makes a plain Reshape of one that reads extents, where it can say them itself: as numbers, as
    those of its own input, or as what is left. (The runtime takes apart the packed channels of all
    blobs that are read for their extents.)

    Algebra: none; the elements stay in order.

    Conditions, and why:
    - the shape can be said by parameters of a Reshape (`reshape_params`): its extents are certain,
      which those of a model for inputs of one shape are, or one at most is neither that nor the
      input's along the same axis;
    - what follows from these parameters is certainly the same shape: terms over the extents of the
      inputs say so. (A blob of 2 dims with as many rows stays as it is.)
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReshapeOp, rewriter: PatternRewriter) -> None:
        shapes = shapes_of(rewriter)
        if op.extra or not op.keeps_order(shapes) or not (op.shape_expr or len(op.inputs) > 1):
            return
        wanted, source = shapes.of(op.results[0]), op.inputs[0]
        params = None if wanted is None else reshape_params(wanted, shapes.of(source))
        if params is None:
            return
        new = successor(op, ReshapeOp, [source], {}, params)
        if not isinstance(new, ReshapeOp) or new.infer_shapes([shapes.of(source)]) != [wanted]:
            new.drop_all_references()
            return
        if not agrees(new):
            new.drop_all_references()
            return
        tell(self, op)
        rewriter.replace(op, new)


class ReadShapeElsewhere(RewritePattern):
    """Lets a Reshape that reads extents of a blob read those of an earlier one, which has several
    readers in any case.

    Algebra: none; both have the extents that the expression asks for. A blob that nobody else reads
    can be part of another rewrite.

    Conditions, and why:
    - the Reshape certainly makes the same shape: terms over the extents of the inputs say so;
    - the blob has one other reader at most; what makes it reads the earlier one, or what does that;
    - the earlier one has two readers or more: it would become what the other one was.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReshapeOp, rewriter: PatternRewriter) -> None:
        if not op.shape_expr or op.extra:
            return
        shapes = shapes_of(rewriter)
        given = [shapes.of(v) for v in op.inputs]
        wanted = op.infer_shapes(given)
        for i, value in enumerate(op.inputs[1:], 1):
            if value in op.inputs[:i] or _count_of_uses(value) > 2:
                continue
            for earlier in _sources_of(value):
                changed = [*given[:i], shapes.of(earlier), *given[i + 1 :]]
                if _count_of_uses(earlier) < 2 or op.infer_shapes(changed) != wanted:
                    continue
                owner = value.owner
                tell(self, op, *([owner] if isinstance(owner, LayerOp) else []))
                op.operands[i] = earlier
                rewriter.notify_op_modified(op)
                for use in value.uses:
                    rewriter.notify_op_modified(use.operation)
                return


def _sources_of(value: SSAValue) -> Iterator[SSAValue]:
    """What a blob is made of, and what that is, the nearest first."""
    pending, seen = deque([value]), {value}
    while pending and len(seen) < MOST_BETWEEN:
        owner = pending.popleft().owner
        for operand in owner.data_operands() if isinstance(owner, LayerOp) else ():
            if operand not in seen:
                seen.add(operand)
                pending.append(operand)
                yield operand


def _count_of_uses(value: SSAValue) -> int:
    """How often a blob is read, at most 3."""
    return len(list(islice(value.uses, 3)))


class ReshapeBefore(NamedTuple):
    """A layer that only reshapes and that a reader need not have before it, and the element-wise
    layers between the two, to which the shape is all the same."""

    layer: Reshaping
    between: tuple[LayerOp, ...]
    """The last one first. Each has the next one for its only reader."""
    reader: LayerOp
    place: int
    """Which operand of the reader it is."""

    def is_only_for_this(self) -> bool:
        """Whether nobody else reads what the layer gives, and it is treated as its reader is."""
        user = self.between[-1] if self.between else self.reader
        return only_producer(self.layer.results[0], user) is self.layer

    def may_be_bypassed(self) -> bool:
        """Whether what is known of the blob before goes together with what is known after."""
        value = self.reader.operands[self.place]
        return agrees(self.reader, {value: self.layer.operands[0].type})

    def is_withheld(self, pattern: RewritePattern, rewriter: PatternRewriter) -> bool:
        """Whether the blob before has dims that the reader, or a layer between, does not take in
        the release for which the module is made."""
        source, layers = self.layer.operands[0], [self.reader, self.layer]
        return any(
            is_rank_withheld(pattern, layers, type(op), source, rewriter)
            for op in (self.reader, *self.between)
        )

    def bypass(self, rewriter: PatternRewriter) -> None:
        """Lets the reader, and what is between, have the blob as it was before the layer."""
        feed(self.reader, self.place, self.between, self.layer.operands[0], rewriter)


def reshape_before(reader: LayerOp, place: int, shapes: Shapes) -> ReshapeBefore | None:
    """The layer that only reshapes behind an operand, if there is one."""
    between = sole_chain(
        reader, place, lambda op: isinstance(op, ElementWise) and op.is_elementwise()
    )
    layer = (between[-1].operands[0] if between else reader.operands[place]).owner
    if not isinstance(layer, Reshaping) or not layer.keeps_order(shapes) or layer.extra:
        return None
    return ReshapeBefore(layer, between, reader, place)


def reshaping(params: Mapping[str, int], source: SSAValue, op: LayerOp) -> LayerOp:
    """A layer that reshapes `source`, for the place of one: a Flatten, where that is all."""
    if len(params) == 1:
        return successor(op, FlattenOp, [source], {}, {})
    return successor(op, ReshapeOp, [source], {}, params)


class EliminateReshapeBeforeBinaryOp(RewritePattern):
    """Lets a BinaryOp read a blob as it was before a layer that only reshapes it.

    Algebra: BinaryOp gives the blob of fewer dims inner axes of extent 1, or makes a 1-D blob the
    outermost or innermost axis; where that is the shape that the layer gives it too, the layer is
    not needed.

    Conditions, and why:
    - element-wise layers between the two have each other for their only readers;
    - the other operand has as many dims as the result: otherwise it would be the one to expand;
    - with the layer and without it the blob expands to the same shape, for inputs of any extents:
      a 1-D blob is the outermost axis only if its extent is that of the other operand, else the
      innermost one.
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
            if before.may_be_bypassed() and not before.is_withheld(self, rewriter):
                tell(self, op, before.layer)
                before.bypass(rewriter)
                return


def expands_alike(layer: Reshaping, other: SSAValue, shapes: Shapes) -> bool:
    """Whether the input of a layer that only reshapes expands, beside another operand, to what the
    output expands to."""
    found = [shapes.of(v) for v in (layer.operands[0], layer.results[0], other)]
    before, after, beside = found
    if before is None or after is None or beside is None:
        return False
    if max(len(before), len(after)) > len(beside):
        return False
    expanded = expand(before, beside)
    return expanded is not None and expanded == expand(after, beside)


class EliminateReshapeBeforeInnerProduct(RewritePattern):
    """Lets an InnerProduct read a blob as it was before a layer that only reshapes it.

    Algebra: an InnerProduct takes the elements in row-major order.

    Conditions, and why:
    - element-wise layers between the two have each other for their only readers;
    - neither the blob before nor the one after is a batch of rows (2 dims, as many columns as there
      are inputs): those are multiplied one by one.
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
        if not before.may_be_bypassed() or before.is_withheld(self, rewriter):
            return
        tell(self, op, before.layer)
        before.bypass(rewriter)


def _may_be_rows(shape: Extents | None, inputs: int) -> bool:
    """Whether a blob may be a batch of rows to an InnerProduct of so many inputs."""
    if shape is None or len(shape) != 2:
        return shape is None
    return shape[1] == inputs or not isinstance(shape[1], int)
