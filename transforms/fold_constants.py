"""Constant folding as a pass of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.pattern_rewriter import RewritePattern

from .canonicalization.folding import FoldConstants as Fold
from .fold_limit import DEFAULT_FOLD_LIMIT
from .pattern_pass import PatternPass


@dataclass(frozen=True)
class FoldConstants(PatternPass):
    """Compute layers whose operands are all constants, unless one adds more than `limit` bytes to
    the weights."""

    name = "fold-constants"
    limit: int = DEFAULT_FOLD_LIMIT

    def patterns(self) -> Sequence[RewritePattern]:
        return (Fold(self.limit),)
