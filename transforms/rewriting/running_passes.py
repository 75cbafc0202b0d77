"""The running passes: the rewrites that they allow, and the names of rewrites in remarks.

A pattern makes all rewrites that it can. A pass may restrict it to some of them, for example to the
fold of a BatchNorm into a Deconvolution: its row in the table of passes has the types of the first
and the last layer (`Row.first`, `Row.last`). A pattern that is restricted in some row asks
`is_enabled` before its rewrite.

In all functions, the layers are those of the remark about the rewrite, in its order: usually first
the layer that remains, last the layer that it absorbs. If a new layer replaces all of them, `new`
is its type.
"""

from typing import TYPE_CHECKING, Any

from .observers import current_observers
from .passes import PASSES

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern

    from .passes.row import LayerOrType, Row


def is_enabled(
    pattern: "RewritePattern", *layers: "LayerOrType", new: "LayerOrType | None" = None
) -> bool:
    """Whether the running passes contain this rewrite of a pattern. Without a running pass that has
    the pattern, as in `canonicalize`, all its rewrites are enabled."""
    rows = _rows_with(pattern)
    return not rows or any(row.selects(layers, new) for row in rows)


def is_requested(pattern: "RewritePattern") -> bool:
    """Whether a running pass has this pattern, because the user named the pass. It then also makes
    rewrites that make the model slower on the target processors."""
    return bool(_rows_with(pattern))


def name_of(pattern: "RewritePattern", *layers: Any, new: "LayerOrType | None" = None) -> str:
    """Return the name of the pass that makes this rewrite: a running pass, or else the first such
    pass in the table. Raise `LookupError` if no pass makes it."""
    running = current_observers().running
    for row in (*_running_rows(), *PASSES.values()):
        if row.owns(type(pattern)) and row.selects(layers, new):
            return row.name
    if not running:
        raise LookupError(f"no pass makes the rewrite of {type(pattern).__name__}")
    return running[0]


def _rows_with(pattern: "RewritePattern") -> "list[Row]":
    cls = type(pattern)
    return [row for row in _running_rows() if any(type(p) is cls for p in row.make_patterns())]


def _running_rows() -> "list[Row]":
    return [PASSES[name] for name in current_observers().running if name in PASSES]
