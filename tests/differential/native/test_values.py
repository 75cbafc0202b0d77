"""The code of lowered cases computes the reference's results: it is evaluated in NumPy. (A part of
the cases, or all of them with `--all-cases`.)"""

from pathlib import Path

import pytest
from draws import part_of

from ..semantics import all_cases
from .evaluation import assert_right
from .layers import STYLES, cases_of, fused

TWO_STYLES = ("attention", "convolution", "deconvolution", "innerproduct", "matmul", "pooling")
"""The families whose code depends on the style."""


@pytest.mark.parametrize("family", all_cases())
def test_code_computes_the_reference_results(family: str, every: bool, tmp_path: Path) -> None:
    cases = cases_of(family)
    assert cases
    for case in part_of(cases, f"values of {family}", every):
        own = fused(case, tmp_path)
        for style in STYLES if family in TWO_STYLES else STYLES[:1]:
            assert_right(own.lowered(style))
