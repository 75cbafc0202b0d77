"""Programs in files, without IREE: the code is any bytes."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.native import outputs
from ncnn_opt.native.artifact import load, save
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.form_tuning import Hooks, Tuning
from ncnn_opt.native.lowering import lower
from ncnn_opt.native.options import CompileOptions
from ncnn_opt.native.outputs import OutputRequest, write
from ncnn_opt.native.program import Compiled, Program, assembled
from ncnn_opt.targets.output_checks import OutputError

import ncnn_opt

NET = """7767517
5 6
Input data 0 1 data 0=6 1=5 2=3
Convolution conv 1 1 data a 0=8 1=3 4=1 5=1 6=216 9=1
Split split 1 2 a a1 a2
InnerProduct fc 1 1 a1 scores 0=4 2=960
Softmax prob 1 1 a2 prob 0=0
"""

TAIL = """7767517
2 2
Input scores 0 1 scores
Sigmoid last 1 1 scores last
"""

CODE = b"some code"


@pytest.fixture
def net(tmp_path: Path) -> Path:
    """A model with two weights in its `.bin`."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "structure.param").write_text(NET)
    ncnn_opt.save(
        ncnn_opt.load(folder / "structure.param", weights="random:3"), folder / "net.param"
    )
    return folder / "net.param"


def compiled(module: Any) -> Compiled:
    return assembled(lower(module, CompileOptions()), CODE, CompileOptions())


def weight(program: Compiled, key: str) -> bytes:
    """The bytes of a weight, from the file in which it is."""
    (found,) = (each for each in program.parameters if each.key == key)
    with open(found.place.file.path, "rb") as file:
        file.seek(found.place.offset)
        return file.read(found.size)


def test_weights_stay_in_the_bin_of_the_model(net: Path, tmp_path: Path) -> None:
    program, path = compiled(ncnn_opt.load(net).module), str(tmp_path / "p.vmfb")
    assert save(program, path) == [path, f"{path}.json"]
    assert sorted(os.listdir(tmp_path)) == ["model", "p.vmfb", "p.vmfb.json"]
    again = load(path)
    assert again == program
    described = json.loads(Path(f"{path}.json").read_text())
    assert described["files"] == [
        {"path": "model/net.bin", "size": net.with_suffix(".bin").stat().st_size}
    ]
    assert [(p["key"], p["file"], p["size"]) for p in described["parameters"]] == [
        ("conv_weight", 0, 864),
        ("fc_weight", 0, 3840),
    ]


def test_weights_are_copied_where_that_is_asked_for(net: Path, tmp_path: Path) -> None:
    program, path = compiled(ncnn_opt.load(net).module), str(tmp_path / "p.vmfb")
    assert save(program, path, copy=True) == [path, f"{path}.bin", f"{path}.json"]
    again = load(path)
    for each, before in zip(again.parameters, program.parameters, strict=True):
        assert each.place.file.path == f"{path}.bin"
        assert weight(again, each.key) == weight(program, before.key)


def test_weights_that_a_pass_has_made_are_written(net: Path, tmp_path: Path) -> None:
    model = ncnn_opt.load(net)
    ncnn_opt.optimize(model, "convert-storage{storage=fp16}")
    program, path = compiled(model.module), str(tmp_path / "p.vmfb")
    assert all(each.is_new for each in program.parameters)
    assert save(program, path) == [path, f"{path}.bin", f"{path}.json"]
    values = np.frombuffer(weight(load(path), "conv_weight"), "f2")
    exact = np.frombuffer(weight(compiled(ncnn_opt.load(net).module), "conv_weight"), "f4")
    np.testing.assert_array_equal(values, exact.astype("f2"))


@pytest.mark.parametrize("target", ["p.vmfb", "p.vmfb.json", "p.vmfb.bin"])
def test_weights_that_are_read_are_not_replaced(net: Path, target: str, tmp_path: Path) -> None:
    weights = net.with_suffix(".bin").rename(tmp_path / target)
    before = weights.read_bytes()
    program = compiled(ncnn_opt.load(net, weights).module)
    with pytest.raises(OutputError) as caught:
        save(program, str(tmp_path / "p.vmfb"))
    assert str(caught.value) == f"'{weights}' contains weights that are read; use another name"
    assert weights.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"target": "cup"}, "there is no target 'cup'"),
        ({"outputs": ["out9"]}, "nothing computes 'out9'"),
        ({"results": [{"name": "s", "dtype": "<f4", "shape": [4]}]}, "nothing computes 'scores'"),
        ({"inputs": [{"name": "data", "dtype": "<f-1", "shape": [4]}]}, "'data' is '<f-1'"),
        ({"inputs": [{"name": "data", "dtype": "<f4", "shape": [-4]}]}, "'data' is (-4,)"),
        ({"inputs": [{"name": "data", "dtype": "<f4", "shape": ["4"]}]}, "'data' is ('4',)"),
        ({"inputs": [{"name": 4, "dtype": "<f4", "shape": [4]}]}, "a name is 4"),
    ],
)
def test_a_damaged_description_is_an_error_with_its_place(
    change: dict[str, Any], message: str, net: Path, tmp_path: Path
) -> None:
    path = str(tmp_path / "p.vmfb")
    save(compiled(ncnn_opt.load(net).module), path)
    description = Path(f"{path}.json")
    description.write_text(json.dumps({**json.loads(description.read_text()), **change}))
    with pytest.raises(FormatError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{description}: ")
    assert message in str(caught.value)


def test_names_of_the_tail_are_those_of_the_code(net: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "p.vmfb")
    model = ncnn_opt.load(net)
    code = compiled(model.module)
    (tmp_path / "tail.param").write_text(TAIL)
    tail = ncnn_opt.load(tmp_path / "tail.param", weights="none").module
    save(replace(code, tail=tail, outputs=("last",)), path)
    assert load(path).outputs == ("last",)
    save(replace(code, tail=tail, outputs=("prob",)), path)
    with pytest.raises(FormatError, match="nothing computes 'prob'"):
        load(path)
    save(replace(code, tail=tail, results=code.results[1:], outputs=("last",)), path)
    with pytest.raises(FormatError, match="nothing computes 'scores'"):
        load(path)


WRONG: list[tuple[list[Any], str]] = [
    ([np.zeros((3, 5, 7))], "input 'data' is 3x5x6, not 3x5x7"),
    ([np.zeros((5, 6))], "input 'data' is 3x5x6, not 5x6"),
    ([np.zeros((3, 5, 6)), 1], "1 inputs are expected ('data'), not 2"),
    ([{"dota": 1}], "there is no input 'dota'; did you mean 'data'?"),
    ([{}], "input 'data' has no value; the inputs are 'data'"),
    ([np.full((3, 5, 6), "x")], "input 'data' has elements of <U1, which are not numbers"),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_wrong_inputs_are_an_error_before_anything_is_loaded(
    given: list[Any], message: str, net: Path
) -> None:
    with pytest.raises(NativeError) as caught:
        Program(compiled(ncnn_opt.load(net).module))(*given)
    assert str(caught.value) == message


def test_text_leaves_weights_in_the_bin_of_the_model(net: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "m.mlir")
    assert write(OutputRequest(ncnn_opt.load(net).module, path)) == [path]
    assert sorted(os.listdir(tmp_path)) == ["m.mlir", "model"]
    assert 'file = "model/net.bin"' in Path(path).read_text()


def test_text_has_a_file_of_copied_weights(net: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "m.mlir")
    request = OutputRequest(ncnn_opt.load(net).module, path, copy_weights=True)
    assert write(request) == [path, f"{path}.bin"]
    text = Path(path).read_text()
    assert 'file = "m.mlir.bin"' in text
    assert "net.bin" not in text


@pytest.mark.parametrize("has_tick", [True, False])
def test_tuning_calls_what_the_caller_gives(
    has_tick: bool, net: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def fastest(module: Any, options: CompileOptions, tuning: Tuning, hooks: Hooks) -> Compiled:
        hooks.tick()
        hooks.tell("a step")
        hooks.note("a result")
        return compiled(module)

    monkeypatch.setattr(outputs, "fastest", fastest)
    path = str(tmp_path / "p.vmfb")
    tick = (lambda: calls.append("tick")) if has_tick else None
    module = ncnn_opt.load(net).module
    request = OutputRequest(
        module, path, tick=tick, note=calls.append, tell=calls.append, tuning=Tuning()
    )
    assert write(request) == [path, f"{path}.json"]
    assert calls == [*(["tick"] if has_tick else []), "a step", "a result"]
    assert load(path).code == CODE
