"""`Model.calibrate` and `Model.quantize`."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.formats.scale_table import write_scale_table
from ncnn_opt.quantization import evaluator
from ncnn_opt.runtime.process import Process
from ncnn_opt.tools import ncnn_quantize_main

import ncnn_opt

from .test_quantize import SAMPLES, data, small_net


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
        (data()[0], "sample 0: input 'data' has shape 16x16, the model takes 3x16x16"),
        (
            data()[:, :2],
            r"sample 0: Convolution 'c1' takes 3,\?,\? by its weights, and gets 2,16,16",
        ),
        ({"x": data()}, "a sample has x, the model data"),
        ([], "there are no samples"),
        (np.full((1, 3, 16, 16), np.nan), "sample 0: blob 'data' has infinities or NaNs"),
    ]
    for given, message in wrong:
        with pytest.raises(ncnn_opt.NcnnOptError, match=message):
            model.calibrate(given)
    with pytest.raises(ncnn_opt.NcnnOptError, match="there is no method 'max', but kl"):
        model.calibrate(data(), "max")  # pyright: ignore[reportArgumentType]
    table = model.calibrate(data())
    with pytest.raises(ncnn_opt.NcnnOptError, match="there is no layer 'c9'"):
        model.quantize(table, keep=["c9"])
    assert str(model) == before
    model.quantize(table)
    with pytest.raises(ncnn_opt.NcnnOptError, match="Convolution 'c1' is int8 already"):
        model.quantize(table)
    with pytest.raises(ncnn_opt.NcnnOptError, match="it is quantized already: Convolution 'c1'"):
        model.calibrate(data())


def test_samples_of_another_size_than_the_model_declares(model: ncnn_opt.Model) -> None:
    samples = np.random.default_rng(1).normal(size=(4, 3, 20, 24)).astype("f4")
    before = str(model)
    with pytest.warns(UserWarning, match="declared as 3x16x16, the samples are 3x20x24") as told:
        table = model.calibrate(samples, "minmax")
    assert str(model) == before
    assert table.blobs["c1"][0] == pytest.approx(127 / np.abs(samples).max())
    assert {each.filename for each in told} == {__file__}
    with pytest.warns(UserWarning, match="declared as 3x16x16, the values are 3x20x24") as told:
        found = [model.run(samples[0], engine=engine) for engine in ("numpy", "ncnn")]
    assert {each.filename for each in told} == {__file__}
    for name, values in found[0].items():
        assert values == pytest.approx(found[1][name], rel=1e-4, abs=1e-4)
    with pytest.warns(UserWarning, match="declared as 3x16x16") as told:
        assert model.verify(model, {"data": samples[0]})
    assert {each.filename for each in told} == {__file__}


@pytest.mark.parametrize("room", [evaluator.MOST_KEPT, 0])
def test_a_sample_travels_once_for_all_models(
    room: int, model: ncnn_opt.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The float model and each candidate run on it in the process that has it. Without room, it
    travels with each run."""
    np.save("data.npy", data())
    methods, call = Counter[str](), Process.call

    def noting(process: Process, method: str, *arguments: Any) -> Any:
        if any(isinstance(each, dict) and "data" in each for each in arguments):
            methods[method] += 1
        return call(process, method, *arguments)

    monkeypatch.setattr(Process, "call", noting)
    monkeypatch.setattr(evaluator, "MOST_KEPT", room)
    options = ["--data", "data.npy", "-j1", "--max-nsr", "0.0005", "-o", "c.param"]
    ncnn_quantize_main.main(["model.param", *options])
    assert methods.pop("count") == SAMPLES
    if room:
        assert methods == {"keep": SAMPLES}
    else:
        assert "keep" not in methods
        assert methods["run"] + methods["differences"] > 4 * SAMPLES
