"""Rewrites that are right in (-1, 1) and wrong beyond, and rewrites of the interface."""

from collections.abc import Callable
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.proofs import Status, prove
from ncnn_opt.proofs.array import ExactBooleans
from ncnn_opt.proofs.decisions import as_functions
from ncnn_opt.proofs.interface import interface_difference
from ncnn_opt.proofs.proof import Proof
from ncnn_opt.proofs.random_instances import random_exact
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.rewriter import Rewriter

from .test_extents import Change, erase, model, params
from .test_proofs import module_of

WRONG: dict[str, tuple[str, Callable[..., None], str]] = {
    "clip at 6": ("ncnn.clip", params(max=3.4e38), "min = 0.0, max = 6.0"),
    "clip at 1": ("ncnn.clip", erase, "min = -1.0, max = 1.0"),
    "clip at 100": ("ncnn.clip", erase, "min = -100.0, max = 100.0"),
    "minimum with 4": ("ncnn.binaryop", erase, "op_type = min, with_scalar = 1, b = 4.0"),
    "maximum with -4": ("ncnn.binaryop", erase, "op_type = max, with_scalar = 1, b = -4.0"),
    "threshold": ("ncnn.threshold", params(threshold=1000.0), "threshold = 2.0"),
    "shrink": ("ncnn.shrink", params(lambd=1000.0), "lambd = 2.0"),
    "hardsigmoid": ("ncnn.hardsigmoid", params(alpha=0.25), "alpha = 0.2, beta = 0.5"),
    "slope": ("ncnn.relu", params(slope=0.5), "slope = 0.25"),
}


def proof_of(layer: str, change: Callable[..., None], text: str) -> Proof:
    module = model(f'{layer} %x {{name = "y", {text}}}', "2x3", "2x3")
    return prove(Change(layer, change), module)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_beyond_one(name: str) -> None:
    proof = proof_of(*WRONG[name])
    assert proof.status is Status.REFUTED
    assert proof.counterexample is not None


def test_right_for_all_signs() -> None:
    text = "min = -3.4028235e38, max = 3.4028235e38"
    assert proof_of("ncnn.clip", erase, text).status is Status.PROVEN


def _interface(change: Callable[[Any], None]) -> str | None:
    module = model('ncnn.relu %x {name = "y"}', "2x3", "2x3")
    after = module.clone()
    change(model_of(after))
    return interface_difference(model_of(module), model_of(after))


def test_a_promise_of_a_pass_is_refused() -> None:
    def promise(func: FuncOp) -> None:
        func.arg_attrs = ArrayAttr([DictionaryAttr({"ncnn.promised": UnitAttr()})])

    found = _interface(promise)
    assert found is not None
    assert "static extents of input 'x'" in found


def test_a_feature_mask_is_part_of_the_interface() -> None:
    def mask(func: FuncOp) -> None:
        for op in list(func.body.block.ops)[:-1]:
            op.featmask = 255  # pyright: ignore

    assert _interface(mask) == "the feature mask of layer 'y' becomes 255"
    assert _interface(lambda _: None) is None


@pytest.mark.parametrize(
    ("masks", "reason"),
    [((1, 1), None), ((0, 1), None), ((1, 0), "ReLU 'a' vanishes, and no layer gets its feature")],
)
def test_a_fusion_keeps_the_feature_mask(masks: tuple[int, int], reason: str | None) -> None:
    """A ReLU in front of a Clip vanishes, and the Clip changes."""
    first, second = masks
    module = module_of(
        f'%a = ncnn.relu %x {{name = "a", featmask = {first}}} : (T) -> T',
        f'%y = ncnn.clip %a {{name = "y", min = -1.0, max = 1.0, featmask = {second}}} : (T) -> T',
    )
    after = module.clone()
    relu, clip, *_ = model_of(after).body.block.ops
    clip.set_params(min=0.0)  # pyright: ignore
    Rewriter.replace_op(relu, [], [relu.operands[0]])
    found = interface_difference(model_of(module), model_of(after))
    assert found is None if reason is None else found is not None and reason in found


def test_a_layer_without_effect_may_vanish_with_its_feature_mask() -> None:
    module = module_of(
        '%a = ncnn.dropout %x {name = "a", featmask = 1} : (T) -> T',
        '%y = ncnn.relu %a {name = "y"} : (T) -> T',
    )
    after = module.clone()
    dropout, *_ = model_of(after).body.block.ops
    Rewriter.replace_op(dropout, [], [dropout.operands[0]])
    assert interface_difference(model_of(module), model_of(after)) is None


def test_a_name_of_an_input_is_kept() -> None:
    def rename(func: FuncOp) -> None:
        func.body.block.args[0].name_hint = "z"

    assert _interface(rename) == "the inputs 'x' become 'z'"


def test_numbers_that_are_written_into_constants_are_no_constants() -> None:
    """The order of numbers is unknown, also after these have been copied into an array of zeros."""
    x = random_exact((3,), Random(1))
    out = np.zeros_like(cast(Any, x))
    with as_functions():
        assert not isinstance(out > 0, ExactBooleans)  # the order of constants is known
        out[...] = x
        assert isinstance(out > 0, ExactBooleans)
        out = np.zeros_like(cast(Any, x))
        out[1:].reshape(2)[...] = x[1:]  # a view of the constants
        assert isinstance(out > 0, ExactBooleans)


def test_a_sign_that_values_decide_is_noted() -> None:
    x: Any = random_exact((3,), Random(1))
    with as_functions() as decisions:
        np.isfinite(x)
        assert not decisions.noted
        np.signbit(x)
    assert list(decisions.noted) == ["signbit"]


def test_numbers_as_conditions_are_noted() -> None:
    x: Any = random_exact((3,), Random(1))
    with as_functions() as decisions:
        np.where(np.zeros_like(x), x, -x)
        assert not decisions.noted
        np.where(x, x, -x)
    assert list(decisions.noted) == ["where"]
