"""Compiled models, in memory and in files, with weights in the `.bin` of the model or elsewhere."""

import json
import os
import platform
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.native.artifact import load, save
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.options import CompileOptions
from ncnn_opt.native.program import Program, compile_module
from ncnn_opt.targets.output_checks import OutputError

import ncnn_opt

pytest.importorskip("iree.compiler", reason="needs the extra native")
pytest.importorskip("iree.runtime", reason="needs the extra native")

NET = """7767517
6 7
Input data 0 1 data 0=6 1=5 2=3
Convolution conv 1 1 data a 0=8 1=3 4=1 5=1 6=216 9=1
Split split 1 2 a a1 a2
Pooling pool 1 1 a1 p 0=1 4=1
InnerProduct fc 1 1 p scores 0=40 1=1 2=320
Softmax prob 1 1 a2 prob 0=0
"""


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with two outputs; `conv` has 216 weights and 8 biases, `fc` 320 and 40."""
    folder = tmp_path_factory.mktemp("net")
    (folder / "structure.param").write_text(NET)
    path = folder / "net.param"
    ncnn_opt.save(ncnn_opt.load(folder / "structure.param", weights="random:3"), path)
    return path


@pytest.fixture(scope="module")
def program(net: Path) -> Program:
    return Program(compile_module(ncnn_opt.load(net).module.clone()))


def values(*shape: int) -> Any:
    return np.random.default_rng(5).standard_normal(shape).astype("f4")


def check(path: Path, program: Program, x: Any) -> None:
    expected = ncnn_opt.load(path).run({"data": x})
    found = program({"data": x})
    assert list(found) == list(expected)
    for name in expected:
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-5, atol=1e-6)


def test_a_model_in_memory_gives_what_the_reference_gives(net: Path, program: Program) -> None:
    check(net, program, values(3, 5, 6))
    assert program.outputs == ("scores", "prob")
    assert program.words() == "cpu, data 3x5x6 -> scores, prob"


def test_its_weights_are_read_from_the_bin_of_the_model(net: Path, program: Program) -> None:
    found = {p.key: p for p in program.compiled.parameters}
    assert list(found) == ["conv_weight", "fc_weight"]  # biases are small
    assert {p.place.file.path for p in found.values()} == {str(net.with_suffix(".bin"))}
    assert [p.place.offset for p in found.values()] == [4, 4 + 216 * 4 + 8 * 4 + 4]


def test_arrays_are_named_or_in_order_and_become_float32(program: Program) -> None:
    x = np.arange(90).reshape(3, 5, 6)
    one, other = program(x), program({"data": x.astype("f4")})
    for name in one:
        np.testing.assert_array_equal(one[name], other[name])


WRONG: list[tuple[list[Any], str]] = [
    ([np.zeros((3, 5, 7))], "input 'data' is 3x5x6, not 3x5x7"),
    ([np.zeros(90)], "input 'data' is 3x5x6, not 90"),
    ([np.zeros((3, 5, 6)), 1], "1 inputs are expected ('data'), not 2"),
    ([{"dota": 1}], "there is no input 'dota'; did you mean 'data'?"),
    ([{"pixels": 1}], "there is no input 'pixels'; the inputs are 'data'"),
    ([{}], "input 'data' has no value; the inputs are 'data'"),
    ([np.full((3, 5, 6), "x")], "input 'data' has elements of <U1, which are not numbers"),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_other_inputs_are_an_error(program: Program, given: list[Any], message: str) -> None:
    with pytest.raises(NativeError) as caught:
        program(*given)
    assert str(caught.value) == message


def test_a_program_in_files_reads_the_weights_of_the_model(
    net: Path, program: Program, tmp_path: Path
) -> None:
    path = tmp_path / "p.vmfb"
    assert save(program.compiled, str(path)) == [str(path), f"{path}.json"]
    assert not Path(f"{path}.bin").exists()
    said = json.loads(Path(f"{path}.json").read_text())
    size = net.with_suffix(".bin").stat().st_size
    place = os.path.relpath(net.with_suffix(".bin"), tmp_path)
    assert said["files"] == [{"path": place, "size": size}]
    check(net, Program(load(str(path))), values(3, 5, 6))


def test_a_program_with_copied_weights_needs_no_other_file(
    net: Path, program: Program, tmp_path: Path
) -> None:
    (tmp_path / "a").mkdir()
    path = tmp_path / "a" / "p.vmfb"
    save(program.compiled, str(path), copy=True)
    (tmp_path / "a").rename(tmp_path / "b")
    loaded = load(str(tmp_path / "b" / "p.vmfb"))
    assert {p.place.file.path for p in loaded.parameters} == {str(tmp_path / "b" / "p.vmfb.bin")}
    assert all(p.place.offset % 64 == 0 for p in loaded.parameters)
    check(net, Program(loaded), values(3, 5, 6))


def test_weights_that_passes_have_made_are_written(net: Path, tmp_path: Path) -> None:
    model = ncnn_opt.load(net)
    ncnn_opt.optimize(model, "convert-storage{storage=fp16}")
    compiled = compile_module(model.module)
    assert [p.size for p in compiled.parameters] == [2 * 216, 2 * 320]  # as they are stored
    path = tmp_path / "p.vmfb"
    assert save(compiled, str(path)) == [str(path), f"{path}.bin", f"{path}.json"]
    x = values(3, 5, 6)
    found, exact = Program(load(str(path)))(x), ncnn_opt.load(net).run({"data": x})
    for name in exact:
        assert 0 < np.abs(found[name] - exact[name]).max() < 1e-2  # rounded, and not by much


def test_files_that_do_not_go_together_are_an_error(
    net: Path, program: Program, tmp_path: Path
) -> None:
    path, description = tmp_path / "p.vmfb", tmp_path / "p.vmfb.json"
    save(program.compiled, str(path), copy=True)
    weights = tmp_path / "p.vmfb.bin"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-4])
    with pytest.raises(NativeError, match=r"p\.vmfb\.bin' has \d+ bytes; when .* it had \d+"):
        load(str(path))
    weights.write_bytes(whole)
    code = path.read_bytes()
    path.write_bytes(code[:-1] + b"x")
    with pytest.raises(NativeError, match=r"does not describe"):
        load(str(path))
    path.write_bytes(code)
    said = json.loads(description.read_text())
    said["parameters"][0]["offset"] = len(whole)
    description.write_text(json.dumps(said))
    with pytest.raises(FormatError, match=r"'conv_weight' is not inside"):
        load(str(path))
    description.write_text(json.dumps({"format": 2}))
    with pytest.raises(NativeError, match=r"format 2 is not 1"):
        load(str(path))
    description.write_text("[]")
    with pytest.raises(FormatError, match=r"does not describe a compiled model"):
        load(str(path))


def test_weights_that_are_read_are_not_replaced(net: Path, tmp_path: Path) -> None:
    model = ncnn_opt.load(net)
    other = tmp_path / "p.vmfb.bin"
    ncnn_opt.save(model, tmp_path / "p.param", other)
    before = other.read_bytes()
    read = ncnn_opt.load(tmp_path / "p.param", other)
    compiled = compile_module(read.module)
    with pytest.raises(OutputError, match=r"p\.vmfb\.bin' contains weights that are read"):
        save(compiled, str(tmp_path / "p.vmfb"), copy=True)
    assert other.read_bytes() == before
    assert not (tmp_path / "p.vmfb").exists()


def test_code_is_made_for_other_devices(net: Path) -> None:
    for target, chip in (("cuda", "sm_80"), ("vulkan", None), ("metal", None)):
        compiled = compile_module(ncnn_opt.load(net).module, CompileOptions(target, chip))
        assert len(compiled.code) > 1000
    with pytest.raises(NativeError, match=r"there is no device of IREE's 'metal'"):
        Program(compiled)(values(3, 5, 6))


def test_what_the_compiler_refuses_is_one_message(net: Path) -> None:
    options = CompileOptions(flags=("--iree-no-such-flag",))
    with pytest.raises(NativeError, match=r"IREE does not compile the model: .*no-such-flag"):
        compile_module(ncnn_opt.load(net).module, options)


def test_code_for_another_cpu_does_not_run_here(net: Path) -> None:
    here = platform.machine().lower() in ("arm64", "aarch64")
    options = CompileOptions(target_triple="x86_64-linux-gnu" if here else "aarch64-linux-android")
    compiled = compile_module(ncnn_opt.load(net).module, options)
    with pytest.raises(NativeError, match=r"the code is for another processor than there is here"):
        Program(compiled)(values(3, 5, 6))


def test_runs_reuse_the_memory_of_large_blobs(tmp_path: Path) -> None:
    """Blobs of 64 MiB, which the C library would return to the system after each run."""
    resource = pytest.importorskip("resource")
    lines = ("Input in 0 1 data 0=2048 1=2048 2=1", "Pooling p 1 1 a y 0=1 4=1")
    convolution = "Convolution c 1 1 data a 0=4 1=3 4=1 5=1 6=36"
    path = tmp_path / "net.param"
    path.write_text("\n".join(["7767517", "3 3", lines[0], convolution, lines[1], ""]))
    program = Program(compile_module(ncnn_opt.load(path, weights="random").module), "local-sync")
    x = values(1, 2048, 2048)
    program(x)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    program(x)
    pages = (64 << 20) // resource.getpagesize()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before < pages / 4
