"""The conditions of our rewrites, listed from their source.

A condition is an operand of a test that ends a function early (`if a or b: return`), or an operand
of a predicate (`return a and b`, `if a and b: …`, `all(a and b for …)`, `case … if a`). A rewrite
without a condition has the operand's result replaced (`probing.py`).
"""

import ast
import gc
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import cache
from inspect import CO_NEWLOCALS
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

from ncnn_opt.transforms.rewriting.passes import PASSES

ROOT = Path(__file__).parents[2]
TRANSFORMS = "ncnn_opt.transforms"
FOLDER = ROOT / "transforms" / "canonicalization"


class Condition(NamedTuple):
    """A condition in the source."""

    file: str
    """The path in `transforms/canonicalization/`."""
    function: str
    text: str
    number: int
    """Its number among the conditions of this text in the function."""

    @property
    def key(self) -> str:
        """A name that stays the same if lines move."""
        which = f" ({self.number + 1})" if self.number else ""
        return f"{self.file} {self.function}: {self.text}{which}"


def conditions(path: Path) -> Iterator[Condition]:
    """Yield the conditions of a file."""
    counts: dict[tuple[str, str], int] = {}
    for function, node, _ in operands(ast.parse(path.read_text("utf-8"))):
        text = " ".join(ast.unparse(node).split())
        count = counts.get((function, text), 0)
        counts[function, text] = count + 1
        yield Condition(path.relative_to(FOLDER).as_posix(), function, text, count)


def operands(tree: ast.AST, function: str = "") -> Iterator[tuple[str, ast.expr, bool]]:
    """Yield the operands of conditions, each with the result that drops it."""
    for node in ast.iter_child_nodes(tree):
        inside = function
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            inside = f"{function}.{node.name}".lstrip(".")
        yield from ((inside, *each) for each in _own_operands(node))
        yield from operands(node, inside)


def _own_operands(node: ast.AST) -> Iterator[tuple[ast.expr, bool]]:
    """Yield the operands of the conditions of a node."""
    match node:
        case ast.If(test=test, body=body, orelse=[]) if _ends(body):
            yield from ((each, False) for each in _parts(test, ast.Or))
        case ast.IfExp(test=test, body=ast.Constant(value=None | False)):
            yield from ((each, False) for each in _parts(test, ast.Or))
        case ast.If(test=test) | ast.IfExp(test=test, orelse=ast.Constant(value=None | False)):
            yield from ((each, True) for each in _parts(test, ast.And))
        case ast.match_case(guard=ast.expr() as test):
            yield from ((each, True) for each in _parts(test, ast.And))
        case ast.comprehension(ifs=tests):
            yield from ((each, True) for test in tests for each in _parts(test, ast.And))
        case ast.Return(value=(ast.BoolOp(op=ast.And()) | ast.Compare()) as value):
            yield from ((each, True) for each in _parts(value, ast.And))
        case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp(elt=value)]):
            yield from ((each, True) for each in _parts(value, ast.And))
        case ast.Call(func=ast.Name(id="any"), args=[ast.GeneratorExp(elt=value)]):
            yield from ((each, False) for each in _parts(value, ast.Or))
        case _:
            pass


def _ends(body: list[ast.stmt]) -> bool:
    """Whether a block ends the function without a rewrite, or the round of a loop."""
    last = body[-1]
    body = [each for each in body if not _discards(each)]
    if isinstance(last, ast.Continue | ast.Break):
        return True
    if not isinstance(last, ast.Return) or len(body) > 1:
        return False
    value = last.value
    if value is None or (isinstance(value, ast.Constant) and value.value in (None, False)):
        return True
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return True  # the obstacle
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "missed"


def _discards(statement: ast.stmt) -> bool:
    """Whether a statement discards a layer that was made to try it."""
    return ast.unparse(statement).endswith(".drop_all_references()")


def _parts(test: ast.expr, kind: type[ast.boolop]) -> list[ast.expr]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, kind):
        return test.values
    return [test]


Replace = Callable[[Path, CodeType], None]
"""Replaces the functions of a module that differ in another version of it."""


@contextmanager
def replaced_by() -> Generator[Replace]:
    """Let functions be replaced in this process, until the block ends."""
    changed: list[tuple[FunctionType, CodeType]] = []

    def replace(path: Path, other: CodeType) -> None:
        own = compile(path.read_text("utf-8"), "", "exec")
        for code, new in dict(_pairs(own, other)).items():
            for function in _functions(code):
                changed.append((function, function.__code__))
                function.__code__ = new

    try:
        yield replace
    finally:
        for function, old in changed:
            function.__code__ = old


def _functions(code: CodeType) -> list[FunctionType]:
    """Return the functions of this code in all modules."""
    found = _all_functions().get((code.co_qualname, code.co_firstlineno), [])
    return [each for each in found if each.__code__ == code]


@cache
def _all_functions() -> dict[tuple[str, int], list[FunctionType]]:
    for row in PASSES.values():
        row.make_patterns()  # imports their modules
    found: dict[tuple[str, int], list[FunctionType]] = {}
    gc.unfreeze()  # a process that others are forked off freezes what it has imported
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and str(each.__module__).startswith(TRANSFORMS):
            code = each.__code__
            found.setdefault((code.co_qualname, code.co_firstlineno), []).append(each)
    return found


def _pairs(own: CodeType, other: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield the code of the functions that differ in two versions of a module."""

    def inner(code: CodeType) -> list[CodeType]:
        return [const for const in code.co_consts if isinstance(const, CodeType)]

    def visit(a: CodeType, b: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
        if a.co_flags & CO_NEWLOCALS and a != b:
            yield a, b
        for pair in zip(inner(a), inner(b), strict=True):
            yield from visit(*pair)

    return visit(own, other)
