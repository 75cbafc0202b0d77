"""Weights that another graph uses, and models that are replaced while they are read."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn.weights import WeightError, WeightFile
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.frontends.files import ImportOptions
from ncnn_opt.targets.files import OutputFiles
from ncnn_opt.tools.models import read_model, write_model

Refused = Callable[..., str]
Command = Callable[..., object]

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
        read_model(path, ImportOptions())


def test_a_model_that_is_replaced_after_it_was_read(folder: Path) -> None:
    path = str(folder / "model.param")
    module, _ = read_model(path, ImportOptions())
    replace_model(path, MODEL, WEIGHTS[::-1])
    with pytest.raises(WeightError, match="has changed since it was opened"):
        write_model(module, str(folder / "new.param"))
    assert not (folder / "new.param").exists()


def test_a_mapped_weight_outlives_its_file(folder: Path) -> None:
    (folder / "large.bin").write_bytes(bytes(range(256)) * 256)
    file = WeightFile.open(str(folder / "large.bin"))
    mapped = file.map(256, 1 << 15)
    with OutputFiles() as files:
        files.create(str(folder / "large.bin"), "wb").write(b"short")
    assert mapped.tobytes() == bytes(range(256)) * 128
