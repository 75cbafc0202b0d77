"""`ncnn-run --decode`: prefill and steps with the caches of a decoder in the runtime."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.tools.ncnn_opt_main import main as optimize
from ncnn_opt.tools.ncnn_run_main import main

from .decoders import WIDTH, decoder


@pytest.fixture
def model(tmp_path: Path) -> str:
    source, out = decoder(2, cached=False).write(tmp_path), tmp_path / "cached.param"
    optimize(["-q", "--add-kv-cache", str(source), "-o", str(out)])
    np.save(tmp_path / "x.npy", np.random.default_rng(0).standard_normal((12, WIDTH)).astype("f4"))
    return str(out)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    main([*words])
    return capsys.readouterr().out.splitlines()


def test_steps_agree_with_one_call(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    x, out = f"x={tmp_path / 'x.npy'}", str(tmp_path / "out.npz")
    lines = run(capsys, model, "--decode", "5+7", "--input", x, "--compare", "full", "-o", out)
    assert lines[0].startswith("prefill, 5 tokens: ")
    assert lines[1].startswith("decode, 7 steps, each: ")
    assert lines[2].startswith("caches: ")
    assert lines[3].startswith("PASSED: agrees with one call for all tokens: largest error ")
    assert np.load(out)["fed1"].shape == (12, WIDTH)


def test_another_decoder(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    x, shared = f"x={tmp_path / 'x.npy'}", str(tmp_path / "shared.param")
    optimize(["-O", "-q", "--opaque-caches", model, "-o", shared])
    lines = run(capsys, model, "--decode", "5+7", "--input", x, "--compare", shared)
    assert lines[-1].startswith(f"PASSED: agrees with {shared}: largest error ")


def test_a_wrong_mask_is_found(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(tmp_path / "mask.npy", np.zeros((12, 12), "f4"))  # shows later tokens
    words = ["--input", f"x={tmp_path / 'x.npy'}", "--input", f"mask={tmp_path / 'mask.npy'}"]
    with pytest.raises(SystemExit):
        main([model, "--decode", "5+7", *words, "--compare", "full"])
    assert "differs from one call for all tokens" in capsys.readouterr().out


MISTAKES: Mapping[tuple[str, ...], str] = {
    ("--decode", "7"): "--decode takes PREFILL+STEPS, as 7+20, not '7'",
    ("--decode", "7+2", "--engine", "iree"): "--decode runs the ncnn runtime",
    ("--decode", "7+2", "--top", "3"): "--top is not for --decode",
    ("--compare", "full"): "--compare full is for --decode",
}


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_mistakes(words: tuple[str, ...], model: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([model, *words])
    assert MISTAKES[words] in capsys.readouterr().err


def test_a_model_without_caches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = decoder(1, cached=False).write(tmp_path)
    with pytest.raises(SystemExit):
        main([str(source), "--decode", "3+2"])
    assert "no cache is an input" in capsys.readouterr().err
