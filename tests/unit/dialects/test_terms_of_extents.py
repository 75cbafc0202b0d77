"""Extents that are no numbers: arithmetic on terms gives what it gives on numbers, and terms are
equal where that shows."""

from collections.abc import Callable, Mapping
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ncnn_opt.dialects.shapes.terms import (
    LARGEST,
    UNKNOWN,
    Extent,
    ExtentTerm,
    at_least,
    function,
    least,
    maximum,
    minimum,
    most,
    provably_equal,
    symbol,
)

H, W, C = symbol("h"), symbol("w"), symbol("c")

Values = Mapping[str, int]


def test_terms_as_text() -> None:
    assert repr(H) == "symbol(h)"
    assert repr(2 * H - 3) == "2*symbol(h) + -3"
    assert repr(H * 0 + 1) == "1"


def value(extent: Extent, values: Values) -> int:
    """What an extent is where its symbols have these values."""
    if isinstance(extent, int):
        return extent
    total = 0
    for monomial, n in extent.parts.items():
        for atom in monomial:
            n *= atom_value(atom.name, atom.args, values)
        total += n
    return total


def atom_value(name: str, args: tuple[object, ...], values: Values) -> int:
    match name, args:
        case "symbol", (str() as key,):
            return values[key]
        case "minimum" | "maximum", (both,):
            ends = [value(n, values) for n in cast(frozenset[Extent], both)]
            return (min if name == "minimum" else max)(ends)
        case "product", (both,):
            numbers = [value(n, values) for n in cast(frozenset[Extent], both)]
            return numbers[0] * numbers[-1]
        case "//" | "quotient", (a, b):
            return value(cast(Extent, a), values) // value(cast(Extent, b), values)
        case _:
            raise AssertionError(name)


Both = tuple[Extent, Callable[[Values], int]]
"""A term, and the function that computes it on numbers."""


def leaf(name: str) -> Both:
    return symbol(name), lambda values: values[name]


def number(n: int) -> Both:
    return n, lambda values: n


def combined(op: str, a: Both, b: Both) -> Both:
    (x, f), (y, g) = a, b
    match op:
        case "+":
            return x + y, lambda v: f(v) + g(v)
        case "-":
            return x - y, lambda v: f(v) - g(v)
        case "*":
            return x * y, lambda v: f(v) * g(v)
        case "min":
            return minimum(x, y), lambda v: min(f(v), g(v))
        case _:
            return maximum(x, y), lambda v: max(f(v), g(v))


def divided(a: Both, n: int) -> Both:
    x, f = a
    return x // n, lambda v: f(v) // n


def larger(inner: st.SearchStrategy[Both]) -> st.SearchStrategy[Both]:
    ops = st.sampled_from(["+", "+", "-", "*", "min", "max"])
    both = st.builds(combined, ops, inner, inner)
    return both | st.builds(divided, inner, st.integers(1, 6))


LEAVES = st.sampled_from(list(map(leaf, "hwc"))) | st.integers(-6, 6).map(number)
TERMS = st.recursive(LEAVES, larger, max_leaves=12)
VALUES = st.fixed_dictionaries({name: st.integers(1, 40) for name in "hwc"})


@settings(max_examples=600)
@given(TERMS, st.lists(VALUES, min_size=1, max_size=4))
def test_a_term_is_what_it_was_made_of(both: Both, all_values: list[Values]) -> None:
    term, compute = both
    for values in all_values:
        assert value(term, values) == compute(values)
        low, high = least(term), most(term)
        assert low is not None
        assert high is not None
        assert low <= compute(values) <= high


@settings(max_examples=300)
@given(TERMS, TERMS, VALUES)
def test_equal_terms_and_certain_comparisons_are_true(a: Both, b: Both, values: Values) -> None:
    (x, f), (y, g) = a, b
    if x == y:
        assert f(values) == g(values)
        assert hash(x) == hash(y)
    if at_least(x, y):
        assert f(values) >= g(values)


@settings(max_examples=300)
@given(TERMS, TERMS, VALUES)
def test_a_product_is_divided_by_its_factors(a: Both, b: Both, values: Values) -> None:
    (x, f), (y, g) = a, b
    if isinstance(y, ExtentTerm) and (divisor := g(values)):
        quotient = (x * y) // y
        assert value(quotient, values) == f(values) * divisor // divisor


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((2 * H + 4) // 2, H + 2),
        ((H + 2 - 3) // 1 + 1, H),
        (((H - 1) // 2 + 1 - 1) // 2 + 1, (H + 3) // 4),
        ((6 * H + 4) // 4, (3 * H + 2) // 2),
        (C * H * W // (H * W), C),
        (C * (H + 1) * (W - 2) // ((H + 1) * (W - 2)), C),
        ((H + W) * (H - W), H * H - W * W),
        (minimum(H, LARGEST), H),
        (maximum(H + 1, 1), H + 1),
        (minimum(H + 3, H), H),
        (H - H, 0),
        (0 * H, 0),
    ],
)
def test_normal_form(one: Extent, other: Extent) -> None:
    assert one == other


def test_what_is_not_known_to_be_equal_is_not() -> None:
    assert H != W
    assert symbol("h") == H
    assert H != 3
    assert H // 2 * 2 != H
    assert (H + 1) // 2 != H // 2
    assert function("scaled", H, 2.5) == function("scaled", H, 2.5)
    assert function("scaled", H, 2.5) != function("scaled", H, 1.5)


def test_the_unknown_stays_unknown_and_equals_nothing() -> None:
    for term in (UNKNOWN + 1, 2 * UNKNOWN, H - UNKNOWN, UNKNOWN // 3, 8 // UNKNOWN, H // UNKNOWN):
        assert term is UNKNOWN
    for term in (minimum(UNKNOWN, 3), maximum(H, UNKNOWN), function("f", UNKNOWN), -UNKNOWN):
        assert term is UNKNOWN
    assert UNKNOWN != UNKNOWN  # noqa: PLR0124
    assert UNKNOWN in (1, UNKNOWN)
    assert UNKNOWN not in (1, H)
    assert least(UNKNOWN) is most(UNKNOWN) is None
    assert not at_least(UNKNOWN, UNKNOWN)


def test_large_terms_stay_small() -> None:
    product: Extent = 1
    for i in range(12):
        product = product * (symbol("n", i) + 1)
    assert isinstance(product, ExtentTerm)
    assert len(product.parts) <= 64
    nested: Extent = H
    for _ in range(1000):
        nested = (nested * 3 + 1) // 2
    assert nested is UNKNOWN
    same: Extent = H
    for _ in range(20):
        same = (same - 1) // 2 + 1
    assert same == (H + 2**20 - 1) // 2**20


def test_nothing_is_kept_of_terms_that_are_gone() -> None:
    from ncnn_opt.dialects.shapes import terms

    before = len(terms._ATOMS)  # pyright: ignore[reportPrivateUsage]
    extent = [(symbol("gone", i) + 1) // 2 for i in range(100)]
    assert len(terms._ATOMS) >= before + 200  # pyright: ignore[reportPrivateUsage]
    del extent
    assert len(terms._ATOMS) <= before  # pyright: ignore[reportPrivateUsage]


def test_equal_for_all_inputs() -> None:
    assert provably_equal(4, 4)
    assert provably_equal((2 * H + 4) // 2, H + 2)
    assert provably_equal((4, H), (4, H))
    assert provably_equal([(4, H), (W,)], [(4, H), (W,)])
    assert provably_equal((), ())
    assert not provably_equal(4, 5)
    assert not provably_equal(H, W)
    assert not provably_equal((4, H), (4, H, 1))
    assert not provably_equal((4,), 4)


def test_unknown_equals_nothing() -> None:
    dynamic = -(2**63)  # as a type has it
    for unknown in (None, UNKNOWN, (UNKNOWN,), (4, UNKNOWN), [None], [(4,), None], dynamic):
        assert not provably_equal(unknown, unknown)
    assert not provably_equal((4, dynamic), (4, dynamic))
    assert not provably_equal(None, ())
    assert (UNKNOWN,) == (UNKNOWN,)  # hence the function
