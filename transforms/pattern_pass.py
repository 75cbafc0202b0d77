"""Passes that apply a few patterns, and the families of them."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

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

    @abstractmethod
    def patterns(self) -> Sequence[RewritePattern]:
        """The patterns, in order of preference."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        applier = GreedyRewritePatternApplier([Counted(p) for p in self.patterns()])
        PatternRewriteWalker(applier).rewrite_module(op)
