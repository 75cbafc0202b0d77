"""`ncnn-run m.vmfb`: measured and compared with models, other code and the runtime."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.runtime.agreement import compare_outputs
from ncnn_opt.tools import ncnn_compile_main, ncnn_run_main

import ncnn_opt

pytest.importorskip("iree.compiler", reason="needs the extra native")
pytest.importorskip("iree.runtime", reason="needs the extra native")

NET = """7767517
4 4
Input data 0 1 data 0=6 1=5 2=3
Convolution conv 1 1 data a 0=8 1=3 4=1 5=1 6=216
Pooling pool 1 1 a p 0=1 4=1
InnerProduct fc 1 1 p scores 0=40 1=1 2=320
"""
WORDS = """7767517
2 2
Input ids 0 1 ids 0=5
Embed words 1 1 ids rows 0=4 1=7 3=28
"""
ANY_SIZE = """7767517
2 2
Input data 0 1 data
ReLU relu 1 1 data y
"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with models and their code."""
    folder = tmp_path_factory.mktemp("compiled")
    for name, text in (("net", NET), ("words", WORDS), ("relu", ANY_SIZE)):
        (folder / "text.param").write_text(text)
        model = ncnn_opt.load(folder / "text.param", weights="random:3")
        ncnn_opt.save(model, folder / f"{name}.param")
    (folder / "text.param").write_text(NET)
    other = ncnn_opt.load(folder / "text.param", weights="random:4")
    ncnn_opt.save(other, folder / "other.param")
    for name in ("net", "words"):
        path = str(folder / name)
        ncnn_compile_main.main([f"{path}.param", "-o", f"{path}.vmfb", "-q"])
    relu = str(folder / "relu")
    shape = ["--input-shape", "data=?,4"]
    ncnn_compile_main.main([f"{relu}.param", "-o", f"{relu}.vmfb", "-q", *shape])
    return folder


@pytest.fixture
def run(compiled: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command; returns its status and what it prints."""
    monkeypatch.chdir(compiled)

    def call(*words: str) -> tuple[int, str, str]:
        status = 0
        try:
            ncnn_run_main.main(words)
        except SystemExit as e:
            status = int(e.code or 0)
        out, err = capsys.readouterr()
        return status, out, err

    return call


def medians(out: str) -> dict[str, float]:
    """The median times of a measurement by name."""
    return {name: float(ms) for name, ms in re.findall(r"^(\S+) +(\d+\.\d{3}) +\d", out, re.M)}


def test_one_compiled_model(run: Run) -> None:
    status, out, err = run("net.vmfb", "--repeat", "3", "--threads", "2")
    assert (status, err) == (0, "")
    assert medians(out)["net.vmfb"] > 0
    assert out.splitlines()[-1] == "measured with data=3,5,6"


@pytest.mark.parametrize("other", ["net.param", "net.vmfb"])
def test_against(other: str, run: Run) -> None:
    pytest.importorskip("ncnn")
    status, out, _ = run("net.vmfb", "--repeat", "3", "--against", other)
    assert status == 0
    assert set(medians(out)) == {"net.vmfb", other}
    assert re.search(rf"net.vmfb takes \d+\.\d\d times as long as {other} .* 3 pairs of runs", out)
    # The runtime also knows the times of its layers.
    assert ("the slowest layers of net.param" in out) == other.endswith(".param")


def test_against_code_that_is_compiled_now(run: Run) -> None:
    words = ("net.vmfb", "--repeat", "3", "--against", "net.param", "--engine", "iree")
    status, out, _ = run(*words)
    assert status == 0
    assert set(medians(out)) == {"net.vmfb", "net.param"}
    assert "slowest layers" not in out


@pytest.mark.parametrize("engine", ["numpy", "ncnn", "iree"])
def test_comparison_with_the_model(engine: str, run: Run, compiled: Path) -> None:
    if engine == "ncnn":
        pytest.importorskip("ncnn")
    words = ("--compare", "net.param", "--engine", engine)
    status, out, _ = run("net.vmfb", *words, "-o", "found.npz")
    assert status == 0
    assert re.search(r"^scores +InnerProduct 'fc' +40 ", out, re.M)
    assert "compared with data=3,5,6\nPASSED: largest error of an output: " in out
    assert set(np.load(compiled / "found.npz")) == {"scores"}


def test_comparison_with_given_values(run: Run, compiled: Path) -> None:
    np.save(compiled / "x.npy", np.ones((3, 5, 6), "f"))
    status, out, _ = run("net.vmfb", "--input", "x.npy", "--compare", "net.param")
    assert status == 0
    assert "compared with" not in out
    assert "PASSED" in out


def test_another_model_fails(run: Run) -> None:
    status, out, _ = run("net.vmfb", "--compare", "other.param")
    assert status == 1
    assert "<--" in out
    assert "FAILED: largest error of an output: " in out
    # The same difference is within a wide limit.
    assert run("net.vmfb", "--compare", "other.param", "--tolerance", "100")[0] == 0


def test_comparison_with_other_code(run: Run) -> None:
    status, out, _ = run("net.vmfb", "--compare", "net.vmfb")
    assert status == 0
    assert "PASSED: largest error of an output: 0 at 'scores'" in out


def test_indices(run: Run, compiled: Path) -> None:
    """Random indices are those of the model's table, and differ: not only the first row."""
    status, out, _ = run("words.vmfb", "--compare", "words.param", "--seed", "3")
    assert status == 0
    assert "PASSED" in out
    assert run("words.vmfb", "--repeat", "2")[0] == 0
    assert run("words.param", "--engine", "iree", "--compare", "numpy")[0] == 0
    # A caller's integers, and the bits of integers as the runtime's blobs have them.
    program = ncnn_opt.load_compiled(str(compiled / "words.vmfb"))
    model = ncnn_opt.load(compiled / "words.param")
    ids = np.array([0, 6, 2, 3, 1], "i4")
    expected = model.run(ids)["rows"]
    for given in (ids, ids.astype("u1"), ids.view("f4")):
        assert np.allclose(program(given)["rows"], expected)
    np.save(compiled / "ids.npy", ids)
    assert run("words.vmfb", "--input", "ids.npy", "-o", "rows.npz")[0] == 0
    assert np.allclose(np.load(compiled / "rows.npz")["rows"], expected)


def test_extents_that_the_code_leaves_open(run: Run) -> None:
    for words in (("--repeat", "2"), ("--compare", "relu.vmfb"), ("--compare", "relu.param")):
        shape = ("--input-shape", "data=6,4")
        status, out, _ = run("relu.vmfb", *words, *shape)
        assert status == 0, words
        assert "with data=6,4" in out
    status, out, _ = run("relu.vmfb", "--input", "random", "--input-shape", "data=6,4")
    assert (status, out.split()[:2]) == (0, ["y", "6x4"])
    # Without a shape, as everywhere, the first layers determine one.
    status, out, _ = run("relu.vmfb", "--repeat", "2")
    assert status == 0
    assert re.search(r"measured with data=\d+,4 \(a guess", out)


NO_DESCRIPTION = (
    "'foreign.vmfb' has no 'foreign.vmfb.json', which ncnn-compile writes beside a .vmfb and which "
    "describes its inputs, outputs and weights: copy both, or compile the model again"
)
OTHER_MODEL = (
    "'net.vmfb' is compiled: compare it with a model of ncnn, for example with the one that was "
    "compiled: --compare model.param"
)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("foreign.vmfb --repeat 3", NO_DESCRIPTION),
        ("foreign.vmfb --compare net.param", NO_DESCRIPTION),
        ("net.vmfb --compare foreign.vmfb", NO_DESCRIPTION),
        ("net.vmfb --repeat 2 --against foreign.vmfb", NO_DESCRIPTION),
        ("net.vmfb --compare ncnn", f"{OTHER_MODEL} --engine ncnn"),
        ("net.vmfb --compare net.pnnx.param", OTHER_MODEL),
        (
            "net.vmfb --compare words.param",
            "words.param: the compiled model's input 'data' is missing; it has 'ids'",
        ),
        (
            "net.vmfb --repeat 2 --against words.vmfb",
            "words.vmfb: the compiled model's input 'data' is missing; it has 'ids'",
        ),
        (
            "net.vmfb --compare relu.param",
            "relu.param: the compiled model's output 'scores' is missing; it has 'y'",
        ),
        ("net.vmfb --repeat 2 --report r.html", "--report is for models, 'net.vmfb' is compiled"),
        ("net.vmfb --on-device local", "--on-device is for models, 'net.vmfb' is compiled"),
        ("net.vmfb --engine ncnn", "'net.vmfb' is compiled, not for the ncnn runtime"),
    ],
)
def test_refusals(words: str, message: str, run: Run, compiled: Path) -> None:
    (compiled / "foreign.vmfb").write_bytes((compiled / "net.vmfb").read_bytes())
    status, out, err = run(*words.split())
    assert (status, out) == (1, "")
    assert err == f"ncnn-run: error: {message}\n"


def test_rows_of_outputs() -> None:
    """Outputs without a finite value are named, and do not pass."""
    values = {"a": np.array([1.0, 2.0], "f"), "b": np.array([np.nan], "f")}
    changed = values | {"a": np.array([1.0, 2.1], "f")}
    found = compare_outputs({"a": "ReLU 'r'"}, values, changed, 0.01)
    assert not found
    assert found.error == pytest.approx(0.05, rel=1e-3)
    assert bool(compare_outputs({"a": ""}, values, changed, 0.06))
    assert not compare_outputs({"a": "", "b": ""}, values, values, 0.01)
