"""Runs of rewrites that record which of their conditions decide something, or drop one of them.

Dropping a condition changes a run only if the condition's result is the one that dropping replaces.
"""

import ast
import builtins
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from .conditions import FOLDER, Condition, operands, replaced_by

PROBE = "_probe_of_a_condition"


class Probe:
    """Records the results of conditions, by number."""

    def __init__(self) -> None:
        self.deciding: set[int] = set()
        """The conditions that decide something; may be cleared between runs."""
        self.passing: set[int] = set()
        """The conditions that had the result that dropping them gives; may be cleared, too."""
        self.dropped: frozenset[int] = frozenset()
        """The conditions to run without."""

    def __call__(self, number: int, result: bool, value: Any) -> Any:
        """Take the value of a condition that dropping replaces by `result`."""
        if bool(value) is result:
            self.passing.add(number)
            return value
        self.deciding.add(number)
        return result if number in self.dropped else value

    @contextmanager
    def without(self, *numbers: int) -> Generator[None]:
        """Run without some conditions."""
        self.dropped = frozenset(numbers)
        try:
            yield
        finally:
            self.dropped = frozenset()


class _Wrap(ast.NodeTransformer):
    """Passes the result of each condition to a probe."""

    def __init__(self, numbers: dict[ast.expr, tuple[int, bool]]) -> None:
        self.numbers = numbers

    def visit(self, node: ast.AST) -> Any:
        found = self.numbers.get(node)  # pyright: ignore
        self.generic_visit(node)
        if found is None:
            return node
        args: list[ast.expr] = [ast.Constant(found[0]), ast.Constant(found[1]), node]  # pyright: ignore
        call = ast.Call(ast.Name(PROBE, ast.Load()), args, [])
        return ast.fix_missing_locations(ast.copy_location(call, node))


@contextmanager
def probing(conditions: Sequence[Condition]) -> Generator[Probe]:
    """Record the conditions, among those of whole files, that decide something."""
    probe = Probe()
    setattr(builtins, PROBE, probe)
    start = 0
    with replaced_by() as replace:
        for file in dict.fromkeys(condition.file for condition in conditions):
            path = FOLDER / file
            tree = ast.parse(path.read_text("utf-8"))
            every = list(operands(tree))
            numbers = {node: (start + i, result) for i, (_, node, result) in enumerate(every)}
            start += len(every)
            replace(path, compile(_Wrap(numbers).visit(tree), "", "exec"))
        assert start == len(conditions)
        try:
            yield probe
        finally:
            delattr(builtins, PROBE)
