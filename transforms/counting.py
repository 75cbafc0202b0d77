"""Counting rewrites, and stopping after so many: that is how a wrong one is found."""

from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern


@dataclass
class RewriteCounter:
    """How many rewrites were made, and how many may be."""

    limit: int | None = None
    done: int = 0
    fired: Counter[str] = field(default_factory=Counter[str])
    """How many by which pattern."""

    def may_go_on(self) -> bool:
        """Whether one more rewrite is allowed."""
        return self.limit is None or self.done < self.limit


_COUNTER: ContextVar[RewriteCounter | None] = ContextVar("rewrites", default=None)


class FirstOf(RewritePattern):
    """Patterns in order, of which the first one that fires is the last one tried. The counter of
    the context, if there is one, counts and stops them."""

    def __init__(self, patterns: Sequence[RewritePattern]) -> None:
        self.patterns = patterns

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        counter = _COUNTER.get()
        if counter is not None and not counter.may_go_on():
            return
        for pattern in self.patterns:
            pattern.match_and_rewrite(op, rewriter)
            if rewriter.has_done_action:
                if counter is not None:
                    counter.done += 1
                    counter.fired[type(pattern).__name__] += 1
                return


@contextmanager
def counting(counter: RewriteCounter) -> Generator[None]:
    """Counts the rewrites of the block here."""
    token = _COUNTER.set(counter)
    try:
        yield
    finally:
        _COUNTER.reset(token)
