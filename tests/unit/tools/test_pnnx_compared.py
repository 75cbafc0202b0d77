"""The last line of a conversion of PNNX's graph, without the packages that a comparison needs."""

from pathlib import Path

import pytest
from ncnn_opt.driver import conversion_checks
from ncnn_opt.tools.ncnn_opt_main import main

GRAPH = """7767517
3 2
pnnx.Input in 0 1 0 #0=(1,3,8)f32
nn.ReLU relu 1 1 0 1 #0=(1,3,8)f32 #1=(1,3,8)f32
pnnx.Output out 1 0 1 #1=(1,3,8)f32
"""


@pytest.mark.parametrize(
    ("missing", "remedy"),
    [
        ("torch", "needs PyTorch: pip install 'ncnn-opt[export]'"),
        ("ncnn", "needs the ncnn runtime: pip install 'ncnn-opt[verify]'"),
    ],
)
def test_nothing_is_compared(
    missing: str,
    remedy: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / "m.pnnx.param").write_text(GRAPH)
    monkeypatch.chdir(folder)

    def find(name: str) -> str | None:
        return None if name == missing else name

    monkeypatch.setattr(conversion_checks, "find_spec", find)
    monkeypatch.setattr(conversion_checks.Runtime, "is_there", lambda: missing != "ncnn")
    main(["m.pnnx.param", "-o", "o.param"])
    assert capsys.readouterr().err.splitlines()[-1] == f"ncnn-opt: outputs not compared: {remedy}"
    assert (folder / "o.param").exists()


def test_other_models_have_no_such_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "m.param").write_text("7767517\n2 2\nInput in0 0 1 in0\nReLU r 1 1 in0 out0\n")
    (folder / "m.bin").touch()
    monkeypatch.chdir(folder)
    main(["-O", "m.param", "-o", "o.param"])
    assert "compared" not in capsys.readouterr().err


def test_a_batch_of_blobs_becomes_one_blob(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = GRAPH.replace("(1,3,8)", "(7,6)")
    (folder / "m.pnnx.param").write_text(graph)
    (folder / "m_ncnn.py").write_text(
        'ex.input("in0", ncnn.Mat(in0.numpy(), batch_index=1).clone())\n'
    )
    monkeypatch.chdir(folder)
    line = "input 'in0' is one blob with all axes, 7x6; the converter's script feeds a batch of 6"
    main(["m.pnnx.param", "-o", "o.param"])
    assert f"ncnn-opt: {line} blobs" in capsys.readouterr().err
    assert "Input" in (text := (folder / "o.param").read_text())
    assert " in0 0=6 1=7" in text
    (folder / "m_ncnn.py").write_text(
        'ex.input("in0", ncnn.Mat(in0.numpy(), batch_index=233).clone())\n'
    )
    main(["m.pnnx.param", "-o", "o.param"])
    assert "one blob with all axes" not in capsys.readouterr().err
    # The converter's own model has an interface, which stays.
    (folder / "m_ncnn.py").write_text(
        'ex.input("in0", ncnn.Mat(in0.numpy(), batch_index=1).clone())\n'
    )
    (folder / "m.ncnn.param").write_text("7767517\n2 2\nInput in0 0 1 in0\nReLU r 1 1 in0 out0\n")
    (folder / "m.ncnn.bin").touch()
    main(["m.ncnn.param", "--pnnx", "m.pnnx.param", "-o", "o.param"])
    assert "'in0' is a batch of 6 blobs" in capsys.readouterr().err
