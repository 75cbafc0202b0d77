"""Two models, and running the command on them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ncnn_opt.driver.files import read_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.report.model import ModelFacts, collect
from ncnn_opt.tools.ncnn_report_main import main
from ncnn_opt.transforms.finding import model_of

Report = Callable[..., str]
Facts = Callable[[str], ModelFacts]

BEFORE = """7767517
9 10
Input data 0 1 data 0=8 1=8 2=3
Convolution conv 1 1 data conv 0=4 1=3 4=1 6=108
BatchNorm bn 1 1 conv bn 0=4
ReLU relu 1 1 bn relu
Split split 1 2 relu relu_a relu_b
Dropout drop 1 1 relu_a drop
BinaryOp add 2 1 drop relu_b add 0=0
Pooling pool 1 1 add pool 0=1 4=1
InnerProduct fc 1 1 pool prob 0=5 1=1 2=20
"""
AFTER = """7767517
7 8
Input data 0 1 data 0=8 1=8 2=3
Convolution conv 1 1 data relu 0=4 1=3 4=1 5=1 6=108 9=1
Split splitncnn_0 1 2 relu relu_0 relu_1
BinaryOp add 2 1 relu_0 relu_1 add 0=0
Pooling pool 1 1 add pool 0=1 4=1
Swish new 1 1 pool new
InnerProduct fc 1 1 new prob 0=5 1=1 2=20
"""


@pytest.fixture
def before() -> str:
    """The text of `before.param`."""
    return BEFORE


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with two models."""
    (tmp_path / "before.param").write_text(BEFORE)
    (tmp_path / "after.param").write_text(AFTER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def report(folder: Path, capsys: pytest.CaptureFixture[str]) -> Report:
    """Runs the command; returns what it prints."""

    def run(*arguments: str) -> str:
        main(arguments)
        return capsys.readouterr().out

    return run


@pytest.fixture
def refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> Report:
    """Runs the command, which must fail with one message; returns that."""

    def run(*arguments: str) -> str:
        with pytest.raises(SystemExit) as exit:
            main(arguments)
        out, err = capsys.readouterr()
        assert (exit.value.code, out) == (1, "")
        (message,) = err.splitlines()
        assert message.startswith("ncnn-report: error: ")
        return message.removeprefix("ncnn-report: error: ")

    return run


@pytest.fixture
def facts_of(folder: Path) -> Facts:
    """The facts of a model with this text."""

    def read(text: str) -> ModelFacts:
        path = folder / "it.param"
        path.write_text(text)
        module = read_model(str(path), ReadOptions("none")).module
        return collect(model_of(module), "it.param")

    return read
