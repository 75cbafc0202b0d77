"""The messages in docs/faq.md are those of the commands."""

import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from ncnn_opt.tools import ncnn_opt_main, ncnn_quantize_main, ncnn_run_main

ROOT = Path(__file__).parents[3]
QUOTED = re.findall(r"^## `(.*)`$", (ROOT / "docs/faq.md").read_text("utf-8"), re.MULTILINE)
OPT = ncnn_opt_main.main
CUSTOM = "7767517\n2 2\nInput x 0 1 x 0=4\nMyLayer r 1 1 x y\n"

COMMANDS: Sequence[tuple[Callable[[Sequence[str]], None], str]] = (
    (OPT, "nobin.param"),
    (OPT, "m.param --weights long.bin"),
    (OPT, "m.param --weights short.bin"),
    (OPT, "m.onnx"),
    (OPT, "--fuse-conv-bm m.param"),
    (OPT, "open.param --check"),
    (OPT, "m.param --input-shape data=32,32,3 --check"),
    (OPT, "custom.param -O -o y.param"),
    (ncnn_run_main.main, "m.param"),
    (ncnn_quantize_main.main, "m.param -o q.param"),
)
"""The commands that print the messages, in the order of the page."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for ending in ("param", "bin"):
        shutil.copy(ROOT / f"examples/small_cnn.{ending}", tmp_path / f"m.{ending}")
    shutil.copy(tmp_path / "m.param", tmp_path / "nobin.param")
    weights = (tmp_path / "m.bin").read_bytes()
    (tmp_path / "long.bin").write_bytes(weights + bytes(8))
    (tmp_path / "short.bin").write_bytes(weights[:1000])
    (tmp_path / "m.onnx").write_bytes(b"\x08\x07\x12\x07pytorch")
    (tmp_path / "open.param").write_text("7767517\n2 2\nInput x 0 1 x\nReLU r 1 1 x y\n")
    (tmp_path / "custom.param").write_text(CUSTOM)
    for name in ("open", "custom"):
        (tmp_path / f"{name}.bin").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_there_are_ten() -> None:
    assert len(QUOTED) == len(COMMANDS) == 10


@pytest.mark.parametrize("index", range(10), ids=[line for _, line in COMMANDS])
def test_message(index: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main, line = COMMANDS[index]
    status = None
    try:
        main(line.split())
    except SystemExit as end:
        status = end.code
    told = capsys.readouterr().err
    assert QUOTED[index] in told
    assert (status == 1) is ("error: " in told)
