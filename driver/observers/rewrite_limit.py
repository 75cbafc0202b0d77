"""`--stop-after N`: a limit on the number of rewrites."""

from typing import TYPE_CHECKING

from ...transforms.rewriting.rewrite_counter import RewriteCounter
from ..messages import report
from .run_observer import RunObserver

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class RewriteLimit(RewriteCounter, RunObserver):
    """Stops the rewrites at a limit, and reports their number."""

    def report(self, module: "ModuleOp") -> None:
        """Print the number of rewrites."""
        reached = "only" if self.may_rewrite() else "stopped after"
        report(f"{reached} {self.done} rewrites")
