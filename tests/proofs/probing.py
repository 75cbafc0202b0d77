"""Runs of rewrites that record which of their conditions decide something.

Dropping a condition changes a run only if the condition's result is the one that dropping replaces.
"""

import ast
import builtins
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from .conditions import FOLDER, Place, operands, replaced_by

PROBE = "_probe_of_a_condition"


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
def probing(places: Sequence[Place]) -> Generator[set[int]]:
    """Record the numbers of the conditions, among those of whole files, that decide something; the
    set may be cleared between runs."""
    deciding: set[int] = set()

    def probe(number: int, dropped: bool, value: Any) -> Any:
        if bool(value) is not dropped:
            deciding.add(number)
        return value

    setattr(builtins, PROBE, probe)
    start = 0
    with replaced_by() as replace:
        for file in dict.fromkeys(place.condition.file for place in places):
            path = FOLDER / file
            tree = ast.parse(path.read_text("utf-8"))
            every = list(operands(tree))
            numbers = {node: (start + i, result) for i, (_, node, result) in enumerate(every)}
            start += len(every)
            replace(path, compile(_Wrap(numbers).visit(tree), "", "exec"))
        assert start == len(places)
        try:
            yield deciding
        finally:
            delattr(builtins, PROBE)
