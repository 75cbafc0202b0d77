"""Proofs at extents that the model does not declare, and at the first call of a decoder."""

import re

import pytest
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.proofs import Status, prove
from xdsl.dialects.builtin import ModuleOp

from .instances import context
from .test_declared_extents import NOTHING, RESHAPE, Becomes
from .test_declared_extents import model as layer
from .test_extents import Change, params
from .test_unknown_shapes import EXCHANGE
from .test_unknown_shapes import model as two_inputs


def parsed(text: str, type_: str) -> ModuleOp:
    """A model with this type in the place of `T`."""
    return parse_ir(context(), re.sub(r"\bT\b", type_, text).encode(), "it.mlir")


def test_a_small_error_beside_large_numbers_is_refuted() -> None:
    """x * (1 + 1) for two numbers becomes x * 2 * mean(1, 1). At other extents this differs, but by
    little in comparison with x * 10^6, which is in the same output."""
    text = """func.func @main(%x: T) -> tensor<4xf32> {
      %z = ncnn.binaryop %x {name = "z", op_type = mul, with_scalar = 1, b = 0.0} : (T) -> T
      %o = ncnn.binaryop %z {name = "o", op_type = add, with_scalar = 1, b = 1.0} : (T) -> T
      %n = ncnn.reduction %o {name = "n", reduce_all = 0, axes = [0], keepdims = 1, fixbug0 = 1}
        : (T) -> tensor<1xf32>
      %p = ncnn.binaryop %x, %n {name = "p", op_type = mul} : (T, tensor<1xf32>) -> T
      %q = ncnn.binaryop %x {name = "q", op_type = mul, with_scalar = 1, b = 1000000.0} : (T) -> T
      %y = ncnn.concat %p, %q {name = "y"} : (T, T) -> tensor<4xf32>
      func.return %y : tensor<4xf32>
    }"""
    mean = Change("ncnn.reduction", params(operation=3, coeff=2.0))
    proof = prove(mean, parsed(text, "tensor<2xf32>"), trials=1)
    assert proof.status is Status.REFUTED
    assert proof.reason.startswith("for inputs of ")
    assert proof.counterexample is not None
    before, after = proof.counterexample.outputs
    assert abs(before - after).max() < 1e-5 * abs(before).max()


def test_a_model_that_refuses_other_extents_is_refuted() -> None:
    reshape = '%a = ncnn.reshape %x {name = "a", w = 4, h = 3, c = 2} : (T) -> T'
    before, after = (
        two_inputs(*lines, shape="2x3x4")
        for lines in (EXCHANGE, (reshape, EXCHANGE[0].replace("%x", "%a")))
    )
    proof = prove(Becomes(after), before, trials=1)
    assert proof.status is Status.REFUTED
    assert proof.reason.startswith("the model after the pass refuses inputs of ")


def test_a_layer_that_refuses_other_extents_may_take_more() -> None:
    """What the model before refuses says nothing."""
    proof = prove(Becomes(layer(NOTHING)), layer(RESHAPE + " : (X) -> X"), trials=1)
    assert "refuses" not in proof.reason


FIRST_STEP = """
      %f = ncnn.crop %p {name = "f", starts = [0], ends = [1], axes = [1]}
        : (T) -> tensor<2x1x4xf32>
      %r = ncnn.reshape %f {name = "r", w = 4, h = 1, c = 2}
        : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
      %z = ncnn.binaryop %r {name = "z", op_type = mul, with_scalar = 1, b = 0.0}
        : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
      %a = ncnn.binaryop %x, %z {name = "a", op_type = add} : (T, tensor<2x1x4xf32>) -> T"""
"""x, plus 0 times the first past step: the first call has none."""


def appending(reads_past: bool) -> ModuleOp:
    """A decoder that appends its steps to a cache."""
    first = "%a" if reads_past else "%x"
    text = f"""func.func @main(%x: T, %p: T) -> (T, T) {{{FIRST_STEP if reads_past else ""}
      %y = ncnn.relu {first} {{name = "y"}} : (T) -> T
      %n = ncnn.concat %p, %x {{name = "n", axis = 1}} : (T, T) -> T
      func.return %y, %n : T, T
    }}"""
    return parsed(text, "tensor<2x?x4xf32>")


@pytest.mark.parametrize("extents", [False, True])
def test_a_model_that_refuses_the_first_call_is_refuted(extents: bool) -> None:
    proof = prove(Becomes(appending(True)), appending(False), trials=1, extents=extents)
    assert proof.status is Status.REFUTED
    assert proof.reason.startswith("the model after the pass refuses the first call: ")


def test_a_model_that_takes_the_first_call_is_proven() -> None:
    """A layer that has no first call before the rewrite needs none."""
    assert prove(Becomes(appending(False)), appending(True), trials=1).status is Status.PROVEN
