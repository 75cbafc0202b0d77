"""`layer.weights` and `model.set_weight`."""

from pathlib import Path

import numpy as np
import pytest

import ncnn_opt

GRAPH = """7767517
4 4
Input x 0 1 x 0=4
InnerProduct a 1 1 x a 0=4 1=1 2=16
InnerProduct b 1 1 a b 0=4 1=1 2=16
MemoryData m 0 1 m 0=4
"""


def model(folder: Path, storage: str = "fp32") -> ncnn_opt.Model:
    values = np.arange(16, dtype="f4") / 8
    weight = bytes(4) + values.tobytes()
    if storage == "fp16":
        weight = (0x01306B47).to_bytes(4, "little") + values.astype("f2").tobytes()
    bias = np.ones(4, "f4").tobytes()
    path = folder / "m.param"
    path.write_text(GRAPH)
    path.with_suffix(".bin").write_bytes(2 * (weight + bias) + bias)
    return ncnn_opt.load(path)


@pytest.mark.parametrize("storage", ["fp32", "fp16"])
def test_a_weight_is_replaced_and_saved(storage: str, tmp_path: Path) -> None:
    ours = model(tmp_path, storage)
    old = ours.layer("a").weights["weight"]
    ours.set_weight("a", "weight", 2 * old)
    ours.set_weight("m", "data", [1, 2, 3, 4])
    ours.save(tmp_path / "n.param")
    size = (tmp_path / "m.bin").stat().st_size
    assert (tmp_path / "n.bin").stat().st_size == size
    again = ncnn_opt.load(tmp_path / "n.param")
    np.testing.assert_array_equal(again.layer("a").weights["weight"], 2 * old)
    np.testing.assert_array_equal(again.layer("b").weights["weight"], old)
    np.testing.assert_array_equal(again.layer("a").weights["bias"], np.ones(4))
    np.testing.assert_array_equal(again.layer("m").weights["data"], [1, 2, 3, 4])


def test_layers_that_share_a_weight_keep_it(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    path.write_text("""
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %w = ncnn.constant dense<1.0> : tensor<2x2xf32>
      %a = ncnn.innerproduct %x weight %w {name = "a", num_output = 2}
        : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
      %b = ncnn.innerproduct %a weight %w {name = "b", num_output = 2}
        : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
      func.return %b : tensor<2xf32>
    }""")
    ours = ncnn_opt.load(path)
    ours.set_weight("b", "weight", np.eye(2))
    np.testing.assert_array_equal(ours.layer("a").weights["weight"], np.ones((2, 2)))
    np.testing.assert_array_equal(ours.layer("b").weights["weight"], np.eye(2))
    assert ours.run(np.array([1, 2], "f4"), engine="numpy")["b"].tolist() == [3, 3]


def test_weights_are_not_assigned_to(tmp_path: Path) -> None:
    weights = model(tmp_path).layer("a").weights
    call = r"use model.set_weight\('a', 'weight', values\)"
    with pytest.raises(TypeError, match=call):
        weights["weight"] = np.zeros((4, 4))  # pyright: ignore[reportIndexIssue]
    assert list(weights) == ["weight", "bias"]
    assert len(weights) == 2


@pytest.mark.parametrize(
    ("layer", "name", "values", "message"),
    [
        ("c", "weight", np.ones((4, 4)), "no layer 'c'"),
        (
            "a",
            "slope",
            np.ones(4),
            "InnerProduct 'a' has no weight 'slope'; it has 'weight', 'bias'",
        ),
        ("a", "weight", np.ones((2, 8)), "weight 'weight' of InnerProduct 'a' is 4x4, not 2x8"),
        ("a", "weight", [["x"] * 4] * 4, "values"),
    ],
)
def test_bad_weights(layer: str, name: str, values: object, message: str, tmp_path: Path) -> None:
    ours = model(tmp_path)
    before = str(ours)
    with pytest.raises(ncnn_opt.NcnnOptError, match=message):
        ours.set_weight(layer, name, values)  # pyright: ignore[reportArgumentType]
    assert str(ours) == before
