"""Methods of a model, models in bytes, and names of the package."""

from importlib.metadata import version
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from ncnn_opt.analysis.target_info import CHOICES
from ncnn_opt.native import TARGETS
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.form_tuning import Tuning
from ncnn_opt.quantization.recipe import TableMethod
from ncnn_opt.quantization.scales import METHODS
from ncnn_opt.runtime import ENGINES

import ncnn_opt
from ncnn_opt.values import Engine, OptimizeOptions, Target, Tune, in_python

EXAMPLE = Path(__file__).parents[3] / "examples" / "small_cnn.param"
TWINS = "7767517\n3 3\nInput x 0 1 x 0=3\nReLU r 1 1 x a\nReLU r 1 1 a out\n"


@pytest.fixture
def model() -> ncnn_opt.Model:
    return ncnn_opt.load(EXAMPLE)


WEIGHTS = EXAMPLE.with_suffix(".bin").read_bytes()


def test_version() -> None:
    assert ncnn_opt.__version__ == version("ncnn-opt")


def test_literals_list_what_the_library_knows() -> None:
    assert get_args(Engine) == ENGINES
    assert set(get_args(Target)) == {*TARGETS}
    assert set(get_args(Tune)) == {*CHOICES}
    assert set(get_args(TableMethod)) == {*METHODS}


def test_options_of_both_optimize_are_equal() -> None:
    import inspect

    taken = set(inspect.signature(ncnn_opt.optimize).parameters) - {"model", "passes"}
    assert set(OptimizeOptions.__annotations__) == taken
    assert get_type_hints(OptimizeOptions)


def test_optimize_and_save(model: ncnn_opt.Model, tmp_path: Path) -> None:
    other = ncnn_opt.load(EXAMPLE)
    remarks = model.optimize(tune="x86")
    assert list(map(str, remarks)) == list(map(str, ncnn_opt.optimize(other, tune="x86")))
    assert len(model.layers) < 22
    model.save(tmp_path / "m.param")
    ncnn_opt.save(other, tmp_path / "n.param")
    assert (tmp_path / "m.param").read_bytes() == (tmp_path / "n.param").read_bytes()
    assert (tmp_path / "m.bin").read_bytes() == (tmp_path / "n.bin").read_bytes()


def test_compare_all_blobs(model: ncnn_opt.Model) -> None:
    other = ncnn_opt.load(EXAMPLE)
    found = model.compare(other, engine="numpy")
    assert found
    assert found.first is None
    assert [row.blob for row in found.rows][:2] == ["conv1", "bn1"]
    assert len(model.verify(other, engine="numpy").rows) == 1


def test_compare_names_the_first_blob_that_differs(tmp_path: Path) -> None:
    lines = "7767517\n3 3\nInput x 0 1 x 0=3\nClip a 1 1 x a 0=-9.0 1=9.0\nSigmoid b 1 1 a out\n"
    (tmp_path / "m.param").write_text(lines)
    (tmp_path / "n.param").write_text(lines.replace("1=9.0", "1=0.5"))
    one, two = (ncnn_opt.load(tmp_path / f"{n}.param", "none") for n in "mn")
    found = one.compare(two, np.array([1.0, 2.0, 3.0]), engine="numpy")
    assert found.first is not None
    assert (found.first.blob, bool(found)) == ("a", False)
    near = one.compare(two, np.array([0.1, 0.2, 0.3]), engine="numpy")
    assert near.first is None
    assert near


def test_a_layer_by_its_name(model: ncnn_opt.Model, tmp_path: Path) -> None:
    assert model.layer("conv1") == model.layers[1]
    with pytest.raises(ncnn_opt.NcnnOptError, match=r"no layer 'convx'; did you mean 'conv"):
        model.layer("convx")
    (tmp_path / "m.param").write_text(TWINS)
    with pytest.raises(ncnn_opt.NcnnOptError, match="2 layers are named 'r'; see `layers`"):
        ncnn_opt.load(tmp_path / "m.param", "none").layer("r")


def test_models_in_bytes(model: ncnn_opt.Model, tmp_path: Path) -> None:
    read = ncnn_opt.load(EXAMPLE.read_bytes(), WEIGHTS)
    assert read.path == "bytes"
    assert read.compare(model, engine="numpy").error == 0
    read.save(tmp_path / "m.param")
    assert (tmp_path / "m.bin").read_bytes() == WEIGHTS
    assert ncnn_opt.load((tmp_path / "m.param").read_bytes(), "random:3").run()
    ncnn_opt.save(model, tmp_path / "m.param.bin")
    assert len(ncnn_opt.load((tmp_path / "m.param.bin").read_bytes(), "none").layers) == 22
    assert len(ncnn_opt.load(b"func.func @main() { return }").layers) == 0


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((EXAMPLE.read_bytes(),), {}, "a .param in bytes needs weights: bytes, 'none' or 'random'"),
        ((EXAMPLE, b""), {}, "load: weights are bytes only if the model is"),
        ((b"7767517\nx",), {"weights": "none"}, "bytes:2:1: expected the number of layers"),
        ((b"7767517\n1 1\n", "none"), {"pnnx": "m.pnnx.param"}, "load: pnnx is for a file"),
        ((EXAMPLE.read_bytes(), b"short"), {}, "weights.bin"),
    ],
)
def test_wrong_bytes(arguments: Any, options: Any, message: str) -> None:
    with pytest.raises(ncnn_opt.NcnnOptError) as raised:
        ncnn_opt.load(*arguments, **options)
    assert message in str(raised.value)


def test_a_notebook_shows_graph_and_costs(model: ncnn_opt.Model) -> None:
    html = model._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert '<iframe srcdoc="' in html
    assert "&lt;svg" in html
    assert "Where the work is" in html
    assert "<td>ConvolutionDepthWise</td><td>conv2_dw</td><td>24×16×16</td>" in html


def test_a_notebook_draws_no_huge_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ncnn_opt.report.report_files.MOST_DRAWN", 21)
    html = ncnn_opt.load(EXAMPLE)._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert "iframe" not in html
    assert "conv2_dw" in html


@pytest.mark.parametrize("given", [{"autotune_seconds": 1}, {"autotune_cache": "folder"}])
def test_the_options_of_tuning_need_tune(model: ncnn_opt.Model, given: Any) -> None:
    with pytest.raises(ncnn_opt.NcnnOptError, match="are for autotune=True"):
        model.compile(**given)


def test_a_model_is_tuned_as_by_the_command(
    model: ncnn_opt.Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[Tuning] = []

    def fastest(module: Any, options: Any, tuning: Tuning) -> Any:
        called.append(tuning)
        raise NativeError("enough")

    monkeypatch.setattr("ncnn_opt.native.form_tuning.fastest", fastest)
    given: Any
    for given in ({}, {"autotune_seconds": 0, "autotune_cache": tmp_path}):
        with pytest.raises(ncnn_opt.NcnnOptError, match="enough"):
            model.compile(autotune=True, **given)
    assert called == [Tuning(), Tuning(0, str(tmp_path))]


def test_native_inputs_by_name(model: ncnn_opt.Model) -> None:
    pytest.importorskip("iree.compiler", reason="needs the extra native")
    compiled = model.compile()
    x = np.zeros((3, 32, 32), "f4")
    assert np.array_equal(compiled(data=x)["prob"], compiled(x)["prob"])
    with pytest.raises(ncnn_opt.NcnnOptError, match="by position or by name, not both"):
        compiled(x, data=x)
    with pytest.raises(ncnn_opt.NcnnOptError, match="there is no input 'date'; did you mean"):
        compiled(date=x)


def test_a_copy_is_another_model(model: ncnn_opt.Model) -> None:
    before = str(model)
    other = model.copy()
    other.optimize()
    assert (str(model), model.remarks) == (before, [])
    assert other.remarks
    assert len(other.layers) < len(model.layers)
    other.remarks.clear()
    model.warnings.append("of the first")
    assert not other.warnings
    assert model.verify(other, engine="numpy")


def test_layers_have_their_weights(model: ncnn_opt.Model) -> None:
    conv = model.layer("conv1")
    assert {name: array.shape for name, array in conv.weights.items()} == {"weight": (24, 3, 3, 3)}
    assert conv.weights["weight"].size == conv.params["weight_data_size"]
    assert not model.layers[0].weights
    norm = model.layer("bn1").weights
    assert len(norm) == 4
    assert all(array.shape == (24,) for array in norm.values())
    scale = norm["slope"] / np.sqrt(norm["var"])
    fused = model.copy()
    fused.optimize("fuse-conv-bn")
    expected = conv.weights["weight"] * scale[:, None, None, None]
    assert np.allclose(fused.layer("conv1").weights["weight"], expected, rtol=1e-5)
    assert "weights" not in repr(conv)


def test_weights_that_are_not_there() -> None:
    model = ncnn_opt.load(EXAMPLE, weights="none")
    with pytest.raises(ncnn_opt.NcnnOptError, match="small_cnn"):
        _ = model.layer("conv1").weights


def test_passes_are_listed() -> None:
    found = ncnn_opt.passes()
    assert "convolution" in found["fuse-conv-bn"].lower()
    assert len(found) > 50
    assert all(found.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("give it with --input-shape x=…", "give it with shapes={'x': …}"),
        ("try --input-shape x=3,?,32: no", "try shapes={'x': (3, None, 32)}: no"),
        ("try --input-shape x=3", "try shapes={'x': (3,)}"),
        ("try --input-shape x=3, then", "try shapes={'x': (3,)}, then"),
        ("give --input-shape x=3,…,…", "give shapes={'x': (3, …, …)}"),
        (
            "give them with --input-shape x=… --input-shape y=2,3",
            "give them with shapes={'x': …, 'y': (2, 3)}",
        ),
        ("(a guess; --input-shape says better)", "(a guess; shapes= says better)"),
        ("another --seed or --input-shape", "another seed= or shapes="),
        ("--input-shapes and --seed-x", "--input-shapes and --seed-x"),
        (
            "--weights FILE, or use --weights none or --weights random:SEED",
            "weights=FILE, or use weights='none' or weights='random:SEED'",
        ),
        ("--weights randomly and --weights of", "weights= randomly and weights= of"),
        ("no weights: --custom-weights Up=0,64", "no weights: custom_weights={'Up': [0, 64]}"),
        ("--custom-weights torch.up=COUNT; or", "custom_weights={'torch.up': [COUNT]}; or"),
        ("give --data: --keep-precision", "give data=: keep_precision=True"),
    ],
)
def test_messages_name_arguments_of_python(text: str, expected: str) -> None:
    assert in_python(text) == expected


def test_an_error_and_a_comparison_name_arguments_of_python(tmp_path: Path) -> None:
    path = tmp_path / "m.param"
    path.write_text("7767517\n2 2\nInput x 0 1 x\nConvolution c 1 1 x c 0=2 1=1 6=6\n")
    (tmp_path / "m.bin").write_bytes(bytes(4 + 24))
    model = ncnn_opt.load(path)
    found = model.verify(model, engine="numpy")
    assert "(a guess; shapes= says better)" in str(found)
    with pytest.raises(ncnn_opt.NcnnOptError, match=r"try shapes=\{'x': \(3, 8, 8\)\}"):
        ncnn_opt.load(path, shapes={"x": (8, 8, 3)})
