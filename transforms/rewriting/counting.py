"""Counting rewrites, and stopping after so many: that is how a wrong one is found."""

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
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
    unmatched: list[str] = field(default_factory=list[str])
    """The patterns from files that matched nothing."""

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
                if counter is not None and not isinstance(pattern, FirstOf):
                    counter.done += 1
                    counter.fired[type(pattern).__name__] += 1
                return

    def each(self) -> Iterator[RewritePattern]:
        """The patterns, and those of the lists among them."""
        for pattern in self.patterns:
            if isinstance(pattern, FirstOf):
                yield from pattern.each()
            else:
                yield pattern


class FirstWhen(FirstOf):
    """Patterns for operations of which something is so. They are loaded when there is one."""

    def __init__(
        self, so: Callable[[Operation], bool], load: Callable[[], Sequence[RewritePattern]]
    ) -> None:
        super().__init__(())
        self._so = so
        self._load = load

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if self._so(op):
            self.patterns = self.patterns or self._load()
            super().match_and_rewrite(op, rewriter)

    def each(self) -> Iterator[RewritePattern]:
        self.patterns = self.patterns or self._load()
        return super().each()


def note_unmatched(patterns: Sequence[str]) -> None:
    """Tell the counter of the context, if there is one, which patterns matched nothing. After a
    stop nothing is known of them."""
    counter = _COUNTER.get()
    if counter is not None and counter.may_go_on():
        counter.unmatched += patterns


@contextmanager
def counting(counter: RewriteCounter) -> Generator[None]:
    """Counts the rewrites of the block here."""
    token = _COUNTER.set(counter)
    try:
        yield
    finally:
        _COUNTER.reset(token)
