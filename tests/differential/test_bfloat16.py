"""Weights stored as bfloat16 are written, read, and run in the runtime as the same values in
float32."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.tools.ncnn_opt_main import main

from .nets import Net
from .runtime import Runtime

TAG = (0x01348B83).to_bytes(4, "little")
WIDTH = 24


@pytest.fixture
def source(tmp_path: Path) -> Path:
    net = Net(1)
    net.input("x", (3, WIDTH))
    net.tagged(net.normal(WIDTH, WIDTH) * 3)
    params = {3: 1, 5: 1, 6: 1, 8: WIDTH, 9: WIDTH, 10: -1}
    net.layer("Gemm", "x", "y", params)
    return net.write(tmp_path)


def test_values(source: Path, tmp_path: Path, runtime: Runtime) -> None:
    half, whole = tmp_path / "half.param", tmp_path / "whole.param"
    main(["-q", "--storage", "bf16", str(source), "-o", str(half)])
    data = half.with_suffix(".bin").read_bytes()
    assert data[:4] == TAG
    assert len(data) == 4 + 2 * WIDTH**2
    exact = np.frombuffer(source.with_suffix(".bin").read_bytes()[4:], "<f4")
    stored = (np.frombuffer(data[4:], "<u2").astype("<u4") << 16).view("<f4")
    assert (np.abs(stored - exact) <= np.abs(exact) / 256).all()
    assert (stored != exact).any()
    main(["-q", "--storage", "fp32", str(half), "-o", str(whole)])
    assert (np.frombuffer(whole.with_suffix(".bin").read_bytes()[4:], "<f4") == stored).all()
    x = {"x": np.random.default_rng(0).standard_normal((3, WIDTH)).astype("f4") * 5}
    a, b = (runtime.run(path, x, ["y"]) for path in (half, whole))
    assert isinstance(a, dict)
    assert isinstance(b, dict)
    assert np.abs(a["y"] - b["y"]).max() <= 1e-6 * np.abs(b["y"]).max()


def test_nothing_is_lost(source: Path, tmp_path: Path) -> None:
    half, again = tmp_path / "half.param", tmp_path / "again.param"
    main(["-q", "--storage", "bf16", str(source), "-o", str(half)])
    for options in (["-O"], ["--storage", "bf16"]):
        main(["-q", *options, str(half), "-o", str(again)])
        assert again.with_suffix(".bin").read_bytes() == half.with_suffix(".bin").read_bytes()


def test_the_release(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    half = tmp_path / "half.param"
    with pytest.raises(SystemExit):
        main(["--storage", "bf16", "--for-ncnn", "20260526", str(source), "-o", str(half)])
    expected = "Gemm 'y' requires ncnn 20261020 (weights stored as bfloat16)"
    assert expected in capsys.readouterr().err
    main(["-q", "--storage", "bf16", str(source), "-o", str(half)])
    main(["--check", str(half)])
    line = "runs in ncnn 20261020 and newer: Gemm 'y', weights stored as bfloat16"
    assert line in capsys.readouterr().err


def test_too_large_values_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = Net(1)
    net.input("x", (1, 1))
    net.tagged(np.full((1, 1), 3.4e38, "f4"))
    net.layer("Gemm", "x", "y", {3: 1, 5: 1, 6: 1, 8: 1, 9: 1, 10: -1})
    source, out = net.write(tmp_path), tmp_path / "out.param"
    main(["--remarks", "--storage", "bf16", str(source), "-o", str(out)])
    assert "1 value of up to 3.4e+38 would become infinite" in capsys.readouterr().err
    assert out.with_suffix(".bin").read_bytes() == source.with_suffix(".bin").read_bytes()
