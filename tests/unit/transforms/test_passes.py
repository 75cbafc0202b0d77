"""The table of passes, and what must go together with it."""

import inspect
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE, LAYERS
from ncnn_opt.dialects.ncnn.activation import ReLUOp
from ncnn_opt.dialects.ncnn.reshaping import PermuteOp
from ncnn_opt.driver.optimizer_log import step_of
from ncnn_opt.transforms import get_all_passes
from ncnn_opt.transforms.canonicalization.activation import FuseActivation
from ncnn_opt.transforms.canonicalization.data_movement import MergePermutes
from ncnn_opt.transforms.canonicalization.patterns import (
    ALL,
    patterns_for,
    recognition_patterns,
    roots_of,
)
from ncnn_opt.transforms.canonicalization.recognition.activations import FormSwish
from ncnn_opt.transforms.rewriting.passes import PASSES, Row
from ncnn_opt.transforms.rewriting.passes.fusions import FAMILIES, OF_NCNNOPTIMIZE
from xdsl.pattern_rewriter import RewritePattern

DOCS = Path(__file__).parents[3] / "docs"

ROWS = [pytest.param(row, id=row.name) for row in PASSES.values()]


def canonical() -> set[type[RewritePattern]]:
    """The patterns that `canonicalize` applies."""
    found = [pattern for cls in LAYERS for pattern in patterns_for(cls)]
    return {type(each) for pattern in found for each in pattern.patterns}


def test_a_pattern_is_tried_at_the_layers_of_its_annotation_only() -> None:
    assert roots_of(MergePermutes) is PermuteOp
    assert roots_of(FormSwish) == FormSwish.ROOTS
    for cls in LAYERS:
        (mine,) = patterns_for(cls)
        assert mine.patterns == [p for p in ALL if issubclass(cls, roots_of(type(p)))]
    tried = [type(each) for each in patterns_for(PermuteOp)[0].patterns]
    assert MergePermutes in tried
    assert not {FormSwish, FuseActivation} & {*tried}


def test_recognition_does_not_fuse() -> None:
    (all_patterns,) = patterns_for(ReLUOp)
    assert FuseActivation in map(type, all_patterns.patterns)
    assert FuseActivation not in map(type, recognition_patterns(ReLUOp).patterns)


def test_importing_the_table_imports_nothing_of_xdsl() -> None:
    code = "import sys, ncnn_opt.transforms; assert not [m for m in sys.modules if 'xdsl' in m]"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("row", ROWS)
def test_each_row_is_one_pass_with_existing_patterns(row: Row) -> None:
    assert row.patterns or row.pass_class
    assert row.prerequisite in (None, *PASSES)
    assert get_all_passes()[row.name]() is get_all_passes()[row.name]()
    for pattern in row.make_patterns():
        assert isinstance(pattern, RewritePattern)
    for restriction in (row.first, row.last):
        assert restriction is None or set(restriction.types) <= set(BY_TYPE)


@pytest.mark.parametrize("row", [p for p in ROWS if p.values[0].pass_class])  # pyright: ignore[reportAttributeAccessIssue,reportUnknownMemberType,reportUnknownVariableType]
def test_docstring_of_a_pass_class_begins_like_its_help(row: Row) -> None:
    text = " ".join((inspect.getdoc(row.load()) or "").split())
    first = text.split(". ")[0].split(": ")[0].rstrip(".")
    assert row.help.startswith(first), first


def test_canonicalize_does_what_the_passes_do_and_no_more() -> None:
    named = {
        type(pattern)
        for row in PASSES.values()
        for pattern in row.make_patterns()
        if row.owns(type(pattern))
        and type(pattern).__module__.startswith("ncnn_opt.transforms.canonicalization.")
    }
    # `canonicalize` removes unused layers without a remark, and `pad-channels` follows it.
    elsewhere = {"EliminateDead", "PadChannels"}
    assert named - canonical() == {p for p in named if p.__name__ in elsewhere}
    assert canonical() <= named


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in OF_NCNNOPTIMIZE])
def test_remarks_of_families_map_to_the_steps_of_ncnnoptimize(row: Row) -> None:
    assert row.first is not None
    for stays, goes in product(row.first.types, (row.last or row.first).types[-1:]):
        family = next(r for r in FAMILIES if covers(r, row) and r.first and stays in r.first.types)
        step = step_of(family.name, [stays, goes])
        expected = row.name.replace("convolution", stays.lower()) if "1D" in stays else row.name
        assert step == expected.replace("-", "_")


def covers(family: Row, row: Row) -> bool:
    """Whether a pass is for all that another one is for."""
    mine, other = family.make_patterns()[0], row.make_patterns()[0]
    same = type(mine) is type(other) and family.first is not None
    return same and (
        family.last is None or (row.last is not None and {*row.last.types} <= {*family.last.types})
    )


def test_the_list_in_the_docs_is_the_table() -> None:
    """The table at the end of docs/passes.md."""
    _, _, listed = (DOCS / "passes.md").read_text().partition("## All passes\n")
    rows = [f"| `{row.name}` | {row.help} |" for row in PASSES.values()]
    assert [line for line in listed.splitlines() if line.startswith("| `")] == rows
