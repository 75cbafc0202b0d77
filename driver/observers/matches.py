"""Passes and patterns that the user named, and that matched nothing.

The result itself does not show that a name had no effect.
"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from xdsl.passes import ModulePass

from ...transforms.rewriting.pattern_pass import PatternPass
from ...transforms.rewriting.remarks import Remark
from ..messages import report
from .run_observer import RunObserver

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class UnmatchedPasses(RunObserver):
    """Finds the passes that ran without a remark of theirs. (Remarks of a preparation, such as the
    elimination of Splits, have another name.)"""

    def __init__(self, names: Collection[str]) -> None:
        """`names` are the passes that the user named."""
        self._names = names
        self._ran: dict[str, None] = {}
        self._matched: set[str] = set()

    def between_passes(
        self, done: ModulePass | None, module: "ModuleOp", following: ModulePass | None
    ) -> None:
        """Record a pass that has run."""
        if isinstance(done, PatternPass):
            self._ran[done.name] = None

    def on_remark(self, remark: Remark) -> None:
        """Record a remark."""
        self._matched.add(remark.rewrite)

    def facts(self) -> Mapping[str, Any]:
        """Return the passes that matched nothing, in order."""
        found = (name for name in self._ran if name in self._names)
        return {"unmatched": [name for name in found if name not in self._matched]}


class UnmatchedPatterns(RunObserver):
    """Reports the patterns of PDL files that matched no operation."""

    def __init__(self) -> None:
        self._unmatched: list[str] = []

    def on_unmatched(self, pattern: str) -> None:
        """Record a pattern."""
        self._unmatched.append(pattern)

    def report(self, module: "ModuleOp") -> None:
        """Print a line for each pattern."""
        for pattern in self._unmatched:
            report(f"nothing matched {pattern}")
