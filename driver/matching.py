"""The rewrites of a run: passes that matched nothing, and counts."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

from ..transforms.rewriting.pattern_pass import PatternPass
from ..transforms.rewriting.remarks import Remark
from ..transforms.rewriting.rewrite_budget import RewriteCounter

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class Matches:
    """Records pattern passes that run, and their remarks. (Remarks of a preparation, such as the
    elimination of Splits, have another name.)"""

    def __init__(self) -> None:
        self._ran: dict[str, None] = {}
        self._matched: set[str] = set()

    def observe(
        self, done: ModulePass | None, module: "ModuleOp", following: ModulePass | None
    ) -> None:
        """Record a pass that has run."""
        if isinstance(done, PatternPass):
            self._ran[done.name] = None

    def on_remark(self, remark: Remark) -> None:
        """Record a remark."""
        self._matched.add(remark.rewrite)

    def none_of(self, names: Collection[str]) -> list[str]:
        """Return the passes among `names` that ran and matched nothing, in order."""
        return [name for name in self._ran if name in names and name not in self._matched]


def describe_counts(counter: RewriteCounter) -> list[str]:
    """Return a line for each pattern of a file that matched nothing, and one for a limit on the
    number of rewrites."""
    lines = [f"nothing matched {pattern}" for pattern in counter.unmatched]
    if counter.limit is not None:
        reached = "only" if counter.is_below_limit() else "stopped after"
        lines.append(f"{reached} {counter.done} rewrites")
    return lines
