"""What is known of shapes, as a pattern asks for it."""

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from ..dialects.shapes.analysis import Shapes


class _Tell:
    """Tells an analysis what changes."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes

    def __call__(self, op: Operation) -> None:
        self.shapes.changed(op)


def shapes_of(rewriter: PatternRewriter, declared: bool = False) -> Shapes:
    """The analysis of the run that a rewriter belongs to: all patterns of a pass ask the same one,
    it is told what they change, and it goes with the rewriter. (A walk over a module has one
    rewriter, whichever pass it is of, xDSL's own `canonicalize` too; another walk has another.)
    `declared`: one for which types are true."""
    for handler in rewriter.operation_modification_handler:
        if isinstance(handler, _Tell) and handler.shapes.declared == declared:
            return handler.shapes
    shapes = Shapes(declared)
    rewriter.operation_modification_handler.append(_Tell(shapes))
    rewriter.operation_removal_handler.append(shapes.removed)
    return shapes
