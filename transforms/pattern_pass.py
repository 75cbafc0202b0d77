"""Passes that apply a few patterns, and the families of them."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriteWalker,
    RewritePattern,
)

from .counting import Counted


@dataclass(frozen=True)
class PatternPass(ModulePass):
    """A pass that applies patterns until none matches, and removes what they leave unused."""

    removes_unused: ClassVar[bool] = True
    """Whether what nothing uses goes without a remark."""

    @abstractmethod
    def patterns(self) -> Sequence[RewritePattern]:
        """The patterns, in order of preference."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        applier = GreedyRewritePatternApplier(
            [Counted(p) for p in self.patterns()], dce_enabled=self.removes_unused
        )
        PatternRewriteWalker(applier).rewrite_module(op)


def pattern_pass(name: str, doc: str, *patterns: RewritePattern) -> type[PatternPass]:
    """A pass of these patterns, in order of preference. `doc` is what the help says of it."""

    class NamedPass(PatternPass):
        def patterns(self) -> Sequence[RewritePattern]:
            return patterns

    NamedPass.name = name
    NamedPass.__doc__ = doc
    NamedPass.__name__ = NamedPass.__qualname__ = name
    return NamedPass
