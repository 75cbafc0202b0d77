"""The choice of masks by the effects of single roundings."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from float16_nets import func_of
from ncnn_opt.analysis.float16.emulation import NO_FLOAT16_ARITHMETIC
from ncnn_opt.analysis.vulkan import NO_VULKAN
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.structure import SplitOp
from ncnn_opt.interpreters.run import run
from ncnn_opt.transforms.float16_safety.float16_errors import Float16Evaluator
from ncnn_opt.transforms.float16_safety.masks import (
    ON_CPU,
    Masked,
    float16_layers,
    mask_inaccurate,
    remove_needless,
    split_shared,
)
from ncnn_opt.transforms.float16_safety.minimal_masks import DEVIATIONS, Selection
from ncnn_opt.transforms.float16_safety.roundings import Roundings, Source, roundings_of
from ncnn_opt.transforms.float16_safety.safety import make_safe
from xdsl.dialects.func import FuncOp

CHAIN = (
    "BinaryOp a 1 1 x a 0=2 1=1 2=1.37",
    "Sigmoid b 1 1 a b",
    "Reshape c 1 1 b c 0=2 1=2",
    "BinaryOp d 1 1 c d 0=0 1=1 2=0.331",
    "TanH e 1 1 d e",
    "BinaryOp f 1 1 e f 0=2 1=1 2=3.3",
    "Sigmoid y 1 1 f y",
)
RANGE = (
    "Sigmoid a 1 1 x a",
    "Split s 1 2 a a1 a2",
    "BinaryOp b 1 1 a1 b 0=2 1=1 2=3e4",
    "BinaryOp c 1 1 b c 0=2 1=1 2=1e-4",
    "BinaryOp d 1 1 a2 d 0=0 1=1 2=0.123",
    "BinaryOp y 2 1 c d y 0=0",
)
SAMPLES = [np.array(row, "f4") for row in ([0.1, -0.7, 1.9, 0.33], [1.1, 0.2, -0.4, -2.1])]


def evaluator_of(func: FuncOp) -> Float16Evaluator:
    named = [(str(i), {"x": x}) for i, x in enumerate(SAMPLES)]
    return Float16Evaluator.of(func, named, 4)[0]


def best(selection: Selection, bound: float) -> int:
    """The largest number of layers without a mask, by exhaustive search."""
    return next(
        count
        for count in range(len(selection.choices), -1, -1)
        if any(selection.error(s) <= bound for s in combinations(selection.choices, count))
    )


@pytest.mark.parametrize("lines", [CHAIN, RANGE])
@pytest.mark.parametrize("on_cpu", [True, False])
@pytest.mark.parametrize("bound", [1e-4, 2e-4, 4e-4, 8e-4, 2e-3])
def test_no_set_of_masks_is_smaller(lines: Sequence[str], on_cpu: bool, bound: float) -> None:
    func = func_of(*lines)
    evaluator = evaluator_of(func)
    selection = Selection(roundings_of(evaluator, bound), float16_layers(evaluator), on_cpu)
    found = selection.unmasked(bound)
    if not on_cpu and selection.error([]) > bound:
        assert found == []
        return
    assert selection.error(found) <= bound
    assert len(found) == best(selection, bound)


def test_more_error_is_allowed_with_fewer_masks() -> None:
    func = func_of(*CHAIN)
    evaluator = evaluator_of(func)
    counts = [
        len(Selection(roundings_of(evaluator, b), float16_layers(evaluator), True).unmasked(b))
        for b in (1e-5, 2e-4, 1e-3, 1e-2)
    ]
    assert counts == sorted(counts)
    assert counts[0] == 0
    assert counts[-1] == len(CHAIN)


def measured(*lines: str) -> tuple[Roundings, dict[str, LayerOp]]:
    func = func_of(*lines)
    found = roundings_of(evaluator_of(func), 1e-2)
    return found, {op.layer_name.data: op for op in found.layers if op.layer_name is not None}


def test_effects_of_blobs_and_of_arithmetic() -> None:
    found, layers = measured("BinaryOp y 1 1 x y 0=2 1=1 2=1.37")
    (y,) = layers["y"].results
    exact = np.stack([x * np.float32(1.37) for x in SAMPLES])
    largest = np.abs(exact).max(1, keepdims=True)
    rounded = (exact.astype("f2").astype("f4") - exact) / largest
    assert np.allclose(np.sort(found.effects[y]), np.sort(rounded.reshape(-1)), atol=1e-7)
    found, layers = measured("Sigmoid y 1 1 x y")
    assert 1e-4 < np.abs(found.effects[layers["y"]]).max() < 1e-3
    assert np.abs(found.float32[layers["y"]]).max() == 0


def test_a_layer_that_moves_elements_rounds_nothing_twice() -> None:
    found, layers = measured(*CHAIN)
    (b,), (c,), (d,) = (layers[name].results for name in "bcd")
    assert layers["c"] in found.moves
    assert layers["d"] not in found.moves
    assert not found.rounds(c, {b, c})
    assert found.rounds(c, {c})
    assert found.rounds(d, {c, d})


def test_an_overflow_is_an_infinite_effect() -> None:
    found, layers = measured(*RANGE)
    (b,) = layers["b"].results
    assert np.isinf(found.effects[b]).any()
    selection = Selection(found, [op for op in found.layers if op.LAYER_TYPE != "Split"], True)
    kept = {op.layer_name.data for op in selection.unmasked(1e-2) if op.layer_name}
    assert kept == {"a", "d", "y"}
    assert selection.error([layers["b"]]) == float("inf")


def effects_on_one_output(*values: float) -> Selection:
    """A layer for each effect."""
    lines = [f"Sigmoid y{i} 1 1 {f'y{i - 1}' if i else 'x'} y{i}" for i in range(len(values))]
    layers = float16_layers(evaluator_of(func_of(*lines)))
    effects: dict[Source, np.ndarray] = {  # pyright: ignore
        op: np.array([v], "f4") for op, v in zip(layers, values, strict=True)
    }
    return Selection(Roundings(layers, effects, {}, frozenset()), layers, True)


def test_errors_that_cancel_in_one_emulation_do_not_count() -> None:
    selection = effects_on_one_output(3e-3, -3e-3)
    assert selection.error(selection.choices) == pytest.approx(6e-3)
    assert len(selection.unmasked(5e-3)) == 1
    assert len(selection.unmasked(7e-3)) == 2


def test_many_errors_do_not_have_all_one_sign() -> None:
    selection = effects_on_one_output(*[1e-3] * 36)
    assert selection.error(selection.choices) == pytest.approx(DEVIATIONS * 6e-3)
    assert selection.error(selection.choices[:4]) == pytest.approx(4e-3)
    assert len(selection.unmasked(DEVIATIONS * 5.05e-3)) == 25


SHARED = (
    "Sigmoid a 1 1 x a",
    "BinaryOp b 1 1 a b 0=2 1=1 2=1.1",
    "BinaryOp y 2 1 a b y 0=0",
)


def test_splits_stay_only_with_a_mask() -> None:
    func = func_of(*SHARED)
    before = [run(func, {"x": x})["y"] for x in SAMPLES]
    (split,) = split_shared(func)
    assert split_shared(func) == []
    assert list(split.operands[0].uses)[0].operation is split
    func = func_of(*SHARED)
    evaluator = evaluator_of(func)
    mask_inaccurate(evaluator, masked := Masked(), 1.0)
    assert not masked.before
    assert not any(isinstance(op, SplitOp) for op in func.body.block.ops)
    mask_inaccurate(evaluator, masked, 1e-7)
    splits = [op for op in func.body.block.ops if isinstance(op, SplitOp)]
    assert splits
    assert all(op.featmask & NO_VULKAN for op in [*float16_layers(evaluator), *splits])
    func.verify()
    after = [run(func, {"x": x})["y"] for x in SAMPLES]
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))


def test_float32_arithmetic_is_enough_where_storage_is() -> None:
    lines = [f"BinaryOp b{i} 1 1 b{i - 1} b{i} 0=2 1=1 2=1.37" for i in range(1, 9)]
    func = func_of("BinaryOp b0 1 1 x b0 0=2 1=1 2=0.123", *lines)
    named = [(str(i), {"x": x}) for i, x in enumerate(SAMPLES)]
    safety = make_safe(func, named, max_error=2.2e-3)
    assert {bits for _, bits in safety.masks} == {1}
    assert 0 < len(safety.masks) < 9
    strict = make_safe(func, named, max_error=1e-4)
    assert NO_VULKAN in {bits & NO_VULKAN for _, bits in strict.masks}


def test_a_mask_that_loses_bits_is_still_counted() -> None:
    """Float32 arithmetic is enough for some layers, and some need no mask."""
    lines = [f"BinaryOp b{i} 1 1 b{i - 1} b{i} 0=2 1=1 2=1.37" for i in range(1, 9)]
    func = func_of("BinaryOp b0 1 1 x b0 0=2 1=1 2=0.123", *lines)
    evaluator, masked = evaluator_of(func), Masked()
    layers = float16_layers(evaluator)
    bound = 0.3 * evaluator.error()
    for op in layers:
        masked.set(op, ON_CPU)
    assert remove_needless(evaluator, masked, bound) == evaluator.error() <= bound
    assert {op.featmask for op in layers} == {0, NO_FLOAT16_ARITHMETIC, ON_CPU}
    assert {op for op in layers if op.featmask} == {*masked.before}
    masked.undo()
    assert not any(op.featmask for op in layers)
