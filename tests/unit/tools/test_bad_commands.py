"""Command lines and IR that a user can get wrong: one message, status 1, all files as they were."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

Refused = Callable[..., str]

TO_PARAM = ["model.param", "-o", "out.param"]

OPTIONS: dict[str, tuple[list[str], str]] = {
    "unknown pass": (["--fuse-con-bn"], r".*'--fuse-con-bn'; did you mean '--fuse-conv-bn'\?"),
    "unknown pass in a pipeline": (
        ["-p", "canonicalize,fuse-con-bn"],
        r".*'fuse-con-bn'; did you mean 'fuse-conv-bn'\?",
    ),
    "unknown option": (["--allow-trailing"], r".*'--allow-trailing'.*allow-trailing-weights"),
    "unknown letter": (["-z"], r".*'-z'"),
    "option of a pass that has none": (["--fuse-conv-bn=limit=3"], r".*limit"),
    "braces in an option of a pass": (["--canonicalize={"], r".*canonicalize"),
    "pipeline cut short": (["-p", "canonicalize{"], r".*canonicalize"),
    "no pipeline": (["-p"], r".*-p"),
    "unknown target": (["-t", "tflite"], r".*'tflite'"),
    "unknown frontend": (["-f", "onnx"], r".*'onnx'.*param"),
    "two inputs": (["other.param"], r".*'other\.param'"),
    "two styles of weights": (["--inline-weights", "--elide-weights"], r".*--elide-weights"),
}


@pytest.mark.parametrize("what", OPTIONS)
def test_bad_option(what: str, refused: Refused) -> None:
    arguments, expected = OPTIONS[what]
    message = refused([*TO_PARAM, *arguments])
    assert re.match(expected, message), message


def test_option_without_its_value(refused: Refused) -> None:
    assert "-o" in refused(["model.param", "-o"])


@pytest.mark.parametrize("content", [b"\x08\x07\x12\x07pytorch", b"\x18\0\0\0TFL3", b"", b"\xff"])
def test_input_of_unknown_kind(content: bytes, refused: Refused, folder: Path) -> None:
    (folder / "model.onnx").write_bytes(content)
    assert refused(["model.onnx", "-o", "out.param"]).startswith("model.onnx:")


def test_output_of_unknown_kind(refused: Refused) -> None:
    message = refused(["model.param", "-o", "out.onnx"])
    assert "out.onnx" in message
    assert ".param" in message


IR = """func.func @main(%x: tensor<3xf32>) -> tensor<20xf32> {
  %w = ncnn.constant #ncnn.weight<"w.bin", 8> : tensor<20x3xf32>
  %y = ncnn.innerproduct %x weight %w {name = "fc", num_output = 20}
       : (tensor<3xf32>, tensor<20x3xf32>) -> tensor<20xf32>
  func.return %y : tensor<20xf32>
}
"""
"""A model with weights in `w.bin`, from byte 8 to byte 248."""


def replace(old: str, new: str) -> str:
    assert IR.count(old) == 1
    return IR.replace(old, new)


MODULES: dict[str, tuple[str, str]] = {
    "cut off in a type": (IR[: IR.index("20x3xf32")], r":2:\d+: "),
    "cut off in an operation": (IR[: IR.index("{name")], r":3:\d+: "),
    "cut off before the end": (IR[: IR.rindex("}")], r":\d+:\d+: "),
    "cut off in a text": (IR[: IR.index('.bin"')], r":2:\d+: "),
    "no IR": ("7767517\n3 3\n", r":1:\d+: "),
    "an operation that is none": (replace("ncnn.innerproduct", "ncnn.inner"), r":3:\d+: .*inner"),
    "a dialect that is none": (replace("ncnn.innerproduct", "onnx.gemm"), r":3:\d+: .*onnx"),
    "a parameter that is no number": (replace("= 20}", "= many}"), r":3:\d+: "),
    "a parameter too large": (replace("= 20}", "= 99999999999}"), r":3:\d+: .*99999999999"),
    "a parameter twice": (replace("= 20}", "= 20, num_output = 20}"), r":3:\d+: .*twice"),
    "an undefined value": (replace("%x weight", "%z weight"), r":\d+:\d+: .*z"),
    "a block with a number": (replace("{\n  %w", "{\n^0:\n  %w"), r":2:\d+: "),
    "weights that do not fit": (replace("= 20}", "= 10}"), r".*InnerProduct 'fc'.*20x3"),
    "a weight file that is gone": (replace('"w.bin"', '"gone.bin"'), r":2:\d+: .*'gone\.bin'"),
    "a weight file that is a folder": (replace('"w.bin"', '"."'), r":2:\d+: .*'\.'"),
    "a weight file that is shorter": (replace("8>", "12>"), r".*w\.bin'? has 248.*252"),
    "an offset that is negative": (replace("8>", "-8>"), r":2:\d+: "),
    "an offset that is absurd": (replace("8>", "99999999999999999999>"), r".*w\.bin"),
    "a storage that is none": (replace("8>", "8, folded>"), r":2:\d+: .*table"),
    "elided weights": (
        replace('#ncnn.weight<"w.bin", 8>', "#ncnn.elided"),
        r": InnerProduct 'fc', weight 'weight'",
    ),
    "operations of another dialect": (
        "func.func @main() {\n  %c = arith.constant 1 : i32\n  func.return\n}\n",
        r".*'arith\.constant'",
    ),
    "two functions": (
        "func.func @f() {\n  func.return\n}\nfunc.func @g() {\n  func.return\n}\n",
        r".*func\.func, func\.func",
    ),
    "no function": ("builtin.module {\n}\n", r".*function"),
    "a function without a body": ("func.func private @main()\n", r".*block"),
    "a layer name with a blank": (replace('"fc"', '"f c"'), r".*'f c'"),
    "a parameter that no text can hold": (
        "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
        '  %y = ncnn.relu %x {name = "r", slope = inf} : (tensor<3xf32>) -> tensor<3xf32>\n'
        "  func.return %y : tensor<3xf32>\n}\n",
        r".*'r' \(ReLU\): parameter 0: .*inf",
    ),
    "a blob of five dims": (
        "func.func @main(%x: tensor<1x2x3x4x5xf32>) {\n  func.return\n}\n",
        r".*1x2x3x4x5",
    ),
    "two outputs of one name": (
        'func.func @main(%x: tensor<3xf32> {ncnn.blob = "a"}, %y: tensor<3xf32>'
        ' {ncnn.blob = "a"}) {\n  func.return\n}\n',
        r".*'a'",
    ),
    "a computed weight": (
        "func.func @main(%x: tensor<4x3x3xf32>, %c: tensor<4xf32>) -> tensor<4x3x3xf32> {\n"
        '  %y = ncnn.bias %x bias %c {name = "b"}'
        " : (tensor<4x3x3xf32>, tensor<4xf32>) -> tensor<4x3x3xf32>\n"
        "  func.return %y : tensor<4x3x3xf32>\n}\n",
        r".*Bias 'b': weight 'bias'",
    ),
}


def write_ir(folder: Path, text: str) -> None:
    (folder / "in.mlir").write_text(text)
    (folder / "w.bin").write_bytes(bytes(8 + 240))


@pytest.mark.parametrize("what", MODULES)
def test_bad_ir(what: str, refused: Refused, folder: Path) -> None:
    text, expected = MODULES[what]
    write_ir(folder, text)
    message = refused(["in.mlir", "-o", "out.param"])
    assert re.match(rf"in\.mlir{expected}", message), message


def test_the_ir_that_is_damaged_here_is_good(command: Callable[..., object], folder: Path) -> None:
    write_ir(folder, IR)
    command(["in.mlir", "-o", "out.param"])
    assert "InnerProduct" in (folder / "out.param").read_text()


def test_ir_on_standard_input_is_named_so(refused: Refused) -> None:
    message = refused(["-o", "out.param"], input="func.func @main(")
    assert re.match(r"<?stdin>?:1:\d+: ", message), message


def test_ir_that_is_not_utf8(refused: Refused, folder: Path) -> None:
    write_ir(folder, "")
    (folder / "in.mlir").write_bytes(IR.encode().replace(b"fc", b"f\xffc"))
    message = refused(["in.mlir", "-o", "out.param"])
    assert message.startswith("in.mlir")
