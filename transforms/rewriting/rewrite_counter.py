"""Counting rewrites, and stopping after a given number of them, to find a wrong rewrite."""

from collections import Counter
from typing import TYPE_CHECKING

from .observers import Observer

if TYPE_CHECKING:
    from xdsl.ir import Operation
    from xdsl.pattern_rewriter import RewritePattern


class RewriteCounter(Observer):
    """An observer that counts the rewrites, and allows a limited number of them."""

    def __init__(self, limit: int | None = None) -> None:
        self.limit = limit
        """The largest number of rewrites that may be made."""
        self.done = 0
        """The number of rewrites that were made."""
        self.fired = Counter[str]()
        """This number by the name of the pattern's class."""

    def may_rewrite(self) -> bool:
        """Whether the limit allows one more rewrite."""
        return self.limit is None or self.done < self.limit

    def after_rewrite(self, pattern: "RewritePattern", op: "Operation") -> None:
        """Count a rewrite."""
        self.done += 1
        self.fired[type(pattern).__name__] += 1
