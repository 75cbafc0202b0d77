"""Int8 models of detectors, whose output holds boxes and scores: both are evaluated."""

import json
from math import inf
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.tools.ncnn_quantize_main import main

from .nets import Net
from .test_quantize import conv

CLASSES = 6


def detector(in_columns: bool) -> Net:
    """A trunk, a head with boxes up to some hundreds, and a head with scores of a sigmoid."""
    net = Net(5)
    net.input("data", (3, 16, 16))
    conv(net, "data", "c1", 3, 16, 3, act=1)
    conv(net, "c1", "c2", 16, 16, 3, act=1)
    net.layer("Split", "c2", ["left", "right"])
    conv(net, "left", "box", 16, 4, 1, act=1)
    net.layer("BinaryOp", "box", "pixels", {0: 2, 1: 1, 2: 90.0})
    conv(net, "right", "class", 16, CLASSES, 1)
    net.layer("Sigmoid", "class", "score")
    net.layer("Reshape", "pixels", "b", {0: 256, 1: 4})
    net.layer("Reshape", "score", "s", {0: 256, 1: CLASSES})
    net.layer("Concat", ["b", "s"], "joined" if in_columns else "out", {0: 0})
    if in_columns:
        net.layer("Permute", "joined", "out", {0: 1})
    return net


@pytest.mark.parametrize("in_columns", [False, True])
def test_limit_holds_for_scores(
    in_columns: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("ncnn")
    monkeypatch.chdir(tmp_path)
    detector(in_columns).write(tmp_path)
    samples = np.random.default_rng(0).normal(size=(6, 3, 16, 16)).astype("f4")
    np.save("data.npy", samples)
    model, *_ = [p.name for p in tmp_path.glob("*.param")]

    def quantize(*options: str) -> tuple[dict[str, float], str]:
        main([model, "--data", "data.npy", "-o", "q.param", "--jobs", "1", "--json", "q.json",
              "--measure", *options])  # fmt: skip
        outputs = json.loads(Path("q.json").read_text())["outputs"]
        assert {each["blob"] for each in outputs} == {"out"}
        found = {e["group"]: inf if e["error"] == 0 else e["snr"] for e in outputs}
        return found, capsys.readouterr().out

    boxes, scores = ("[:, 0:4]", "[:, 4:10]") if in_columns else ("[0:4, :]", "[4:10, :]")
    found, text = quantize("--quick")
    assert found.keys() == {boxes, scores}
    assert f"output 'out{boxes}'" in text
    assert f"output 'out{scores}'" in text
    assert "(the worst of 2 groups; mean " in text
    assert f"largest score of 'out{scores}' where it was: " in text
    limit = min(found.values()) + 3
    found, text = quantize("--method", "kl", "--min-snr", f"{limit:.3f}")
    assert min(found.values()) >= limit - 0.01
    assert not text.splitlines()[-3].startswith("0 of")
