"""Comparisons of arrays of exact numbers, and their logic: laws that hold for the residues, and the
truth of the values."""

from typing import Any

import numpy as np
import pytest
from ncnn_opt.proofs.array import ExactArray, ExactBooleans, exact
from ncnn_opt.proofs.decisions import as_functions
from ncnn_opt.proofs.field import PRIME

A = ExactArray([3, 2**61 - 7, 5, 5], [1.5, -2.0, 0.25, 0.25])
B = ExactArray([11, 2**60, 5, 2**59], [0.5, 3.0, 0.25, 0.25])
"""The third pair is of equal numbers, the values of the fourth are rounded to the same."""


def residues(x: Any) -> list[int]:
    assert isinstance(x, ExactBooleans)
    return [int(residue) % PRIME for residue in x.residues.flat]


def test_de_morgan() -> None:
    with as_functions():
        x, y = A > B, A > exact(np.zeros(4, "f4"))
        assert len({*residues(x), *residues(y)}) > 4
        both, either = np.logical_and(x, y), np.logical_or(x, y)
        neither = np.logical_and(np.logical_not(x), np.logical_not(y))
        assert residues(np.logical_not(either)) == residues(neither)
        products = [i * j % PRIME for i, j in zip(residues(x), residues(y), strict=True)]
        assert residues(both) == products
        assert residues(np.logical_not(np.logical_not(x))) == residues(x)
    first, second = A.values > B.values, A.values > 0
    assert np.array_equal(both.values, first & second)
    assert np.array_equal(either.values, first | second)
    assert np.array_equal(neither.values, ~first & ~second)


@pytest.mark.parametrize(
    ("comparison", "opposite"), [(np.less, np.greater_equal), (np.greater, np.less_equal)]
)
def test_orders(comparison: np.ufunc, opposite: np.ufunc) -> None:
    """By values, of numbers that depend on weights only: equal numbers are equal even if their
    values are rounded."""
    fixed = [ExactArray(each.residues, each.values.copy()) for each in (A, B)]
    fixed[1].values[2] = 0.2500001
    for each in fixed:
        each.is_fixed = True
    found, others = comparison(*fixed), opposite(*fixed)
    assert not found[2]
    assert others[2]
    assert list(found[:2]) == list(comparison(A.values, B.values)[:2])
    assert list(others[:2]) == list(opposite(A.values, B.values)[:2])


def test_equality() -> None:
    """A function of the difference of two numbers, the same for both signs; 1 for equal numbers."""
    with as_functions():
        equal, other, swapped = A == B, A != B, np.equal(B, A)
        assert residues(equal) == residues(swapped)
        assert residues(equal)[2] == 1
        assert not {0, 1} & {*residues(equal)[:2], residues(equal)[3]}
        assert [(i + j) % PRIME for i, j in zip(residues(equal), residues(other), strict=True)] == [
            1
        ] * 4
    for found in (equal, A == B):
        assert np.asarray(found).tolist() == [False, False, True, False]
    assert np.asarray(A != B).tolist() == np.asarray(other).tolist() == [True, True, False, True]
