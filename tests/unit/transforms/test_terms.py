"""Scalar code as terms: what is emitted is found again, and nothing else is."""

from typing import Any, cast

import pytest
from ncnn_opt.dialects.ncnn import LAYERS
from ncnn_opt.dialects.ncnn.activation import HardSwishOp, ReLUOp
from ncnn_opt.dialects.ncnn.formulas import Arg, Const, Symbol, Term, exp, maximum, term
from ncnn_opt.dialects.ncnn.interfaces import HasFormula
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.transforms.convert_fused_to_ncnn.templates import Template, templates
from ncnn_opt.transforms.convert_ncnn_to_fused.anchors import anchor_of
from ncnn_opt.transforms.epilogues.terms import Bindings, emit, unify
from xdsl.dialects import arith
from xdsl.dialects.builtin import f32
from xdsl.ir import Block, SSAValue

X = Arg(0)


def emitted(root: Term, args: int = 3) -> tuple[Block, SSAValue]:
    block = Block(arg_types=[f32] * args)
    return block, emit(root, block, block.args)


def matches(pattern: Term, root: Term) -> list[Bindings]:
    # A match may be found in several orders of operands.
    found = list(unify(pattern, emitted(root)[1], Bindings({}, {})))
    return [b for i, b in enumerate(found) if b not in found[:i]]


def test_the_same_expression_is_computed_once() -> None:
    block, _ = emitted((exp(X) + 1.0) * exp(X) + 1.0)
    assert [op.name for op in block.ops].count("math.exp") == 1
    assert [op.name for op in block.ops].count("arith.constant") == 1


def test_what_is_emitted_is_found() -> None:
    code = exp(X * 2.0) / (Arg(1) - X)
    (bound,) = matches(code, code)
    assert sorted(bound.args) == [0, 1]


def test_a_symbol_is_any_constant() -> None:
    (bound,) = matches(X * Symbol("a") + Symbol("b"), X * 2.0 + 3.0)
    assert bound.symbols == {"a": 2.0, "b": 3.0}
    (bound,) = matches(X * -Symbol("a"), X * 2.0)
    assert bound.symbols == {"a": -2.0}
    assert not matches(X * Symbol("a") + Symbol("a"), X * 2.0 + 3.0)
    assert not matches(X * Symbol("a"), X * Arg(1))


def test_operands_that_commute_may_be_turned() -> None:
    assert matches(maximum(X, 0.0), maximum(0.0, X))
    assert matches(X * Symbol("a"), 2.0 * X)
    assert not matches(X - Symbol("a"), 2.0 - X)
    assert not matches(X / Symbol("a"), 2.0 / X)


def test_one_argument_is_one_value() -> None:
    assert matches(X * exp(X), Arg(1) * exp(Arg(1)))
    assert not matches(X * exp(X), Arg(1) * exp(Arg(2)))


def test_constants_are_compared_by_their_bits() -> None:
    assert term(0.0) != term(-0.0)
    assert term(float("nan")) == term(float("nan"))
    assert term(0.1) == term(0.1 + 1e-12)  # the same float32
    assert isinstance(term(1), Const)
    assert not matches(X + 0.0, X + -0.0)


def test_parameters_that_a_layer_does_not_have_are_not_found() -> None:
    def layers(root: Term) -> list[type[LayerOp]]:
        value = emitted(root)[1]
        return [m.template.layer for t in templates() for m in t.matches(value)]

    rising, falling = (X * maximum(X * a + 0.5, 0.0) for a in (0.2, -0.2))
    assert HardSwishOp not in layers(rising)  # there is no upper bound
    swish = HardSwishOp.formula(cast(Any, HardSwishLike()), X)
    assert HardSwishOp in layers(swish)
    assert HardSwishOp not in layers(falling)
    assert layers(maximum(X, 0.0))[0] is ReLUOp


class HardSwishLike:
    alpha = 0.25
    beta = 0.5


@pytest.mark.parametrize("template", templates(), ids=lambda t: f"{t.layer.LAYER_TYPE}-{t.size}")
def test_each_template_finds_itself(template: Template) -> None:
    values = {"alpha": 0.25, "beta": 0.5, "min": -1.0, "max": 2.0}
    names = [name for name in template.layer.PARAMS if name not in dict(template.fixed)]
    fixed = {**dict(template.fixed), **{n: values.get(n, 0.75) for n in names}}
    value = emitted(template.with_params(fixed))[1]
    assert any(
        all(match.params.get(n, fixed[n]) == fixed[n] for n in fixed)
        for match in template.matches(value)
    )


def test_larger_templates_come_first() -> None:
    sizes = [template.size for template in templates()]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] >= 1


def test_no_layer_is_an_anchor_and_has_a_formula() -> None:
    both = [cls for cls in LAYERS if anchor_of(cls) and issubclass(cls, HasFormula)]
    assert not both


def test_emitted_operations_have_no_flags() -> None:
    block, _ = emitted(X + 1.0)
    added = next(op for op in block.ops if isinstance(op, arith.AddfOp))
    assert not added.fastmath.data
