"""Ranges of formulas hold all values that NumPy finds, and are as tight as rewrites need them."""

from math import inf
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ncnn_opt.dialects.ncnn import LAYERS
from ncnn_opt.dialects.ncnn.formulas import (
    Arg,
    Call,
    NoFormula,
    Term,
    absolute,
    clamped,
    greater,
    less,
    maximum,
    rectified,
    select,
    sigmoid,
)
from ncnn_opt.dialects.ncnn.interfaces import HasFormula
from ncnn_opt.dialects.ncnn.ranges import ANY, NOT_NEGATIVE, Interval, range_of
from ncnn_opt.interpreters.ncnn.formulas import compute

X = Arg(0)
NUMBERS = st.floats(width=32, allow_nan=False).map(lambda x: x + 0.0)  # one zero


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (sigmoid(X), Interval(0.0, 1.0)),
        (rectified(X, 0.0), NOT_NEGATIVE),
        (rectified(X, -0.5), NOT_NEGATIVE),
        (rectified(X, 0.5), ANY),
        (clamped(X, -1.0, 6.0), Interval(-1.0, 6.0)),
        (clamped(X, 6.0, -1.0), Interval(-1.0, -1.0)),
        (X * X, NOT_NEGATIVE),
        (absolute(X) + 2.0, Interval(2.0, inf)),
        (select(less(X, 0.0), -1.0, 1.0), Interval(-1.0, 1.0)),
        (select(greater(X, 3.0), X, 3.0), Interval(3.0, inf)),
        (1.0 / X, ANY),
        (2.0 / clamped(X, 0.5, 4.0), Interval(0.5, 4.0)),
    ],
)
def test_ranges(formula: Term, expected: Interval) -> None:
    assert range_of(formula) == expected


def _formulas() -> list[tuple[str, Term]]:
    """The formulas of all layers of one element, with their default parameters."""
    found: list[tuple[str, Term]] = []
    for layer in LAYERS:
        if issubclass(layer, HasFormula) and not layer.WEIGHTS and not layer.ANY_ELEMENTS:
            op: Any = layer.create(result_types=[])
            try:
                found.append((layer.LAYER_TYPE, cast(HasFormula, op).formula(X)))
            except (NoFormula, IndexError, TypeError):
                continue
    return found


@pytest.mark.parametrize(("name", "formula"), _formulas())
@given(st.lists(NUMBERS, min_size=2, max_size=2), st.data())
def test_ranges_hold_all_values(
    name: str, formula: Term, ends: list[float], data: st.DataObject
) -> None:
    low, high = sorted(ends)
    x = data.draw(st.floats(low, high, width=32))
    within = range_of(formula, [Interval(low, high)])
    with np.errstate(all="ignore"):
        value = float(compute(formula, [np.array([x], "f4")])[0])
    assert np.isnan(value) or within.low <= value <= within.high


def test_rounding_stays_inside() -> None:
    """One third of 3 in float32 may round up: the range has to have room for it."""
    third = clamped(X, 0.0, 3.0) * 0.1 * 0.1 * 0.1
    top = compute(third, [np.array([9.0], "f4")])[0]
    assert range_of(third).high >= top


def test_what_is_not_known_is_any() -> None:
    assert range_of(Call("math.tan", (X,))) == ANY
    assert range_of(maximum(Call("math.tan", (X,)), 1.0)) == Interval(1.0, inf)
