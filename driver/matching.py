"""Which passes of a pipeline found nothing to do."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

from ..transforms.rewriting.pattern_pass import PatternPass
from ..transforms.rewriting.remarks import Remark

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class Matches:
    """Looks at the passes that run and have nothing but patterns, and at the remarks that they
    make. (What a pass has done before it, as eliminating Splits, has another name there.)"""

    def __init__(self) -> None:
        self._ran: dict[str, None] = {}
        self._told: set[str] = set()

    def observe(
        self, done: ModulePass | None, module: "ModuleOp", following: ModulePass | None
    ) -> None:
        """Is called before the first pass, and after each."""
        if isinstance(done, PatternPass):
            self._ran[done.name] = None

    def hear(self, remark: Remark) -> None:
        """Is called with each remark."""
        self._told.add(remark.rewrite)

    def none_of(self, names: Collection[str]) -> list[str]:
        """Those of these passes that ran and matched nothing, in order."""
        return [name for name in self._ran if name in names and name not in self._told]
