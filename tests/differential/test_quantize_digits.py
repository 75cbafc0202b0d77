"""The example of docs/quantize.md: a classifier that is trained here stays as good in int8."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.tools import ncnn_quantize_main

ROOT = Path(__file__).parents[2]


def commands() -> list[list[str]]:
    """The lines of the example."""
    text = (ROOT / "docs/quantize.md").read_text("utf-8").replace("\\\n", " ")
    (block,) = re.findall(r"^```sh\n(python examples/train_digits.*?)^```$", text, re.S | re.M)
    return [shlex.split(line) for line in block.splitlines()]


def test_the_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    train, quantize, measure = commands()
    script = str(ROOT / train[1])
    done = subprocess.run([sys.executable, script, *train[2:]], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    right = int(done.stdout.split()[0])
    assert right > 450
    ncnn_quantize_main.main(quantize[1:])
    said = capsys.readouterr().err
    errors = {m[1]: float(m[2]) for m in re.finditer(r"(\w+, weights \w+): error (\S+)", said)}
    assert len(errors) == 6
    ncnn_quantize_main.main([*measure[1:], "--json", "report.json"])
    assert "largest score where it was: " in capsys.readouterr().out
    report = json.loads(Path("report.json").read_text())
    assert all(layer["int8"] for layer in report["layers"])
    top1 = report["top1"]
    assert top1["samples"] == 500
    assert abs(top1["right_float"] - right) <= 1
    assert top1["right_int8"] >= top1["right_float"] - 2.5  # half a point
    assert report["outputs"][0]["snr"] > 30
    sizes = [Path(f"digits/{name}.bin").stat().st_size for name in ("int8", "digits")]
    assert sizes[0] < 0.28 * sizes[1]
    # The method is the one that was the best in the trials.
    assert np.isclose(min(errors.values()), report["error"], rtol=0.5)
