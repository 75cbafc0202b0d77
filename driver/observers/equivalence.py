"""`--verify-equivalence`: the outputs after each pass, compared with the original's in the
runtime."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

from ...runtime.equivalence import EquivalenceCheck
from ..requests import Request
from .run_observer import RunObserver

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class Equivalence(RunObserver):
    """Compares the model after each pass with the original, and prints a table."""

    def __init__(self, request: Request, tell: Callable[[str], None]) -> None:
        self._stack = ExitStack()
        check = EquivalenceCheck(request.seed, request.samples, request.tolerance)
        self._check = self._stack.enter_context(check)
        self._tell = tell

    def between_passes(
        self, done: ModulePass | None, module: "ModuleOp", following: ModulePass | None
    ) -> None:
        """Compare the outputs. Raises `RunError`."""
        self._check.between_passes(done, module, following)

    def close(self) -> None:
        """Print the table of all comparisons, and end the runtime."""
        with self._stack:
            if table := self._check.table():
                self._tell(table)
