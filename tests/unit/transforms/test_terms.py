"""Scalar code as terms: what is emitted is found again, and nothing else is."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from ncnn_opt.conversion.epilogues.unification import Bindings, Weight, unify
from ncnn_opt.conversion.fused_to_ncnn.templates import Template, TemplateMatch, templates
from ncnn_opt.conversion.fused_to_ncnn.templates import matches as layer_matches
from ncnn_opt.conversion.ncnn_to_fused.lowering import anchor_of
from ncnn_opt.dialects.ncnn import LAYERS
from ncnn_opt.dialects.ncnn.activation import HardSwishOp, MishOp, ReLUOp
from ncnn_opt.dialects.ncnn.elementwise import BinaryOpOp, PowerOp
from ncnn_opt.dialects.ncnn.formulas import (
    Arg,
    Call,
    Const,
    NoFormula,
    Symbol,
    Term,
    exp,
    log,
    maximum,
    minimum,
    tanh,
    term,
)
from ncnn_opt.dialects.ncnn.interfaces import HasFormula
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.quantization import DequantizeOp
from ncnn_opt.transforms.canonicalization.fused_scalars import Scalars
from ncnn_opt.transforms.rewriting.scalar_code import appended_to, emit
from xdsl.dialects import arith
from xdsl.dialects.builtin import f32, i32
from xdsl.ir import Block, SSAValue

X = Arg(0)


def emitted(root: Term, args: int = 3) -> tuple[Block, SSAValue]:
    block = Block(arg_types=[f32] * args)
    return block, emit(root, dict(enumerate(block.args)), appended_to(block))


def matches(pattern: Term, root: Term, dropped: int = 0) -> list[Bindings]:
    """The ways in which code is a pattern of which so many operations are not there."""
    # A match may be found in several orders of operands.
    found = list(unify(pattern, emitted(root)[1], Bindings({}, {})))
    return [b for i, b in enumerate(found) if b.dropped == dropped and b not in found[:i]]


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


def test_an_operation_that_is_neutral_need_not_be_there() -> None:
    affine = X * Symbol("a") + Symbol("b")
    (bound,) = matches(exp(affine), exp(X), 2)
    assert bound.symbols == {"a": 1.0, "b": 0.0}
    (bound,) = matches(exp(affine), exp(X + 3.0), 1)
    assert bound.symbols == {"a": 1.0, "b": 3.0}
    (bound,) = matches(exp(X * Weight(1)), exp(X), 1)
    assert bound.args[1] == term(1.0)
    (bound,) = matches(exp(X - -Symbol("a")), exp(X), 1)
    assert bound.symbols == {"a": 0.0}
    assert not matches(exp(X * Arg(1)), exp(X), 1)  # a blob is no number
    assert not matches(exp(X * 2.0), exp(X), 1)
    assert not matches(exp(Symbol("a") - X), exp(X), 1)
    assert not matches(exp(Symbol("a") / X), exp(X), 1)


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


def layers_of(root: Term) -> list[TemplateMatch]:
    """The layers found in the simplest form of some code."""
    scalars = Scalars(Block(arg_types=[f32] * 3))
    value = emit(root, dict(enumerate(scalars.block.args)), scalars.add)
    return list(layer_matches(value, scalars))


def test_parameters_that_a_layer_does_not_have_are_not_found() -> None:
    def layers(root: Term) -> list[type[LayerOp]]:
        return [match.template.layer for match in layers_of(root)]

    rising, falling = (X * maximum(X * a + 0.5, 0.0) for a in (0.2, -0.2))
    assert HardSwishOp not in layers(rising)  # there is no upper bound
    swish, turned = (X * minimum(maximum(X * a + 0.5, 0.0), 1.0) for a in (0.25, -0.25))
    assert layers(swish)[0] is HardSwishOp
    assert HardSwishOp not in layers(turned)
    assert HardSwishOp not in layers(falling)
    assert layers(maximum(X, 0.0))[0] is ReLUOp


NEUTRAL_VALUES = (0.0, 1.0, -1.0)


def cases() -> Iterator[tuple[Template, dict[str, Any]]]:
    """Each template with parameters that it takes: any, and all combinations of some that code is
    simplified for."""
    values = {"alpha": 0.25, "beta": 0.5, "min": -1.0, "max": 2.0}
    for template in templates():
        fixed = dict(template.fixed)
        names = sorted(symbols_of(template.term))
        for numbers in (
            [values.get(n, 0.75) for n in names],
            *product(NEUTRAL_VALUES, repeat=len(names)),
        ):
            yield template, {**fixed, **dict(zip(names, numbers, strict=True))}


def symbols_of(node: Term) -> set[str]:
    if isinstance(node, Symbol):
        return {node.name}
    args = node.args if isinstance(node, Call) else ()
    return {name for arg in args for name in symbols_of(arg)}


@pytest.mark.parametrize(
    ("template", "params"),
    [pytest.param(*case, id=f"{case[0].layer.LAYER_TYPE}-{i}") for i, case in enumerate(cases())],
)
def test_one_layer_comes_back_as_one(template: Template, params: dict[str, Any]) -> None:
    try:
        code = template.with_params(params)
    except NoFormula:
        return
    scalars = Scalars(Block(arg_types=[i32 if template.layer is DequantizeOp else f32] * 3))
    args = list(scalars.block.args)
    value = emit(code, dict(enumerate(args)), scalars.add)
    if value in args or isinstance(value.owner, arith.ConstantOp):
        return  # nothing, or the same for all x
    if template.layer is PowerOp and params["power"] == 1:
        return  # two BinaryOps: the runtime takes the power of each element
    found = layer_matches(value, scalars)
    whole = [m for m in found if all(v in args or isinstance(v, Const) for v in m.args)]
    assert whole, (template, params)
    assert any(m.template.layer is template.layer for m in whole) or any(
        v in NEUTRAL_VALUES for v in params.values()
    )


def test_larger_layers_come_first() -> None:
    found = layers_of(X * tanh(log(exp(X) + 1.0)))
    assert [m.size for m in found] == sorted((m.size for m in found), reverse=True)
    assert found[0].template.layer is MishOp
    assert BinaryOpOp in [m.template.layer for m in found[1:]]


def test_no_layer_is_an_anchor_and_has_a_formula() -> None:
    both = [cls for cls in LAYERS if anchor_of(cls) and issubclass(cls, HasFormula)]
    assert not both


def test_emitted_operations_have_no_flags() -> None:
    block, _ = emitted(X + 1.0)
    added = next(op for op in block.ops if isinstance(op, arith.AddfOp))
    assert not added.fastmath.data
