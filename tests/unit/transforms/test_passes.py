"""The table of passes, and what must go together with it."""

import inspect
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE, LAYERS
from ncnn_opt.driver.optimizer_log import step_of
from ncnn_opt.transforms import get_all_passes
from ncnn_opt.transforms.canonicalization import (
    FUSIONS,
    NEUTRAL,
    SIMPLIFICATIONS,
    patterns_for,
)
from ncnn_opt.transforms.canonicalization.lazy_patterns import LazyPattern, roots_of
from ncnn_opt.transforms.canonicalization.recognition import RECOGNITION
from ncnn_opt.transforms.rewriting.passes import PASSES, Row
from ncnn_opt.transforms.rewriting.passes.fusions import FAMILIES, OF_NCNNOPTIMIZE
from ncnn_opt.transforms.rewriting.selection import Kind
from xdsl.pattern_rewriter import RewritePattern

DOCS = Path(__file__).parents[3] / "docs"

ROWS = [pytest.param(row, id=row.name) for row in PASSES.values()]


def canonical() -> set[type[RewritePattern]]:
    """The patterns that `canonicalize` applies."""
    found = [pattern for cls in LAYERS for pattern in patterns_for(cls)]
    return {type(each) for pattern in found for each in pattern.each()}


@pytest.mark.parametrize(
    "rooted",
    [p for group in (SIMPLIFICATIONS, RECOGNITION, FUSIONS, NEUTRAL) for p in group],
    ids=lambda rooted: rooted.place,
)
def test_a_pattern_is_rooted_at_the_layers_that_the_table_says(rooted: LazyPattern) -> None:
    roots = roots_of(type(rooted.load()))
    if rooted.layers:
        assert {cls.LAYER_TYPE for cls in LAYERS if issubclass(cls, roots)} == {*rooted.layers}


def test_importing_the_table_imports_nothing_of_xdsl() -> None:
    code = "import sys, ncnn_opt.transforms; assert not [m for m in sys.modules if 'xdsl' in m]"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("row", ROWS)
def test_each_row_is_one_pass_with_existing_patterns(row: Row) -> None:
    assert row.patterns or row.class_path
    assert row.prerequisite in (None, *PASSES)
    assert get_all_passes()[row.name]() is get_all_passes()[row.name]()
    for pattern, found in zip(row.patterns, row.make_patterns(), strict=True):
        assert isinstance(found, RewritePattern)
        assert pattern.has_class(type(found))
        assert getattr(found, "selection", pattern.selection) == pattern.selection
    kinds = [kind for each in row.patterns for kind in kinds_of(each.selection)]
    assert {name for each in kinds for name in each.types} <= set(BY_TYPE)
    for each in kinds:
        for name, (key, _) in product(each.types, each.conditions):
            assert hasattr(BY_TYPE[name], key)


def kinds_of(selection: object) -> list[Kind]:
    return [*getattr(selection, "layer"), *getattr(selection, "other")]


@pytest.mark.parametrize("row", [p for p in ROWS if p.values[0].class_path])  # pyright: ignore[reportAttributeAccessIssue,reportUnknownMemberType,reportUnknownVariableType]
def test_docstring_of_a_pass_class_begins_like_its_help(row: Row) -> None:
    text = " ".join((inspect.getdoc(row.load()) or "").split())
    first = text.split(". ")[0].split(": ")[0].rstrip(".")
    assert row.help.startswith(first), first


def test_canonicalize_does_what_the_passes_do_and_no_more() -> None:
    named = {
        type(pattern.load())
        for row in PASSES.values()
        for pattern in row.patterns
        if not pattern.is_auxiliary and pattern.folder == "transforms.canonicalization"
    }
    # `canonicalize` removes unused layers without a remark, and `pad-channels` follows it.
    elsewhere = {"EliminateDead", "PadChannels"}
    assert named - canonical() == {p for p in named if p.__name__ in elsewhere}
    assert canonical() <= named


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in OF_NCNNOPTIMIZE])
def test_remarks_of_families_map_to_the_steps_of_ncnnoptimize(row: Row) -> None:
    ((pattern,),) = (row.patterns,)
    (into,) = pattern.selection.other
    for stays, goes in product(
        into.types, (k.types[-1] for k in pattern.selection.layer or [into])
    ):
        family = next(r for r in FAMILIES if covers(r, row) and stays in types_of(r))
        step = step_of(family.name, [stays, goes])
        expected = row.name.replace("convolution", stays.lower()) if "1D" in stays else row.name
        assert step == expected.replace("-", "_")


def covers(family: Row, row: Row) -> bool:
    """Whether a pass is for all that another one is for."""
    mine, other = family.patterns[0], row.patterns[0]
    goes = {t for kind in other.selection.layer for t in kind.types}
    whole = {t for kind in mine.selection.layer for t in kind.types}
    return (
        mine.class_path == other.class_path
        and bool(mine.selection.other)
        and goes <= (whole or goes)
    )


def types_of(row: Row) -> set[str]:
    return {name for kind in row.patterns[0].selection.other for name in kind.types}


def test_the_list_in_the_docs_is_the_table() -> None:
    """The table at the end of docs/passes.md."""
    _, _, listed = (DOCS / "passes.md").read_text().partition("## All passes\n")
    rows = [f"| `{row.name}` | {row.help} |" for row in PASSES.values()]
    assert [line for line in listed.splitlines() if line.startswith("| `")] == rows
