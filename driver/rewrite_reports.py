"""Reports on rewrites: `--statistics` and `--print-after-rewrite`."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.xdsl_extras.spelling import nearest
from ..transforms.rewriting.rewrite_budget import RewriteCounter


@dataclass
class Statistics:
    """An observer that counts the rewrites of each pass, as `mlir-opt --mlir-pass-statistics`."""

    counter: RewriteCounter
    _lines: list[str] = field(default_factory=list[str])
    _seen: Counter[str] = field(default_factory=Counter[str])
    _operations: int = 0

    def observe(
        self, done: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        """Record the counts of a pass."""
        operations = sum(1 for _ in module.walk())
        if done is not None:
            new = self.counter.fired - self._seen
            found = [f"{n} {name}" for name, n in sorted(new.items())]
            if operations != self._operations:
                found.append(f"{operations - self._operations:+d} operations")
            if found:
                self._lines += [done.name, *(f"  (S) {line}" for line in found)]
        self._seen, self._operations = Counter(self.counter.fired), operations

    def table(self) -> str:
        """Return the counts of the passes that changed something, in order."""
        rule = f"===-{'-' * 73}-==="
        head = [rule, f"{'... Pass statistics report ...':^81}".rstrip(), rule]
        return "\n".join([*head, *(self._lines or ["no pass changed the model"])])


@dataclass
class RewriteDump:
    """An observer that prints the IR after each rewrite of some patterns."""

    patterns: Collection[str]
    counter: RewriteCounter
    tell: Callable[[str], None]
    _pass: ModulePass | None = None
    _module: ModuleOp | None = None
    _printed: Counter[str] = field(default_factory=Counter[str])

    def observe(
        self, done: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        """Listen to the rewrites of the next pass."""
        self._pass, self._module = following, module
        self.counter.on_rewrite = self.on_rewrite

    def on_rewrite(self, pattern: str) -> None:
        """Print the IR if the pattern is one of `patterns`."""
        from ..targets.mlir.printing import print_module
        from ..targets.options import MlirOptions, WeightStyle

        if pattern not in self.patterns or self._module is None:
            return
        self._printed[pattern] += 1
        place = f" in {self._pass.name}" if self._pass is not None else ""
        text = print_module(self._module, MlirOptions(WeightStyle.ELIDE))
        head = f"IR Dump After Rewrite {self._printed[pattern]} of {pattern}{place}"
        self.tell(f"// -----// {head} //----- //\n{text}")

    def close(self) -> None:
        """Report the patterns without a rewrite, and stop listening."""
        self.counter.on_rewrite = None
        for name in self.patterns:
            if not self._printed[name]:
                hint = nearest(name, list(self.counter.fired))
                self.tell(f"--print-after-rewrite: pattern '{name}' made no rewrite{hint}")
