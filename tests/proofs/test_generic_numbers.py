"""Comparisons of single exact numbers, as functions and in patterns of signs."""

from collections.abc import Callable

import pytest
from ncnn_opt.proofs.decisions import as_functions
from ncnn_opt.proofs.expressions import recording
from ncnn_opt.proofs.numbers import (
    ExactNumber,
    RandomElements,
    applied,
    compared,
    number,
    plain,
    selected,
)
from ncnn_opt.proofs.patterns import compare_by_patterns

PAIRS: dict[str, tuple[str, str, Callable[[float, float], bool]]] = {
    "larger": ("ogt", "ole", lambda a, b: a > b),
    "smaller": ("olt", "oge", lambda a, b: a < b),
    "equal": ("oeq", "one", lambda a, b: a == b),
}
"""A predicate, the opposite predicate, and the comparison."""

CASES = [(1.5, 0.5), (0.5, 1.5), (0.5, 0.5), (-2.0, 0.0)]


@pytest.mark.parametrize("name", ["larger", "smaller"])
def test_fixed_numbers_are_compared_by_values(name: str) -> None:
    predicate, opposite, truth = PAIRS[name]
    with as_functions():
        for a, b in CASES:
            assert compared(predicate, plain(a), plain(b)) is truth(a, b)
            assert compared(opposite, plain(a), plain(b)) is not truth(a, b)


def test_fixed_numbers_are_equal_by_residues() -> None:
    """And the larger one of two is decided by values."""
    with as_functions():
        for a, b in CASES:
            for predicate, is_equal in (("oeq", True), ("eq", True), ("une", False), ("ne", False)):
                assert compared(predicate, plain(a), plain(b)) is ((a == b) is is_equal)
            for name, value in (("max", max(a, b)), ("min", min(a, b))):
                found = applied(f"arith.{name}imumf", [plain(a), plain(b)])
                assert found == plain(value)


@pytest.mark.parametrize(("predicate", "opposite"), [("gt", "le"), ("lt", "ge"), ("eq", "ne")])
def test_opposite_comparisons_are_complements(predicate: str, opposite: str) -> None:
    draws = RandomElements(1)
    a, b = draws.number("a"), draws.number("b")
    first = "o" if predicate != "eq" else ""
    with as_functions():
        one, other = (number(compared(first + each, a, b)) for each in (predicate, opposite))
        same = number(compared(first + opposite, a, a)).residue
    assert number(applied("arith.addf", [one, other])).residue == 1
    assert one.value + other.value == 1
    assert same == (0 if opposite == "ne" else 1)


def test_numbers_that_are_drawn_are_not_decided_by_values() -> None:
    draws = RandomElements(2)
    a, b = draws.number("a"), draws.number("b")
    with as_functions():
        largest = number(applied("arith.maximumf", [a, b]))
        assert largest.residue not in (a.residue, b.residue)
        swapped = number(applied("arith.maximumf", [b, a]))
        assert swapped.residue == largest.residue
        smallest = number(applied("arith.minimumf", [a, b]))
    both = (a.residue + b.residue - largest.residue - smallest.residue) % ((1 << 61) - 1)
    assert both == 0
    assert (largest.value, smallest.value) == (max(a.value, b.value), min(a.value, b.value))
    assert number(applied("arith.maximumf", [a, b])).residue in (a.residue, b.residue)


def test_logic_of_comparisons() -> None:
    draws = RandomElements(3)
    a, b = draws.number("a"), draws.number("b")
    with as_functions():
        x, y = (number(compared("ogt", each, plain(0.0))) for each in (a, b))
        conjunction = number(applied("arith.andi", [x, y])).residue
        disjunction = number(applied("arith.ori", [x, y])).residue
        exclusive = number(applied("arith.xori", [x, y])).residue
    prime = (1 << 61) - 1
    assert conjunction == x.residue * y.residue % prime
    assert disjunction == (x.residue + y.residue - x.residue * y.residue) % prime
    assert exclusive == (disjunction - conjunction) % prime


@pytest.mark.parametrize("is_right", [True, False])
def test_a_selection_in_patterns_of_signs(is_right: bool) -> None:
    """`x > 0 ? x : -x` and `max(x, -x)`."""

    def side(draws: RandomElements) -> tuple[ExactNumber, ExactNumber]:
        x = draws.number("x")
        minus = number(applied("arith.negf", [x]))
        chosen = selected(compared("ogt", x, plain(0.0 if is_right else 0.25)), x, minus)
        return number(chosen), number(applied("arith.maximumf", [x, minus]))

    with as_functions(), recording():
        a, b = side(RandomElements(4))
    outcome = compare_by_patterns([(a.residue, b.residue)])
    assert (outcome.reason == "") is is_right
    assert bool(outcome.witness) is not is_right
    if outcome.witness:
        (value,) = outcome.witness.values()
        assert 0 < value <= 0.25
