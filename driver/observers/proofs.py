"""`--verify-rewrites` and `--certificate`: a proof of each rewrite."""

from typing import TYPE_CHECKING

from ...proofs.recorder import Recorder
from ..environment import make_context
from ..messages import report
from ..rewrite_proofs import RewriteProofs
from .run_observer import RunObserver

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class RunProofs(Recorder, RunObserver):
    """Proves each rewrite of a run, and reports the number of proofs."""

    def __init__(self, proofs: RewriteProofs) -> None:
        super().__init__(proofs.receive, make_context)
        self._proofs = proofs

    def report(self, module: "ModuleOp") -> None:
        """Print the number of steps by status."""
        report(self._proofs.summary())
