"""What a loaded model does: run, agree with another, report, show itself in a notebook."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.activation import ReLUOp
from ncnn_opt.tools.ncnn_run_main import main as run_main
from ncnn_opt.transforms.storage.convert_storage import ConvertStorage
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

import ncnn_opt
from ncnn_opt import NcnnOptError
from ncnn_opt.values import Engine

EXAMPLE = Path(__file__).parents[3] / "examples" / "small_cnn.param"
OPEN = "7767517\n2 2\nInput data 0 1 data\nConvolution conv 1 1 data out 0=2 1=1 6=6\n"


@pytest.fixture
def model() -> ncnn_opt.Model:
    return ncnn_opt.load(EXAMPLE)


@pytest.fixture
def open_model(tmp_path: Path) -> Path:
    """A model that does not say the shape of its input."""
    (tmp_path / "open.param").write_text(OPEN)
    (tmp_path / "open.bin").write_bytes(bytes(4) + np.arange(6, dtype="<f4").tobytes())
    return tmp_path / "open.param"


@dataclass(frozen=True)
class Leak(ModulePass):
    """Somebody's own pass, which no table has."""

    name = "leak"
    slope: float = 0.5

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for relu in op.walk():
            if isinstance(relu, ReLUOp):
                relu.set_params(slope=self.slope)


# -- shapes


def test_shapes_are_given_when_a_model_is_loaded(open_model: Path) -> None:
    assert ncnn_opt.load(open_model).inputs[0].shape is None
    model = ncnn_opt.load(open_model, shapes={"data": (3, 4, 5)})
    assert [blob.shape for blob in (*model.inputs, *model.outputs)] == [(3, 4, 5), (2, 4, 5)]
    partly = ncnn_opt.load(open_model, shapes={"data": (3, None, 5)})
    assert partly.outputs[0].shape == (2, None, 5)


def test_shapes_of_one_report_stay_there(open_model: Path) -> None:
    model = ncnn_opt.load(open_model)
    assert model.report({"data": (3, 4, 5)})["totals"]["macs"]["known"] == 120
    assert model.report()["totals"]["macs"]["uncounted_layers"] == 1
    assert model.inputs[0].shape is None


def test_costs_are_for_the_first_sample(open_model: Path) -> None:
    model = ncnn_opt.load(open_model)
    samples = [{"data": np.ones(shape, "f4")} for shape in ((3, 4, 5), (3, 2, 2))]

    def macs(data: Any, shapes: Any = None) -> int:
        return model.report(shapes, data=data)["totals"]["macs"]["known"]

    assert [macs(samples), macs(samples[::-1]), macs(samples, {"data": (3, 1, 2)})] == [120, 24, 12]
    assert model.inputs[0].shape is None


def test_shapes_of_optimize_are_in_the_file(open_model: Path, tmp_path: Path) -> None:
    model = ncnn_opt.load(open_model)
    ncnn_opt.optimize(model, shapes={"data": (3, 4, 5)})
    ncnn_opt.save(model, tmp_path / "out.param")
    assert "-23330=4,3,5,4,2" in (tmp_path / "out.param").read_text()


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        ({"dta": (3, 4, 5)}, "there is no input 'dta'; did you mean 'data'?"),
        ({"image": (3, 4, 5)}, "there is no input 'image'; the inputs are 'data'"),
        ({"data": (4, 4, 5)}, "takes 3,?,? or 3 by its weights, and gets 4,4,5"),
        ({"data": ("h",)}, "shapes: "),
        ({"data": 3}, "shapes: "),
    ],
)
def test_wrong_shapes(shapes: dict[str, tuple[int]], said: str, open_model: Path) -> None:
    model = ncnn_opt.load(open_model)
    asks: list[Callable[[], object]] = [
        lambda: ncnn_opt.load(open_model, shapes=shapes),
        lambda: model.report(shapes),
        lambda: ncnn_opt.optimize(model, shapes=shapes),
    ]
    for ask in asks:
        with pytest.raises(NcnnOptError) as caught:
            ask()
        assert said in str(caught.value)


# -- running


def test_run_is_what_the_command_computes(model: ncnn_opt.Model, tmp_path: Path) -> None:
    values = np.random.default_rng(3).standard_normal((3, 32, 32)).astype("f4")
    np.save(tmp_path / "x.npy", values)
    run_main([str(EXAMPLE), "--input", str(tmp_path / "x.npy"), "-o", str(tmp_path / "o.npz")])
    expected = np.load(tmp_path / "o.npz")["prob"]
    np.testing.assert_array_equal(model.run(values)["prob"], expected)
    np.testing.assert_array_equal(model.run({"data": values.tolist()})["prob"], expected)
    assert model.run(values, ["conv1", "pool"]).keys() == {"conv1", "pool"}


def test_run_on_random_values(model: ncnn_opt.Model, open_model: Path) -> None:
    assert model.run()["prob"].sum() == pytest.approx(1)
    assert not np.array_equal(model.run()["prob"], model.run(seed=1)["prob"])
    assert ncnn_opt.load(open_model).run()["out"].shape == (2, 224, 224)


def test_run_in_the_runtime(model: ncnn_opt.Model) -> None:
    pytest.importorskip("ncnn")
    here, there = model.run(seed=2)["prob"], model.run(seed=2, engine="ncnn")["prob"]
    np.testing.assert_allclose(here, there, atol=1e-6)


def test_wrong_runs(model: ncnn_opt.Model) -> None:
    zeros = np.zeros((3, 32, 32))
    asks: dict[str, Callable[[], object]] = {
        "there is no input 'dta'; did you mean 'data'?": lambda: model.run({"dta": zeros}),
        "there is no input 'image'; the inputs are 'data'": lambda: model.run({"image": zeros}),
        "there is no blob 'prb'; did you mean 'prob'?": lambda: model.run(zeros, ["prb"]),
        "engine must be one of numpy, ncnn, iree, not 'torch'": lambda: model.run(
            zeros,
            engine="torch",  # pyright: ignore[reportArgumentType]
        ),
        "input 'data' has elements of <U1, which are no numbers": lambda: model.run("a"),
        "input 'data' has shape 3, the model takes 3x32x32": lambda: model.run(np.zeros(3)),
    }
    for said, ask in asks.items():
        with pytest.raises(NcnnOptError) as caught:
            ask()
        assert str(caught.value) == said


# -- two models


@pytest.mark.parametrize("engine", ["numpy", "ncnn"])
def test_models_that_agree(engine: Engine, model: ncnn_opt.Model) -> None:
    if engine == "ncnn":
        pytest.importorskip("ncnn")
    fast = ncnn_opt.load(EXAMPLE)
    ncnn_opt.optimize(fast)
    found = model.verify(fast, engine=engine, samples=2)
    assert found
    assert 0 < found.error < 1e-5
    assert found.worst.blob == "prob"
    assert str(found).splitlines()[-2:] == [
        "compared with data=3,32,32",
        f"PASSED: largest error of an output: {found.error:.3g} at 'prob', limit 0.0001",
    ]


def test_models_that_do_not_agree(model: ncnn_opt.Model) -> None:
    other = ncnn_opt.load(EXAMPLE)
    ncnn_opt.optimize(other, Leak())
    found = model.verify(other, engine="numpy")
    assert not found
    assert found.error > 1e-3
    assert "<--" in str(found)
    assert model.verify(other, tolerance=2.0, engine="numpy")


def test_models_that_cannot_be_compared(model: ncnn_opt.Model, open_model: Path) -> None:
    with pytest.raises(NcnnOptError, match="output 'prob' is missing; the second has 'out'"):
        model.verify(ncnn_opt.load(open_model))
    renamed = open_model.with_name("renamed.param")
    renamed.write_text(OPEN.replace("data", "image"))
    with pytest.raises(NcnnOptError, match="no input 'image'; it has 'data'"):
        ncnn_opt.load(open_model).verify(ncnn_opt.load(renamed, open_model.with_suffix(".bin")))


def test_an_output_without_values_agrees_with_nothing(tmp_path: Path) -> None:
    path = tmp_path / "nan.param"
    path.write_text("7767517\n2 2\nInput x 0 1 x 0=3\nBinaryOp d 1 1 x out 0=3 1=1 2=0.0\n")
    path.with_suffix(".bin").write_bytes(b"")
    model = ncnn_opt.load(path)
    found = model.verify(model, {"x": np.zeros(3)}, engine="numpy")
    assert not found
    assert "nothing is compared of 'out': no finite value" in str(found)


NAN = """7767517
4 4
Input x 0 1 x 0=3
BinaryOp a 1 1 x a 0=2 1=1 2={}
BinaryOp b 1 1 a b 0=1 1=1 2=2000.0
UnaryOp c 1 1 b out 0={}
"""
SQUARE_ROOT, SINE = 5, 9


@pytest.mark.parametrize(
    ("factor", "function", "agrees"),
    [(2, SQUARE_ROOT, True), (2.1, SQUARE_ROOT, False), (2, SINE, False)],
)
def test_an_output_without_values_is_compared_behind_it(
    factor: float, function: int, agrees: bool, tmp_path: Path
) -> None:
    """The square root of negative numbers: the numbers decide. A finite output in one of the models
    is a difference."""
    models: list[ncnn_opt.Model] = []
    for name, values in (("a", (2, SQUARE_ROOT)), ("b", (factor, function))):
        path = tmp_path / f"{name}.param"
        path.write_text(NAN.format(*values))
        path.with_suffix(".bin").write_bytes(b"")
        models.append(ncnn_opt.load(path))
    found = models[0].compare(models[1], {"x": np.array([1, 2, 3], "f4")}, engine="numpy")
    assert bool(found) == agrees
    assert not found.silent
    assert "'out' has no finite value: compared 'b', behind it" in str(found)


# -- passes


def test_passes_are_names_objects_or_classes(model: ncnn_opt.Model) -> None:
    remarks = ncnn_opt.optimize(model, [Leak(0.25), "eliminate-dropout"])
    slopes = [layer.params["slope"] for layer in model.layers if layer.type == "ReLU"]
    assert slopes == [0.25, 0.25, 0.25]
    assert [remark.rewrite for remark in remarks] == ["eliminate-dropout"] * 2
    remarks = ncnn_opt.optimize(model, ConvertStorage("fp16"))
    assert all("f16 now, was f32" in remark.note for remark in remarks)
    assert remarks
    ncnn_opt.optimize(model, [Leak])


@pytest.mark.parametrize("passes", [[5], 5, ["fuse-conv-bn", None], [object]])
def test_what_is_no_pass(passes: object, model: ncnn_opt.Model) -> None:
    before = str(model)
    with pytest.raises(NcnnOptError, match="a pass is its name or a ModulePass, not "):
        ncnn_opt.optimize(model, passes)  # pyright: ignore[reportArgumentType]
    assert str(model) == before


# -- reports and notebooks


@pytest.mark.parametrize("name", ["it.html", "it.json", "it.txt"])
def test_reports_are_written(name: str, model: ncnn_opt.Model, tmp_path: Path) -> None:
    begins = {"it.html": "<!DOCTYPE html>", "it.json": '{\n "format": 1', "it.txt": " #  type"}
    model.save_report(tmp_path / name)
    assert (tmp_path / name).read_text().startswith(begins[name])
    fast = ncnn_opt.load(EXAMPLE)
    ncnn_opt.optimize(fast)
    model.save_report(tmp_path / name, fast)
    assert "fused" in (tmp_path / name).read_text()


def test_a_report_replaces_no_model(open_model: Path) -> None:
    model = ncnn_opt.load(open_model)
    for path in (open_model, open_model.with_suffix(".bin")):
        before = path.read_bytes()
        with pytest.raises(NcnnOptError):
            model.save_report(path)
        assert path.read_bytes() == before


def test_a_model_shows_itself(model: ncnn_opt.Model) -> None:
    words = "22 layers, data 3x32x32 -> prob 20"
    assert repr(model) == f"<ncnn_opt.Model '{EXAMPLE}': {words}>"
    html = model._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert "<td>ConvolutionDepthWise</td><td>conv2_dw</td><td>24×16×16</td>" in html
    assert "812,672" in html


def test_names_are_no_markup(tmp_path: Path) -> None:
    path = tmp_path / "m.param"
    path.write_text("7767517\n2 2\nInput x 0 1 x 0=3\nReLU <b>relu</b> 1 1 x out\n")
    html = ncnn_opt.load(path, "none")._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert "&lt;b&gt;relu" in html
    assert "<b>relu" not in html
