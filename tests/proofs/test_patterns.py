"""Proofs by the sign patterns of comparisons."""

from fractions import Fraction
from typing import Any

import pytest
from ncnn_opt.proofs import Status, patterns, prove
from ncnn_opt.proofs.expressions import CONSTANT, SYMBOL, WEIGHT, Expression, Part
from ncnn_opt.proofs.field import PRIME, residue_of
from ncnn_opt.proofs.patterns import compare_by_patterns
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import PatternRewriter

from .test_extents import Change, erase, params
from .test_proofs import module_of

CLIP = 'ncnn.clip {} {{name = "{}", min = {}, max = {}}} : (T) -> T'
SCALAR = 'ncnn.binaryop {} {{name = "{}", op_type = {}, with_scalar = 1, b = {}}} : (T) -> T'


def tents() -> ModuleOp:
    """Eight Clips, each of 3 * x - 0.9: only for numbers in an interval of length 3^-8 none of them
    clips, and the last layer, a square, changes the result."""
    lines: list[str] = []
    of = "%x"
    for i in range(8):
        a, b, c = (f"%{name}{i}" for name in "abc")
        lines.append(f"{a} = " + SCALAR.format(of, a[1:], "mul", 3.0))
        lines.append(f"{b} = " + SCALAR.format(a, b[1:], "sub", 0.9))
        lines.append(f"{c} = " + CLIP.format(b, c[1:], 0.0, 1.0))
        of = c
    lines.append(f'%z = ncnn.unaryop {of} {{name = "z", op_type = square}} : (T) -> T')
    lines.append("%y = " + SCALAR.format("%z", "y", "mul", 2.0))
    return module_of(*lines)


def clips(last: float) -> ModuleOp:
    """Eight Clips, the last of which has the tightest bounds."""
    lines: list[str] = []
    of = "%x"
    for i in range(8):
        bound = 9.0 - i if i < 7 else last
        result = f"%c{i}" if i < 7 else "%y"
        lines.append(f"{result} = " + CLIP.format(of, result[1:], -bound, bound))
        of = result
    return module_of(*lines)


def test_a_chain_that_is_wrong_in_one_pattern_is_refuted() -> None:
    proof = prove(Change("ncnn.unaryop", erase), tents(), trials=1)
    assert proof.status is Status.REFUTED
    assert proof.counterexample is not None
    (x,) = proof.counterexample.inputs
    assert abs(x - 0.45).min() < 3.0**-8


def test_without_a_solver_it_is_not_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "solver_library", None)
    proof = prove(Change("ncnn.unaryop", erase), tents(), trials=1)
    assert proof.status in (Status.CHECKED, Status.REFUTED)
    proof = prove(Merge(), clips(0.5), trials=1)
    assert proof.status is Status.CHECKED
    assert "the extra 'prove'" in proof.reason


def test_without_effort_it_is_not_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MOST_PATTERNS", 1)
    proof = prove(Merge(), clips(0.5), trials=1)
    assert proof.status is Status.CHECKED
    assert "patterns of signs" in proof.reason


class Merge(Change):
    """Drop all Clips but the last one."""

    def __init__(self) -> None:
        def drop(op: Any, rewriter: PatternRewriter) -> None:
            if op.max > 1:
                erase(op, rewriter)

        super().__init__("ncnn.clip", drop)


def test_a_right_chain_is_proven() -> None:
    assert prove(Merge(), clips(0.5), trials=1).status is Status.PROVEN


def test_a_wrong_bound_of_a_chain_is_refuted() -> None:
    change = Change("ncnn.clip", params(max=2.5, min=-3.0))
    assert prove(change, clips(2.75), trials=1).status is Status.REFUTED


def _relu(x: Any) -> Any:
    return Expression("max", (x, 0), 17 * x.residue % 1_000_003)


def _constant(value: float) -> Expression:
    return Expression(CONSTANT, (), residue_of(value), Fraction(value))


def test_patterns_of_two_comparisons() -> None:
    """relu(x) - relu(-x) = x has one identity for each sign of x."""
    x = Expression(SYMBOL, (), 12345678901)
    difference = _relu(x) + -_relu(-x)
    outcome = compare_by_patterns([(difference, x)])
    assert (outcome.reason, outcome.patterns, outcome.by_solver) == ("", 3, 1)  # 0 is the third
    outcome = compare_by_patterns([(difference, -x)])
    assert outcome.reason.startswith("no proof for some signs of the comparisons")
    assert outcome.witness[x.residue] != 0


def test_too_many_comparisons(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = (Expression(SYMBOL, (), residue) for residue in (12345678901, 98765432109))
    pair = _relu(x) + -_relu(-x) + _relu(y), x + _relu(y)
    monkeypatch.setattr(patterns, "MOST_SIGNS", 2)
    assert compare_by_patterns([pair]).reason == ""
    monkeypatch.setattr(patterns, "MOST_SIGNS", 1)
    assert compare_by_patterns([pair]).reason == "it has more than 1 comparisons"


def test_a_pattern_that_no_numbers_have_does_not_count() -> None:
    """relu(x - 2) + relu(1 - x): x cannot be larger than 2 and smaller than 1."""
    x = Expression(SYMBOL, (), 12345678901)
    both = _relu(x + _constant(-2)) * _relu(_constant(1) + -x)
    assert compare_by_patterns([(both, 0)]).reason == ""
    both = _relu(x + _constant(-2)) * _relu(_constant(3) + -x)
    assert compare_by_patterns([(both, 0)]).reason != ""


def test_pairs_that_differ_in_their_weights() -> None:
    """Pairs of one structure are compared once, unless their weights differ."""
    x = Expression(SYMBOL, (), 12345678901)
    difference = _relu(x) + -_relu(-x)

    def pair(a: int, b: int) -> tuple[Part, Part]:
        return difference + Expression(WEIGHT, (), a), x + Expression(WEIGHT, (), b)

    assert compare_by_patterns([pair(5 << 40, 5 << 40)]).reason == ""
    outcome = compare_by_patterns([pair(5 << 40, 5 << 40), pair(5 << 40, 7 << 40)])
    assert outcome.reason.startswith("no proof for some signs of the comparisons")
    other, same = (Expression(SYMBOL, (), residue) for residue in (98765432109, x.residue))
    outcome = compare_by_patterns([(_relu(x), _relu(x + 0)), (_relu(x) * same, _relu(x) * other)])
    assert outcome.reason.startswith("no proof for some signs of the comparisons")
    pairs = [(_relu(y) + -_relu(-y), y) for y in (x, other)]
    assert compare_by_patterns(pairs).patterns == 3


def test_facts_about_functions() -> None:
    """Sigmoid is in (0, 1), so a ReLU or a Clip behind it does nothing."""
    x = Expression(SYMBOL, (), 12345678901)
    sum_: Any = 1 + Expression("exp", (-x,), 4321)
    sigmoid: Any = sum_.inverse()
    assert compare_by_patterns([(_relu(sigmoid), sigmoid)]).reason == ""
    assert compare_by_patterns([(_relu(1 + -sigmoid), 1 + -sigmoid)]).reason == ""
    assert compare_by_patterns([(_relu(sigmoid + _constant(-0.5)), 0)]).reason != ""


@pytest.mark.parametrize(
    ("function", "low", "high"),
    [("floor", -1.0, 0.0), ("ceil", 0.0, 1.0), ("rint", -0.5, 0.5), ("sqrt", None, None)],
)
def test_facts_about_rounding(function: str, low: float | None, high: float | None) -> None:
    """A rounded number is close to the number: `low <= function(x) - x <= high`."""
    x = Expression(SYMBOL, (), 12345678901)
    rounded: Any = Expression(function, (x,), 4321)
    if low is None or high is None:  # no function that rounds: a root is only not negative
        assert compare_by_patterns([(_relu(rounded), rounded)]).reason == ""
        assert compare_by_patterns([(_relu(rounded + -x), rounded + -x)]).reason != ""
        return
    above, below = rounded + -x + _constant(-low), _constant(high) + x + -rounded
    for difference in (above, below):
        assert compare_by_patterns([(_relu(difference), difference)]).reason == ""
        less = difference + _constant(-0.25)
        assert compare_by_patterns([(_relu(less), less)]).reason != ""
        assert compare_by_patterns([(_relu(-less), 0)]).reason != ""


def test_signs_of_weights() -> None:
    """A weight has any sign: |w| is one of two numbers, and no constant."""
    w = 5 << 40
    positive, negative = _relu_of_weight(w), _relu_of_weight(-w)
    assert compare_by_patterns([(positive + -negative, w)]).reason == ""
    outcome = compare_by_patterns([(positive * (positive + -w), 0)])
    assert (outcome.reason, outcome.patterns) == ("", 2)  # positive, or not
    assert compare_by_patterns([(positive, w)]).reason != ""


def _relu_of_weight(w: int) -> Any:
    return Expression("max", (w, 0), 17 * w % 1_000_003)


def test_a_weight_is_the_same_number_in_each_representation() -> None:
    """The solver knows a weight by its residue, which need not be reduced."""
    x, y = (Expression(SYMBOL, (), residue) for residue in (12345678901, 98765432109))
    equal: Any = Expression("=0", (x + -y,), 777)
    w, other = 5 << 40, 7 << 40
    assert compare_by_patterns([(equal * x * w, equal * y * (w - PRIME))]).reason == ""
    assert compare_by_patterns([(equal * x * w, equal * y * (other - PRIME))]).reason != ""


def test_a_number_on_the_threshold() -> None:
    """x * (x > 0) and x * (x >= 0) are equal, though their patterns differ where x is 0; the
    indicators are not."""
    x = Expression(SYMBOL, (), 12345678901)
    greater = Expression(">0", (x,), 111)
    not_less = 1 + -Expression(">0", (-x,), 222)
    outcome = compare_by_patterns([(x * greater, x * not_less)])
    assert outcome.reason == ""
    assert outcome.by_solver == 1
    outcome = compare_by_patterns([(greater, not_less)])
    assert outcome.reason != ""
