"""Every layer type computes something and is compared with the runtime, or stands in
`semantics.NOT_COMPARED` with a reason."""

from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.interpreters.ncnn import NoSemantics, semantics_of

from .runtime import Runtime
from .semantics import DIFFERENT, NOT_COMPARED, UNDEFINED, all_cases, compare, family_of

ncnn: Any = pytest.importorskip("ncnn")

CASES = {case.line: case for cases in all_cases().values() for case in cases}
COMPARED = [layer_type for layer_type in BY_TYPE if layer_type not in NOT_COMPARED]


@pytest.mark.parametrize("layer_type", COMPARED)
def test_layer_has_semantics_and_three_cases(layer_type: str) -> None:
    assert semantics_of(BY_TYPE[layer_type]) is not None
    lines = {line for line, case in CASES.items() if case.type == layer_type}
    missing = 3 - len(lines - DIFFERENT.keys() - UNDEFINED.keys())
    assert missing <= 0, f"{missing} more lines of {layer_type} in tests/differential/values/*.txt"


@pytest.mark.parametrize("family", sorted(set(map(family_of, COMPARED))))
def test_family_has_a_test(family: str) -> None:
    assert Path(__file__).with_name(f"test_semantics_{family}.py").exists()


@pytest.mark.parametrize("layer_type", NOT_COMPARED)
def test_what_is_not_compared_cannot_be(layer_type: str) -> None:
    assert ncnn.create_layer(layer_type) is None or semantics_of(BY_TYPE[layer_type]) is None


@pytest.mark.parametrize("line", DIFFERENT)
def test_what_is_said_to_differ_does(line: str, runtime: Runtime, tmp_path: Path) -> None:
    with pytest.raises((AssertionError, NoSemantics, ValueError)):
        compare(CASES[line], runtime, tmp_path)


@pytest.mark.parametrize("line", UNDEFINED)
def test_what_is_said_to_be_undefined_is_a_case(line: str) -> None:
    assert line in CASES
