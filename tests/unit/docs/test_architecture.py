"""docs/architecture.md and docs/decisions.md name existing files and functions, and all context
variables."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = ("architecture", "decisions")
PACKAGES = sorted({path.parent.name for path in ROOT.glob("[a-z]*/__init__.py")} - {"benchmarks"})


def text_of(page: str) -> str:
    return (ROOT / "docs" / f"{page}.md").read_text("utf-8")


def rows(title: str) -> list[list[list[str]]]:
    """The names in code style of each cell of the tables in a section."""
    section = re.split(rf"^## {title}$", text_of("architecture"), flags=re.M)[1]
    lines = re.split(r"^## ", section, flags=re.M)[0].splitlines()
    cells = [line.strip("|").split(" | ") for line in lines if line.startswith("| ")]
    return [[re.findall("`([^`]+)`", cell) for cell in row] for row in cells]


def defined(path: str) -> set[str]:
    """The functions, methods and classes of a file."""
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.ClassDef)}


@pytest.mark.parametrize("page", PAGES)
def test_files_exist(page: str) -> None:
    names = set(re.findall(r"`([\w./-]+/[\w./-]*)`", text_of(page)))
    assert len(names) > 12
    assert sorted(name for name in names if not (ROOT / name).exists()) == []


def test_stations_have_their_functions() -> None:
    stations = [row for row in rows("Four lives") if row[1]]
    assert len(stations) > 40
    missing = [
        (files, name)
        for _, files, names in stations
        for name in names
        if not any(name in defined(file) for file in files)
    ]
    assert missing == []


def context_variables() -> Iterator[tuple[str, str]]:
    """The file and the name of each context variable of the packages."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                target = node.target if isinstance(node, ast.AnnAssign) else None
                value = node.value if isinstance(node, ast.AnnAssign | ast.Assign) else None
                if isinstance(node, ast.Assign):
                    target = node.targets[0]
                if isinstance(value, ast.Call) and "ContextVar" in ast.unparse(value.func):
                    assert target is not None
                    yield str(path.relative_to(ROOT)), ast.unparse(target)


def test_context_variables_are_listed() -> None:
    listed = [(row[1][0], row[0][0]) for row in rows("State in context variables") if row[0]]
    assert sorted(listed) == sorted(context_variables())


def test_decisions_are_in_the_navigation() -> None:
    assert '"decisions"' in (ROOT / "docs/making/site.py").read_text("utf-8")
    assert "(decisions.md)" in text_of("architecture")
