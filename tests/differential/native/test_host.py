"""What is not lowered is declared, and is what cannot be."""

from pathlib import Path
from unittest import mock

import pytest
from ncnn_opt.conversion.host_ops import HOST_ONLY
from ncnn_opt.conversion.to_linalg import lowering
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.transforms.rewriting.remarks import Remark, listening
from xdsl.utils.exceptions import VerifyException

from ..layer_cases import Case
from ..semantics import all_cases
from .layers import NOT_LOWERED, NotLowered, cases_of, fused

ROOT = Path(__file__).parents[3]

CASES = [case for cases in all_cases().values() for case in cases]


def _of_type(layer: type[LayerOp]) -> list[Case]:
    return [case for case in CASES if case.type == layer.LAYER_TYPE]


@pytest.mark.parametrize("layer", HOST_ONLY)
def test_remark_says_why_a_layer_runs_on_the_host(layer: type[LayerOp], tmp_path: Path) -> None:
    remarks: list[Remark] = []
    with listening(remarks.append), pytest.raises(NotLowered):
        fused(_of_type(layer)[0], tmp_path).lowered()
    notes = [remark.note for remark in remarks if remark.rewrite == "convert-to-linalg"]
    assert notes == [HOST_ONLY[layer]]


@pytest.mark.parametrize("layer", HOST_ONLY)
def test_layer_on_the_host_could_not_be_lowered(layer: type[LayerOp], tmp_path: Path) -> None:
    with mock.patch.object(lowering, "host_reason", return_value=None):
        for case in _of_type(layer):
            with pytest.raises(NotLowered):
                fused(case, tmp_path).lowered()


@pytest.mark.parametrize("line", NOT_LOWERED)
def test_case_that_is_said_to_stay_does(line: str, tmp_path: Path) -> None:
    (case,) = (case for case in CASES if case.line == line)
    with pytest.raises((NotLowered, VerifyException)):
        fused(case, tmp_path).lowered()


def test_the_docs_say_how_many_are_lowered() -> None:
    found = sum(len(cases_of(family)) for family in all_cases())
    page = (ROOT / "docs/native.md").read_text("utf-8")
    assert f"({found:,} of {len(CASES):,} cases)" in page
