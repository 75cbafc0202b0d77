"""Layer types as native code make what the reference semantics make, and other programs read that
code: a third of the types with a case each, or all cases with `--all-cases`."""

from collections.abc import Callable
from math import prod
from pathlib import Path

import pytest
from draws import part_of

from ..layer_cases import Case
from ..semantics import TOLERANCE, all_cases
from .conftest import ERRORS, READ
from .layers import Lowered, cases_of, lowered_cases
from .parsers import PARSERS, reason_of_absence, refused

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
    if "batch" not in metafunc.fixturenames:
        return
    every = bool(metafunc.config.getoption("--all-cases", False))
    batches: dict[str, list[Case]] = {}
    for family in all_cases():
        one_a_type = part_of(_one_a_type(cases_of(family)), f"types of {family}", every, 3)
        cases = cases_of(family) if every else one_a_type
        for i in range(0, len(cases), TOGETHER):
            batches[f"{family}-{i}"] = cases[i : i + TOGETHER]
    ids = list(batches)
    metafunc.parametrize("batch", batches.values(), ids=ids, indirect=True, scope="module")


@pytest.fixture(scope="module")
def batch(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[Lowered]:
    """Cases, lowered once for all tests."""
    return lowered_cases(request.param, tmp_path_factory.mktemp("cases"))


def test_layers_as_native_code(
    batch: list[Lowered], record_property: Callable[[str, object], None]
) -> None:
    from .running import errors_of

    errors = errors_of(batch)
    wrong = {k: v for k, v in errors.items() if isinstance(v, str) or not v <= TOLERANCE}
    record_property(ERRORS, {k: v for k, v in errors.items() if k not in wrong})
    assert not wrong, "\n".join(f"{case}: {error}" for case, error in wrong.items())


@pytest.mark.parametrize("parser", PARSERS)
def test_text_of_layers(
    batch: list[Lowered],
    parser: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    if (absence := reason_of_absence(parser)) is not None:
        pytest.skip(absence)
    wrong = refused(parser, batch, tmp_path)
    record_property(READ, (parser, len(batch) - len(wrong)))
    assert not wrong, "\n".join(f"{case}: {said}" for case, said in wrong.items())
