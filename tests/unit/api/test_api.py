"""The Python API: what it gives, what it refuses, and that it says the same as the command line."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.tools.ncnn_report_main import main as report_main
from xdsl.utils.exceptions import ParseError, PassFailedException, VerifyException

import ncnn_opt
from ncnn_opt import Blob, Layer, NcnnOptError
from ncnn_opt.values import Shapes, Tune

EXAMPLES = Path(__file__).parents[3] / "examples"

SMALL = """7767517
4 4
Input data 0 1 data 0=3
MyLayer mine 1 1 data mine 0=2 1=1.5 -23302=2,1,2 3=text
InnerProduct fc 1 1 mine fc 0=4 1=1 2=12 31=1
ReLU relu 1 1 fc out 0=0.1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a model."""
    for path in EXAMPLES.glob("small_cnn.*"):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def model(folder: Path) -> ncnn_opt.Model:
    return ncnn_opt.load("small_cnn.param")


def command_says(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The message with which the command refuses something."""
    with pytest.raises(SystemExit):
        main(arguments)
    return capsys.readouterr().err.strip().removeprefix("ncnn-opt: error: ")


def content_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# -- loading


def test_import_is_cheap() -> None:
    code = "import sys, ncnn_opt; print(*sorted({'xdsl', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_model_tells_what_it_consists_of(model: ncnn_opt.Model) -> None:
    assert model.path == "small_cnn.param"
    assert model.inputs == [Blob("data", (3, 32, 32))]
    assert model.outputs == [Blob("prob", (20,))]
    layers = model.layers
    assert len(layers) == 22
    assert layers[1] == Layer(
        "Convolution",
        "conv1",
        ("data",),
        ("conv1",),
        {"num_output": 24, "kernel_w": 3, "stride_w": 2, "pad_left": 1, "weight_data_size": 648},
        shapes=((24, 16, 16),),
    )
    both = ((24, 16, 16), (24, 16, 16))
    split = Layer("Split", "split1", ("relu1",), ("relu1_a", "relu1_b"), shapes=both)
    assert layers[5] == split
    assert model.warnings == []
    assert model.remarks == []
    words = "22 layers, data 3x32x32 -> prob 20"
    assert repr(model) == f"<ncnn_opt.Model 'small_cnn.param': {words}>"


def test_str_is_ir(model: ncnn_opt.Model) -> None:
    text = str(model)
    assert text.startswith("builtin.module {\n  func.func @main(%data: tensor<3x32x32xf32>")
    assert '%relu1 = ncnn.relu %scale1 {name = "relu1"}' in text
    assert "#ncnn.elided" in text
    assert all(constant.has_values() for constant in constants_of(model))
    assert str(model) == text


def constants_of(model: ncnn_opt.Model) -> list[ConstantOp]:
    return [op for op in model.module.walk() if isinstance(op, ConstantOp)]


def test_parameters_by_name_or_id(tmp_path: Path) -> None:
    path = tmp_path / "m.param"
    path.write_text(SMALL)
    model = ncnn_opt.load(path, weights="none", custom_weights={"MyLayer": [2, 3]})
    assert model.inputs == [Blob("data", (3,))]
    assert model.outputs == [Blob("out", None)]
    assert [layer.params for layer in model.layers] == [
        {"w": 3},
        {0: 2, 1: 1.5, 2: (1, 2), 3: "text"},
        {"num_output": 4, "bias_term": 1, "weight_data_size": 12, "featmask": 1},
        {"slope": pytest.approx(0.1)},
    ]


def test_names_are_those_of_the_file(tmp_path: Path) -> None:
    # Neither the first input nor two of the outputs declare a name.
    path = tmp_path / "m.mlir"
    path.write_text("""
    func.func @main(%p: tensor<4xf32>, %x: tensor<4xf32> {ncnn.blob = "out0"}) ->
        (tensor<4xf32> {ncnn.blob = "p"}, tensor<4xf32>, tensor<4xf32>) {
      %c = ncnn.constant dense<1.0> : tensor<4xf32>
      %0 = ncnn.absval %x {name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
      %1 = ncnn.tanh %p {name = "p"} : (tensor<4xf32>) -> tensor<4xf32>
      func.return %0, %1, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    }""")
    model = ncnn_opt.load(path)
    ncnn_opt.save(model, tmp_path / "m.param")
    saved = ncnn_opt.load(tmp_path / "m.param")
    assert {blob.name for blob in model.inputs} == {blob.name for blob in saved.inputs}
    assert {blob.name for blob in model.outputs} == {blob.name for blob in saved.outputs}
    assert [blob.name for blob in model.outputs] == ["p", "p_1", "out1"]
    assert [blob.name for blob in model.inputs] == ["p_2", "out0"]


def test_weights_of_another_name(folder: Path) -> None:
    weights = folder / "small_cnn.bin"
    elsewhere = weights.rename(folder / "other.bin")
    with pytest.raises(NcnnOptError, match="there is no 'small_cnn.bin' beside it"):
        ncnn_opt.load("small_cnn.param")
    ncnn_opt.save(ncnn_opt.load("small_cnn.param", weights=elsewhere), "copy.param")
    assert (folder / "copy.bin").read_bytes() == elsewhere.read_bytes()


def test_random_weights(folder: Path) -> None:
    for name, weights in (("a", "random"), ("b", "random:0"), ("c", "random:1")):
        ncnn_opt.save(ncnn_opt.load("small_cnn.param", weights=weights), f"{name}.param")
    a, b, c = ((folder / f"{name}.bin").read_bytes() for name in "abc")
    assert a == b != c
    assert len(a) == len(c) == (folder / "small_cnn.bin").stat().st_size


def test_trailing_weights(folder: Path) -> None:
    with (folder / "small_cnn.bin").open("ab") as f:
        f.write(bytes(8))
    with pytest.raises(NcnnOptError, match="8 bytes are left over"):
        ncnn_opt.load("small_cnn.param")
    ncnn_opt.load("small_cnn.param", allow_trailing_weights=True)


def test_warnings_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "m.param"
    path.write_text("7767517\n2 2\nInput data 0 1 data\nReLU relu 1 1 data out 0=1,2\n")
    (tmp_path / "m.bin").touch()
    (warning,) = ncnn_opt.load(path).warnings
    assert "parameter 0 (slope)" in warning


def test_report_is_that_of_the_command(
    model: ncnn_opt.Model, capsys: pytest.CaptureFixture[str]
) -> None:
    report_main(["small_cnn.param", "--print-json"])
    assert model.report() == json.loads(capsys.readouterr().out)
    ncnn_opt.optimize(model)
    assert model.report()["totals"]["weight_bytes"] == 40712


# -- optimizing


def test_optimize_is_the_whole_pipeline(model: ncnn_opt.Model, folder: Path) -> None:
    remarks = ncnn_opt.optimize(model)
    assert str(remarks[1]) == "fuse-conv-bn: Convolution 'conv1', BatchNorm 'bn1'"
    assert remarks[1].layers == ("Convolution 'conv1'", "BatchNorm 'bn1'")
    assert len(model.layers) == 11
    ncnn_opt.save(model, "api.param")
    main(["-O", "small_cnn.param", "-o", "tool.param"])
    for ending in ("param", "bin"):
        assert (folder / f"api.{ending}").read_bytes() == (folder / f"tool.{ending}").read_bytes()


def test_passes_run_in_order_and_remarks_add_up(model: ncnn_opt.Model) -> None:
    first = ncnn_opt.optimize(model, ["fuse-conv-bn"])
    assert {remark.rewrite for remark in first} == {"fuse-conv-bn"}
    second = ncnn_opt.optimize(
        model, "fuse-conv-mul,eliminate-dropout,convert-storage{storage=fp16}"
    )
    kinds = [remark.rewrite for remark in second]
    assert kinds == ["fuse-conv-mul", *["eliminate-dropout"] * 2, *["convert-storage"] * 6]
    assert model.remarks == first + second
    assert ncnn_opt.optimize(model, []) == []


@pytest.mark.parametrize("rounds", [False, True])
def test_float16_weights_are_rewritten_exactly_unless_rounding_is_asked_for(
    rounds: bool, tmp_path: Path
) -> None:
    text = """7767517
3 3
Input x 0 1 x 0=4 1=4 2=8
Convolution c 1 1 x y 0=8 1=1 6=64
BinaryOp m 1 1 y z 0=2 1=1 2=0.3
"""
    (tmp_path / "net.param").write_text(text)
    weight = np.random.default_rng(0).standard_normal(64).astype("<f2")
    tag = (0x01306B47).to_bytes(4, "little")
    (tmp_path / "net.bin").write_bytes(tag + weight.tobytes())
    model = ncnn_opt.load(tmp_path / "net.param")
    if not rounds:  # 128 bytes more of 132 are too many
        assert ncnn_opt.optimize(model) == []
        assert ncnn_opt.optimize(model, keep_precision=True) == []
    passes = None if rounds else "canonicalize"
    remarks = ncnn_opt.optimize(model, passes, round_weights=rounds)
    ncnn_opt.save(model, tmp_path / "fast.param")
    assert ("f16 again" in remarks[-1].note) == rounds
    assert ncnn_opt.optimize(model) == []
    data = (tmp_path / "fast.bin").read_bytes()
    exact = weight.astype("f8") * np.float32(0.3)
    held = np.frombuffer(data[4:], "<f2" if rounds else "<f4").astype("f8")
    assert len(data) == 4 + 64 * (2 if rounds else 4)
    assert (abs(held - exact) <= abs(exact) * 2.0 ** (-11 if rounds else -24)).all()


def test_precision_is_either_kept_or_rounded(model: ncnn_opt.Model) -> None:
    with pytest.raises(ncnn_opt.NcnnOptError, match="exclude each other"):
        ncnn_opt.optimize(model, keep_precision=True, round_weights=True)


def test_what_is_fast_on_one_family_of_processors(folder: Path) -> None:
    """Of the layers here the runtime has a fast Mish on arm alone."""
    lines = "7767517\n3 3\nInput x 0 1 x 0=9 1=8\nConvolution1D conv 1 1 x y 0=8 1=1 6=64\n"
    Path("conv.param").write_text(f"{lines}Mish act 1 1 y z\n")

    def layers_for(*tunes: Tune | None) -> int:
        model = ncnn_opt.load("conv.param", weights="random")
        for tune in tunes:
            ncnn_opt.optimize(model, tune=tune)
        return len(model.layers)

    assert [layers_for(tune) for tune in (None, "x86", "arm", "none")] == [3, 3, 2, 2]
    assert [layers_for("x86", None), layers_for("x86", "arm")] == [3, 2]


def test_an_unknown_family_of_processors(model: ncnn_opt.Model) -> None:
    before = str(model)
    with pytest.raises(NcnnOptError, match="^tune is one of x86, arm, vulkan, none, not 'vax'$"):
        ncnn_opt.optimize(model, tune="vax")  # pyright: ignore[reportArgumentType]
    assert str(model) == before


def test_promised_shapes(folder: Path) -> None:
    """The Reshape is one to the shape that is there only for inputs of one size; the Crop does
    nothing for any that are small enough."""
    lines = "7767517\n6 7\nInput x 0 1 x\nSplit twice 1 2 x x0 x1\n"
    lines += "Reshape same 1 1 x0 a 0=8 1=4 2=3\nReLU relu 1 1 a b\n"
    lines += "Crop crop 1 1 x1 c -23309=1,0 -23310=1,8 -23311=1,2\nBinaryOp sum 2 1 b c y\n"
    Path("same.param").write_text(lines)

    def types_for(fix_shapes: Shapes | None = None, max_shape: Shapes | None = None) -> list[str]:
        model = ncnn_opt.load("same.param", weights="none")
        ncnn_opt.optimize(model, fix_shapes=fix_shapes, max_shape=max_shape)
        ncnn_opt.optimize(model)
        ncnn_opt.save(model, "out.param")
        return [layer.type for layer in model.layers if layer.type not in ("Input", "Split")]

    every = ["Reshape", "ReLU", "Crop", "BinaryOp"]
    assert types_for() == every
    assert "-23330=" not in Path("out.param").read_text()
    assert types_for(fix_shapes={"x": (3, 4, 8)}) == ["ReLU", "BinaryOp"]
    assert Path("out.param").read_text().count("-23330=") == 4
    assert types_for(fix_shapes={"x": (3, None, 8)}) == ["Reshape", "ReLU", "BinaryOp"]
    assert types_for(max_shape={"x": (3, 4, 8)}) == ["Reshape", "ReLU", "BinaryOp"]
    assert types_for(max_shape={"x": (3, 4, None)}) == every


def test_promises_that_are_wrong(model: ncnn_opt.Model) -> None:
    before = str(model)
    with pytest.raises(NcnnOptError, match="there is no input 'dat'; did you mean 'data'"):
        ncnn_opt.optimize(model, fix_shapes={"dat": (3, 32, 32)})
    with pytest.raises(NcnnOptError, match="Convolution 'conv1' takes 3,"):
        ncnn_opt.optimize(model, max_shape={"data": (4, 32, 32)})
    with pytest.raises(NcnnOptError, match="extents are positive numbers"):
        ncnn_opt.optimize(model, max_shape={"data": (3, 0, 32)})
    assert str(model) == before


def test_a_failing_pass_changes_nothing(model: ncnn_opt.Model) -> None:
    before = str(model)
    near = "there is no layer 'conv9'; did you mean 'conv1' or 'conv3'"
    with pytest.raises(NcnnOptError, match=near):
        ncnn_opt.optimize(model, ["fuse-conv-bn", "cut-model{from=conv9}"])
    assert str(model) == before
    assert model.remarks == []


# -- saving


def test_both_kinds_of_file_and_back(model: ncnn_opt.Model, folder: Path) -> None:
    ncnn_opt.optimize(model)
    ncnn_opt.save(model, Path("a.mlir"))
    again = ncnn_opt.load("a.mlir")
    assert str(again) == str(model)
    ncnn_opt.save(again, "b.param", weights=folder / "c.bin")
    ncnn_opt.save(model, "d.param")
    assert (folder / "b.param").read_bytes() == (folder / "d.param").read_bytes()
    assert (folder / "c.bin").read_bytes() == (folder / "d.bin").read_bytes()
    assert not (folder / "b.bin").exists()


@pytest.mark.parametrize("name", ["small_cnn.param", "small_cnn.mlir"])
def test_a_model_goes_on_after_it_was_saved_over_itself(name: str, folder: Path) -> None:
    if name.endswith(".mlir"):
        main(["small_cnn.param", "-o", name])
        (folder / "small_cnn.param").unlink()
    model, twin = ncnn_opt.load(name), ncnn_opt.load(name)
    ncnn_opt.optimize(twin)
    ncnn_opt.save(twin, "twin.param")
    ncnn_opt.optimize(model, ["fuse-conv-bn"])
    ncnn_opt.save(model, name)
    ncnn_opt.optimize(model)
    ncnn_opt.save(model, name)
    ncnn_opt.save(model, "late.param")
    for ending in ("param", "bin"):
        assert (folder / f"late.{ending}").read_bytes() == (folder / f"twin.{ending}").read_bytes()
    assert ncnn_opt.load(name).layers == model.layers


def test_weights_that_others_refer_to_stay(model: ncnn_opt.Model, folder: Path) -> None:
    ncnn_opt.save(model, "kept.mlir")
    before = content_of(folder)
    ncnn_opt.optimize(model)
    with pytest.raises(NcnnOptError, match="'kept.mlir' refers to 'kept.bin', which would change"):
        ncnn_opt.save(model, "kept.param")
    assert content_of(folder) == before


def test_ir_beside_a_model_gets_a_bin_of_its_own(model: ncnn_opt.Model, folder: Path) -> None:
    before = (folder / "small_cnn.bin").read_bytes()
    ncnn_opt.optimize(model)
    ncnn_opt.save(model, "small_cnn.mlir")
    assert (folder / "small_cnn.bin").read_bytes() == before
    assert (folder / "small_cnn.mlir.bin").exists()
    assert str(ncnn_opt.load("small_cnn.mlir")) == str(model)


# -- errors


def test_a_missing_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NcnnOptError) as error:
        ncnn_opt.load("nope.param")
    assert isinstance(error.value.__cause__, FileNotFoundError)
    assert str(error.value) == "nope.param: No such file or directory"
    assert str(error.value) == command_says(capsys, "nope.param")


def test_a_broken_param(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.param").write_text("7767517\n1 1\nReLU relu 1 1 data out\n")
    with pytest.raises(NcnnOptError) as error:
        ncnn_opt.load("bad.param", weights="none")
    assert isinstance(error.value.__cause__, FormatError)
    assert str(error.value).startswith("bad.param:3:")
    assert str(error.value) == command_says(capsys, "bad.param", "--weights", "none")


def test_truncated_weights(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "small_cnn.bin"
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(NcnnOptError) as error:
        ncnn_opt.load("small_cnn.param")
    assert str(error.value) == command_says(capsys, "small_cnn.param")


def test_ir_that_does_not_parse(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.mlir").write_text("builtin.module {\n  ncnn.nonsense\n}\n")
    with pytest.raises(NcnnOptError) as error:
        ncnn_opt.load("bad.mlir")
    assert isinstance(error.value.__cause__, ParseError)
    assert str(error.value).startswith("bad.mlir:3:")
    assert str(error.value) == command_says(capsys, "bad.mlir")


def test_ir_that_does_not_verify(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.mlir").write_text(
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        '  %y = "ncnn.relu"() : () -> tensor<4xf32>\n  func.return %y : tensor<4xf32>\n}\n'
    )
    with pytest.raises(NcnnOptError) as error:
        ncnn_opt.load("bad.mlir")
    assert isinstance(error.value.__cause__, VerifyException)
    assert str(error.value) == command_says(capsys, "bad.mlir")


@pytest.mark.parametrize(
    "passes",
    [
        "fuse-conv-bm",
        "fuse-conv-bn{x=1}",
        "cut-model{",
        "cut-model",
        "keep-blobs",
        "convert-storage{storage=int4}",
    ],
)
def test_passes_that_cannot_be_meant(
    passes: str, model: ncnn_opt.Model, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(NcnnOptError) as error:
        ncnn_opt.optimize(model, [passes])
    assert str(error.value) == command_says(capsys, "-p", passes, "small_cnn.param")


def test_a_pass_that_fails(model: ncnn_opt.Model, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NcnnOptError) as error:
        ncnn_opt.optimize(model, ["keep-blobs{names=blob}"])
    assert isinstance(error.value.__cause__, PassFailedException)
    assert str(error.value) == command_says(capsys, "--keep-blob", "blob", "small_cnn.param")


def test_weights_that_have_changed(model: ncnn_opt.Model, folder: Path) -> None:
    path = folder / "small_cnn.bin"
    path.write_bytes(path.read_bytes()[:-4])
    before = content_of(folder)
    for action in (
        lambda: ncnn_opt.optimize(model),
        lambda: ncnn_opt.save(model, "a.param"),
        lambda: ncnn_opt.save(model, "a.mlir"),
    ):
        with pytest.raises(NcnnOptError, match="small_cnn.bin' has changed since it was opened"):
            action()
    assert content_of(folder) == before


@pytest.mark.parametrize("name", ["a.bin", "a.txt", "a"])
def test_kinds_of_file_that_are_not_written(
    name: str, model: ncnn_opt.Model, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = content_of(folder)
    with pytest.raises(NcnnOptError) as error:
        ncnn_opt.save(model, name)
    assert str(error.value) == command_says(capsys, "small_cnn.param", "-o", name)
    assert content_of(folder) == before


def test_a_folder_that_is_not_there(
    model: ncnn_opt.Model, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(NcnnOptError) as error:
        ncnn_opt.save(model, "nowhere/a.param")
    assert isinstance(error.value.__cause__, FileNotFoundError)
    assert str(error.value) == command_says(capsys, "small_cnn.param", "-o", "nowhere/a.param")


def test_a_model_without_weights_is_not_saved(folder: Path) -> None:
    model = ncnn_opt.load("small_cnn.param", weights="none")
    before = content_of(folder)
    with pytest.raises(NcnnOptError, match="the weights are elided"):
        ncnn_opt.save(model, "a.param")
    assert content_of(folder) == before


def test_ir_that_is_no_model(folder: Path) -> None:
    (folder / "two.mlir").write_text("func.func @a() {func.return}\nfunc.func @b() {func.return}\n")
    model = ncnn_opt.load("two.mlir")
    assert "func.func @b" in str(model)
    for ask in (lambda: model.layers, lambda: model.inputs, lambda: model.outputs):
        with pytest.raises(NcnnOptError, match=r"^two\.mlir: "):
            ask()


def test_our_own_defects_keep_their_type(
    model: ncnn_opt.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("a defect")

    monkeypatch.setattr("ncnn_opt.driver.api_pipelines.run_pipeline", fail)
    with pytest.raises(AssertionError, match="a defect"):
        ncnn_opt.optimize(model)


# -- what the converter left, and sizes

PNNX_INPUTS = EXAMPLES.parent / "tests/filecheck/transforms/pnnx/Inputs"


def test_layers_that_ncnn_does_not_have_are_told_and_repaired() -> None:
    path = PNNX_INPUTS / "attention.param"
    left = ncnn_opt.load(path, weights="none")
    assert [line.split(":")[0] for line in left.missing] == [
        "ncnn has no layer 'Tensor.reshape' (unbind_7_ncnnbatch2dim_0)",
        "ncnn has no layer 'torch.unbind' (unbind_7)",
        "ncnn has no layer 'my.own' (own)",
    ]
    model = ncnn_opt.load(path, weights="none", pnnx=PNNX_INPUTS / "attention.pnnx.param")
    assert [line.split(":")[0] for line in model.missing] == ["ncnn has no layer 'my.own' (own)"]
    assert "restore-pnnx" in {remark.rewrite for remark in model.remarks}
    assert "Slice" in {layer.type for layer in model.layers}


def test_another_file_is_no_pnnx(folder: Path) -> None:
    with pytest.raises(NcnnOptError, match=r"this is not PNNX's own IR"):
        ncnn_opt.load("small_cnn.param", pnnx="small_cnn.param")


FLAT = """7767517
3 3
Input x 0 1 x 0={w} 1={h} 2=2
Reshape flat 1 1 x flat 0={n} 1=2
Reshape windows 1 1 flat y 0=4 1={m} 2=2
"""


def flat(folder: Path, h: int, w: int) -> ncnn_opt.Model:
    path = folder / f"flat{h}x{w}.param"
    path.write_text(FLAT.format(h=h, w=w, n=h * w, m=h * w // 4))
    return ncnn_opt.load(path, weights="none")


def test_a_model_of_any_size(folder: Path) -> None:
    model = flat(folder, 4, 4)
    before = str(model)
    with pytest.raises(
        NcnnOptError,
        match="the shapes cannot be dynamic: Reshape 'windows': it is ambiguous which of 4x4",
    ):
        ncnn_opt.make_dynamic(model, {"x": "2*h,2*w"})
    assert str(model) == before
    remarks = ncnn_opt.make_dynamic(model, {"x": "2*h,2*w"}, other_export=flat(folder, 6, 8))
    assert {remark.rewrite for remark in remarks} == {"make-dynamic"}
    assert model.inputs == [Blob("x", (2, None, None))]
    assert [layer.params for layer in model.layers[1:]] == [
        {"w": -1, "h": 2},
        {"w": 4, "h": -1, "c": 2},
    ]


def test_a_model_is_checked_in_the_runtime(folder: Path) -> None:
    pytest.importorskip("ncnn")
    model = ncnn_opt.load("small_cnn.param")
    assert ncnn_opt.check(model) == "runs in ncnn with data=3,32,32, and gives prob=20"
    with pytest.raises(NcnnOptError, match="the weights are elided"):
        ncnn_opt.check(ncnn_opt.load("small_cnn.param", weights="none"))


def test_layers_are_counted_in_one_way(tmp_path: Path) -> None:
    """In IR that passes have changed there are no Splits; the file has them, and so have counts."""
    path = tmp_path / "m.param"
    path.write_text(
        "7767517\n6 8\nInput x 0 1 x 0=4\nDropout d 1 1 x y\nSplit s 1 2 y a b\n"
        "ReLU r 1 1 a c\nSigmoid q 1 1 b e\nBinaryOp p 2 1 c e out\n"
    )
    path.with_suffix(".bin").write_bytes(b"")
    model = ncnn_opt.load(path)
    for layers in (6, 5):
        totals = model.report()["totals"]
        ncnn_opt.save(model, tmp_path / "saved.param")
        header = (tmp_path / "saved.param").read_text().splitlines()[1]
        assert (totals["layers"], totals["splits"]) == (layers, 1)
        assert len(model.layers) == layers == int(header.split()[0])
        ncnn_opt.optimize(model)
