"""What recognizers have in common: a formula in, a layer out."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ....dialects.ncnn.blob import agree, shape_of
from ....dialects.ncnn.elementwise import BinaryOpOp, EltwiseOp, PowerOp
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.params import Value
from ...analysis.shapes import shapes_of
from ...growth import may_replace, own
from ...remarks import tell
from ..rewriting import new_weight, replace_by_new
from .algebra import Term
from .matching import Match, matches
from .root_filters import ends_formula


@dataclass(frozen=True)
class NewLayer:
    """A layer, as a recognizer asks for it."""

    type: type[LayerOp]
    input: SSAValue
    params: Mapping[str, Value]
    weights: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Arrays by name."""
    others: Sequence[SSAValue] = ()
    """Further inputs."""


def layer(cls: type[LayerOp], input: SSAValue, **params: Value) -> NewLayer:
    """A layer of this type without weights, with parameters by name."""
    return NewLayer(cls, input, params)


class Recognizer(RewritePattern, ABC):
    """Puts one layer in the place of several that spell it out.

    Algebra: one of `SPELLINGS`, up to order, association and where numbers stand.

    Conditions, and why:
    - what is made on the way has no use outside and is no output: somebody else needs it as it is;
    - all layers have the same feature mask and none has parameters that we do not know;
    - the numbers are those of the formula within `matching.TOLERANCE`, or fit each other;
    - input and output have the same shape, as far as it is known: the new layer does not broadcast.

    The new layer has the name and the blob of the last one.
    """

    ROOTS: ClassVar[tuple[type[LayerOp], ...]] = (BinaryOpOp, EltwiseOp, PowerOp)
    """The types that the last layer can have; those that can be a product."""
    SPELLINGS: ClassVar[tuple[Term, ...]]
    """The formulas."""

    @abstractmethod
    def layer(self, found: Match) -> NewLayer | None:
        """The layer that computes what was found; `None` if there is none."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, self.ROOTS) or not ends_formula(op):
            return
        best: tuple[Match, NewLayer] | None = None
        for found in matches(self.SPELLINGS, op, shapes_of(rewriter)):
            new = self.layer(found)
            larger = best is None or len(found.layers) > len(best[0].layers)
            if new is not None and larger and _fits(new, op):
                best = found, new
        if best is not None and may_put(self, best[1], best[0].layers):
            put(self, best[1], best[0].layers, rewriter)


def may_put(pattern: RewritePattern, new: NewLayer, layers: Sequence[LayerOp]) -> bool:
    """Whether the weights of a new layer may take the place of those of other layers."""
    gone = [value for each in layers for value in own(each)] if new.weights else []
    made = [(values, None) for values in new.weights.values()]
    return may_replace(pattern, *layers, gone=gone, made=made, of=(layers[0], new.type))


def put(
    pattern: RewritePattern,
    new: NewLayer,
    layers: Sequence[LayerOp],
    rewriter: PatternRewriter,
    note: str = "",
) -> None:
    """Puts the layer that a pattern makes in the place of others, the last one first; the note is
    for the remark."""
    last = layers[0]
    weights = {
        name: new_weight(values, None, last, rewriter, f"{last.results[0].name_hint}_{name}")
        for name, values in new.weights.items()
    }
    tell(pattern, *layers, of=(last, new.type), note=note)
    replace_by_new(last, new.type, [new.input, *new.others], weights, new.params, rewriter)
    waiting = list(layers[1:])
    while unused := [each for each in waiting if not any(r.uses for r in each.results)]:
        for each in unused:
            waiting.remove(each)
            rewriter.erase(each)


def _fits(new: NewLayer, op: LayerOp) -> bool:
    return agree(shape_of(new.input), shape_of(op.results[0]))
