"""Weights that another graph uses, and models that are replaced while they are read."""

import os
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.dialects.ncnn.weights import WeightError, WeightFile
from ncnn_opt.driver.model_files import read_model, write_model
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.targets import Output
from ncnn_opt.targets.atomic_files import OutputFiles
from ncnn_opt.targets.mlir import mlir_writer
from ncnn_opt.targets.output_checks import OutputError, choose_weight_file
from ncnn_opt.targets.param import weights as target_weights
from ncnn_opt.targets.replacement import SAVED
from ncnn_opt.tools.ncnn_opt_main import main

pytestmark = pytest.mark.slow

Refused = Callable[..., str]
Command = Callable[..., subprocess.CompletedProcess[str]]

MODEL = """7767517
3 3
Input data 0 1 data 0=4 1=4 2=8
Convolution conv 1 1 data conv 0=8 1=1 6=64
BatchNorm bn 1 1 conv out 0=8
"""
WEIGHTS = bytes(4) + struct.pack("<96f", *(1 + i / 7 for i in range(96)))


@pytest.fixture(autouse=True)
def fusing(folder: Path) -> None:
    """A model whose weights `-O` changes."""
    (folder / "model.param").write_text(MODEL)
    (folder / "model.bin").write_bytes(WEIGHTS)


def test_a_binary_graph_beside_the_output(refused: Refused, folder: Path) -> None:
    (folder / "model.param.bin").write_bytes(b"its weights are in model.bin")
    message = refused(["-O", "model.param", "-o", "model.param"])
    assert message.startswith("'model.param.bin' refers to 'model.bin', which would change")


def test_a_graph_beside_the_weights_of_ir(refused: Refused) -> None:
    message = refused(["-O", "model.param", "-o", "new.mlir", "--output-weights", "model.bin"])
    assert message.startswith("'model.param' refers to 'model.bin', which would change")


def test_the_weights_of_the_input(refused: Refused) -> None:
    message = refused(["-O", "model.param", "-o", "new.param", "--output-weights", "model.bin"])
    assert message.startswith("'model.param' refers to 'model.bin', which would change")


def test_weights_that_stay_the_same_are_shared(command: Command, folder: Path) -> None:
    command(["model.param", "-o", "new.param", "--output-weights", "model.bin"])
    assert (folder / "model.bin").read_bytes() == WEIGHTS


def test_weights_that_would_replace_the_model(refused: Refused) -> None:
    for output in ("new.param", "new.mlir"):
        message = refused(["model.param", "-o", output, "--output-weights", "./model.param"])
        assert message == "'./model.param' is the model: its weights would replace it"


def test_outputs_in_the_wrong_order(command: Command, folder: Path) -> None:
    arguments = ["model.param", "model.bin", "model.bin", "model.param", "0"]
    result = command(arguments, tool="ncnn-optimize", check=False)
    assert result.returncode == 1
    assert "'model.param' is the model" in result.stderr
    assert (folder / "model.param").read_text() == MODEL
    assert (folder / "model.bin").read_bytes() == WEIGHTS


@pytest.mark.parametrize("name", ["größe", 'a "b"\\c', os.fsdecode(b"a\xffb")], ids=ascii)
def test_weights_of_any_name_that_ir_refers_to(
    name: str, command: Command, refused: Refused, folder: Path
) -> None:
    if os.name != "posix":
        pytest.skip("not a name here")
    command(["model.param", "-o", f"{name}.mlir"])
    command([f"{name}.mlir", "-o", "back.param"])
    assert (folder / "back.bin").read_bytes() == WEIGHTS
    command(["-O", "model.param", "-o", "changed.param"])
    message = refused(["changed.param", "-o", f"{name}.param"])
    assert ".bin', which would change; choose another name" in message


def test_weights_that_a_killed_run_has_left(refused: Refused, folder: Path) -> None:
    # The graph is aside, its weights in their place.
    (folder / "left.bin").write_bytes(WEIGHTS)
    (folder / f"left.param{SAVED}").write_text(MODEL)
    large = "Input data 0 1 data 0=20\nInnerProduct fc 1 1 data fc 0=20 2=400\n"
    (folder / "large.param").write_text(f"7767517\n2 2\n{large}")
    (folder / "large.bin").write_bytes(bytes(4 + 1600))
    message = refused(["large.param", "-o", "left.mlir"])
    assert message.startswith(f"'left.param{SAVED}' was left by a killed run")


def test_a_model_that_appears_at_the_last_moment(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Another command writes a .param of the same name when it is settled where weights of IR go.
    def settle_and_replace(files: OutputFiles, weights: str) -> str:
        settled = choose_weight_file(files, weights)
        replace_model(str(folder / "new.param"), MODEL, WEIGHTS[::-1])
        return settled

    monkeypatch.chdir(folder)
    module = read_model("model.param", ReadOptions()).module
    monkeypatch.setattr(mlir_writer, "choose_weight_file", settle_and_replace)
    with pytest.raises(OutputError, match="'new.param' refers to 'new.bin', which would change"):
        write_model(module, Output("new.mlir"))
    assert not (folder / "new.mlir").exists()
    assert (folder / "new.bin").read_bytes() == WEIGHTS[::-1]


def replace_model(path: str, param: str, weights: bytes) -> None:
    with OutputFiles() as files:
        files.create(path.replace(".param", ".bin"), "wb").write(weights)
        files.create(path, "w").write(param)


@pytest.mark.parametrize("when", ["before the weights are opened", "after"])
def test_a_model_that_is_replaced_while_it_is_read(
    when: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The other has weights of the same size: nothing else would tell that they do not belong here.
    path = str(folder / "model.param")
    other = MODEL.replace("0=8 1=1 6=64", "0=8 1=1 6=64 9=1")
    open_ = WeightFile.open

    def replace_and_open(weights: str) -> WeightFile:
        monkeypatch.setattr(WeightFile, "open", open_)
        early = open_(weights) if when == "after" else None
        replace_model(path, other, WEIGHTS[::-1])
        return early or open_(weights)

    monkeypatch.setattr(WeightFile, "open", replace_and_open)
    with pytest.raises(FormatError, match="has changed while it was read"):
        read_model(path, ReadOptions())


@pytest.mark.parametrize("how", ["command", "library"])
@pytest.mark.parametrize("kind", ["IR", "weights by name"])
def test_another_model_of_the_same_size_at_the_last_moment(
    kind: str,
    how: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    name, weights = "model.param", "model.bin" if kind == "weights by name" else None
    if kind == "IR":
        name = "ir.mlir"
        main(["model.param", "-o", name])
    text = (folder / name).read_text()
    bin_name = name.replace(".param", ".bin").replace(".mlir", ".bin")
    open_ = WeightFile.open

    def replace_and_open(path: str) -> WeightFile:
        monkeypatch.setattr(WeightFile, "open", open_)
        with OutputFiles() as files:
            files.create(bin_name, "wb").write(WEIGHTS[::-1])
            files.create(name, "w").write(text.replace("conv", "other"))
        return open_(path)

    monkeypatch.setattr(WeightFile, "open", replace_and_open)
    if how == "library":
        with pytest.raises(FormatError, match="has changed while it was read"):
            read_model(name, ReadOptions(weights))
        return
    with pytest.raises(SystemExit):
        main([name, "-o", "new.param", *(["--weights", weights] if weights else [])])
    assert "has changed while it was read" in capsys.readouterr().err
    assert not (folder / "new.param").exists()


def test_a_pipe_is_read_once(command: Command, folder: Path) -> None:
    pytest.importorskip("fcntl")
    os.mkfifo(folder / "pipe.param")
    script = "cat model.param > pipe.param & exec $0 pipe.param --weights model.bin -o new.param"
    program = Path(sys.executable).with_name("ncnn-opt")
    subprocess.run(["sh", "-c", script, str(program)], cwd=folder, check=True, timeout=60)
    assert (folder / "new.bin").read_bytes() == WEIGHTS


@pytest.mark.parametrize("name", ["pipe", "/dev/null"])
def test_weights_that_are_no_file(name: str, refused: Refused, folder: Path) -> None:
    pytest.importorskip("fcntl")
    if name == "pipe":
        os.mkfifo(folder / name)
    (folder / "model.mlir").write_text(
        f'%a = ncnn.constant #ncnn.weight<"{name}", 0> : tensor<64xf32>'
    )
    # (`refused` reads all files there are, but no pipe.)
    message = refused(["model.param", "--weights", name, "-o", "new.param"])
    assert message == f"{name}: weights must be in a regular file"
    assert "weights must be in a regular file" in refused(["model.mlir"])


@pytest.mark.parametrize("output", ["new.param", "new.mlir"])
def test_weights_that_change_in_place_while_they_are_copied(
    output: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = read_model(str(folder / "model.param"), ReadOptions()).module
    copy: Any = target_weights.copy_range

    def copy_and_change(*args: Any) -> None:
        copy(*args)
        os.utime(folder / "model.bin", ns=(0, 0))

    monkeypatch.setattr(target_weights, "copy_range", copy_and_change)
    with pytest.raises(WeightError, match="has changed since it was opened"):
        write_model(module, Output(str(folder / output)))
    assert not (folder / output).exists()


def test_a_model_that_is_replaced_after_it_was_read(folder: Path) -> None:
    path = str(folder / "model.param")
    module = read_model(path, ReadOptions()).module
    replace_model(path, MODEL, WEIGHTS[::-1])
    with pytest.raises(WeightError, match="has changed since it was opened"):
        write_model(module, Output(str(folder / "new.param")))
    assert not (folder / "new.param").exists()


def test_a_mapped_weight_outlives_its_file(folder: Path) -> None:
    (folder / "large.bin").write_bytes(bytes(range(256)) * 256)
    file = WeightFile.open(str(folder / "large.bin"))
    mapped = file.map(256, 1 << 15)
    with OutputFiles() as files:
        files.create(str(folder / "large.bin"), "wb").write(b"short")
    assert mapped.tobytes() == bytes(range(256)) * 128
