"""Parts of `quantize-weights`: scales of rows and of wholes, rows that are looked at, layers whose
values have no scale."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.quantization import BlockQuantization
from ncnn_opt.transforms.quantization.layer_weights import Unfit
from ncnn_opt.transforms.quantization.weights.input_statistics import ROWS, InputStatistics
from ncnn_opt.transforms.quantization.weights.scaled_integers import (
    CLIP_RATIOS,
    check_values,
    quantize_blocks,
    restored,
)

import ncnn_opt


@pytest.mark.parametrize(("count", "said"), [(1, "^1 value is"), (2, "^2 values are")])
def test_how_many_values_are_not_finite(count: int, said: str) -> None:
    rows = np.ones((3, 5), "f4")
    check_values(rows)
    rows[1, :count] = np.nan
    with pytest.raises(Unfit, match=said + " infinite or NaN$"):
        check_values(rows)


@pytest.mark.parametrize("columns", [5, 32, 33, 64, 70])
def test_the_last_block_may_be_shorter(columns: int) -> None:
    weight = np.random.default_rng(columns).standard_normal((3, columns)).astype("f4")
    weight[:, -1] = 9  # the largest of its block alone
    blocks = -(-columns // 32)
    for shares in CLIP_RATIOS.values():
        packed = quantize_blocks(weight, BlockQuantization(8, 32, False), shares)
        assert packed.scales.shape == (3, blocks)
        found = restored(packed, BlockQuantization(8, 32, False), columns)
        assert found == pytest.approx(weight, abs=0.05)
    packed = quantize_blocks(weight, BlockQuantization(8, 32, False), CLIP_RATIOS["minmax"])
    for i in range(blocks):
        part = np.abs(weight[:, 32 * i : 32 * (i + 1)]).max(1)
        assert packed.scales[:, i] == pytest.approx(127 / part)


def test_rows_are_looked_at_from_all_parts() -> None:
    parts = [np.full((n, 2), i, "f4") for i, n in enumerate((300, 500, 224))]
    parts[1][:, 0] = np.arange(500)
    seen = InputStatistics(parts)
    assert len(seen.rows) == ROWS
    rows = seen.rows * 499  # the largest value is 1 there
    assert np.bincount(np.rint(rows[:, 1]).astype(int)).tolist() == [150, 250, 112]
    middle = np.rint(rows[np.rint(rows[:, 1]) == 1, 0])
    assert middle.min() < 2
    assert middle.max() > 497
    assert set(np.diff(middle)) <= {1, 2, 3}
    few = InputStatistics([part[:2] for part in parts])
    assert few.rows == pytest.approx(np.concatenate([part[:2] for part in parts]) / 2)
    assert few.mean_magnitudes == pytest.approx([(0 + 0 + 0 + 1 + 2 + 2) / 6, 1])


GEMMS = """7767517
4 4
Input in 0 1 in
Gemm a 1 1 in a 3=1 5=1 6=1 8=4 9=8 10=-1
Gemm b 1 1 a b 3=1 5=1 6=1 8=6 9=4 10=-1
Embed c 1 1 b c 0=3 1=10 3=30
"""


@pytest.fixture
def weights() -> list[Any]:
    rng = np.random.default_rng(0)
    return [rng.standard_normal(n).astype("f4") for n in (32, 24, 30)]


def model(folder: Path, weights: list[Any]) -> ncnn_opt.Model:
    path = folder / "m.param"
    path.write_text(GEMMS)
    data = b"".join(bytes(4) + w.tobytes() for w in weights)
    path.with_suffix(".bin").write_bytes(data)
    return ncnn_opt.load(path)


@pytest.mark.parametrize("options", ["", "{block=32 bits=4}"])
def test_layers_whose_values_have_no_scale_stay_float(
    options: str, weights: list[Any], tmp_path: Path
) -> None:
    weights[0][7] = np.inf
    found = model(tmp_path, weights)
    remarks = [str(r) for r in ncnn_opt.optimize(found, [f"quantize-weights{options}"])]
    assert any("Gemm 'a' (stays float: 1 value is infinite or NaN" in r for r in remarks), remarks
    ncnn_opt.save(found, tmp_path / "q.param")
    lines = (tmp_path / "q.param").read_text().splitlines()
    terms = {
        line.split()[1]: [w for w in line.split() if w.startswith("18=")] for line in lines[2:]
    }
    assert not terms["a"]
    assert terms["b"]


def test_scales_of_int8_are_those_of_rows_or_of_all(weights: list[Any], tmp_path: Path) -> None:
    found = model(tmp_path, weights)
    ncnn_opt.optimize(found, ["quantize-weights"])
    ncnn_opt.save(found, tmp_path / "q.param")
    data = (tmp_path / "q.bin").read_bytes()
    # A matrix has a tag, its integers, and the scales: one of a Gemm's B, one of an Embed's table.
    place = 0
    for weight in weights:
        assert data[place : place + 4] == (0x000D4B38).to_bytes(4, "little")
        integers = np.frombuffer(data, "i1", len(weight), place + 4)
        place += 4 + -(-len(weight) // 4) * 4
        (scale,) = np.frombuffer(data, "<f4", 1, place)
        place += 4
        assert scale == pytest.approx(127 / np.abs(weight).max())
        assert integers / scale == pytest.approx(weight, abs=0.51 / float(scale))
    assert place == len(data)
