"""The table of what older releases compute otherwise, against the rules of the code and, where
environments of older releases are, against these."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from ncnn_opt.analysis.release_changes import CHANGES
from ncnn_opt.analysis.required_release import Requirement, requirement_of
from ncnn_opt.analysis.target_info.releases import FOUR_DIMS, releases

from .layer_cases import Case
from .release_changes import PATH, answers, is_defined, is_same, models, module_of, variants
from .releases import FOLDER, RELEASES, environments
from .runtime import Failure

TABLE = json.loads(PATH.read_text("utf-8"))
SINCE: Mapping[str, str] = {
    line: release for release, lines in TABLE["right since"].items() for line in lines
}
"""The first release that is right, by case."""

FAULTS: Mapping[str, str] = {
    "GridSample 3x5x6 2x3x4 | 0=3 1=3 2=1 3=1 | 1 | uniform:-50:50 uniform:-50:50": (
        "positions far outside are reflected with another rounding"
    ),
    "BinaryOp 6 | 0=10 1=1 2=-0.5 | | =0,1,-1,inf,-inf,0.5": "the angle of infinity is NaN",
    "MultiHeadAttention 5x8 1x5x5 | 0=8 1=2 2=64 5=1 | 1 | uniform:-50:50 uniform:-50:50": (
        "the rule holds since 20261020, though the values behind the mask hide it"
    ),
    "Interp 16x3 | 0=3 3=1 4=6 6=1 | 1 | uniform:-4:4": (
        "what lies behind the last of a few pixels is multiplied by 0, and may be NaN"
    ),
    "UnaryOp 3 | 0=15 | | =inf,4,-2": "an estimate of 1 / x is NaN for infinity",
}
"""Cases that older releases compute otherwise, though no model should rely on them, and why."""

PLACE = Path(os.environ.get("NCNN_RELEASES", FOLDER))

UNSEEN = {"BNLL", "GLU", "HardSigmoid", "HardSwish", "InnerProduct", "Normalize", "Power", "Scale"}
"""Layers whose code for 4 dims is new, though the x86 code before it computed the same."""

INFINITE = "boxes whose exponents overflow are sorted otherwise"
CACHE = "the format of past keys and values is the release's own"


def fault(line: str) -> str | None:
    """The reason why a difference raises no requirement."""
    case = Case.parse(line)
    if case.type == "YoloDetectionOutput" and "uniform:-50:50" in line:
        return INFINITE
    if case.type == "MultiHeadAttention" and "7=1" in case.params.split():
        return CACHE
    return FAULTS.get(line)


def required(line: str, folder: Path) -> Requirement | None:
    """The requirement of a case's model."""
    return requirement_of(module_of(Case.parse(line), folder)[1])


def test_rules_cover_the_table(tmp_path: Path) -> None:
    """No model is said to run in a release that computes something else, and the requirement is the
    first release that is right."""
    found = {line: required(line, tmp_path) for line in SINCE if fault(line) is None}
    wrong = {
        line: (SINCE[line], r) for line, r in found.items() if r is None or r.release != SINCE[line]
    }
    assert wrong == {}


def test_faults_are_in_the_table() -> None:
    assert set(FAULTS) <= set(SINCE)
    assert {fault(line) for line in SINCE} >= {INFINITE, CACHE, *FAULTS.values()}


def test_each_change_is_in_the_table(tmp_path: Path) -> None:
    """No rule without a case that shows it."""
    types = {*CHANGES, *FOUR_DIMS}
    lines = [line for line in SINCE if Case.parse(line).type in types]
    found = {(line.split()[0], r.feature) for line in lines if (r := required(line, tmp_path))}
    assert {(layer, c.feature) for layer, changes in CHANGES.items() for c in changes} <= found
    assert {layer for layer, feature in found if feature == "a blob of 4 dims"} >= {
        layer for layer in FOUR_DIMS if layer not in UNSEEN
    }


def test_samples_in_older_releases(tmp_path: Path) -> None:
    """Cases that differ do so, and others do not. (One test for all: the id is the same where no
    release is installed.)"""
    installed = {name: python for name, python in environments(PLACE).items() if name in RELEASES}
    if not installed:
        pytest.skip("no other releases of ncnn: `make test-releases` installs them")
    differ = [Case.parse(line) for line in list(SINCE)[::97]]
    others = [case for case in variants() if case.line not in SINCE][::997]
    written = list(models([*differ, *others], tmp_path))
    nets = [(net, param) for _, net, param in written]
    newest = answers(sys.executable, nets)
    for release, python in installed.items():
        older, compared = answers(python, nets), 0
        for (case, _, _), expected, found in zip(written, newest, older, strict=True):
            if is_defined(expected) and not isinstance(expected[0], Failure):
                right = SINCE.get(case.line, releases()[0]) <= release
                assert is_same(expected[0], found) >= right, (release, case.line)
                compared += 1
        assert compared > 10
