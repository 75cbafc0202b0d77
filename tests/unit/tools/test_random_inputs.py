"""`--input random` means what no `--input` means: shapes of the model with a remark."""

from pathlib import Path

import pytest
from ncnn_opt.tools.ncnn_run_main import main

NET = """7767517
2 2
Input data 0 1 data{}
Convolution conv 1 1 data out0 0=4 1=3 6=108
"""
TWO = """7767517
3 3
Input a 0 1 a{}
Input b 0 1 b 0=4
BinaryOp add 2 1 a b out0
"""
GUESS = "random values of data=3,224,224 (a guess; --input-shape says better)"


def run(text: str, *words: str) -> int:
    Path("m.param").write_text(text)
    try:
        main(["m.param", "--weights", "random", *words])
    except SystemExit as e:
        return int(e.code or 0)
    return 0


@pytest.mark.parametrize("spec", ["random", "data=random"])
@pytest.mark.parametrize("declared", ["", " 0=9 1=8 2=3"], ids=["undeclared", "declared"])
def test_an_undeclared_shape_is_a_guess(
    spec: str,
    declared: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(NET.format(declared), "--input", spec) == 0
    out, told = capsys.readouterr()
    assert out.split()[:2] == ["out0", "4x6x7" if declared else "4x222x222"]
    assert (GUESS in told) is (not declared)


def test_values_are_those_of_a_comparison(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ncnn")
    monkeypatch.chdir(tmp_path)
    tables: list[str] = []
    for words in (["--input", "random"], []):
        assert run(NET.format(""), *words, "--compare", "ncnn") == 0
        tables.append(capsys.readouterr().out)
    assert tables[0] == tables[1]
    assert "data=3,224,224 (a guess" in tables[0]


def test_what_nothing_determines_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(TWO.format(""), "--input", "random") == 1
    assert "the shape of input 'a' is not known" in capsys.readouterr().err
    # An input of the model that gets no values is an error as before.
    assert run(TWO.format(" 0=4"), "--input", "a=random") == 1
    assert "b" in capsys.readouterr().err
    assert run(NET.format(""), "--input", "random", "--mean", "1") == 1
    assert "--mean is for images" in capsys.readouterr().err
