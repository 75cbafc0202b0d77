"""Patterns with a selection of rewrites."""

from xdsl.pattern_rewriter import RewritePattern

from ..rewriting.selection import EVERYTHING, Selection


class SelectivePattern(RewritePattern):
    """A pattern that a pass may restrict to some rewrites, by the two layers of a rewrite. The
    attribute docstring of `selection` in each class specifies which two layers."""

    selection: Selection

    def __init__(self, selection: Selection = EVERYTHING) -> None:
        self.selection = selection


def selection_of(pattern: RewritePattern) -> Selection:
    """Return the rewrites that a pattern is restricted to."""
    return pattern.selection if isinstance(pattern, SelectivePattern) else EVERYTHING
