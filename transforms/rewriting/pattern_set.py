"""Sets of patterns that are tried in order, and tell the observers about it."""

from collections.abc import Sequence
from functools import partial

from xdsl.dialects.builtin import UNKNOWN_LOC, LocationAttr
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...analysis.float32_storage import must_stay
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.layer import LayerOp
from .observers import current_observers
from .remarks import emit_remark


class LayerReplacement(RewritePattern):
    """A pattern that sends no remark itself. Its remark lists the layer where the pattern is
    rooted, and then the other layers that the rewrite removes, except weights: a `PatternSet`
    listens to the rewriter, and sends the remark after the rewrite.

    Patterns of passes whose names begin with `eliminate` call `emit_remark` before the rewrite:
    the log of `ncnn-optimize` then looks for the layer before the removed one."""


class PatternSet(RewritePattern):
    """Patterns that are tried in order until one rewrites. New operations get the location of the
    operation where the patterns are rooted. Operations that must stay, for the storage of the
    blobs, are not rewritten."""

    def __init__(self, patterns: Sequence[RewritePattern]) -> None:
        self.patterns = patterns

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        observers = current_observers()
        if not observers.may_rewrite() or must_stay(op):
            return
        for before in observers.before_patterns:
            before(op)
        if op.location is not UNKNOWN_LOC:
            rewriter.operation_insertion_handler.append(partial(inherit_location, op.location))
        removed: list[Operation] = []
        if observers.on_remark:
            rewriter.operation_removal_handler.append(removed.append)
        for pattern in self.patterns:
            for before in observers.before_attempt:
                before(pattern)
            pattern.match_and_rewrite(op, rewriter)
            for after in observers.after_attempt:
                after(pattern)
            if rewriter.has_done_action:
                if observers.on_remark and isinstance(pattern, LayerReplacement):
                    emit_remark(pattern, *_root_first(op, removed))
                for after in observers.after_rewrite:
                    after(pattern, op)
                return


def _root_first(root: Operation, removed: Sequence[Operation]) -> list[LayerOp]:
    """Return the root of a rewrite and the other layers that it removed, in order."""
    layers = [op for op in dict.fromkeys((root, *removed)) if isinstance(op, LayerOp)]
    return [layer for layer in layers if not isinstance(layer, ConstantOp)]


def inherit_location(location: LocationAttr, op: Operation) -> None:
    """Give a new operation the location of the operation that it replaces."""
    if op.location is UNKNOWN_LOC or op.location == UNKNOWN_LOC:
        op.location = location
