"""`Model.calibrate` and `Model.quantize`."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.formats.scale_table import write_scale_table
from ncnn_opt.tools import ncnn_quantize_main

import ncnn_opt

from .test_quantize import data, small_net


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ncnn_opt.Model:
    monkeypatch.chdir(tmp_path)
    return ncnn_opt.load(small_net().write(tmp_path, "model"))


def test_it_is_what_the_command_does(model: ncnn_opt.Model) -> None:
    np.save("data.npy", data())
    args = ["--data", "data.npy", "--method", "mse", "--weight-method", "mse", "-j1"]
    ncnn_quantize_main.main(["model.param", *args, "-o", "c.param", "--output-table", "t"])
    tables = [
        model.calibrate(given, "mse", "mse")
        for given in (data(), {"data": data()}, iter(data()), [{"data": x} for x in data()])
    ]
    assert {write_scale_table(table) for table in tables} == {Path("t").read_bytes()}
    remarks = model.quantize("t")
    assert len(remarks) == 8
    ncnn_opt.save(model, "own.param")
    for ending in ("param", "bin"):
        assert Path(f"own.{ending}").read_bytes() == Path(f"c.{ending}").read_bytes()


def test_mistakes(model: ncnn_opt.Model) -> None:
    before = str(model)
    wrong: list[tuple[Any, str]] = [
        (data()[0], r"input 'data' is \[3, 16, 16\], a sample has \(16, 16\)"),
        ({"x": data()}, "a sample has x, the model data"),
        ([], "there are no samples"),
        (np.full((1, 3, 16, 16), np.nan), "sample 0: blob 'data' has infinities or NaNs"),
    ]
    for given, message in wrong:
        with pytest.raises(ncnn_opt.NcnnOptError, match=message):
            model.calibrate(given)
    with pytest.raises(ncnn_opt.NcnnOptError, match="there is no method 'max', but kl"):
        model.calibrate(data(), "max")
    table = model.calibrate(data())
    with pytest.raises(ncnn_opt.NcnnOptError, match="there is no layer 'c9'"):
        model.quantize(table, keep=["c9"])
    assert str(model) == before
    model.quantize(table)
    with pytest.raises(ncnn_opt.NcnnOptError, match="Convolution 'c1' is int8 already"):
        model.quantize(table)
    with pytest.raises(ncnn_opt.NcnnOptError, match="there is no layer that could become int8"):
        model.calibrate(data())
