"""Rewrites of models whose inputs have unknown shapes: these differ, or broadcast."""

from collections.abc import Callable
from typing import Any

import pytest
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.proofs import Status, prove
from ncnn_opt.proofs.canonical_form import CanonicalForm
from ncnn_opt.proofs.steps import StepProver
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker

from .instances import context
from .test_extents import Change, erase

BINARY = 'ncnn.binaryop {} {{name = "{}", op_type = {}}} : (T, T) -> T'


def model(*lines: str) -> ModuleOp:
    """A function of `%x` and `%z`, of unknown shapes, that returns `%y`."""
    body = "\n".join(lines)
    text = f"func.func @main(%x: T, %z: T) -> T {{\n{body}\nfunc.return %y : T\n}}"
    return parse_ir(context(), text.replace("T", "tensor<*xf32>").encode(), "it.mlir")


def absorption() -> ModuleOp:
    """max(x, min(x, z)): x, unless it is broadcast to the shape of z."""
    return model(
        "%a = " + BINARY.format("%x, %z", "a", "min"),
        "%y = " + BINARY.format("%x, %a", "y", "max"),
    )


def exchange() -> ModuleOp:
    """x + z."""
    return model("%y = " + BINARY.format("%x, %z", "y", "add"))


def first(op: Any, rewriter: PatternRewriter) -> None:
    if op.layer_name.data == "y":
        erase(op, rewriter)


def swap(op: Any, rewriter: PatternRewriter) -> None:
    op.operands = op.operands[::-1]


CASES: dict[str, tuple[Callable[[], ModuleOp], Callable[..., None], bool]] = {
    "absorption": (absorption, first, False),
    "exchange": (exchange, swap, True),
}


@pytest.mark.parametrize("name", CASES)
def test_a_rewrite_that_is_right_for_equal_shapes_only_is_refuted(name: str) -> None:
    make, change, is_right = CASES[name]
    status = prove(Change("ncnn.binaryop", change), make(), trials=1).status
    assert status is (Status.PROVEN if is_right else Status.REFUTED)


@pytest.mark.parametrize("name", CASES)
def test_a_step_that_is_right_for_equal_shapes_only_is_refuted(name: str) -> None:
    make, change, is_right = CASES[name]
    before = make()

    def rewrite(module: ModuleOp) -> None:
        PatternRewriteWalker(Change("ncnn.binaryop", change)).rewrite_module(module)

    after = before.clone()
    pairs = list(zip(before.walk(), after.walk(), strict=True))
    rewrite(after)
    prover = StepProver(before, CanonicalForm())
    verdict = prover.prove(before, after, pairs, rewrite)
    assert verdict.status is (Status.PROVEN if is_right else Status.REFUTED)
