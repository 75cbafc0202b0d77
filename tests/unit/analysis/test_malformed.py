"""Layers that the runtime runs, and that do not compute what they state."""

from pathlib import Path

import pytest
from ncnn_opt.analysis.faults import faults, remedy
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.tools.ncnn_opt_main import main

import ncnn_opt

HEAD = "7767517\n{} {}\n"


def write(folder: Path, *lines: str) -> Path:
    """A model of these layers."""
    blobs = sum(int(line.split()[3]) for line in lines)
    path = folder / "m.param"
    path.write_text(HEAD.format(len(lines), blobs) + "\n".join(lines) + "\n")
    (folder / "m.bin").touch()
    return path


def found(path: Path) -> list[str]:
    """The faults of a model."""
    func = model_of(ncnn_opt.load(path).module)
    return [str(fault) for fault in faults(func)]


QKV = ("Input q 0 1 q", "Input k 0 1 k", "Input v 0 1 v")
MASK = "Input m 0 1 m"
PAST = "Input kv_cache 0 2 pk pv"
CACHED = (*QKV, MASK, PAST)

MODELS = {
    "a mask of bytes": (
        (*QKV, MASK, "Quantize b 1 1 m mb 0=1", "SDPA a 4 1 q k v mb y 5=1"),
        "SDPA 'a' adds the mask of Quantize 'b' as float32, and its elements have 1 byte",
    ),
    "ignored caches": (
        (*CACHED, "SDPA a 6 1 q k v m pk pv y 5=1"),
        "SDPA 'a' has 6 inputs and reads 4: it ignores past keys and values",
    ),
    "an ignored mask": (
        (*QKV, MASK, "SDPA a 4 1 q k v m y"),
        "SDPA 'a' has 4 inputs and reads 3: it ignores a mask",
    ),
    "values that are not returned": (
        (*CACHED, "SDPA a 6 3 q k v m pk pv y ak av 5=1 7=1", "AbsVal z 1 1 av z"),
        "SDPA 'a' reads past values from the input 'pv', and no output of the model returns all "
        "values",
    ),
}

SOUND = {
    "a cache": (*CACHED, "SDPA a 6 3 q k v m pk pv y ak av 5=1 7=1"),
    "no cache": (*QKV, MASK, "SDPA a 4 1 q k v m y 5=1"),
}


@pytest.mark.parametrize("case", MODELS)
def test_malformed(case: str, tmp_path: Path) -> None:
    lines, message = MODELS[case]
    path = write(tmp_path, *lines)
    if case == "a mask of bytes":
        (tmp_path / "m.bin").write_bytes(bytes(4))  # the scale of the Quantize
    assert found(path) == [message]


@pytest.mark.parametrize("case", SOUND)
def test_sound(case: str, tmp_path: Path) -> None:
    assert found(write(tmp_path, *SOUND[case])) == []


def test_commands_name_layer_and_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, *MODELS["ignored caches"][0])
    main(["-O", str(path), "-o", str(tmp_path / "out.param")])
    func = model_of(ncnn_opt.load(path).module)
    (fault,) = faults(func)
    assert f"warning: {fault}; {remedy(fault)}" in capsys.readouterr().err
    shapes = [f"--input-shape={name}=2,3,4" for name in ("q", "k", "v", "pk", "pv")]
    with pytest.raises(SystemExit):
        main(["--check", *shapes, "--input-shape=m=3,3", str(path)])
    assert f"{fault}; {remedy(fault)}" in capsys.readouterr().err
