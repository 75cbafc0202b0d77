"""Two models, and running the command on them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.report.model import ModelFacts, collect
from ncnn_opt.tools.ncnn_report_main import main
from report_models import AFTER, BEFORE

Report = Callable[..., str]
Facts = Callable[[str], ModelFacts]


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
