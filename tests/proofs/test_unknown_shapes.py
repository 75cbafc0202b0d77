"""Rewrites of models whose inputs have unknown shapes: these differ, or broadcast."""

from collections.abc import Callable
from typing import Any

import pytest
from ncnn_opt.dialects.ncnn.elementwise import EltwiseOp
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.proofs import Status, prove
from ncnn_opt.proofs.canonical_form import CanonicalForm
from ncnn_opt.proofs.step_proofs import StepProver
from ncnn_opt.transforms.canonicalization.rewriting import replace_by_new
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker

from .instances import context
from .test_extents import Change, erase

BINARY = 'ncnn.binaryop {} {{name = "{}", op_type = {}}} : (T, T) -> T'


def model(*lines: str, shape: str = "*") -> ModuleOp:
    """A function of `%x` and `%z` that returns `%y`."""
    body = "\n".join(lines)
    text = f"func.func @main(%x: T, %z: T) -> T {{\n{body}\nfunc.return %y : T\n}}"
    return parse_ir(context(), text.replace("T", f"tensor<{shape}xf32>").encode(), "it.mlir")


ABSORPTION = (
    "%a = " + BINARY.format("%x, %z", "a", "min"),
    "%y = " + BINARY.format("%x, %a", "y", "max"),
)
"""max(x, min(x, z)): x, unless it is broadcast to the shape of z."""

EXCHANGE = ("%y = " + BINARY.format("%x, %z", "y", "add"),)


def first(op: Any, rewriter: PatternRewriter) -> None:
    if op.layer_name.data == "y":
        erase(op, rewriter)


def swap(op: Any, rewriter: PatternRewriter) -> None:
    op.operands = op.operands[::-1]


CASES: dict[str, tuple[tuple[str, ...], Callable[..., None], bool]] = {
    "absorption": (ABSORPTION, first, False),
    "exchange": (EXCHANGE, swap, True),
}

SHAPES = ["*", "2x?x?", "2x3x4"]
"""A declared extent is no fact: it may be 1."""


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", CASES)
def test_a_rewrite_that_is_right_for_equal_shapes_only_is_refuted(name: str, shape: str) -> None:
    lines, change, is_right = CASES[name]
    status = prove(Change("ncnn.binaryop", change), model(*lines, shape=shape), trials=1).status
    assert status is (Status.PROVEN if is_right else Status.REFUTED)


@pytest.mark.parametrize("shape", ["*", "2x3x4"])
@pytest.mark.parametrize("name", CASES)
def test_a_step_that_is_right_for_equal_shapes_only_is_refuted(name: str, shape: str) -> None:
    lines, change, is_right = CASES[name]
    before = model(*lines, shape=shape)

    def rewrite(module: ModuleOp) -> None:
        PatternRewriteWalker(Change("ncnn.binaryop", change)).rewrite_module(module)

    after = before.clone()
    pairs = list(zip(before.walk(), after.walk(), strict=True))
    rewrite(after)
    prover = StepProver(before, CanonicalForm())
    verdict = prover.prove(before, after, pairs, rewrite)
    assert verdict.status is (Status.PROVEN if is_right else Status.REFUTED)


def test_an_eltwise_takes_blobs_of_one_shape() -> None:
    """A BinaryOp broadcasts, and an Eltwise does not."""

    def as_eltwise(op: Any, rewriter: PatternRewriter) -> None:
        replace_by_new(op, EltwiseOp, op.blobs_read(), {}, {"op_type": 1}, rewriter)

    proof = prove(Change("ncnn.binaryop", as_eltwise), model(*EXCHANGE, shape="2x3"), trials=1)
    assert proof.status is Status.REFUTED
    assert "takes blobs of one shape" in proof.reason


def test_parameters_without_a_known_meaning_have_no_proof() -> None:
    lines = (EXCHANGE[0].replace("op_type = add", 'op_type = add, extra = {"50" = 1 : i32}'),)
    proof = prove(Change("ncnn.binaryop", swap), model(*lines, shape="2x3"), trials=1)
    assert proof.status is Status.UNSUPPORTED
    assert proof.reason == "BinaryOp 'y' has parameters without a known meaning"
