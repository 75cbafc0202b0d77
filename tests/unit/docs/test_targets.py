"""The targets of the Makefile are as README.md, CONTRIBUTING.md, docs/ and `.ci/run` say."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
CI = (ROOT / ".ci/run").read_text("utf-8")
TESTS = [*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "tests/filecheck").glob("lit.cfg.py")]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

RULES: dict[str, tuple[str, str]] = {
    target: (before, recipe)
    for target, before, recipe in re.findall(
        r"^(\S+):(?!=)([^\n]*)\n((?:\t[^\n]*\n|[^\t\n]+\\\n)*)", MAKEFILE, re.M
    )
}
"""The rules by target: what stands behind the colon, and the recipe."""
DESCRIBED = {target for target, (before, _) in RULES.items() if "##" in before}
STAMPS = {target: recipe for target, (_, recipe) in RULES.items() if target.startswith("$(VENV)/.")}

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def names_of(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=]", requirement)[0] for requirement in requirements}


def installed(recipe: str) -> set[str]:
    """The packages that a recipe installs, by the extras that it names."""
    extras = re.findall(r"install -q -e '\.\[([\w,]+)\]'", recipe)[0].split(",")
    return set[str]().union(*(names_of(EXTRAS[extra]) for extra in extras))


def test_every_target_is_phony_and_described() -> None:
    phony = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.M)[0].split()
    assert set(phony) == DESCRIBED
    assert len(STAMPS) == 6


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_targets_of_the_pages_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    blocks = "".join(re.findall(r"^```sh\n(.*?)^```$", text, re.S | re.M))
    code = re.findall(r"`(make [^`\n]*)`", text) + re.findall(r"^make .*$", blocks, re.M)
    named = [words.split()[1] for words in code]
    assert [name for name in named if name not in DESCRIBED and "=" not in name] == []


def test_the_quick_start_is_two_targets() -> None:
    sections = (ROOT / "README.md").read_text("utf-8").split("\n## ")
    (section,) = [text for text in sections if text.startswith("Quick start")]
    assert re.findall(r"^make (\S+) +# (runs all tests|optimizes)", section, re.M) == [
        ("demo", "optimizes"),
        ("test", "runs all tests"),
    ]


def test_all_tests_are_lit_and_pytest_without_a_choice() -> None:
    assert RULES["test"][0].split("##")[0].split() == ["lit", "pytest"]
    for target, command in (
        ("lit", "lit tests/filecheck"),
        ("pytest", "pytest -n auto --dist worksteal"),
    ):
        before, recipe = RULES[target]
        assert before.split("##")[0].strip() == "$(VENV)/.wheels"
        # Where the outcomes are written makes no choice.
        without = re.sub(r" \$\(if \$\(OUTCOMES\),.*?\.(lit|json)\)", "", recipe)
        assert without.strip("\n") == f"\t$(BIN)/{command}"


def test_make_test_installs_what_tests_need_but_torch() -> None:
    wanted = ("test", "native", "dask", "notebook")
    assert installed(STAMPS["$(VENV)/.wheels"]) == set[str]().union(
        *(names_of(EXTRAS[extra]) for extra in wanted)
    )
    assert "torch" not in installed(STAMPS["$(VENV)/.wheels"])


def test_a_stamp_stands_for_what_is_installed() -> None:
    """A recipe that makes the stamps of others installs what those install."""
    for target, recipe in STAMPS.items():
        if target == "$(VENV)/.demo":
            continue
        touched = re.findall(r"@touch (.*)", recipe)[0].partition(" #")[0]
        if added := re.findall(r"\$\(addprefix \$\(VENV\)/\.,(.*)\)", touched):
            others = [f"$(VENV)/.{name}" for name in added[0].split()]
        else:
            others = touched.replace("$@", "").split()
        assert set(others) <= STAMPS.keys()
        for other in others:
            assert installed(STAMPS[other]) <= installed(recipe), (target, other)


def test_extras_that_are_named_exist() -> None:
    sources = [
        path
        for folder in ("tools", "native", "runtime", "quantization", "docs", "examples")
        for path in (ROOT / folder).rglob("*.*")
        if path.suffix in (".py", ".md")
    ]
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    text = "".join(path.read_text("utf-8") for path in [*sources, *pages])
    lists = re.findall(r"pip install '(?:ncnn-opt|\.)\[([\w,]+)\]'", text)
    named = {extra for extras in lists for extra in extras.split(",")}
    assert {"verify", "native", "dask", "image", "completion"} <= named
    assert named <= EXTRAS.keys()


def test_ci_begins_with_make_test_in_a_clone() -> None:
    stages = re.findall(r'^stage "[^"]+"(?: \\\n )? (.*)$', CI, re.M)
    assert stages[0] == 'env OUTCOMES="$outcomes" make test'
    before = CI[: CI.index("make test\n")]
    assert re.search(r"^git clone -q \. (.*)\ncd \1\nunset VIRTUAL_ENV PYTHONPATH", before, re.M)


def test_ci_runs_all_folders_of_tests() -> None:
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    of_make_test: list[str] = configured["tool"]["pytest"]["ini_options"]["testpaths"]
    folders = {f"tests/{p.relative_to(ROOT / 'tests').parts[0]}" for p in TESTS}
    for folder in folders - {*of_make_test}:
        assert re.search(rf" {folder}$", CI, re.M), folder
