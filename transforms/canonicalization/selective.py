"""Patterns of which a pass may want only some rewrites."""

from xdsl.pattern_rewriter import RewritePattern

from ..selection import EVERYTHING, Selection


class SelectivePattern(RewritePattern):
    """A pattern that asks, before it rewrites, whether its selection has the two layers that this
    is about; the attribute's comment in each class says which two."""

    selection: Selection

    def __init__(self, selection: Selection = EVERYTHING) -> None:
        self.selection = selection
