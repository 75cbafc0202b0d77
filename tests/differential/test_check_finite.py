"""`ncnn-opt --check` and `check` warn of infinities and NaNs in weights and outputs."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.tools import ncnn_opt_main

import ncnn_opt

from .nets import Array, Net


def write(folder: Path, weight: Array, bias: Array, constant: Array) -> str:
    net = Net(1)
    net.input("x", (2, 3, 3))
    net.layer("Convolution", "x", "c", {0: 2, 1: 1, 5: 1, 6: 4})
    net.tagged(weight)
    net.plain(bias)
    net.constant("m", constant)
    net.layer("BinaryOp", ["c", "m"], "y", {0: 0})
    return str(net.write(folder))


def test_weights_and_outputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weight, bias = np.array([1, 2, np.nan, np.inf], "f4"), np.array([0, -np.inf], "f4")
    path = write(tmp_path, weight, bias, np.full(3, np.nan, "f4"))
    ncnn_opt_main.main([path, "--check"])
    found = capsys.readouterr()
    assert found.err.splitlines() == [
        f"ncnn-opt: warning: {path}: infinities or NaNs in Convolution 'c' (2 of its weight), "
        "Convolution 'c' (1 of its bias), MemoryData 'm' (3 of its values)",
        f"ncnn-opt: warning: {path}: infinities or NaNs in output 'y', with x=2,3,3",
        "ncnn-opt: runs in ncnn with x=2,3,3, and gives y=2,3,3",
        "ncnn-opt: runs in ncnn 20240102 and newer",
        "ncnn-opt: PASSED: --check",
    ]
    weights = pytest.warns(UserWarning, match=r"Convolution 'c' \(2 of its weight\)")
    with pytest.warns(UserWarning, match="infinities or NaNs in output 'y'") as told, weights:
        assert ncnn_opt.check(ncnn_opt.load(path)).endswith("gives y=2,3,3")
    assert {each.filename for each in told} == {__file__}


def test_finite_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Values near the largest float32 are finite."""
    most = np.finfo("f4").max
    path = write(tmp_path, np.full(4, 1e-9, "f4"), np.array([0, most / 4], "f4"), np.zeros(3, "f4"))
    ncnn_opt_main.main([path, "--check"])
    assert "warning" not in capsys.readouterr().err
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ncnn_opt.check(ncnn_opt.load(path))
