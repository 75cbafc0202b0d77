"""The base class of recognizers, which replace a formula by a layer."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ....analysis.shapes import shapes_of
from ....dialects.ncnn.blob import agree, shape_of
from ....dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp, EltwiseOp, PowerOp
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.params import Value
from ...rewriting.growth import Growth, constants_freed_by
from ...rewriting.release_conditions import Replacement
from ...rewriting.remarks import emit_remark
from ..rewriting import new_weight, replace_by_new
from .algebra import Term
from .matching import Match, matches


@dataclass(frozen=True)
class NewLayer:
    """The layer that a recognizer creates."""

    type: type[LayerOp]
    input: SSAValue
    params: Mapping[str, Value]
    weights: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Arrays by name."""
    others: Sequence[SSAValue] = ()
    """Further inputs."""


def layer(cls: type[LayerOp], input: SSAValue, **params: Value) -> NewLayer:
    """Return a layer of this type without weights, with parameters by name."""
    return NewLayer(cls, input, params)


class Recognizer(RewritePattern, ABC):
    """Replace several layers that spell out one layer by that layer.

    Algebra: one of `SPELLINGS`, up to order, association and the positions of numbers.

    Conditions, and why:
    - the release that the module is made for has the new layer (see `Replacement`);
    - the values between have no users outside and are no outputs: another user would need them;
    - all layers have the same feature mask and no unknown parameters;
    - the numbers equal the numbers of the formula within `matching.TOLERANCE`, or are consistent;
    - input and output have the same shape, where it is known: the new layer does not broadcast.

    The new layer has the layer name and the blob name of the last one.
    """

    ROOTS: ClassVar[tuple[type[LayerOp], ...]] = (BinaryOpOp, EltwiseOp, PowerOp)
    """The possible types of the last layer; by default the types that can be a product."""
    SPELLINGS: ClassVar[tuple[Term, ...]]
    """The formulas."""

    @abstractmethod
    def layer(self, found: Match) -> NewLayer | None:
        """Return the layer that computes the match; `None` if no layer does."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, self.ROOTS) or not may_end_formula(op):
            return
        best: tuple[Match, NewLayer] | None = None
        for found in matches(self.SPELLINGS, op, shapes_of(rewriter)):
            new = self.layer(found)
            larger = best is None or len(found.layers) > len(best[0].layers)
            if new is None or not larger or not _fits(new, op):
                continue
            if not is_new_withheld(self, new, found.layers, rewriter):
                best = found, new
        if best is not None and may_put(self, best[1], best[0].layers):
            put(self, best[1], best[0].layers, rewriter)


def may_end_formula(op: Operation) -> bool:
    """Whether a layer may end the formula of a recognizer. No formula ends with a sum, and none is
    a single layer: a layer without weights precedes. This check costs less than a match: every
    residual network contains sums."""
    return not is_sum(op) and any(
        producer is not None and not producer.WEIGHTS for producer in map(producer_of, op.operands)
    )


def is_sum(op: Operation) -> bool:
    """Whether a layer adds or subtracts."""
    if isinstance(op, BinaryOpOp):
        return BINARY_OPS[op.op_type] in ("add", "sub", "rsub")
    return isinstance(op, EltwiseOp) and op.op_type == 1


def producer_of(value: SSAValue) -> LayerOp | None:
    """Return the layer that produces a blob."""
    owner = value.op if isinstance(value, OpResult) else None
    return owner if isinstance(owner, LayerOp) else None


def may_put(pattern: RewritePattern, new: NewLayer, layers: Sequence[LayerOp]) -> bool:
    """Whether the growth limit permits the weights of a new layer in place of the old ones."""
    return _growth(new, layers).is_allowed(pattern, *layers, new=new.type)


def _growth(new: NewLayer, layers: Sequence[LayerOp]) -> Growth:
    gone = [value for each in layers for value in constants_freed_by(each)] if new.weights else []
    return Growth.of_replacing(layers[0], gone, [(values, None) for values in new.weights.values()])


def put(
    pattern: RewritePattern,
    new: NewLayer,
    layers: Sequence[LayerOp],
    rewriter: PatternRewriter,
    note: str = "",
) -> None:
    """Replace layers, the last one first, by the new layer of a pattern. The note is for the
    remark."""
    last = layers[0]
    _growth(new, layers).record()
    weights = {
        name: new_weight(values, None, last, rewriter, f"{last.results[0].name_hint}_{name}")
        for name, values in new.weights.items()
    }
    emit_remark(pattern, *layers, new=new.type, note=note)
    replace_by_new(last, new.type, [new.input, *new.others], weights, new.params, rewriter)
    erase_unused(layers[1:], rewriter)


def erase_unused(layers: Sequence[LayerOp], rewriter: PatternRewriter) -> None:
    """Erase the layers whose results have no users."""
    waiting = list(layers)
    while unused := [each for each in waiting if not any(r.uses for r in each.results)]:
        for each in unused:
            waiting.remove(each)
            rewriter.erase(each)


def is_new_withheld(
    pattern: RewritePattern, new: NewLayer, layers: Sequence[LayerOp], rewriter: PatternRewriter
) -> bool:
    """Whether the release lacks a layer that a pattern asks for (see `Replacement`)."""
    planned = Replacement(pattern, layers, new.type)
    return planned.is_unsupported([new.input, *new.others], new.params, rewriter)


def _fits(new: NewLayer, op: LayerOp) -> bool:
    return agree(shape_of(new.input), shape_of(op.results[0]))
