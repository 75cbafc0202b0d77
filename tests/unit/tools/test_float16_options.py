"""`ncnn-opt --fp16-safe` and `--check --device vulkan` as commands."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from float16_nets import write_net
from ncnn_opt.tools.ncnn_opt_main import main

Refused = Callable[..., str]
TO_PARAM = ["model.param", "-o", "out.param"]
SAFE = ["--fp16-safe", "--data", "x.npy"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fp16-safe"], "--fp16-safe needs samples: --data FILE"),
        (["--data", "x.npy"], "--data is for --fp16-safe"),
        (["--margin", "2"], "--margin is for --fp16-safe"),
        (["--max-error", "0.1"], "--max-error is for --fp16-safe"),
        ([*SAFE, "--margin", "0.5"], "--margin takes a factor from 1 on, not 0.5"),
        ([*SAFE, "--margin", "nan"], "--margin takes a factor from 1 on, not nan"),
        ([*SAFE, "--max-error", "0"], "--max-error takes a positive number, not 0"),
        (["--device", "vulkan"], "--device is for --check"),
    ],
)
def test_wrong_options(refused: Refused, arguments: list[str], message: str) -> None:
    assert refused([*TO_PARAM, *arguments]) == message


def test_a_net_is_made_safe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    param, data = write_net(tmp_path, "norm")
    main([str(param), "-o", "safe.param", "--fp16-safe", "--data", str(data)])
    lines = capsys.readouterr().err.splitlines()
    assert lines[:3] == [
        "ncnn-opt: on a GPU (magnitudes above 16,376 are infinite: --margin), "
        "these overflow or lose accuracy by themselves: LayerNorm 'norm'",
        "ncnn-opt: Gemm 'grow': blobs are scaled by 2^-6",
        "ncnn-opt: 0 of 3 layers compute in float32 (0 % of the MACs); emulated error on a GPU "
        "1 -> 0.0012 for 3 samples",
    ]
    last = (
        "on a GPU and arm: the program needs no options; to check it: ncnn-run safe.param "
        "--on-device ADDRESS"
    )
    assert f"ncnn-opt: {last}" in lines
    assert "1=2.4414062e-09" in Path("safe.param").read_text()
    main(
        [str(param), "-o", "new.param", "--fp16-safe", "--data", str(data), "--for-ncnn", "latest"]
    )
    assert "scaled" not in capsys.readouterr().err
    assert Path("new.bin").read_bytes() == param.with_suffix(".bin").read_bytes()


def test_samples_without_a_finite_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    param, data = write_net(tmp_path, "sums")
    np.save(data, np.full((1, 3, 64, 64), 3e38, "f4"))
    with pytest.raises(SystemExit):
        main([str(param), "-o", "safe.param", "--fp16-safe", "--data", str(data)])
    assert capsys.readouterr().err == "ncnn-opt: error: no sample has finite float32 outputs\n"
    assert not Path("safe.param").exists()


BLOCKS = """7767517
2 2
Input x 0 1 x 0=64 1=2
Gemm fc 1 1 x y 3=1 5=1 6=1 8=4 9=64 10=-1 18=400
"""
