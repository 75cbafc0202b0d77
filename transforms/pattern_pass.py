"""Passes that apply a few patterns, and the families of them."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern

Patterns: TypeAlias = "Sequence[RewritePattern]"
"""Patterns in order of preference."""


class PatternPass(ModulePass):
    """A pass that applies patterns until none matches, and removes what they leave unused."""

    removes_unused: ClassVar[bool] = True
    """Whether what nothing uses goes without a remark."""

    @abstractmethod
    def patterns(self) -> Patterns:
        """The patterns. They are imported here, not with the pass: `ncnn-opt --help` imports all
        passes for what it says of them."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker

        from .counting import Counted

        applier = GreedyRewritePatternApplier(
            [Counted(p) for p in self.patterns()], dce_enabled=self.removes_unused
        )
        PatternRewriteWalker(applier).rewrite_module(op)


def pattern_pass(name: str, doc: str, make: Callable[[], Patterns]) -> type[PatternPass]:
    """A pass of the patterns that `make` makes. `doc` is what the help says of it."""

    class NamedPass(PatternPass):
        def patterns(self) -> Patterns:
            return make()

    NamedPass.name = name
    NamedPass.__doc__ = doc
    NamedPass.__name__ = NamedPass.__qualname__ = name
    return NamedPass
