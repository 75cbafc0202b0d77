"""`quantize-weights` below the level of files: what packing keeps, what scales are chosen, and what
is said of data that does not fit."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.quantization import BlockQuantization, block_quantization
from ncnn_opt.interpreters.ncnn.blocks import unpack
from ncnn_opt.transforms.quantization.gptq import STEP
from ncnn_opt.transforms.quantization.layer_weights import Unfit
from ncnn_opt.transforms.quantization.weights.awq import quantize_by_awq
from ncnn_opt.transforms.quantization.weights.block_gptq import quantize_by_gptq
from ncnn_opt.transforms.quantization.weights.input_statistics import InputStatistics
from ncnn_opt.transforms.quantization.weights.scaled_integers import (
    CLIP_RATIOS,
    pack,
    qmax_of,
    quantize_blocks,
    restored,
    scale_of_all,
    scales_of,
)

import ncnn_opt

MINMAX, MSE = CLIP_RATIOS["minmax"], CLIP_RATIOS["mse"]


@pytest.mark.parametrize("bits", [4, 6, 8])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 31, 70])
def test_packed_integers_are_those_that_were_packed(bits: int, count: int) -> None:
    most = qmax_of(bits)
    integers = np.random.default_rng(count).integers(-most, most + 1, (3, count)).astype("i1")
    packed = pack(integers, bits)
    assert packed.shape == (3, BlockQuantization(bits, 32, False).packed_bytes(count))
    assert np.array_equal(unpack(packed, count, bits), integers)
    stream = int.from_bytes(packed[1].tobytes(), "little")
    assert [stream >> i * bits & (1 << bits) - 1 for i in range(count)] == [
        int(n) & (1 << bits) - 1 for n in integers[1]
    ]


@pytest.mark.parametrize("bits", [4, 6, 8])
@pytest.mark.parametrize("size", [32, 64, 128])
@pytest.mark.parametrize("scaled", [False, True])
def test_a_term_says_what_it_was_made_of(bits: int, size: int, scaled: bool) -> None:
    block = BlockQuantization(bits, size, scaled)
    assert block_quantization(block.term) == block


def test_rows_of_zeros_have_the_scale_1() -> None:
    rows = np.array([[0, 0], [3, -7]], "f4")
    assert scales_of(rows, 7, MINMAX).tolist() == [1, 1]
    assert scales_of(np.zeros((1, 4), "f4"), 7, MSE).tolist() == [1]
    assert scale_of_all(np.zeros((2, 4), "f4"), 127, MSE).tolist() == [1]


def test_clipping_pays_for_one_large_value_among_many() -> None:
    row = np.full((1, 128), 0.9, "f4")
    row[0, 0] = 8
    plain, clipped = scales_of(row, 7, MINMAX), scales_of(row, 7, MSE)
    assert plain[0] == np.float32(7) / 8
    assert clipped[0] > plain[0]

    def error(scale: float) -> float:
        return float(np.square(np.clip(np.round(row * scale), -7, 7) / scale - row).sum())

    assert error(clipped[0]) < 0.8 * error(plain[0])
    assert scale_of_all(row, 7, MSE) == clipped


def test_errors_are_within_half_a_step() -> None:
    weight = np.random.default_rng(0).standard_normal((4, 100)).astype("f4")
    block = BlockQuantization(6, 32, False)
    packed = quantize_blocks(weight, block, MINMAX)
    steps = np.repeat(1 / packed.scales, 32, axis=1)[:, :100]
    assert (np.abs(restored(packed, block, 100) - weight) <= 0.501 * steps).all()


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 1e-38])
def test_values_without_a_scale_are_refused(value: float) -> None:
    weight = np.zeros((2, 40), "f4")
    weight[1, 35] = value
    for shares in CLIP_RATIOS.values():
        with pytest.raises(Unfit):
            quantize_blocks(weight, BlockQuantization(4, 32, False), shares)


@pytest.mark.parametrize("columns", [1, 40, STEP, 2 * STEP + 70])
def test_the_factor_is_that_of_the_inverse(columns: int) -> None:
    rng = np.random.default_rng(columns)
    x = rng.standard_normal((2 * columns + 5, columns)).astype("f4")
    factor = InputStatistics([x[: columns + 1], x[columns + 1 :]]).inverse_factor()
    assert factor is not None
    assert np.array_equal(factor, np.triu(factor))
    products = x.T.astype("f8") @ x
    products /= products.diagonal().mean()
    products += 0.01 * np.eye(columns)
    unit = factor.T.astype("f8") @ factor @ products
    assert np.abs(unit - np.eye(columns)).max() < 1e-4


@pytest.mark.parametrize("method", [quantize_by_gptq, quantize_by_awq])
@pytest.mark.parametrize("factor", [1e-41, 1e-30, 1e25, 1e36])
def test_what_is_seen_may_be_tiny_or_huge(method: Any, factor: float) -> None:
    """Squares that float32 does not hold: the integers are those of inputs around 1."""
    rng = np.random.default_rng(2)
    x = (rng.standard_normal((200, 6)) @ rng.standard_normal((6, 64))).astype("f4")
    weight = rng.standard_normal((16, 64)).astype("f4")
    block = BlockQuantization(4, 32, False)
    usual = method(weight, block, InputStatistics([x]))
    with np.errstate(all="raise", under="ignore"):
        packed = method(weight, block, InputStatistics([x * np.float32(factor)]))
    assert (packed.bytes == usual.bytes).mean() > 0.97


def test_gptq_makes_up_for_errors_where_inputs_depend_on_each_other() -> None:
    rng = np.random.default_rng(1)
    x = (rng.standard_normal((400, 6)) @ rng.standard_normal((6, 64))).astype("f4")
    weight = rng.standard_normal((16, 64)).astype("f4")
    block = BlockQuantization(4, 32, False)

    def error(packed: Any) -> float:
        return float(np.square(x @ (restored(packed, block, 64) - weight).T).sum())

    assert error(quantize_by_gptq(weight, block, InputStatistics([x]))) < 0.1 * error(
        quantize_blocks(weight, block, MINMAX)
    )
    # Without any input there is nothing to go by but the weight.
    nothing = quantize_by_gptq(weight, block, InputStatistics([np.zeros_like(x)]))
    assert np.array_equal(nothing.bytes, quantize_blocks(weight, block, MINMAX).bytes)


PARAM = """7767517
2 2
Input in 0 1 in
Gemm g 1 1 in g 3=1 5=1 6=1 8=4 9=8 10=-1
"""


@pytest.fixture
def model(tmp_path: Path) -> ncnn_opt.Model:
    path = tmp_path / "m.param"
    path.write_text(PARAM)
    weight = np.random.default_rng(0).standard_normal(32).astype("f4")
    path.with_suffix(".bin").write_bytes(bytes(4) + weight.tobytes())
    return ncnn_opt.load(path)


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"x": np.ones((1, 2, 8))}, "there is no array of the name of an input"),
        ({"in": np.ones((0, 2, 8))}, "there are no samples"),
        ({"in": np.float32(1)}, "array 'in' has no axis that counts samples"),
        (
            {"in": np.ones((1, 2, 9))},
            r"x.npz\[0\]: Gemm 'g' takes \?,8 .* and gets 2,9",
        ),
        ({"in": np.full((1, 2, 8), np.nan)}, r"x.npz\[0\]: input 'in' has NaN in it"),
        ({"in": np.full((1, 2, 8), np.inf)}, "the input of Gemm 'g' is infinite or NaN somewhere"),
        ({"in": np.ones((1, 0, 8))}, "x.npz: array 'in' is 1x0x8: its samples have no elements"),
        ({"in": np.array(["a"])}, "array 'in' has elements of <U1, which are no numbers"),
    ],
)
@pytest.mark.parametrize("method", ["awq", "gptq"])
def test_data_that_is_no_sample_of_the_model(
    arrays: dict[str, Any], said: str, method: str, model: ncnn_opt.Model, tmp_path: Path
) -> None:
    before = str(model)
    np.savez(tmp_path / "x.npz", **arrays)
    spec = f'quantize-weights{{block=32 method={method} data="{tmp_path / "x.npz"}"}}'
    with pytest.raises(ncnn_opt.NcnnOptError, match=said):
        ncnn_opt.optimize(model, [spec])
    assert str(model) == before


def test_an_array_alone_is_for_the_only_input(model: ncnn_opt.Model, tmp_path: Path) -> None:
    values = np.random.default_rng(1).standard_normal((3, 2, 8)).astype("f4")
    arrays: dict[str, Any] = {"in": values}
    np.savez(tmp_path / "x.npz", **arrays)
    np.save(tmp_path / "x.npy", values)
    np.save(tmp_path / "other.npy", values * np.arange(1, 9, dtype="f4") ** 2)
    found: list[bytes] = []
    for name in ("x.npz", "x.npy", "other.npy"):
        copy, path = model.copy(), tmp_path / name
        ncnn_opt.optimize(copy, [f'quantize-weights{{block=32 method=awq data="{path}"}}'])
        ncnn_opt.save(copy, tmp_path / "q.param")
        found.append((tmp_path / "q.bin").read_bytes())
    assert found[0] == found[1] != found[2]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and so on", b"text", None])
def test_files_that_are_no_data(
    content: bytes | None, model: ncnn_opt.Model, tmp_path: Path
) -> None:
    path = tmp_path / "x.npz"
    if content is None:
        with path.open("wb") as file:
            np.save(file, np.ones((2, 8)))
    else:
        path.write_bytes(content)
    with pytest.raises(ncnn_opt.NcnnOptError, match="x.npz: "):
        ncnn_opt.optimize(model, [f'quantize-weights{{block=32 method=awq data="{path}"}}'])
