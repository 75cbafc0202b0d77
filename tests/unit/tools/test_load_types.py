"""MemoryData of bytes: load types 3, 4, 6 and 8, and load types that no runtime reads."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from ncnn_opt.analysis.required_release import oldest_release
from ncnn_opt.dialects.ncnn.constant import BYTE_TYPES
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.frontends import ReadOptions

Command = Callable[..., object]
Refused = Callable[..., str]

BYTES = bytes([1, 0, 1, 255, 128])
PADDING = bytes([7, 8, 9])
"""The padding of a file need not be zeros, and stays."""
AFTER = struct.pack("<3f", 1.5, -2.5, 3.5)


def head(load_type: int, *layers: str) -> str:
    """A model with five bytes, then three floats."""
    lines = [
        "Input x 0 1 x 0=5",
        f"MemoryData mask 0 1 mask 0=5 21={load_type}",
        *layers,
        "MemoryData last 0 1 last 0=3",
    ]
    blobs = sum(int(line.split()[3]) for line in lines)
    return "\n".join(["7767517", f"{len(lines)} {blobs}", *lines, ""])


def write(folder: Path, load_type: int, *layers: str) -> None:
    (folder / "b.param").write_text(head(load_type, *layers))
    (folder / "b.bin").write_bytes(BYTES + PADDING + AFTER)


def said(result: object) -> str:
    return str(getattr(result, "stderr"))  # noqa: B009


@pytest.mark.parametrize("load_type", BYTE_TYPES)
@pytest.mark.parametrize("output", ["o.param", "o.param.bin"])
def test_bytes_are_kept(load_type: int, output: str, folder: Path, command: Command) -> None:
    write(folder, load_type)
    command(["b.param", "-O", "-o", output])
    assert (folder / "o.bin").read_bytes() == BYTES + PADDING + AFTER
    command([output, "-o", "again.param"])
    assert f"0=5 21={load_type}\n" in (folder / "again.param").read_text()
    assert (folder / "again.bin").read_bytes() == BYTES + PADDING + AFTER


@pytest.mark.parametrize("load_type", BYTE_TYPES)
def test_bytes_in_text(load_type: int, folder: Path, command: Command) -> None:
    write(folder, load_type)
    command(["b.param", "-o", "t.mlir"])
    assert (
        f"load_type = {load_type}}} dense<[1, 0, 1, -1, -128]>" in (folder / "t.mlir").read_text()
    )
    command(["t.mlir", "-o", "o.param"])
    assert (folder / "o.bin").read_bytes() == BYTES + bytes(3) + AFTER


@pytest.mark.parametrize("weights", ["none", "random"])
def test_sizes_without_a_file(weights: str, folder: Path, command: Command) -> None:
    write(folder, 3)
    shown = said(command(["b.param", "--weights", weights, "-O", "-o", "o.mlir"]))
    assert "20 -> 20 bytes of weights" in shown


def test_release(folder: Path) -> None:
    write(folder, 6)
    assert oldest_release(read_model(str(folder / "b.param")).module) == "20261020"
    (folder / "b.param").write_text(head(1))
    module = read_model(str(folder / "b.param"), ReadOptions("none")).module
    assert oldest_release(module) < "20261020"


def test_named_release(folder: Path, refused: Refused) -> None:
    write(folder, 8)
    message = refused(["b.param", "-O", "--for-ncnn", "20260526", "-o", "out.param"])
    assert "MemoryData 'mask' requires ncnn 20261020 (load type 8)" in message


@pytest.mark.parametrize("load_type", [2, 5, 7, 9, -1])
def test_unknown_load_type(load_type: int, folder: Path, refused: Refused) -> None:
    write(folder, load_type)
    message = refused(["b.param", "-o", "out.param"])
    assert message.startswith("b.param:4: MemoryData 'mask': its data cannot be sized")
    assert f"load_type (21) is {load_type}, and the runtime reads 0, 1, 3, 4, 6, 8" in message


def test_floats_are_not_written_as_bytes(folder: Path, refused: Refused) -> None:
    (folder / "f.mlir").write_text(
        "func.func @main() -> (tensor<2xf32>) {\n"
        '  %m = ncnn.constant {name = "m", load_type = 3} dense<[1.0, 2.0]> : tensor<2xf32>\n'
        "  func.return %m : tensor<2xf32>\n}\n"
    )
    assert "MemoryData 'm': load_type 3 stores i8, not f32" in refused(
        ["f.mlir", "-o", "out.param"]
    )


READERS = {
    "BinaryOp 'add'": ["BinaryOp add 2 1 x mask y 0=0"],
    "BinaryOp 'back'": ["Reshape r 1 1 mask r 0=5 1=1", "BinaryOp back 2 1 r x y 0=2"],
    "Sigmoid 's'": ["Sigmoid s 1 1 mask y"],
    "Concat 'c'": ["Concat c 2 1 x mask y"],
    "Reshape 'r3'": ["Reshape r3 1 1 mask y 0=1 1=1 2=5"],
}
"""The layer that reads floats, and the layers."""


@pytest.mark.parametrize("reader", READERS)
def test_bytes_read_as_floats(reader: str, folder: Path, command: Command) -> None:
    pytest.importorskip("ncnn")
    write(folder, 3, *READERS[reader])
    problem = f"{reader} reads the bytes of MemoryData 'mask' as float32; put a Cast"
    shown = said(command(["b.param", "-O", "-o", "o.param"]))
    assert f"ncnn-opt: warning: {problem}" in shown
    assert shown.count("warning") == 1
    assert said(command(["-q", "b.param", "-O", "-o", "o.param"])) == ""
    shown = said(command(["b.param", "--check"], check=False))
    assert "error: b.param: with x=5: " + problem in shown
    shown = said(
        command(["b.param", "b.bin", "o.param", "o.bin", "0"], tool="ncnn-optimize", check=False)
    )
    assert f"warning: {problem}" in shown


TYPED = {
    "a cast": ["Cast c 1 1 mask f 0=3 1=1", "BinaryOp add 2 1 x f y 0=0"],
    "copies, then a cast": [
        "Reshape r 1 1 mask r 0=5 1=1",
        "Squeeze s 1 1 r s 1=1",
        "Cast c 1 1 s f 0=3 1=1",
        "BinaryOp add 2 1 x f y 0=0",
    ],
    "an output": ["Noop n 1 1 mask y"],
}


@pytest.mark.parametrize("case", TYPED)
def test_bytes_read_as_bytes(case: str, folder: Path, command: Command) -> None:
    pytest.importorskip("ncnn")
    write(folder, 3, *TYPED[case])
    assert "warning" not in said(command(["b.param", "-O", "-o", "o.param"]))
    command(["b.param", "--check"])


def test_tagged_int8_is_named_too(folder: Path, command: Command) -> None:
    (folder / "t.param").write_text(head(0, "BinaryOp add 2 1 x mask y 0=0"))
    (folder / "t.bin").write_bytes((0x000D4B38).to_bytes(4, "little") + BYTES + PADDING + AFTER)
    shown = said(command(["t.param", "-O", "-o", "o.param"]))
    assert "BinaryOp 'add' reads the bytes of MemoryData 'mask' as float32" in shown


def test_half_floats_are_not_named(folder: Path, command: Command) -> None:
    (folder / "t.param").write_text(head(0, "BinaryOp add 2 1 x mask y 0=0"))
    half = (0x01306B47).to_bytes(4, "little") + struct.pack("<5e", 1, 2, 3, 4, 5) + bytes(2)
    (folder / "t.bin").write_bytes(half + AFTER)
    assert "warning" not in said(command(["t.param", "-O", "-o", "o.param"]))


def test_layer_that_cannot_be_sized(folder: Path, refused: Refused) -> None:
    model = (folder / "model.param").read_text()
    (folder / "model.param").write_text(model.replace("2=12", "2=12 27=3"))
    weights = (folder / "model.bin").read_bytes()
    (folder / "model.bin").write_bytes(weights + bytes(8))
    message = refused(["model.param", "-o", "out.param"])
    assert message.startswith(
        "model.bin: the weights of InnerProduct 'fc' (parameter 27 is unknown) cannot be sized: "
        "8 bytes are left over after the last layer with weights, InnerProduct 'fc'"
    )


@pytest.mark.parametrize("reserved", ["", "31=1", "-23330=4,1,4,1,1"])
def test_parameters_of_the_loader_are_known(reserved: str, folder: Path, refused: Refused) -> None:
    model = (folder / "model.param").read_text()
    (folder / "model.param").write_text(model.replace("2=12", f"2=12 {reserved}"))
    weights = (folder / "model.bin").read_bytes()
    (folder / "model.bin").write_bytes(weights + bytes(8))
    message = refused(["model.param", "-o", "out.param"])
    assert message.startswith("model.bin: 8 bytes are left over")
