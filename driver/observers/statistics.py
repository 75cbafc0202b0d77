"""`--statistics`: the number of rewrites of each pass."""

from collections import Counter
from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import RewritePattern

from .run_observer import RunObserver


class RewriteStatistics(RunObserver):
    """Counts the rewrites of each pass, as `mlir-opt --mlir-pass-statistics`."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._lines: list[str] = []
        self._rewrites = Counter[str]()
        """The rewrites of the running pass, by the class of the pattern."""
        self._operations = 0

    def after_rewrite(self, pattern: RewritePattern, op: Operation) -> None:
        """Count a rewrite."""
        self._rewrites[type(pattern).__name__] += 1

    def between_passes(
        self, done: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        """Record the counts of a pass."""
        operations = sum(1 for _ in module.walk())
        if done is not None:
            found = [f"{n} {name}" for name, n in sorted(self._rewrites.items())]
            if operations != self._operations:
                found.append(f"{operations - self._operations:+d} operations")
            if found:
                self._lines += [done.name, *(f"  (S) {line}" for line in found)]
        self._rewrites.clear()
        self._operations = operations

    def close(self) -> None:
        """Print the counts of the passes that changed something, in order."""
        rule = f"===-{'-' * 73}-==="
        head = [rule, f"{'... Pass statistics report ...':^81}".rstrip(), rule]
        self._tell("\n".join([*head, *(self._lines or ["no pass changed the model"])]))
