"""Passes that apply patterns: `PatternPass` is the base of those with code of their own. `pass_of`
makes the others from rows of the table of passes, so that a rewrite needs no class of a pass."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .observers import running
from .passes import PASSES
from .passes.row import Row

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern

Patterns: TypeAlias = "Sequence[RewritePattern]"
"""Patterns in order of preference."""


class PatternPass(ModulePass):
    """A pass that applies patterns until none matches, and removes what they leave unused."""

    reports_unused: ClassVar[bool] = False
    """See `Row.reports_unused`."""

    def patterns(self) -> Patterns:
        """Import the patterns and return them; by default those of the pass's row. The pass itself
        does not import them, because `ncnn-opt --help` imports all passes."""
        return PASSES[self.name].make_patterns()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        apply_patterns(op, self.patterns(), self.name, removes_unused=not self.reports_unused)


def apply_patterns(
    module: ModuleOp, patterns: Patterns, *passes: str, removes_unused: bool = True
) -> None:
    """Apply patterns of these passes until none matches, and remove what they leave unused."""
    from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker

    from .pattern_set import PatternSet

    applier = GreedyRewritePatternApplier([PatternSet(patterns)], dce_enabled=removes_unused)
    with running(*passes):
        PatternRewriteWalker(applier).rewrite_module(module)


def pass_of(row: Row) -> type[PatternPass]:
    """Return the pass of a row that has only patterns."""

    class NamedPass(PatternPass):
        def apply(self, ctx: Context, op: ModuleOp) -> None:
            if row.prerequisite is not None:
                PASSES[row.prerequisite].load()().apply(ctx, op)
            super().apply(ctx, op)

    NamedPass.name = row.name
    NamedPass.reports_unused = row.reports_unused
    NamedPass.__doc__ = f"{row.help}."
    NamedPass.__name__ = NamedPass.__qualname__ = row.name
    return NamedPass
