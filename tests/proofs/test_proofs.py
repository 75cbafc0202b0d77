"""Proofs of rewrites, of right ones and of wrong ones."""

import re
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.elementwise import BinaryOpOp
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.proofs import Status, prove
from ncnn_opt.proofs.array import NotExact, exact
from ncnn_opt.proofs.field import PRIME, residue_of
from ncnn_opt.proofs.laws import EXPONENT, LAWS, LOGARITHM, ROOT, SIGN, enabled
from ncnn_opt.proofs.random_instances import random_exact
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from .instances import context, instances, passes
from .table import PAGE, README, counts_of, rows_of_page


def module_of(*lines: str, shape: str = "2x3") -> ModuleOp:
    """A function of `%x` that returns `%y`."""
    type_ = f"tensor<{shape}xf32>"
    head = f"func.func @main(%x: {type_}) -> {type_} {{"
    text = "\n".join([head, *lines, f"func.return %y : {type_}", "}"]).replace("T", type_)
    return parse_ir(context(), text.encode(), "it.mlir")


TWICE = module_of(
    '%a = ncnn.binaryop %x {name = "a", op_type = mul, with_scalar = 1, b = 0.3} : (T) -> T',
    '%y = ncnn.binaryop %a {name = "y", op_type = mul, with_scalar = 1, b = 4.0} : (T) -> T',
)


class MergeProducts(RewritePattern):
    """`x * a * b = x * (a * b)`, with an error on purpose."""

    def __init__(self, error: float = 0.0) -> None:
        self.error = error

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: BinaryOpOp, rewriter: PatternRewriter) -> None:
        first = op.inputs[0].owner
        if isinstance(first, BinaryOpOp):
            op.set_params(b=op.b * first.b + self.error)
            op.operands[0] = first.inputs[0]
            rewriter.erase(first)


def test_a_pattern_of_ones_own() -> None:
    assert prove(MergeProducts(), TWICE).status is Status.PROVEN
    assert "0.3" in str(TWICE)  # the model is as it was


def test_the_name_of_a_pass() -> None:
    assert prove("eliminate-noop", TWICE).status is Status.UNCHANGED
    with pytest.raises(KeyError, match="no pass 'eliminate-nop'; did you mean 'eliminate-noop'"):
        prove("eliminate-nop", TWICE)
    assert prove("dce", TWICE).status is Status.UNCHANGED  # a pass of another package


def test_a_rounded_constant_is_no_proof() -> None:
    assert prove(MergeProducts(2e-6), TWICE).status is Status.APPROXIMATE


def test_a_wrong_pattern_has_a_counterexample() -> None:
    proof = prove(MergeProducts(0.5), TWICE)
    assert proof.status is Status.REFUTED
    assert proof.counterexample is not None
    (x,), (before, after) = proof.counterexample.inputs, proof.counterexample.outputs
    assert np.allclose(before, 1.2 * x)
    assert np.allclose(after, 1.7 * x)
    assert [str(model).count("ncnn.binaryop") for model in proof.counterexample.models] == [2, 1]


def test_a_proof_prints_as_a_line() -> None:
    assert str(prove(MergeProducts(), TWICE, extents=True)) == "proven; for all h of x, w of x"
    refuted = str(prove(MergeProducts(0.5), TWICE))
    assert refuted.startswith("refuted: ")
    assert refuted.endswith("; counterexample with inputs of 2x3")
    assert "ncnn.binaryop" not in repr(prove(MergeProducts(0.5), TWICE))


def test_nothing_to_prove() -> None:
    assert prove("fuse-gelu", TWICE).status is Status.UNCHANGED


def test_constants_stand_for_simple_fractions() -> None:
    def residue(fraction: Fraction) -> int:
        return fraction.numerator * pow(fraction.denominator, -1, PRIME) % PRIME

    assert residue_of(float(np.float32(1 / 6))) == residue(Fraction(1, 6))
    assert residue_of(0.75) == residue(Fraction(3, 4))
    odd = float(np.float32(0.1234567))
    assert residue_of(odd) == residue(Fraction(odd))


def test_functions_without_laws() -> None:
    x = random_exact((4,), Random(1))
    assert np.array_equal(np.exp(x), np.exp(x))
    assert not np.array_equal(np.exp(x + x), np.exp(x) * np.exp(x))
    assert np.allclose(np.asarray(np.exp(x + x)), np.asarray(np.exp(x) * np.exp(x)))


def test_arithmetic_is_exact() -> None:
    x, y = (random_exact((3, 4), Random(seed)) for seed in range(2))
    assert np.array_equal((x + y) * (x - y), x * x - y * y)
    assert np.array_equal(x / y * y, x)
    assert np.array_equal(np.maximum(x, y) + np.minimum(x, y), x + y)
    assert np.array_equal(np.abs(x) * np.sign(x), x)
    assert np.array_equal(x @ y.T, np.einsum("ik,jk->ij", x, y))
    assert not np.array_equal(x, x + 2.0**-60)
    assert np.array_equal(exact(np.arange(3.0)).sum(), exact(3))


def test_a_weight_is_read_only_and_a_conversion_is_a_copy() -> None:
    x = random_exact((3,), Random(3))
    held = x.as_weight().data
    with pytest.raises(ValueError, match="read-only"):
        held *= 2
    doubled = held.astype("f8")
    doubled *= 2
    assert np.array_equal(held, x)
    assert np.array_equal(doubled, x + x)
    assert held.astype("f4", copy=False) is held


def test_options_that_change_results_are_refused() -> None:
    x, mask = random_exact((2,), Random(4)), np.array([True, False])
    with pytest.raises(NotExact, match="with where"):
        np.sum(x, where=mask)
    with pytest.raises(NotExact, match="with where"):
        np.add(x, x, where=mask)
    with pytest.raises(NotExact, match="with ddof"):
        np.var(x, ddof=1)


def test_a_reduction_begins_with_its_initial_value() -> None:
    x = random_exact((2, 3), Random(6))
    assert np.array_equal(np.max(x, 1, initial=9.0), [9, 9])
    assert np.array_equal(np.max(x, 1, initial=-9.0), np.max(x, 1))
    assert np.array_equal(np.add.reduce(x, initial=0.5), x[0] + x[1] + 0.5)


def test_a_cumulative_sum_without_an_axis_is_flat() -> None:
    x = random_exact((2, 2), Random(5))
    assert np.array_equal(np.cumsum(x), np.cumsum(x.reshape(4)))


def test_a_proof_lists_the_laws_that_it_needs() -> None:
    found = {x.function: prove("fuse-gelu", x.module) for x in instances("fuse-gelu")}
    assert found["erf"].status is Status.PROVEN
    assert found["erf"].laws == (SIGN, ROOT)
    assert found["seven_digits"].status is Status.APPROXIMATE  # its constant is another number
    assert prove(MergeProducts(), TWICE).laws == ()


@pytest.mark.parametrize("law", [SIGN, EXPONENT, LOGARITHM, ROOT])
def test_a_law_holds_where_it_is_enabled(law: str) -> None:
    x = random_exact((6,), Random(2))
    sides: dict[str, Callable[[], tuple[Any, Any]]] = {
        SIGN: lambda: (np.tanh(-x), -np.tanh(x)),
        EXPONENT: lambda: (np.exp(-x), 1 / np.exp(x)),
        LOGARITHM: lambda: (np.log1p(x), np.log(x + 1)),
        ROOT: lambda: (x * np.float32(0.70710677) * np.float32(1.4142135), x),
    }
    assert not np.array_equal(*sides[law]())
    with enabled([law]):
        assert np.array_equal(*sides[law]())
    with enabled([each for each in LAWS if each != law]):
        assert not np.array_equal(*sides[law]())


@pytest.mark.parametrize("name", passes())
def test_each_pass_at_one_instance(name: str) -> None:
    """`make prove` takes all instances."""
    first = next(iter(instances(name)), None)
    assert name in rows_of_page(), f"make prove PROVE='--write --passes {name}'"
    if first is not None:
        assert prove(name, first.module, trials=1).status is not Status.REFUTED


def test_the_page_counts_its_rows() -> None:
    _, _, text = PAGE.read_text("utf-8").partition("<!-- table -->")
    words = re.findall(r"^\| `[\w-]+` \| ([\w ]+) \|", text, re.MULTILINE)
    every, some = words.count("all extents"), words.count("instances")
    summary = re.search(r"^(\d+) passes: (\d+) proven, (\d+) of them", text, re.MULTILINE)
    assert summary is not None
    assert [int(n) for n in summary.groups()] == [len(words), every + some, every]
    counts = f"| {len(words)} | {every + some} | {some} | {every} |"
    assert counts in text
    assert counts_of(rows_of_page().values()).in_readme() in README.read_text("utf-8")
    assert every >= 0.4 * len(words)
    assert every + some >= 0.8 * len(words)


def test_each_proven_pass_has_three_instances() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| ([\w ]+) \| (\d+) \|", PAGE.read_text("utf-8"), re.M)
    words = ("all extents", "instances")
    proven = {name: int(count) for name, status, count in rows if status in words}
    assert len(proven) > 80
    assert all(count >= 3 for count in proven.values()), proven


def test_weights_that_a_pass_compares() -> None:
    """The pass compares exact numbers as bytes."""
    models = instances("eliminate-duplicate-layers", kept=True)
    (model,) = [each for each in models if each.function == "weights"]
    assert prove(model.rewrite, model.module).status is Status.UNCHANGED
