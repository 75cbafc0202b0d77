"""Errors of the verifier in an `.mlir` name the line and the value."""

from pathlib import Path

import pytest
from ncnn_opt.tools import ncnn_opt_main

GOOD = """\
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // %y is defined below, %lost is not
  %y = ncnn.relu %x {name = "r"} : (tensor<8xf32>) -> tensor<8xf32>
  %z = ncnn.unaryop %y {name = "op", op_type = 2} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %z : tensor<8xf32>
}
"""
WRONG = GOOD.replace("op_type = 2}", "op_type = 28}")


def error_of(text: str, folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    (folder / "m.mlir").write_text(text)
    with pytest.raises(SystemExit):
        ncnn_opt_main.main([str(folder / "m.mlir"), "--cse", *options])
    return capsys.readouterr().err.removeprefix(f"ncnn-opt: error: {folder}/").rstrip()


def test_the_line_and_the_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = "m.mlir: UnaryOp 'op': op_type is 28, greater than 27, at line "
    assert error_of(WRONG, tmp_path, capsys) == f"{message}4 (%z)"
    assert error_of(f"\n\n{WRONG}", tmp_path, capsys) == f"{message}6 (%z)"
    located = WRONG.replace(
        "28} : (tensor<8xf32>) -> tensor<8xf32>",
        '28} : (tensor<8xf32>) -> tensor<8xf32> loc("a.param":9:1)',
    )
    assert (
        error_of(located, tmp_path, capsys)
        == f'{message.removesuffix("line ")}loc("a.param":9:1), line 4 (%z)'
    )


def test_the_line_in_a_text_of_several_parts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"{GOOD}// -----\n{GOOD}// -----\n{WRONG}"
    assert error_of(text, tmp_path, capsys, "--split-input-file").endswith("at line 18 (%z)")


def test_an_operation_without_values_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = GOOD.replace("return %z", "return %z, %z").replace(
        "8xf32>\n}", "8xf32>, tensor<8xf32>\n}"
    )
    assert "line 5 (func.return)" in error_of(text, tmp_path, capsys)


def test_a_value_without_definition_is_named_where_it_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = GOOD.replace("unaryop %y", "unaryop %gone")
    assert error_of(text, tmp_path, capsys) == "m.mlir:4:21: '%gone' is used but not defined"
    text = GOOD.replace("unaryop %y", "unaryop %y2").replace("%y is", "%y2x is")
    assert error_of(text, tmp_path, capsys).startswith("m.mlir:4:21: '%y2' is used")
