"""PNNX's own IR through the command: nothing is lost on the way, and mistakes are one message."""

import zipfile
from pathlib import Path

import pytest
from ncnn_opt.formats.pnnx_bin import write_members

from .conftest import Command, Refused

TEXT = (
    "7767517\n"
    "4 4\n"
    "pnnx.Input               in                       0 1 0 #0=(1,4)f32\n"
    "nn.Linear                fc                       1 1 0 1 bias=True in_features=4"
    " out_features=6 @bias=(6)f32 @weight=(6,4)f32 #0=(1,4)f32 #1=(1,6)f32\n"
    "my::own                  own                      1 2 1 2 3 eps=1.000000e-5 $input=1"
    " #1=(1,6)f32 #2=(1,3)f32\n"
    "pnnx.Output              out                      2 0 2 3 #2=(1,3)f32\n"
)
BIAS, WEIGHT = bytes(range(24)), bytes(range(96))


@pytest.fixture
def pnnx(folder: Path) -> Path:
    """A model in `m.pnnx.param` and `m.pnnx.bin`."""
    (folder / "m.pnnx.param").write_text(TEXT)
    with open(folder / "m.pnnx.bin", "w+b") as out:
        write_members(out, [("fc.bias", [BIAS]), ("fc.weight", [WEIGHT])])
    return folder


def test_there_and_back(pnnx: Path, command: Command) -> None:
    command(["m.pnnx.param", "-o", "x.mlir"])
    (pnnx / "moved").mkdir()
    for name in ("x.mlir", "x.pnnx.bin"):
        (pnnx / name).rename(pnnx / "moved" / name)
    command(["moved/x.mlir", "-o", "back.pnnx.param"])
    assert (pnnx / "back.pnnx.param").read_text() == TEXT
    assert (pnnx / "back.pnnx.bin").read_bytes() == (pnnx / "m.pnnx.bin").read_bytes()


def test_through_a_pipe(pnnx: Path, command: Command) -> None:
    text = command(["m.pnnx.param"]).stdout
    assert 'archive = #pnnx.archive<"m.pnnx.bin">' in text
    command(["-o", "back.pnnx.param"], input=text)
    assert (pnnx / "back.pnnx.param").read_text() == TEXT
    assert (pnnx / "back.pnnx.bin").read_bytes() == (pnnx / "m.pnnx.bin").read_bytes()


def test_over_itself(pnnx: Path, command: Command) -> None:
    weights = (pnnx / "m.pnnx.bin").read_bytes()
    command(["m.pnnx.param", "-o", "m.pnnx.param"])
    assert (pnnx / "m.pnnx.param").read_text() == TEXT
    assert (pnnx / "m.pnnx.bin").read_bytes() == weights


def test_structure_only(pnnx: Path, command: Command) -> None:
    (pnnx / "m.pnnx.bin").unlink()
    command(["m.pnnx.param", "--weights", "none", "-o", "x.mlir"])
    command(["x.mlir", "-o", "back.pnnx.param"])
    assert (pnnx / "back.pnnx.param").read_text() == TEXT
    assert not (pnnx / "back.pnnx.bin").exists()


def test_what_members_nothing_names_are_left_out(pnnx: Path, command: Command) -> None:
    with open(pnnx / "more.bin", "w+b") as out:
        write_members(out, [("x", [b"1"]), ("fc.weight", [WEIGHT]), ("fc.bias", [BIAS])])
    command(["m.pnnx.param", "--weights", "more.bin", "-o", "back.pnnx.param"])
    assert (pnnx / "back.pnnx.bin").read_bytes() == (pnnx / "m.pnnx.bin").read_bytes()


def test_warnings(pnnx: Path, command: Command) -> None:
    (pnnx / "m.pnnx.param").write_text(TEXT.replace("4 4", "4 5"))
    said = command(["m.pnnx.param"]).stderr
    assert (
        said == "warning: m.pnnx.param: the header declares 5 operands, but the operators have 4\n"
    )


def test_weights_that_are_missing(pnnx: Path, refused: Refused) -> None:
    (pnnx / "m.pnnx.bin").unlink()
    assert "m.pnnx.param: there is no 'm.pnnx.bin' beside it" in refused(["m.pnnx.param"])
    message = refused(["m.pnnx.param", "--weights", "random"])
    assert message.endswith("--weights of a .pnnx.param must be a .pnnx.bin or none")


def test_a_bomb(pnnx: Path, refused: Refused) -> None:
    with zipfile.ZipFile(pnnx / "m.pnnx.bin", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("fc.bias", bytes(1 << 20))
    message = refused(["m.pnnx.param", "-o", "x.mlir"])
    assert message == "m.pnnx.bin: member 'fc.bias' is compressed; PNNX stores members uncompressed"


def test_damaged_values(pnnx: Path, refused: Refused) -> None:
    data = (pnnx / "m.pnnx.bin").read_bytes()
    (pnnx / "m.pnnx.bin").write_bytes(data.replace(WEIGHT, WEIGHT[::-1]))
    message = refused(["m.pnnx.param", "-o", "back.pnnx.param"])
    assert message.endswith(
        "m.pnnx.bin: member 'fc.weight' is damaged: its checksum does not match"
    )


def test_a_file_that_is_cut(pnnx: Path, refused: Refused) -> None:
    (pnnx / "m.pnnx.param").write_text(TEXT[:150])
    assert refused(["m.pnnx.param"]).startswith("m.pnnx.param:4:")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["m.pnnx.param", "-o", "x.param"],
            "has no form in ncnn's layers",
        ),
        (
            ["model.param", "-o", "x.pnnx.param"],
            "a .pnnx.param contains one pnnx.graph",
        ),
        (["model.param", "--pnnx", "model.param"], "model.param: this is not PNNX's own IR"),
        (["model.param", "--pnnx", "none.pnnx.param"], "none.pnnx.param: No such file"),
        (["m.pnnx.param", "-o", "y.mlir", "--output-weights", "m.pnnx.param"], "is the model"),
    ],
)
def test_mistakes(pnnx: Path, refused: Refused, arguments: list[str], message: str) -> None:
    assert message in refused(arguments)
