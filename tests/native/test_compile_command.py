"""`ncnn-compile`: files of code, and what it says."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.native.artifact import load
from ncnn_opt.native.program import Program

import ncnn_opt

pytest.importorskip("iree.compiler", reason="needs the extra native")
pytest.importorskip("iree.runtime", reason="needs the extra native")

pytestmark = pytest.mark.drawn(3)

TOOLS = Path(sys.executable).parent

NET = """7767517
5 5
Input data 0 1 data 0=6 1=5 2=3
Convolution conv 1 1 data a 0=8 1=3 4=1 5=1 6=216
BatchNorm norm 1 1 a b 0=8
Pooling pool 1 1 b p 0=1 4=1
InnerProduct fc 1 1 p scores 0=40 1=1 2=320
"""

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with `m.param` and its weights."""
    (tmp_path / "net.param").write_text(NET)
    ncnn_opt.save(ncnn_opt.load(tmp_path / "net.param", weights="random:3"), tmp_path / "m.param")
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Run:
    """Runs a command in the folder."""

    def call(tool: str, *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [str(TOOLS / tool), *arguments], cwd=folder, capture_output=True, text=True
        )
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr
        return done

    return call


def test_code_is_compiled_once(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "caches"))
    run("ncnn-compile", "m.param", "-o", "a.vmfb")
    (kept,) = (folder / "caches" / "ncnn-opt").glob("code-*.vmfb")
    before = kept.stat().st_mtime_ns
    run("ncnn-compile", "m.param", "-o", "b.vmfb")
    assert kept.stat().st_mtime_ns > before
    assert (folder / "a.vmfb").read_bytes() == (folder / "b.vmfb").read_bytes()
    kept.write_bytes(b"damaged")
    run("ncnn-compile", "m.param", "-o", "c.vmfb", "--no-cache")
    assert kept.read_bytes() == b"damaged"
    x = np.ones((3, 5, 6), "f4")
    a, c = (Program(load(str(folder / f"{name}.vmfb")))(x)["scores"] for name in "ac")
    np.testing.assert_array_equal(a, c)


def test_the_fastest_forms_are_measured_once(folder: Path, run: Run) -> None:
    net = NET.replace("0=6 1=5 2=3", "0=20 1=20 2=8").replace("0=8 1=3", "0=16 1=3")
    net = net.replace("6=216", "6=1152").replace("b 0=8", "b 0=16").replace("2=320", "2=640")
    (folder / "net.param").write_text(net)
    ncnn_opt.save(ncnn_opt.load(folder / "net.param", weights="random:3"), folder / "m.param")
    tune = ("ncnn-compile", "m.param", "--autotune", "--autotune-cache", "kept", "-o")
    first, second = run(*tune, "m.vmfb").stderr.splitlines()
    said = re.fullmatch(
        r"ncnn-compile: estimated forms [\d.e+-]+ ms"
        r"(, 1 of 1 convolutions in other forms [\d.e+-]+ ms)?: (estimated|tuned)",
        first,
    )
    assert said is not None
    assert second == "ncnn-compile: wrote m.vmfb, m.vmfb.bin, m.vmfb.json"
    assert run("ncnn-run", "m.vmfb", "--input", "random").stdout
    (kept,) = (folder / "kept").iterdir()
    done = run(*tune, "again.vmfb")
    assert done.stderr.splitlines()[0].endswith(f", as measured before ({Path('kept', kept.name)})")
    x = np.random.default_rng(1).standard_normal((8, 20, 20)).astype("f4")
    expected = ncnn_opt.load(folder / "m.param").run({"data": x})["scores"]
    for name in ("m.vmfb", "again.vmfb"):
        found = Program(load(str(folder / name)))(x)["scores"]
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_what_cannot_be_tuned_is_said(folder: Path, run: Run) -> None:
    done = run(
        "ncnn-compile", "m.param", "-o", "n.vmfb", "--autotune", "--target-device", "cuda", status=1
    )
    assert "--autotune measures on this machine's CPU" in done.stderr
    done = run("ncnn-compile", "m.param", "-o", "n.vmfb", "--autotune-seconds", "3", status=1)
    assert done.stderr == "ncnn-compile: error: --autotune-seconds is for --autotune\n"
    assert not (folder / "n.vmfb").exists()


def test_what_passes_make_is_beside_the_code(folder: Path, run: Run) -> None:
    done = run("ncnn-compile", "m.param", "-o", "m.vmfb")
    assert done.stdout == ""
    assert done.stderr == "ncnn-compile: wrote m.vmfb, m.vmfb.bin, m.vmfb.json\n"
    said = json.loads((folder / "m.vmfb.json").read_text())
    files = {p["key"]: said["files"][p["file"]]["path"] for p in said["parameters"]}
    assert files == {"conv_weight": "m.vmfb.bin", "fc_weight": "m.bin"}  # with the BatchNorm
    x = np.random.default_rng(1).standard_normal((3, 5, 6)).astype("f4")
    expected = ncnn_opt.load(folder / "m.param").run({"data": x})["scores"]
    found = Program(load(str(folder / "m.vmfb")))(x)["scores"]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_without_the_passes_all_weights_are_those_of_the_model(folder: Path, run: Run) -> None:
    run("ncnn-compile", "m.param", "-o", "m.vmfb", "--no-optimize", "-q")
    assert not (folder / "m.vmfb.bin").exists()
    said = json.loads((folder / "m.vmfb.json").read_text())
    assert [each["path"] for each in said["files"]] == ["m.bin"]


def test_weights_in_the_code_itself(folder: Path, run: Run) -> None:
    run("ncnn-compile", "m.param", "-o", "m.vmfb", "--externalize", "resources")
    said = json.loads((folder / "m.vmfb.json").read_text())
    assert (said["files"], said["parameters"]) == ([], [])
    x = np.ones((3, 5, 6), "f4")
    expected = ncnn_opt.load(folder / "m.param").run({"data": x})["scores"]
    found = Program(load(str(folder / "m.vmfb")))(x)["scores"]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_the_linalg_is_what_iree_reads(folder: Path, run: Run) -> None:
    done = run("ncnn-compile", "m.param", "-o", "m.mlir", "--externalize", "parameters")
    assert done.stderr == "ncnn-compile: wrote m.mlir, m.mlir.bin\n"
    text = (folder / "m.mlir").read_text()
    assert 'util.global private @conv_weight {file = "m.mlir.bin", offset = 0 : i64}' in text
    assert 'util.global private @fc_weight {file = "m.bin", offset = ' in text
    run("iree-opt", "m.mlir")
    run("ncnn-opt", "m.mlir")


@pytest.mark.parametrize("version", [19, 22])
@pytest.mark.parametrize("place", [None, "args", "dense", "resources"])
def test_the_linalg_is_what_mlir_opt_reads(
    version: int, place: str | None, folder: Path, run: Run
) -> None:
    """Only dialects of MLIR, with weights by default in the file."""
    (folder / "m.param").write_text(INT8_AND_FLOAT)
    done = run("ncnn-opt", "m.param", "--weights", "random:1", "-o", "r.param", "-q")
    options = [] if place is None else ["--externalize", place]
    done = run("ncnn-compile", "r.param", "-o", "m.mlir", *options)
    assert done.stderr == "ncnn-compile: wrote m.mlir\n"
    text = (folder / "m.mlir").read_text()
    assert "linalg.conv_2d_nchw_fchw" in text
    if place is None:
        assert "dense_resource<" in text
    if shutil.which(name := f"mlir-opt-{version}") is None:
        pytest.skip(f"there is no {name}")
    subprocess.run([name, "m.mlir", "-o", "read.mlir"], cwd=folder, check=True)


INT8_AND_FLOAT = """7767517
5 5
Input data 0 1 data 0=16 1=16 2=8
Convolution a 1 1 data a 0=16 1=3 4=1 5=1 6=1152 8=2 9=1
Convolution b 1 1 a b 0=16 1=3 4=1 5=1 6=2304 9=1
Pooling pool 1 1 b p 0=1 4=1
InnerProduct fc 1 1 p out 0=40 1=1 2=640 8=2
"""


def test_the_pipeline_is_one_for_ncnn_opt(folder: Path, run: Run) -> None:
    pipeline = run("ncnn-compile", "--print-pipeline").stdout.strip()
    assert pipeline.endswith(",externalize-weights{style=parameters}")
    shown = run("ncnn-opt", "m.param", "-p", pipeline).stdout
    assert "ncnn." not in shown
    assert "linalg." in shown


def test_what_the_compiler_refuses_leaves_files_as_they_were(folder: Path, run: Run) -> None:
    (folder / "m.vmfb").write_text("as it was")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = run("ncnn-compile", "m.param", "-o", "m.vmfb", "--iree-flag=--no-such", status=1)
    assert done.stderr.startswith("ncnn-compile: error: m.param: IREE does not compile the model: ")
    assert done.stderr.count("\n") == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_shape_for_the_code(folder: Path, run: Run) -> None:
    run("ncnn-compile", "m.param", "-o", "m.vmfb", "--input-shape", "data=3,9,4")
    program = Program(load(str(folder / "m.vmfb")))
    assert program.inputs[0].shape == (3, 9, 4)
    x = np.random.default_rng(1).standard_normal((3, 9, 4)).astype("f4")
    model = ncnn_opt.load(folder / "m.param", shapes={"data": x.shape})
    expected = model.run({"data": x})["scores"]
    np.testing.assert_allclose(program(x)["scores"], expected, rtol=1e-4, atol=1e-5)


def test_native_code_is_an_engine(folder: Path, run: Run) -> None:
    inputs = ("--input", "random", "--seed", "3")
    for engine in ("numpy", "iree"):
        done = run("ncnn-run", "m.param", *inputs, "--engine", engine, "-o", f"{engine}.npz")
        assert done.stderr == ""
    expected, found = (np.load(folder / f"{e}.npz")["scores"] for e in ("numpy", "iree"))
    assert found.shape == (40,)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_native_code_is_compared(run: Run) -> None:
    shown = run("ncnn-run", "m.param", "--engine", "iree", "--compare", "numpy", "--blob", "a,p")
    assert [line.split()[0] for line in shown.stdout.splitlines()[1:3]] == ["a", "p"]
    run("ncnn-run", "m.param", "--compare", "iree", "--tolerance", "1e-4")
    done = run("ncnn-run", "m.param", "--engine", "iree", "--compare", "iree", status=1)
    assert done.stderr == "ncnn-run: error: --compare iree is for another --engine\n"
    done = run("ncnn-run", "m.param", "--engine", "iree", status=1)
    assert done.stderr == (
        "ncnn-run: error: m.param: input 'data' is missing; it is tensor<3x5x6xf32>\n"
    )


def test_the_library_compiles_and_saves(folder: Path) -> None:
    model = ncnn_opt.load(folder / "m.param")
    before = str(model)
    compiled = model.compile(input_shapes={"data": (3, 7, 8)})
    assert str(model) == before
    assert str(compiled.inputs[0]) == "data 3x7x8"
    assert compiled.save(folder / "m.vmfb", copy_weights=True) == [
        str(folder / f"m.vmfb{ending}") for ending in ("", ".bin", ".json")
    ]
    x = np.random.default_rng(1).standard_normal((3, 7, 8)).astype("f4")
    again = ncnn_opt.load_compiled(folder / "m.vmfb")
    assert repr(again).endswith("m.vmfb': cpu, data 3x7x8 -> scores>")
    np.testing.assert_array_equal(again(x)["scores"], compiled({"data": x})["scores"])
    for wrong, message in (
        (lambda: compiled(x[0]), "input 'data' is 3x7x8, not 7x8"),
        (
            lambda: model.compile("tpu"),  # pyright: ignore[reportArgumentType]
            "target is one of cpu, cuda",
        ),
        (lambda: ncnn_opt.load_compiled(folder / "no.vmfb"), "no.vmfb: No such file"),
    ):
        with pytest.raises(ncnn_opt.NcnnOptError, match=message):
            wrong()


def test_code_in_a_file_is_run(folder: Path, run: Run) -> None:
    run("ncnn-compile", "m.param", "-o", "m.vmfb", "-q")
    for name in ("m.vmfb", "m.param"):
        run("ncnn-run", name, "--input", "data=random", "-o", f"{name}.npz")
    expected, found = (np.load(folder / f"m.{e}.npz")["scores"] for e in ("param", "vmfb"))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    assert run("ncnn-run", "m.vmfb", "--input", "random", "--top", "2").stdout.count("\n") == 3
    for arguments, message in (
        ([], "input 'data' has no value; the inputs are 'data'"),
        (["--blob", "a"], "--blob is for models, 'm.vmfb' is compiled"),
        (["--input", "dat=random"], "there is no input 'dat'; did you mean 'data'?"),
    ):
        done = run("ncnn-run", "m.vmfb", *arguments, status=1)
        assert done.stderr == f"ncnn-run: error: {message}\n"
    done = run("ncnn-opt", "m.vmfb", status=1)
    assert "m.vmfb: this is native code, not a model; run it with ncnn-run" in done.stderr


TAIL = """7767517
4 4
Input data 0 1 data 0=40
InnerProduct fc 1 1 data x 0=50 1=1 2=2000
ArgMax best 1 1 x y 0=1 1=3
BinaryOp twice 1 1 y out 0=2 1=1 2=2.0
"""


def test_the_end_of_a_model_may_run_on_the_host(folder: Path, run: Run) -> None:
    (folder / "t.param").write_text(TAIL)
    model = ncnn_opt.load(folder / "t.param", weights="random:2")
    ncnn_opt.save(model, folder / "tail.param")
    run("ncnn-compile", "tail.param", "-o", "tail.vmfb")
    assert "ncnn.argmax" in json.loads((folder / "tail.vmfb.json").read_text())["tail"]
    x = np.random.default_rng(3).standard_normal(40).astype("f4")
    found = ncnn_opt.load_compiled(folder / "tail.vmfb")(x)
    expected = ncnn_opt.load(folder / "tail.param").run(x)
    assert list(found) == list(expected) == ["out"]
    np.testing.assert_allclose(found["out"], expected["out"], rtol=1e-5)
    done = run("ncnn-compile", "tail.param", "-o", "tail.mlir")
    assert "'tail.mlir' gives 'x'; what runs on the host is left out" in done.stderr


LARGE = """7767517
2 2
Input data 0 1 data 0=16384
InnerProduct fc 1 1 data out 0=32768 1=1 2=536870912
"""
PEAKS = """
import resource, sys
from ncnn_opt.tools.ncnn_compile_main import main
main(sys.argv[1:])
own = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(int(own[0].split()[1]), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for memory")
def test_weights_of_2_gb_take_no_memory(folder: Path) -> None:
    (folder / "large.param").write_text(LARGE)
    with (folder / "large.bin").open("wb") as weights:
        weights.truncate(4 + 4 * (536870912 + 32768))  # a hole
    done = subprocess.run(
        [sys.executable, "-c", PEAKS, "large.param", "-o", "large.vmfb"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    own, compiler = map(int, done.stdout.split())
    assert own < 300 << 10  # KiB
    assert compiler < 500 << 10
    assert (folder / "large.vmfb").stat().st_size < 1 << 20
    assert not (folder / "large.vmfb.bin").exists()


USED = """
import sys
import ncnn_opt
def own():  # KiB
    (line,) = [line for line in open("/proc/self/status") if line.startswith("RssAnon")]
    return int(line.split()[1])
program, few = ncnn_opt.load_compiled(sys.argv[1]), ncnn_opt.load_compiled(sys.argv[2])
few([1.0] * 8)  # what IREE itself takes
before = own()
assert not program([1.0] * 2048)["out"].any()
print(own() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for memory")
def test_weights_that_are_copied_are_used_where_they_are(folder: Path, run: Run) -> None:
    for name, inputs, outputs in (("few", 8, 80), ("many", 2048, 8192)):
        count = inputs * outputs
        (folder / f"{name}.param").write_text(
            f"7767517\n2 2\nInput data 0 1 data 0={inputs}\n"
            f"InnerProduct fc 1 1 data out 0={outputs} 1=1 2={count}\n"
        )
        (folder / f"{name}.bin").write_bytes(bytes(4 + 4 * (count + outputs)))
        unpacked = "--iree-flag=--iree-opt-data-tiling=false"
        run("ncnn-compile", f"{name}.param", "-o", f"{name}.vmfb", "--copy-weights", unpacked)
    command = [sys.executable, "-c", USED, "many.vmfb", "few.vmfb"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 16 << 10  # of 64 MiB


def test_weights_that_the_linalg_refers_to_are_not_replaced(folder: Path, run: Run) -> None:
    run("ncnn-compile", "m.param", "-o", "m.mlir", "--no-optimize", "--externalize", "parameters")
    before = (folder / "m.bin").read_bytes()
    done = run("ncnn-opt", "-O", "m.param", "-o", "m.param", status=1)
    assert "'m.mlir' refers to 'm.bin', which would change" in done.stderr
    assert (folder / "m.bin").read_bytes() == before
