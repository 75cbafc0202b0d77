"""Models under several names: through links no model loses half of itself."""

import os
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from ncnn_opt.targets.output_checks import same_place

import ncnn_opt

Refused = Callable[..., str]
Command = Callable[..., subprocess.CompletedProcess[str]]

MODEL = """7767517
3 3
Input data 0 1 data 0=4 1=4 2=8
Convolution conv 1 1 data conv 0=8 1=1 6=64
BatchNorm bn 1 1 conv out 0=8
"""
WEIGHTS = bytes(4) + struct.pack("<96f", *(1 + i / 7 for i in range(96)))
HALF = "does not belong to that model: half of it would be replaced; write to "

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs symbolic links")


@pytest.fixture(autouse=True)
def models(folder: Path) -> None:
    """Two models whose weights `-O` changes, and a folder for other names of the first."""
    for name in ("model", "other"):
        (folder / f"{name}.param").write_text(MODEL)
        (folder / f"{name}.bin").write_bytes(WEIGHTS)
    (folder / "alias").mkdir()


def link(folder: Path, name: str, target: str) -> None:
    (folder / name).symlink_to(target)


@pytest.mark.parametrize("source", ["model.param", "other.param", "alias/m.param"])
def test_a_link_to_the_graph_only(source: str, folder: Path, refused: Refused) -> None:
    link(folder, "alias/m.param", "../model.param")
    if source.startswith("alias"):
        (folder / "alias/m.bin").write_bytes(WEIGHTS)
    message = refused(["-O", source, "-o", "alias/m.param"])
    assert message.startswith("'alias/m.param' is a link to '")
    assert "/model.param', but 'alias/m.bin' " + HALF in message


@pytest.mark.parametrize("ending", [".param", ".mlir"])
def test_a_link_to_the_weights_only(ending: str, folder: Path, refused: Refused) -> None:
    link(folder, "alias/m.bin", "../model.bin")
    message = refused(["-O", "other.param", "-o", f"alias/m{ending}"])
    assert message.startswith("'alias/m.bin' is a link to '")
    assert f"/model.bin', but 'alias/m{ending}' " + HALF in message


def test_links_to_two_models(folder: Path, refused: Refused) -> None:
    link(folder, "alias/m.param", "../model.param")
    link(folder, "alias/m.bin", "../other.bin")
    assert HALF in refused(["-O", "model.param", "-o", "alias/m.param"])


def test_links_to_files_of_a_store(folder: Path, refused: Refused) -> None:
    # As caches of downloads have them: other names may lead to one of the two.
    for name, key in ("model.param", "c0ffee"), ("model.bin", "decade"):
        (folder / name).rename(folder / f"alias/{key}")
        link(folder, name, f"alias/{key}")
    assert HALF in refused(["-O", "model.param", "-o", "model.param"])
    assert HALF in refused(["-O", "other.param", "-o", "model.param"])


@pytest.mark.parametrize("tool", ["ncnn-opt", "ncnn-optimize"])
def test_links_to_a_whole_model_are_followed(tool: str, folder: Path, command: Command) -> None:
    link(folder, "alias/m.param", "../model.param")
    link(folder, "alias/m.bin", "../model.bin")
    command(["-O", "other.param", "-o", "expected.param"])
    arguments = ["-O", "other.param", "-o", "alias/m.param"]
    if tool == "ncnn-optimize":
        arguments = ["other.param", "other.bin", "alias/m.param", "alias/m.bin", "0"]
    command(arguments, tool=tool)
    assert (folder / "alias/m.param").is_symlink()
    assert (folder / "alias/m.bin").is_symlink()
    assert "BatchNorm" not in (folder / "model.param").read_text()
    assert (folder / "model.bin").read_bytes() == (folder / "expected.bin").read_bytes()


def test_links_to_a_model_whose_weights_ir_uses(folder: Path, refused: Refused) -> None:
    (folder / "model.mlir").write_text(
        '%w = ncnn.constant #ncnn.weight<"model.bin", 4> : tensor<64xf32>'
    )
    link(folder, "alias/m.param", "../model.param")
    link(folder, "alias/m.bin", "../model.bin")
    message = refused(["-O", "other.param", "-o", "alias/m.param"])
    assert "model.mlir' refers to 'alias/m.bin', which would change" in message


def test_a_link_to_ir_in_another_folder(folder: Path, refused: Refused, command: Command) -> None:
    command(["model.param", "-o", "there.mlir"])
    link(folder, "alias/m.mlir", "../there.mlir")
    message = refused(["-O", "model.param", "-o", "alias/m.mlir"])
    assert "in another folder; write to that name" in message
    # Without references to weights it is one file, which holds wherever it is.
    command(["-O", "model.param", "-o", "alias/m.mlir", "--elide-weights"])
    assert "ncnn.batchnorm" not in (folder / "there.mlir").read_text()


def test_a_folder_of_another_name(folder: Path, command: Command) -> None:
    link(folder, "models", ".")
    command(["-O", "model.param", "-o", "models/other.param"])
    assert "BatchNorm" not in (folder / "other.param").read_text()
    assert (folder / "other.bin").read_bytes() != WEIGHTS
    command(["-O", "models/model.param", "-o", "model.param"])
    assert (folder / "model.bin").read_bytes() == (folder / "other.bin").read_bytes()


def test_hard_links_keep_the_other_model(folder: Path, command: Command) -> None:
    os.link(folder / "model.param", folder / "alias/m.param")
    os.link(folder / "model.bin", folder / "alias/m.bin")
    command(["-O", "model.param", "-o", "alias/m.param"])
    assert (folder / "model.param").read_text() == MODEL
    assert (folder / "model.bin").read_bytes() == WEIGHTS
    assert "BatchNorm" not in (folder / "alias/m.param").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "model.param model.bin model.bin o.param 0",
            "'model.bin' holds the weights of the model: the graph would replace them",
        ),
        ("model.param model.bin o.bin o.param 0", "'o.bin' is a name for weights, not for a graph"),
        (
            "model.param model.bin o.param other.param 0",
            "'other.param' is a name for a graph, not for weights",
        ),
        (
            "model.param other.bin o.param other.bin 0",
            "'model.param' refers to 'other.bin', which would change",
        ),
        (
            "model.param other.bin model.bin2 model.param 0",
            "'model.param' is the model: its weights would replace it",
        ),
    ],
    ids=lambda value: value if " 0" in value else "",
)
def test_files_named_in_another_order(
    arguments: str, message: str, command: Command, folder: Path
) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    result = command(arguments.split(), tool="ncnn-optimize", check=False)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith(f"ncnn-optimize: error: {message}")
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_many_models_through_links(folder: Path, command: Command, refused: Refused) -> None:
    (folder / "out").mkdir()
    link(folder, "out/model.param", "../other.param")
    result = command(["-O", "model.param", "--output-dir", "out"], check=False)
    assert HALF in result.stderr
    assert (folder / "other.param").read_text() == MODEL
    link(folder, "alias/m.param", "../out/model.param")
    link(folder, "alias/m.bin", "../other.bin")
    (folder / "out/model.param").unlink()
    (folder / "out/model.param").write_text(MODEL)
    message = refused(["-O", "model.param", "alias/m.param", "--output-dir", "out"])
    assert message == "'model.param' would replace 'alias/m.param', which is read too"


def test_the_library(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    link(folder, "alias/m.param", "../model.param")
    model = ncnn_opt.load("model.param", weights="other.bin")
    ncnn_opt.optimize(model)
    with pytest.raises(ncnn_opt.NcnnOptError, match="half of it would be replaced"):
        ncnn_opt.save(model, "alias/m.param")
    with pytest.raises(ncnn_opt.NcnnOptError, match="refers to 'other.bin', which would change"):
        ncnn_opt.save(model, "new.param", weights="other.bin")
    assert (folder / "model.param").read_text() == MODEL
    assert (folder / "other.bin").read_bytes() == WEIGHTS


def test_one_place_under_several_names(tmp_path: Path) -> None:
    file, hard, soft = (tmp_path / name for name in ("file", "hard", "soft"))
    file.write_text("")
    os.link(file, hard)
    soft.symlink_to("file")
    (tmp_path / "folder").symlink_to(".")
    assert same_place(str(file), str(soft))
    assert same_place(str(file), str(tmp_path / "folder" / "file"))
    assert not same_place(str(file), str(hard))
    assert same_place(str(tmp_path / "new"), str(tmp_path / "folder" / "new"))
