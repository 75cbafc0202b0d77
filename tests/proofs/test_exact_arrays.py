"""Arrays of exact numbers behave as NumPy's arrays do, in their residues and in their values."""

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from ncnn_opt.interpreters.ncnn import int8
from ncnn_opt.proofs.array import ExactArray, exact
from ncnn_opt.proofs.decisions import as_functions
from ncnn_opt.proofs.expressions import Expression, constant_of, recording, symbol, value_of
from ncnn_opt.proofs.field import PRIME, matmul
from ncnn_opt.proofs.functions import call
from ncnn_opt.proofs.laws import SIGN, enabled, function
from ncnn_opt.proofs.random_instances import random_exact
from ncnn_opt.proofs.symbols import Symbols


def numbers(*shape: int, seed: int = 1) -> Any:
    return random_exact(shape, Random(seed))


def test_values_have_the_type_that_is_asked_for() -> None:
    x = numbers(2, 3)
    assert np.asarray(x).dtype == np.dtype("f8")
    assert np.asarray(x, "f4").dtype == np.dtype("f4")
    assert np.array_equal(np.asarray(x, "f8"), x.values)
    assert x.nbytes == 24  # as float32


def test_values_are_a_copy() -> None:
    x = numbers(3)
    np.asarray(x)[0] = 5.0
    assert x.values[0] != 5.0


def test_comparisons_are_masks() -> None:
    x = numbers(9)
    with as_functions():
        mask = np.asarray(x > 0)
    assert mask.dtype == np.dtype(bool)
    assert list(x.values[mask]) == [each for each in x.values if each > 0]


def test_new_arrays_of_zeros_and_ones() -> None:
    x = numbers(2, 3)
    for of, zeros in ((x, np.zeros_like(x)), (x, np.empty_like(x))):
        assert zeros.shape == of.shape
        assert np.array_equal(zeros + of, of)
    assert np.array_equal(np.ones_like(x) * x, x)
    assert not call(np.zeros, [(2,)], {}).residues.any()
    assert not call(np.empty, [(2,)], {}).residues.any()


def test_reductions_drop_their_axes() -> None:
    x = numbers(2, 3)
    assert np.sum(x, axis=1).shape == (2,)
    assert np.sum(x, axis=1, keepdims=True).shape == (2, 1)
    assert x.max(axis=0).shape == (3,)


def test_products_with_plain_numbers() -> None:
    """Of the residues with residues, and of the values with values."""
    x, plain = numbers(2, 3), np.array([[0.5], [0.25], [3.0]], "f4")
    found, same = np.einsum("ij,jk", x, plain), x[:, :1] / 2 + x[:, 1:2] / 4 + 3 * x[:, 2:]
    assert np.array_equal(found, same)
    assert np.allclose(found.values, x.values @ plain)
    total = call(int8.mac_body, [x, plain.T, exact(1)], {})
    assert np.array_equal(total, x * plain.T + exact(1))


@pytest.mark.parametrize("sizes", [(40, 300, 5), (3, 4500, 2)])
def test_large_products_are_exact(sizes: tuple[int, int, int]) -> None:
    random = Random(2)
    a, b = (
        np.array([random.randrange(PRIME) for _ in range(m * n)], object).reshape(m, n)
        for m, n in (sizes[:2], sizes[1:])
    )
    a[0, 0], a[0, 1] = PRIME - 1, -3  # residues need not be reduced
    assert np.array_equal(matmul(a, b), np.matmul(a, b) % PRIME)


def test_the_law_of_signs_holds_for_all_residues() -> None:
    middle = PRIME // 2
    residues = np.array([middle - 1, middle, middle + 1, middle + 2], object)
    with enabled([SIGN]):
        found = function("tanh", residues)
    assert list(found[::-1]) == [-residue % PRIME for residue in found]


def test_steps_are_functions_of_one_number() -> None:
    x: Any = numbers(4) * exact(9)
    for step in (np.floor, np.ceil, np.rint, np.trunc, np.sign):
        assert np.array_equal(step(x).values, step(x.values))
        assert np.array_equal(step(x), exact(step(x.values)))
        with as_functions():
            assert np.array_equal(step(x).values, step(x.values))
            assert len({*step(x).residues} & {*exact(step(x.values)).residues}) == 0


def test_constants_of_expressions_have_values() -> None:
    with recording():
        a, b = (constant_of(n, Fraction(n)) for n in (6, 4))
        results = {10: a + b, 24: a * b, 2: a - b, -6: -a}
        for value, found in results.items():
            assert value_of(found) == value
            assert isinstance(found, Expression)
            assert found.residue == value % PRIME
        inverse = a.inverse()
        assert value_of(inverse) == Fraction(1, 6)
        assert value_of(inverse * a) == 1
        assert value_of(a + 5) == 11


def test_an_inverse_is_an_inverse() -> None:
    with recording():
        x = symbol(12345678901)
        inverse: Any = x.inverse()
        assert inverse.residue * x.residue % PRIME == 1
        assert inverse * x == 1
        assert value_of(inverse) is None


def test_small_residues_are_integers() -> None:
    assert [value_of(n) for n in (0, 1, 7, PRIME - 7, -7)] == [0, 1, 7, -7, -7]
    assert value_of(1 << 40) is None
    assert value_of(-(1 << 40)) is None


def test_weights_have_no_relations() -> None:
    """Weights whose floats are in a relation have symbols that are in none."""
    x, y = 1.2345678, -9.8765432
    steps = np.float32(1.25) + np.arange(4, dtype="f4") * np.float32(2.0**-23) + 2.0**-11
    values = np.array([x, 2 * x, y, 2 * y, -x, -y, *steps])
    found = Symbols(1, True).symbols(values).residues
    first, second, third, fourth = map(int, found[6:])
    assert (first + fourth - second - third) % PRIME  # weights at equal distances
    assert (int(found[1]) - 2 * int(found[0])) % PRIME  # twice another one
    assert (int(found[4]) + int(found[0])) % PRIME  # of opposite sign
    differences = {(int(found[i + 1]) - int(found[i])) % PRIME for i in (0, 2)}
    assert len(differences) == 2  # of one ratio
    again = Symbols(1, True).symbols(values[::-1])
    assert np.array_equal(again, ExactArray(found[::-1], values[::-1]))
    assert not {*found} & {*Symbols(2, True).symbols(values).residues}
    assert np.array_equal(
        Symbols(1, True).symbols(np.array([0.0, 0.5])), exact(np.array([0.0, 0.5]))
    )
