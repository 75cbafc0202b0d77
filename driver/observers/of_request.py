"""The observers that a request asks for.

Observers that few runs need are imported in these functions, for a fast start.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..requests import Request
from .growth import ForbiddenGrowth
from .matches import UnmatchedPasses, UnmatchedPatterns
from .padded_channels import PaddedChannels
from .run_observer import RunObserver

if TYPE_CHECKING:
    from ..rewrite_proofs import RewriteProofs

Tell = Callable[[str], None]


def lasting_observers(request: Request, proofs: "RewriteProofs | None") -> Iterator[RunObserver]:
    """Yield the observers of all models of a request. They observe behind those of one model."""
    if request.named_passes:
        yield UnmatchedPasses(request.named_passes)
    yield UnmatchedPatterns()
    if request.max_rewrites is not None:
        from .rewrite_limit import RewriteLimit

        yield RewriteLimit(request.max_rewrites)
    if proofs is not None:
        from .proofs import RunProofs

        yield RunProofs(proofs)


def observers_of_model(request: Request, tell: Tell) -> Iterator[RunObserver]:
    """Yield the observers of one model. `tell` prints the texts that the request asks for."""
    if request.prints_ir():
        from .ir_dump import IRDump

        yield IRDump(request, tell)
    if request.remarks is not None:
        from .remark_printer import RemarkPrinter

        yield RemarkPrinter(request.remarks == "json", tell)
    if request.verify_equivalence:
        from .equivalence import Equivalence

        yield Equivalence(request, tell)
    if request.print_after_rewrite:
        from .rewrite_dump import RewriteDump

        yield RewriteDump(request.print_after_rewrite, tell)
    if request.statistics:
        from .statistics import RewriteStatistics

        yield RewriteStatistics(tell)
    if request.dynamic:
        from .dynamic_layers import DynamicLayers

        yield DynamicLayers()
    yield ForbiddenGrowth()
    yield PaddedChannels()


def reports_of_model(request: Request, tell: Tell) -> Iterator[RunObserver]:
    """Yield the observers of one model whose work begins when that of all others is done."""
    if request.missed:
        from .missed_fusions import MissedFusions

        yield MissedFusions(request.remarks == "json", tell)
    if request.time_passes or request.trace is not None:
        from .pass_times import PassTimes

        yield PassTimes(request.time_passes, request.trace, tell)
