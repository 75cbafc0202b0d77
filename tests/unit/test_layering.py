"""Imports between the folders only point one way."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

LEAVES = frozenset({"dialects/xdsl_extras"})
SHAPES = LEAVES | {"dialects/shapes"}
DIALECTS = SHAPES | {"dialects/ncnn", "dialects/fused", "dialects/pnnx", "dialects/iree"}
FILES = DIALECTS | {"formats"}
ANALYSIS = DIALECTS | {"interpreters", "analysis"}
REWRITING = ANALYSIS | FILES | {"samples", "transforms"}
LOWERING = REWRITING | {"conversion"}
MODELS = LOWERING | {"frontends", "targets"}
RUNNING = MODELS | {"paired_times", "native", "runtime"}

ALLOWED: dict[str, frozenset[str]] = {
    "dialects": LEAVES,
    "dialects/xdsl_extras": frozenset(),
    "dialects/shapes": LEAVES,
    "dialects/ncnn": SHAPES | {"formats"},
    "dialects/fused": SHAPES,
    "dialects/pnnx": LEAVES,
    "dialects/iree": SHAPES | {"dialects/ncnn", "formats"},
    "formats": frozenset(),
    "interpreters": DIALECTS,
    "analysis": ANALYSIS,
    "frontends": FILES,
    "targets": FILES,
    "samples": ANALYSIS | FILES,
    "transforms": REWRITING,
    "transforms/edits": REWRITING | {"frontends", "targets"},
    "conversion": LOWERING,
    "proofs": LOWERING,
    "paired_times": frozenset(),
    "native": MODELS | {"paired_times"},
    "runtime": MODELS | {"paired_times", "native"},
    "quantization": RUNNING,
    "report": MODELS,
    "driver": RUNNING | {"proofs", "quantization", "report"},
    "tools": RUNNING | {"quantization", "report", "driver"},
    "ncnn_opt": RUNNING | {"quantization", "report", "driver"},
}
"""What each folder may import of ours beside itself."""

EXCEPTIONS = (
    ("dialects/ncnn/layer.py", "transforms"),
    ("dialects/fused/epilogue.py", "transforms"),
    ("transforms/rewriting/passes/conversions.py", "conversion"),
    ("transforms/rewriting/passes/repairs.py", "conversion"),
)
"""xDSL asks an operation for its patterns, so the base class of each dialect imports them when it
is asked. The table of passes imports each pass when it runs."""

TABLE_OF_PASSES = "transforms/rewriting/passes/conversions.py"


@dataclass(frozen=True)
class Import:
    """An import of something of ours."""

    file: str
    target: str
    """The folder."""
    module: str
    line: int
    in_function: bool
    absolute: bool

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.target}"


def files() -> list[Path]:
    folders = {folder.split("/")[0] for folder in ALLOWED}
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def folder_of(module: list[str]) -> str | None:
    """The folder of a module `ncnn_opt.…`, `None` for a module that is not ours."""
    if module[0] != "ncnn_opt":
        return None
    inside = module[1:]
    if inside[:1] == ["dialects"] and len(inside) > 1:
        return "/".join(inside[:2])
    return inside[0] if inside and inside[0] in ALLOWED else "ncnn_opt"


def imports_of(path: Path) -> Iterator[Import]:
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    module = parts if parts[0] == "ncnn_opt" else ["ncnn_opt", *parts]
    package = module[:-1]  # also that of a package's __init__

    def visit(node: ast.AST, in_function: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            inner = in_function or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            for target, absolute in targets_of(child, package):
                if (folder := folder_of(target)) is not None:
                    file = str(path.relative_to(ROOT))
                    inside = target[1:] if isinstance(child, ast.Import) else target[1:-1]
                    module, line = ".".join(inside) or "ncnn_opt", child.lineno  # pyright: ignore
                    yield Import(file, folder, module, line, in_function, absolute)  # pyright: ignore
            yield from visit(child, inner)

    yield from visit(tree_of(path), False)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def targets_of(node: ast.AST, package: list[str]) -> Iterator[tuple[list[str], bool]]:
    """The modules that a statement imports, and whether by their whole name."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name.split("."), True
    elif isinstance(node, ast.ImportFrom):
        base = package[: len(package) - node.level + 1] if node.level else []
        named = node.module.split(".") if node.module else []
        for alias in node.names:
            yield [*base, *named, alias.name], node.level == 0


def own_folder(file: str) -> str:
    parts = Path(file).parent.parts
    inner = "/".join(parts[:2])
    return inner if parts[0] == "dialects" or inner in ALLOWED else parts[0]


@pytest.fixture(scope="module")
def imports() -> list[Import]:
    """All imports of ours."""
    return [found for path in files() for found in imports_of(path)]


def is_allowed(found: Import) -> bool:
    own = own_folder(found.file)
    if found.target == own or found.target in ALLOWED[own]:
        return True
    return (found.file, found.target) in EXCEPTIONS and found.in_function


def is_resolved_from_the_path(found: Import) -> bool:
    """Whether a reader finds the file of the target from the path of this one: the folders are
    neighbours of each other, but not of the files in `ncnn_opt/`."""
    in_root_package = found.file.startswith("ncnn_opt/")
    return found.absolute == (in_root_package and found.target != "ncnn_opt")


def test_imports_point_the_way_of_the_table(imports: list[Import]) -> None:
    assert len(imports) > 1000
    assert [str(found) for found in imports if not is_allowed(found)] == []


@pytest.mark.parametrize(("file", "target"), EXCEPTIONS)
def test_the_exception_is_still_needed(file: str, target: str) -> None:
    assert target in {found.target for found in imports_of(ROOT / file)}


def test_a_reader_resolves_imports_from_the_path_alone(imports: list[Import]) -> None:
    assert [str(found) for found in imports if not is_resolved_from_the_path(found)] == []


def test_nothing_imports_the_conversion_back_to_ncnn() -> None:
    """`convert-ncnn-to-fused` does not depend on its inverse, which the table of passes names."""
    inverse = ["ncnn_opt", "conversion", "fused_to_ncnn"]
    for path in files():
        package = ["ncnn_opt", *path.relative_to(ROOT).parent.parts]
        if package[:3] == inverse or path == ROOT / TABLE_OF_PASSES:
            continue
        nodes = ast.walk(tree_of(path))
        targets = [target for node in nodes for target, _ in targets_of(node, package)]
        assert inverse not in [target[:3] for target in targets], path


def test_the_table_has_every_folder() -> None:
    folders = {path.parent.name for path in ROOT.glob("[a-z]*/__init__.py")}
    assert folders - {"benchmarks"} == {folder.split("/")[0] for folder in ALLOWED}


def late_imports() -> dict[str, set[str]]:
    """The imports in functions that tests/unit/late_imports.txt lists with a reason."""
    lines = (ROOT / "tests/unit/late_imports.txt").read_text("utf-8").splitlines()
    rows = [line.split(": ") for line in lines if line and line[0] not in "#["]
    return {file: set(modules.split()) for file, modules in rows}


def test_each_import_in_a_function_has_a_reason(imports: list[Import]) -> None:
    found: dict[str, set[str]] = {}
    for each in imports:
        if each.in_function:
            found.setdefault(each.file, set()).add(each.module)
    assert found == late_imports()
