"""The documents name existing files of the project, and existing members of its classes."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PACKAGES = sorted({path.parent.name for path in ROOT.glob("[a-z]*/__init__.py")})
PAGES = sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])

FOREIGN = {"Tensor", "Mat"}
"""Classes of PyTorch and of ncnn."""

OF_A_PLUGIN = {
    "src/my_passes/sigmoids.py",
    "src/my_passes/universe.py",
    "tests/test_sigmoids.py",
}
"""Files of the reader's own package in docs/plugins.md."""

MEMBER = re.compile(r"`([A-Z][a-z]\w*)\.([a-z_]\w*)(?:\([^`]*\))?`")
FILE = re.compile(r"`([\w.-]+/[\w./-]*\.(?:py|json|txt|mlir|toml)|(?:[\w.-]+/)+)`")


@cache
def classes() -> dict[str, tuple[set[str], set[str]]]:
    """The members and the bases of each class in the packages, by name."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.ClassDef):
                continue
            members, bases = found.setdefault(node.name, (set(), set()))
            bases |= {
                n.id for base in node.bases for n in ast.walk(base) if isinstance(n, ast.Name)
            }
            for each in ast.walk(node):
                if isinstance(each, ast.FunctionDef):
                    members.add(each.name)
                elif isinstance(each, ast.Name | ast.Attribute) and isinstance(each.ctx, ast.Store):
                    members.add(each.id if isinstance(each, ast.Name) else each.attr)
    return found


def has_member(owner: str, name: str) -> bool:
    members, bases = classes().get(owner, (set[str](), set[str]()))
    return name in members or any(has_member(base, name) for base in bases - {owner})


def missing_names(text: str) -> list[str]:
    """The members and files in a text that do not exist."""
    members = [
        f"{owner}.{name}"
        for owner, name in MEMBER.findall(text)
        if owner not in FOREIGN and not has_member(owner, name)
    ]
    files = [
        name
        for name in FILE.findall(text)
        if name.split("/")[0] in {*PACKAGES, "tests", "docs", "src"} - {"report"}
        and name not in OF_A_PLUGIN
        and not (ROOT / name).exists()
    ]
    return sorted({*members, *files})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_exist(page: Path) -> None:
    assert missing_names(page.read_text("utf-8")) == []


def test_names_that_do_not_exist_are_found() -> None:
    wrong = "`DropoutOp.forwarded`, `dialects/ncnn/nowhere.py`, `analysis/nowhere/`"
    assert missing_names(wrong) == [
        "DropoutOp.forwarded",
        "analysis/nowhere/",
        "dialects/ncnn/nowhere.py",
    ]
    right = "`DropoutOp.fold_to_values`, `Proof.state`, `Tensor.to`, `dialects/ncnn/`"
    assert missing_names(right) == []
    assert not has_member("NoSuchClass", "state")


def test_the_documents_name_members_and_files() -> None:
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    assert len({m for m in MEMBER.findall(text) if m[0] not in FOREIGN}) >= 5
    assert len({*FILE.findall(text)}) > 100
