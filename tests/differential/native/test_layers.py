"""Each layer type as native code makes what the reference semantics make; with `--all-cases` of all
their cases."""

from collections.abc import Callable
from math import prod
from pathlib import Path

import pytest

from ..layer_cases import Case
from ..semantics import TOLERANCE, all_cases
from .conftest import ERRORS
from .layers import cases_of, lowered

TOGETHER = 24
"""So many cases are one module."""

SMALL = 400
"""Of what is small by its elements, the case of most words is tested always."""


def _elements(case: Case) -> int:
    return sum(prod(shape) for shape in case.inputs)


def _one_a_type(cases: list[Case]) -> list[Case]:
    by_type: dict[str, list[Case]] = {}
    for case in cases:
        by_type.setdefault(case.type, []).append(case)
    return [
        max(own, key=lambda case: (_elements(case) <= SMALL, len(case.line)))
        for own in by_type.values()
    ]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    every = metafunc.config.getoption("--all-cases", False)
    batches: dict[str, list[Case]] = {}
    for family in all_cases():
        cases = cases_of(family) if every else _one_a_type(cases_of(family))
        for i in range(0, len(cases), TOGETHER):
            batches[f"{family}-{i}"] = cases[i : i + TOGETHER]
    metafunc.parametrize("cases", batches.values(), ids=batches.keys())


def test_layers_as_native_code(
    cases: list[Case], tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    from .running import errors_of

    errors = errors_of([lowered(case, tmp_path) for case in cases])
    wrong = {k: v for k, v in errors.items() if isinstance(v, str) or not v <= TOLERANCE}
    record_property(ERRORS, [v for k, v in errors.items() if k not in wrong])
    assert not wrong, "\n".join(f"{case}: {error}" for case, error in wrong.items())
