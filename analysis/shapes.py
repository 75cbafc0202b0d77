"""The shape analysis of a pattern rewriter."""

from xdsl.pattern_rewriter import PatternRewriter

from ..dialects.shapes.analysis import Shapes


def shapes_of(rewriter: PatternRewriter, declared: bool = False) -> Shapes:
    """Return the shape analysis of a rewriter's run. All patterns of the run share it, and the
    rewriter notifies it of changes. Each walk over a module has its own rewriter, also in xDSL's
    `canonicalize`. `declared`: the extents of types are certain."""
    for handler in rewriter.operation_modification_handler:
        analysis = getattr(handler, "__self__", None)
        if isinstance(analysis, Shapes) and analysis.declared == declared:
            return analysis
    shapes = Shapes(declared)
    rewriter.operation_modification_handler.append(shapes.changed)
    rewriter.operation_removal_handler.append(shapes.removed)
    return shapes
