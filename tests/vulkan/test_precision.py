"""`ncnn-run --precision … --device vulkan`."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.analysis.float16.emulation import emulate
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.runtime.engines import run_ncnn
from ncnn_opt.tools.ncnn_run_main import main

SQUARES = """7767517
3 3
Input data 0 1 data 0=4
BinaryOp square 1 1 data squares 0=2 1=1 2=300
BinaryOp small 1 1 squares prob 0=2 1=1 2=0.001
"""
"""300 x and 0.3 x."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "m.param").write_text(SQUARES)
    (tmp_path / "m.bin").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("precision", ["float16-storage", "float16"])
def test_the_first_layer_that_overflows(
    folder: Path, capsys: pytest.CaptureFixture[str], precision: str
) -> None:
    line = ("m.param", "--compare", "ncnn", "--precision", precision, "--device", "vulkan")
    np.save("fits.npy", np.array([1, 2, 3, 200], "f4"))
    main([*line, "--input", "fits.npy"])
    assert "first layer" not in capsys.readouterr().out
    np.save("large.npy", np.array([1, 2, 3, 300], "f4"))
    with pytest.raises(SystemExit):
        main([*line, "--input", "large.npy"])
    out = capsys.readouterr().out
    assert "first layer that overflows: BinaryOp 'square', blob 'squares'" in out
    main(["m.param", "--compare", "ncnn", "--device", "vulkan", "--input", "large.npy"])


def test_bfloat16_has_the_range_of_float32(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save("large.npy", np.array([1, 2, 3, 300], "f4"))
    line = ("--precision", "bfloat16", "--device", "vulkan", "--tolerance", "1e-2")
    main(["m.param", "--compare", "ncnn", *line, "--input", "large.npy"])
    assert "overflows" not in capsys.readouterr().out


def test_an_inner_product_on_the_cpu_has_float16_weights(tmp_path: Path) -> None:
    r = np.random.default_rng(0)
    x, weight = r.standard_normal(32).astype("f4"), r.standard_normal((8, 32)).astype("f4")
    text = "InnerProduct y 1 1 x y 0=8 2=256 31=17"
    (tmp_path / "m.param").write_text(f"7767517\n2 2\nInput x 0 1 x 0=32\n{text}\n")
    (tmp_path / "m.bin").write_bytes(bytes(4) + weight.tobytes())
    func = model_of(module := read_model(str(tmp_path / "m.param")).module)
    (emulated,) = emulate(func, {"x": x}).values()
    found = run_ncnn(module, {"x": x}, ["y"], None, True, "float16", "vulkan")["y"]
    assert np.abs(found - emulated).max() < 1e-5
    assert np.abs(found - weight @ x).max() > 1e-3
