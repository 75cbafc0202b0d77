"""Feature masks and rescaling for float16, on five nets that overflow."""

from itertools import combinations, product
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest
from float16_nets import NETS, func_of, write_net
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.interpreters.run import run
from ncnn_opt.transforms.float16_safety.float16_errors import Float16Evaluator, error_of
from ncnn_opt.transforms.float16_safety.float32_on_arm import IN_FLOAT32
from ncnn_opt.transforms.float16_safety.masks import ON_CPU, split_on_cpu
from ncnn_opt.transforms.float16_safety.safety import (
    ON_GPU,
    SLACK,
    Safety,
    broken_layers,
    make_safe,
)
from xdsl.dialects.func import FuncOp

BROKEN = {
    "norm": "LayerNorm 'norm'",
    "attention": "MultiHeadAttention 'mha'",
    "scale": "Convolution 'c1'",
    "sums": "Reduction 'mean'",
    "winograd": "Convolution 'c1'",
}

CHANGES: dict[str, tuple[list[tuple[str, int]], list[tuple[str, int]]]] = {
    "norm": ([("Gemm 'grow'", 6)], []),
    "attention": ([], [("MultiHeadAttention 'mha'", IN_FLOAT32)]),
    "scale": ([("Convolution 'c1'", 6), ("ConvolutionDepthWise 'dw'", 4)], []),
    "sums": ([], [("Reduction 'mean'", 1)]),
    "winograd": ([], [("Convolution 'c1'", 64)]),
}
"""The rescaled producers and the masks of each net."""


def opened(folder: Path, name: str) -> tuple[FuncOp, list[tuple[str, dict[str, np.ndarray]]]]:  # pyright: ignore
    param, data = write_net(folder, name)
    samples = [(f"{data.name}[{i}]", {"in0": x}) for i, x in enumerate(np.load(data))]
    return model_of(read_model(str(param)).module), samples


@pytest.mark.parametrize("name", NETS)
def test_the_changes_of_five_nets(tmp_path: Path, name: str) -> None:
    func, samples = opened(tmp_path, name)
    expected = [run(func, inputs)["out0"] for _, inputs in samples]
    evaluator, _ = Float16Evaluator.of(func, samples, 1)
    assert [op.label() for op in broken_layers(evaluator)][:1] == [BROKEN[name]]
    safety = make_safe(func, samples)
    assert (safety.rescaled, safety.masks) == CHANGES[name]
    assert safety.before > 0.05
    assert safety.after <= 1e-2 / SLACK
    after = [run(func, inputs)["out0"] for _, inputs in samples]
    for a, b in zip(after, expected, strict=True):
        assert error_of(a, b) < 1e-5  # the model computes the same in float32


@pytest.mark.parametrize("name", ["attention", "sums", "winograd", "scale"])
def test_no_smaller_set_of_masks_is_enough(tmp_path: Path, name: str) -> None:
    """An exhaustive search over all masks of the layers, without rescaling."""
    func, samples = opened(tmp_path, name)
    evaluator, _ = Float16Evaluator.of(func, samples[:1], 4)
    layers = [op for op in func.body.block.ops if isinstance(op, LayerOp) and op.operands]
    least = next(
        count
        for count in range(len(layers) + 1)
        for chosen in combinations(layers, count)
        for masks in product((1, 64, ON_CPU), repeat=count)
        if error_with(evaluator, layers, dict(zip(chosen, masks, strict=True))) <= 1e-2 / SLACK
    )
    for op in layers:
        op.featmask = 0
    safety = make_safe(func, samples[:1])
    assert len(safety.masks) <= least


def error_with(
    evaluator: Float16Evaluator, layers: list[LayerOp], masks: dict[LayerOp, int]
) -> float:
    for op in layers:
        op.featmask = masks.get(op, 0)
    return evaluator.error()


def test_a_model_within_the_bound_is_not_changed() -> None:
    func = func_of("ReLU y 1 1 x y")
    before = str(func)
    safety = make_safe(func, [("a", {"x": np.ones(4, "f4")})])
    assert str(func) == before
    assert safety.lines() == [
        "0 of 1 layers compute in float32 (0 % of the MACs); "
        "emulated error on a GPU 0 -> 0 for 1 sample",
        "emulated error on arm 0 -> 0",
        "within 0.01 of float32 on a GPU and on arm",
    ]


CHECK = ": the program needs no options; to check it: ncnn-run m.param "
GPU = f"on a GPU{CHECK}{ON_GPU}"
SET = (
    "set opt.use_fp16_arithmetic = false in the program; if that is not enough, also "
    "opt.use_fp16_storage and opt.use_fp16_packed"
)


@pytest.mark.parametrize(
    ("on_gpu", "on_arm", "lines"),
    [
        (0.01, 0.01, [f"on a GPU and arm{CHECK}--on-device ADDRESS"]),
        (0.0, 0.024, [f"on arm: {SET}; or allow more: --max-error 0.03", GPU]),
        (0.0, inf, [f"on arm: {SET}", GPU]),
        (
            0.06,
            0.0,
            [
                f"on a GPU: {SET}; or allow more: --max-error 0.07",
                f"on arm{CHECK}--on-device ADDRESS",
            ],
        ),
        (0.02, 0.96, [f"on a GPU and arm: {SET}; or allow more: --max-error 1"]),
        (nan, 0.02, [f"on a GPU and arm: {SET}"]),
    ],
)
def test_the_next_steps(on_gpu: float, on_arm: float, lines: list[str]) -> None:
    safety = Safety(1.0, on_gpu, 1, (), (), (), 1, 1.0, on_arm)
    assert safety.next_steps("m.param") == lines


@pytest.mark.parametrize(
    ("mask", "share", "told"),
    [(ON_CPU, 0.97, True), (ON_CPU, 0.5, True), (ON_CPU, 0.49, False), (1, 0.97, False)],
)
def test_a_line_about_a_model_that_mostly_runs_on_the_cpu(
    mask: int, share: float, told: bool
) -> None:
    safety = Safety(1.0, 0.0, 1, (), (), [("ReLU 'y'", mask)], 1, share)
    lines = safety.next_steps("m.param")
    assert (lines[0].startswith(f"{100 * share:.2g} % of the MACs are in float32")) == told
    assert len(lines) == 1 + told


NO_ARITHMETIC = "opt.use_fp16_arithmetic = false on the model without masks"
NO_FLOAT16 = (
    "opt.use_fp16_packed, use_fp16_storage and use_fp16_arithmetic = false on the model without "
    "masks"
)


@pytest.mark.parametrize(
    ("before", "stored", "remedy"),
    [
        (1.0, 0.01, f"{NO_ARITHMETIC}, or a larger --max-error,"),
        (inf, 0.01, NO_ARITHMETIC),
        (inf, inf, NO_FLOAT16),
        (1.0, 0.02, f"{NO_FLOAT16}, or a larger --max-error,"),
    ],
)
def test_another_remedy_keeps_the_bound(before: float, stored: float, remedy: str) -> None:
    masks = [("ReLU 'y'", ON_CPU)]
    safety = Safety(before, 0.0, 1, (), (), masks, 1, 1.0, stored_before=stored)
    end = f"now, partly on the CPU: {remedy} may be faster"
    assert safety.next_steps("m.param")[0].endswith(end)


def test_a_long_sum_is_stored_well(tmp_path: Path) -> None:
    param, data = write_net(tmp_path, "roundings")
    samples = [(str(i), {"in0": x}) for i, x in enumerate(np.load(data))]
    safety = make_safe(model_of(read_model(str(param)).module), samples, max_error=5e-3)
    assert 0 < safety.stored_before < safety.before / 2


def test_a_blob_that_exceeds_float16_is_stored_wrongly() -> None:
    x = np.array([1, 2, 3, 30], "f4")
    assert make_safe(func_of(*LARGE), [("a", {"x": x})]).stored_before == inf


def test_a_blob_that_is_scaled_twice_has_one_line() -> None:
    scales = (("Gemm 'g'", 6), ("Gemm 'h'", 1), ("Gemm 'g'", 6))
    lines = Safety(1.0, 0.0, 1, (), scales, (), 1, 1.0).lines()
    assert lines[:2] == [
        "Gemm 'g': blobs are scaled by 2^-12",
        "Gemm 'h': blobs are scaled by 2^-1",
    ]
    assert not any("scaled" in line for line in lines[2:])


def test_the_command_for_more_masks_is_whole() -> None:
    masks = [(f"ReLU 'r{i}'", 1) for i in range(22)]
    lines = Safety(1.0, 0.0, 1, (), (), masks, 22, 1.0).lines("my safe.param", "x.npy")
    command = "ncnn-report 'my safe.param' --ranges --data x.npy"
    assert f"and 2 more feature masks: {command} shows all" in lines
    few = Safety(1.0, 0.0, 1, (), (), masks[:20], 20, 1.0).lines()
    assert not any("more feature masks" in line for line in few)
    assert "emulated error on arm 0 -> 0" in few


def test_layers_that_break_are_told_from_roundings() -> None:
    masks = [("ReLU 'a'", 1), ("ReLU 'b'", 1)]
    names = [f"ReLU 'c{i}'" for i in range(21)]
    broken = {"a GPU": ["ReLU 'a'"], "arm": names}
    lines = Safety(1.0, 0.0, 1, (), (), masks, 2, 1.0, broken_before=broken).lines()
    assert lines[:4] == [
        "on a GPU, these overflow or lose accuracy by themselves: ReLU 'a'",
        "on arm, these overflow or lose accuracy by themselves: "
        f"{', '.join(names[:20])} and 1 more",
        "ReLU 'a': feature mask 1, float32 arithmetic",
        "ReLU 'b': feature mask 1, float32 arithmetic, against the sum of roundings",
    ]


def test_layers_behind_one_that_breaks_are_named_if_they_break_too() -> None:
    """The third layer overflows for right operands only: the first gives infinity."""
    lines = [
        "BinaryOp a 1 1 x a 0=2 1=1 2=1e4",
        "BinaryOp b 1 1 a b 0=2 1=1 2=1e-4",
        "BinaryOp c 1 1 b c 0=2 1=1 2=1e5",
        "BinaryOp d 1 1 c d 0=2 1=1 2=1e-5",
    ]
    safety = make_safe(func_of(*lines), [("a", {"x": np.array([1, 2, 3, 30], "f4")})])
    every = [f"BinaryOp '{name}'" for name in "abcd"]
    assert safety.broken_before == {"a GPU": every, "arm": every}
    few = make_safe(func_of(*lines[:1]), [("a", {"x": np.ones(4, "f4")})])
    assert few.broken_before == {}


LARGE = ("BinaryOp a 1 1 x a 0=2 1=1 2=1e4", "BinaryOp y 1 1 a y 0=2 1=1 2=1e-4")


def test_a_blob_that_exceeds_float16_stays_on_the_cpu() -> None:
    func = func_of(*LARGE)
    safety = make_safe(func, [("a", {"x": np.array([1, 2, 3, 30], "f4")})])
    assert safety.masks == [("BinaryOp 'a'", IN_FLOAT32), ("BinaryOp 'y'", IN_FLOAT32)]
    assert safety.lines()[:4] == [
        "on a GPU (magnitudes above 16,376 are infinite: --margin), "
        "these overflow or lose accuracy by themselves: BinaryOp 'a', BinaryOp 'y'",
        "on arm, these overflow or lose accuracy by themselves: BinaryOp 'a', BinaryOp 'y'",
        "BinaryOp 'a': feature mask 19, float32 on the CPU, on arm as well",
        "BinaryOp 'y': feature mask 19, float32 on the CPU, on arm as well",
    ]
    assert "2 of 2 layers compute in float32, 2 of them on the CPU" in safety.lines()[4].replace(
        " (0 % of the MACs)", ""
    )


def test_a_split_of_a_blob_on_the_cpu_runs_there_too() -> None:
    lines = [*LARGE, "BinaryOp z 1 1 a z 0=2 1=1 2=2e-4"]
    func = func_of(
        lines[0],
        "Split s 1 2 a a1 a2",
        *(line.replace(" a ", f" a{i + 1} ") for i, line in enumerate(lines[1:])),
    )
    safety = make_safe(func, [("a", {"x": np.array([1, 2, 3, 30], "f4")})])
    assert [bits for _, bits in safety.masks] == [IN_FLOAT32] * 4
    assert safety.after == 0


def test_masks_that_the_margin_needs() -> None:
    sample = [("a", {"x": np.array([1, 2, 3, 4], "f4")})]
    assert make_safe(func_of(*LARGE), sample, margin=1).masks == []
    assert len(make_safe(func_of(*LARGE), sample, margin=4).masks) == 2


def test_existing_bits_of_a_mask_are_kept() -> None:
    func = func_of(f"{LARGE[0]} 31=128", LARGE[1])
    safety = make_safe(func, [("a", {"x": np.array([1, 2, 3, 30], "f4")})])
    assert safety.masks[0] == ("BinaryOp 'a'", 128 | IN_FLOAT32)


def test_samples_that_are_not_finite() -> None:
    func = func_of("BinaryOp y 1 1 x y 0=2 1=1 2=10")
    large = ("large", {"x": np.full(4, 3e38, "f4")})
    safety = make_safe(func, [large, ("a", {"x": np.ones(4, "f4")})])
    assert safety.lines()[0] == "large: not used, its float32 outputs are not finite"
    with pytest.raises(RunError, match="no sample has finite float32 outputs"):
        make_safe(func, [large])


def test_a_split_is_inserted_once() -> None:
    func = func_of(LARGE[0], "BinaryOp y 2 1 a a y 0=0")
    op = next(op for op in func.body.block.ops if isinstance(op, LayerOp) and op.operands)
    (split,) = split_on_cpu(op)
    assert split.featmask == ON_CPU
    assert [use.operation for use in op.results[0].uses] == [split]
    (reader,) = {use.operation for result in split.results for use in result.uses}
    assert {*reader.operands} == {*split.results}
    assert split_on_cpu(op) == []
    func.verify()


def test_errors_relative_to_the_largest_value() -> None:
    expected = np.array([1, -4, np.inf], "f4")
    assert error_of(np.array([1, -3, 7], "f4"), expected) == 0.25
    assert error_of(np.array([np.nan, -4, 0], "f4"), expected) == np.inf
    assert error_of(np.zeros(2, "f4"), np.zeros(2, "f4")) == 0
    assert error_of(np.ones(2, "f4"), np.zeros(2, "f4")) == 1
    assert error_of(np.ones(2, "f4"), np.array([np.nan, np.inf], "f4")) == 0
