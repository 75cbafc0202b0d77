"""The number of rewrites that the limit on the growth of weights forbids.

The summary of the run contains it, so that a user knows why an expected rewrite is missing.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...transforms.rewriting.growth import still_applicable
from ...transforms.rewriting.missed import BeyondGrowth, Missed
from ...transforms.rewriting.remarks import Remark
from .run_observer import RunObserver

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class ForbiddenGrowth(RunObserver):
    """Counts the rewrites that the limit forbids, and that could still be made in the result."""

    def __init__(self) -> None:
        self._refused: list[Remark] = []
        self._count = 0

    def on_missed(self, missed: Missed) -> None:
        """Note a rewrite that the limit forbids."""
        if isinstance(missed, BeyondGrowth):
            self._refused.append(missed.remark())

    def finish(self, module: "ModuleOp") -> None:
        """Count the rewrites whose layers still exist."""
        self._count = len(still_applicable(self._refused, module))

    def facts(self) -> Mapping[str, Any]:
        """Return the number of these rewrites."""
        return {"refused": self._count}
