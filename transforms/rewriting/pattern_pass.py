"""Passes that apply a few patterns."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .passes.row import Row
from .remarks import running

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern

Patterns: TypeAlias = "Sequence[RewritePattern]"
"""Patterns in order of preference."""


class PatternPass(ModulePass):
    """A pass that applies patterns until none matches, and removes what they leave unused."""

    tells_unused: ClassVar[bool] = False
    """See `Row.tells_unused`."""

    @abstractmethod
    def patterns(self) -> Patterns:
        """The patterns. They are imported here, not with the pass: `ncnn-opt --help` imports all
        passes for what it says of them."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker

        from .counting import FirstOf

        applier = GreedyRewritePatternApplier(
            [FirstOf(self.patterns())], dce_enabled=not self.tells_unused
        )
        with running(self.name):
            PatternRewriteWalker(applier).rewrite_module(op)


def pass_of(row: Row) -> type[PatternPass]:
    """The pass of a row that has nothing but patterns."""

    class NamedPass(PatternPass):
        def patterns(self) -> Patterns:
            return row.make_patterns()

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            if row.first is not None:
                from .. import get_all_passes

                get_all_passes()[row.first]()().apply(ctx, op)
            super().apply(ctx, op)

    NamedPass.name = row.name
    NamedPass.tells_unused = row.tells_unused
    NamedPass.__doc__ = f"{row.help}."
    NamedPass.__name__ = NamedPass.__qualname__ = row.name
    return NamedPass
