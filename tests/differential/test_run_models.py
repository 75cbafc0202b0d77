"""Whole models in NumPy and in the runtime, through `ncnn-run --compare`."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.samples.images import Preprocessing, image_blob
from ncnn_opt.tools.ncnn_opt_main import main as optimize
from ncnn_opt.tools.ncnn_run_main import main
from numpy.typing import NDArray

ncnn = pytest.importorskip("ncnn")

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ["small_cnn", "residual", "sequence"])
def test_every_blob_of_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = str(EXAMPLES / f"{name}.param")
    main([model, "--input", "random", "--compare", "ncnn", "--tolerance", "1e-5"])
    head, *rows, last = capsys.readouterr().out.splitlines()
    assert head.split() == ["blob", "layer", "shape", "largest", "difference", "relative"]
    assert len(rows) >= 7
    assert last.startswith("PASSED: largest error: ")


def test_both_engines_write_the_same(tmp_path: Path) -> None:
    model = str(EXAMPLES / "residual.param")
    found: list[dict[str, NDArray[np.float32]]] = []
    for engine in ("numpy", "ncnn"):
        path = tmp_path / f"{engine}.npz"
        main([model, "--input", "random", "--engine", engine, "--all-blobs", "-o", str(path)])
        with np.load(path) as blobs:
            found.append(dict(blobs))
    ours, theirs = found
    assert list(ours) == list(theirs)
    assert len(ours) > 5
    for name, expected in theirs.items():
        assert np.abs(ours[name] - expected).max() <= 1e-5 * np.abs(expected).max()


def test_model_as_ir_runs_in_the_runtime(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    param, ir = str(EXAMPLES / "small_cnn.param"), str(tmp_path / "small_cnn.mlir")
    optimize([param, "-O", "-o", ir])
    main([ir, "--input", "random", "--compare", "ncnn", "--tolerance", "1e-5"])
    assert "largest error: " in capsys.readouterr().out


SIZES = [((7, 9), (12, 5)), ((100, 80), (32, 32)), ((5, 5), (5, 9)), ((40, 30), (40, 30))]


@pytest.mark.parametrize(("size", "wanted"), SIZES)
@pytest.mark.parametrize("order", ["RGB", "RGB2BGR", "RGB2GRAY"])
def test_pixels_are_those_of_the_runtime(
    size: tuple[int, int], wanted: tuple[int, int], order: str
) -> None:
    rng = np.random.default_rng(0)
    pixels: NDArray[np.uint8] = rng.integers(0, 256, (*size, 3), np.uint8)
    mat = ncnn.Mat.from_pixels_resize(
        pixels, getattr(ncnn.Mat.PixelType, f"PIXEL_{order}"), *size[::-1], *wanted[::-1]
    )
    mean, norm = [104.0, 117.0, 123.0][: mat.c], [0.5, 0.25, 2.0][: mat.c]
    mat.substract_mean_normalize(mean, norm)
    expected = np.array(mat).reshape(-1, *wanted)
    how = Preprocessing(mean, norm, to_rgb=order == "RGB")
    actual = image_blob(pixels, (len(expected), *wanted), how, "data")
    assert np.abs(actual - expected).max() <= 1e-4
