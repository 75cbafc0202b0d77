"""The code of all lowered cases computes the reference's results: it is evaluated in NumPy."""

from pathlib import Path

import pytest

from ..semantics import all_cases
from .evaluation import assert_right
from .layers import cases_of, lowered_cases


@pytest.mark.parametrize("family", all_cases())
def test_code_computes_the_reference_results(family: str, tmp_path: Path) -> None:
    cases = cases_of(family)
    assert cases
    for code in lowered_cases(cases, tmp_path):
        assert_right(code)
