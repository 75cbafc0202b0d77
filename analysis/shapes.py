"""The shape analysis of a pattern rewriter."""

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from ..dialects.shapes.analysis import Shapes


class _Notifier:
    """Notifies an analysis of changed operations."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes

    def __call__(self, op: Operation) -> None:
        self.shapes.changed(op)


def shapes_of(rewriter: PatternRewriter, declared: bool = False) -> Shapes:
    """Return the shape analysis of a rewriter's run. All patterns of the run share it, and the
    rewriter notifies it of changes. Each walk over a module has its own rewriter, also in xDSL's
    `canonicalize`. `declared`: the extents of types are certain."""
    for handler in rewriter.operation_modification_handler:
        if isinstance(handler, _Notifier) and handler.shapes.declared == declared:
            return handler.shapes
    shapes = Shapes(declared)
    rewriter.operation_modification_handler.append(_Notifier(shapes))
    rewriter.operation_removal_handler.append(shapes.removed)
    return shapes
