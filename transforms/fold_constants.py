"""The pass that folds constants."""

from dataclasses import dataclass

from .rewriting.fold_limit import DEFAULT_FOLD_LIMIT
from .rewriting.pattern_pass import PatternPass, Patterns


@dataclass(frozen=True)
class FoldConstants(PatternPass):
    """Compute layers whose operands are all constants, unless the result adds more than `limit`
    bytes to the weights."""

    name = "fold-constants"
    limit: int = DEFAULT_FOLD_LIMIT

    def patterns(self) -> Patterns:
        from .canonicalization.constant_folding import FoldConstants

        return (FoldConstants(self.limit),)
