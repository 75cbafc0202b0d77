"""`--print-after-rewrite`: the IR after each rewrite of some patterns."""

from collections import Counter
from collections.abc import Callable, Collection

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import RewritePattern

from ...dialects.xdsl_extras.spelling import nearest
from ...targets.mlir.ir_printer import print_module
from ...targets.options import MlirOptions, WeightStyle
from .run_observer import RunObserver


class RewriteDump(RunObserver):
    """Prints the IR after each rewrite of some patterns, which are named by their classes."""

    def __init__(self, patterns: Collection[str], tell: Callable[[str], None]) -> None:
        self._patterns = patterns
        self._tell = tell
        self._pass: ModulePass | None = None
        self._module: ModuleOp | None = None
        self._rewrites = Counter[str]()

    def between_passes(
        self, done: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        """Note the module and the next pass."""
        self._pass, self._module = following, module

    def after_rewrite(self, pattern: RewritePattern, op: Operation) -> None:
        """Print the IR if the pattern is one of those that are asked for."""
        name = type(pattern).__name__
        self._rewrites[name] += 1
        if name not in self._patterns or self._module is None:
            return
        place = f" in {self._pass.name}" if self._pass is not None else ""
        text = print_module(self._module, MlirOptions(WeightStyle.ELIDE))
        head = f"IR Dump After Rewrite {self._rewrites[name]} of {name}{place}"
        self._tell(f"// -----// {head} //----- //\n{text}")

    def close(self) -> None:
        """Report the patterns without a rewrite."""
        for name in self._patterns:
            if not self._rewrites[name]:
                hint = nearest(name, list(self._rewrites))
                self._tell(f"--print-after-rewrite: pattern '{name}' made no rewrite{hint}")
