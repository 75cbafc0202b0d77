"""Counting rewrites, and stopping after a given number of them, to find a wrong rewrite."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter

from xdsl.dialects.builtin import UNKNOWN_LOC, LocationAttr
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...analysis.float32_storage import must_stay
from .context import set_context


@dataclass
class RewriteCounter:
    """The number of rewrites that were made, and the largest number that may be made."""

    limit: int | None = None
    done: int = 0
    fired: Counter[str] = field(default_factory=Counter[str])
    """The number of rewrites by the name of the pattern's class."""
    seconds: Counter[str] | None = None
    """The time by the name of the pattern's class, if it is measured."""
    tried: Counter[str] = field(default_factory=Counter[str])
    """The number of attempts by the name of the pattern's class, if times are measured."""
    unmatched: list[str] = field(default_factory=list[str])
    """The patterns from PDL files that matched no operation."""
    on_rewrite: Callable[[str], None] | None = None
    """A function that is called after each rewrite with the name of the pattern's class."""

    def is_below_limit(self) -> bool:
        """Whether one more rewrite is allowed."""
        return self.limit is None or self.done < self.limit

    def count(self, pattern: RewritePattern, op: Operation) -> None:
        """Count a rewrite of a pattern that was rooted at an operation."""
        self.done += 1
        self.fired[type(pattern).__name__] += 1
        if self.on_rewrite is not None:
            self.on_rewrite(type(pattern).__name__)

    def measure(self, pattern: RewritePattern, op: Operation, rewriter: PatternRewriter) -> None:
        """Try a pattern, and measure its time."""
        start = perf_counter()
        pattern.match_and_rewrite(op, rewriter)
        if self.seconds is not None:
            name = type(pattern).__name__
            self.seconds[name] += perf_counter() - start  # pyright: ignore[reportArgumentType]
            self.tried[name] += 1


_COUNTER: ContextVar[RewriteCounter | None] = ContextVar("rewrites", default=None)


def inherit_location(location: LocationAttr, op: Operation) -> None:
    """Give a new operation the location of the operation that it replaces."""
    if op.location is UNKNOWN_LOC or op.location == UNKNOWN_LOC:
        op.location = location


class CountedPatternSet(RewritePattern):
    """Patterns that are tried in order until one fires. If the context has a counter, it counts the
    rewrites and stops them at its limit. Operations that must stay, for the storage of the blobs,
    are not rewritten."""

    def __init__(self, patterns: Sequence[RewritePattern]) -> None:
        self.patterns = patterns

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        counter = _COUNTER.get()
        if counter is not None and not counter.is_below_limit() or must_stay(op):
            return
        if op.location is not UNKNOWN_LOC:
            rewriter.operation_insertion_handler.append(partial(inherit_location, op.location))
        timed = counter if counter is not None and counter.seconds is not None else None
        for pattern in self.patterns:
            if timed is not None:
                timed.measure(pattern, op, rewriter)
            else:
                pattern.match_and_rewrite(op, rewriter)
            if rewriter.has_done_action:
                if counter is not None:
                    counter.count(pattern, op)
                return


def note_unmatched(patterns: Sequence[str]) -> None:
    """Record patterns that matched no operation in the counter of the context, if there is one.
    Record nothing after the counter stopped the rewrites: the patterns might match later."""
    counter = _COUNTER.get()
    if counter is not None and counter.is_below_limit():
        counter.unmatched += patterns


def counting(counter: RewriteCounter) -> AbstractContextManager[None]:
    """Count the rewrites of the `with` block in `counter`."""
    return set_context(_COUNTER, counter)
