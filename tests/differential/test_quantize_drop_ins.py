"""`ncnn-table` and `ncnn-int8`: the arguments of ncnn's own tools."""

import re
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.formats.scale_table import read_scale_table
from ncnn_opt.quantization.collection import ENOUGH_FOR_KL, few_samples_for
from ncnn_opt.runtime.process import Failure, Runtime
from ncnn_opt.tools import ncnn_int8_main, ncnn_quantize_main, ncnn_table_main

from .nets import Net
from .test_quantize import conv, data, small_net

TABLE = ["model.param", "model.bin", "list.txt", "model.table"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    small_net().write(tmp_path, "model")
    names = [f"{i}.npy" for i in range(4)]
    for name, sample in zip(names, data(count=4), strict=True):
        np.save(name, sample)
    (tmp_path / "list.txt").write_text("".join(f"{name}\n" for name in names))
    return tmp_path


def test_table_and_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ncnn_table_main.main([*TABLE, "shape=[16,16,3]", "type=1", "method=kl", "thread=2"])
    err = capsys.readouterr().err
    assert err.count("threshold = ") == 6
    few = "method kl compares histograms, for which 4 samples are few"
    assert few in err
    np.save("all.npy", data(count=4))
    ncnn_quantize_main.main(
        ["calibrate", "model.param", "--data", "all.npy", "--method", "kl", "-o", "own.table"]
    )
    assert (folder / "own.table").read_bytes() == (folder / "model.table").read_bytes()
    assert f"ncnn-quantize: warning: {few}" in capsys.readouterr().err
    ncnn_table_main.main([*TABLE[:-1], "mse.table", "shape=[16,16,3]", "type=1", "method=mse"])
    assert "few" not in capsys.readouterr().err
    assert few_samples_for("kl", ENOUGH_FOR_KL) == few_samples_for("mse", 1) == ""
    assert "1 sample is few" in few_samples_for("kl", 1)
    ncnn_int8_main.main(["model.param", "model.bin", "int8.param", "int8.bin", "model.table"])
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "quantize_convolution c1",
        "quantize_convolutiondepthwise dw",
        "quantize_convolution c2",
        "quantize_convolution c3",
        "quantize_convolution map",
        "quantize_innerproduct fc",
        "fuse_requantize c1 dw",
        "fuse_requantize dw c2",
    ]
    with Runtime() as runtime:
        blobs = runtime.run(Path("int8.param"), {"data": data()[0]}, ["fc", "map"])
    assert not isinstance(blobs, Failure)


def test_images(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = pytest.importorskip("PIL.Image")
    rng = np.random.default_rng(0)
    for i in range(3):
        pixels = rng.integers(0, 256, (20 + i, 24, 3), np.uint8)
        image.fromarray(pixels).save(f"{i}.png")
    (folder / "list.txt").write_text("0.png\n1.png\n\n2.png\n")
    keys = ["mean=[104.0,117.0,123.0]", "norm=[0.01,0.01,0.01]", "pixel=BGR", "thread=1"]
    ncnn_table_main.main([*TABLE, *keys, "shape=[16,16,3]"])
    options = [
        "--method",
        "kl",
        "--mean",
        "104,117,123",
        "--norm",
        "0.01,0.01,0.01",
        "-o",
        "own.table",
    ]
    images = ["calibrate", "model.param", "--images", "."]
    with pytest.raises(SystemExit):
        ncnn_quantize_main.main([*images, *options])
    said = capsys.readouterr().err.splitlines()[-1]
    assert said == (
        "ncnn-quantize: error: 0.png is 20x24, input 'data' 16x16 (height x width): --resize "
        "resizes images"
    )
    assert not (folder / "own.table").exists()
    ncnn_quantize_main.main([*images, "--resize", *options])
    assert "3 of 3 images are resized to 16x16" in capsys.readouterr().err
    assert (folder / "own.table").read_bytes() == (folder / "model.table").read_bytes()
    scale = read_scale_table((folder / "own.table").read_bytes(), "").blobs["c1"][0]
    assert 80 < scale < 130  # images reach from -1.2 to 1.5


def test_images_where_the_model_says_no_size(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They may have any, but one; the second lies on its side, as its Exif data say."""
    image = pytest.importorskip("PIL.Image")
    text = (folder / "model.param").read_text()
    (folder / "any.param").write_text(re.sub(r"(Input +data +0 1 data).*", r"\1", text))
    (folder / "any.bin").write_bytes((folder / "model.bin").read_bytes())
    pixels = np.random.default_rng(0).integers(0, 256, (20, 16, 3), np.uint8)
    image.fromarray(pixels).save("0.png")
    exif = image.Exif()
    exif[0x0112] = 6
    image.fromarray(pixels.transpose(1, 0, 2)).save("1.png", exif=exif)
    calibrate = ["calibrate", "any.param", "--images", ".", "-o", "t", "-j1"]
    ncnn_quantize_main.main(calibrate)
    image.fromarray(pixels[:18]).save("2.png")
    (folder / "t").unlink()
    for more in ([], ["--resize"]):
        with pytest.raises(SystemExit):
            ncnn_quantize_main.main([*calibrate, *more])
        said = capsys.readouterr().err.splitlines()[-1]
        assert "2.png is 18x16, 0.png 20x16, and the model does not declare the size" in said
        assert not (folder / "t").exists()
    ncnn_quantize_main.main([*calibrate, "--resize", "--input-shape", "data=3,18,16"])
    assert "2 of 3 images are resized to 18x16" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["model.param"], "4 arguments are needed before KEY=VALUE, not 1"),
        ([*TABLE, "shap=[1]"], "there is no 'shap='; did you mean 'shape'?"),
        ([*TABLE, "mean=[1],[2]"], "expect 1 means, but got 2"),
        ([*TABLE, "mean=[a]"], "mean is [V,V,…] for each input, not '[a]'"),
        ([*TABLE, "pixel=ARGB"], "pixel is BGR, RGB, GRAY, RGBA, BGRA, RAW, not 'ARGB'"),
        ([*TABLE, "pixel=RGBA"], "pixel=RGBA makes images of 4 channels, input 'data' has 3"),
        ([*TABLE, "shape=16,x,3"], "shape is [V,V,…] for each input, not '16,x,3'"),
        ([*TABLE, "shape=[16,16,3"], "expect 1 shapes, but got 0"),
        ([*TABLE, "method=eq"], "method=eq is not supported"),
        ([*TABLE, "thread=0"], "thread is a positive number, not '0'"),
        (["model.param", "model.bin", "a,b", "t"], "expect 1 lists, but got 2"),
        (["model.param", "model.bin", "absent", "t"], "absent: No such file"),
        ([*TABLE, "shape=[16,16.5,3]"], "shape is [w,h,c] for each input, not [16,16.5,3]"),
        ([*TABLE, "shape=[16,0,3]"], "shape=[16,0,3] of input 'data': w and h are both 0, or"),
        ([*TABLE, "pixel=GRAY"], "pixel=GRAY makes images of 1 channels, input 'data' has 3"),
    ],
)
def test_mistakes(
    arguments: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        ncnn_table_main.main(arguments)
    assert end.value.code == 1
    said = capsys.readouterr().err
    assert said.startswith("ncnn-table: error: ")
    assert message in said
    assert not (folder / "model.table").exists()


@pytest.mark.parametrize("kind", ["type=0", "type=1"])
@pytest.mark.parametrize("shape", ["[3,16,16]", "[16,16,1]", "[16,16]", "[16,16,3,1]"])
@pytest.mark.parametrize("declared", [True, False])
def test_shapes_that_the_model_does_not_take(
    declared: bool, shape: str, kind: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whether the model declares the extents of its input or not; [w,h] is right for images."""
    if not declared:
        text = (folder / "model.param").read_text()
        (folder / "model.param").write_text(re.sub(r"(Input +data +0 1 data).*", r"\1", text))
    if kind == "type=0":
        image = pytest.importorskip("PIL.Image")
        pixels = np.random.default_rng(0).integers(0, 256, (16, 20, 3), np.uint8)
        image.fromarray(pixels).save("0.png")
        (folder / "list.txt").write_text("0.png\n")
    keys = [kind, "thread=1"]
    if (shape, kind) == ("[16,16]", "type=0"):
        ncnn_table_main.main([*TABLE, f"shape={shape}", *keys])
        found = (folder / "model.table").read_bytes()
        ncnn_table_main.main([*TABLE, "shape=[16,16,3]", *keys])
        assert found == (folder / "model.table").read_bytes()
        return
    with pytest.raises(SystemExit):
        ncnn_table_main.main([*TABLE, f"shape={shape}", *keys])
    said = capsys.readouterr().err
    assert said.startswith(f"ncnn-table: error: shape={shape} of input 'data': Convolution 'c1' ")
    advice = "; shape is [w,h,c]: try shape=[16,16,3]\n"
    assert said.endswith(advice) == (shape.count(",") < 3)
    assert not (folder / "model.table").exists()


@pytest.mark.parametrize(
    ("shape", "kind", "reason"),
    [
        ("[16,48]", "type=1", "the input has another number of dims; shape is [w,h,c]: try shape="),
        ("[48,16,1]", "type=1", "the input has 3 channels; shape is [w,h,c]: try shape=[48,16,3]"),
        ("[48,16,1]", "type=0", "the input has 3 channels; shape is [w,h,c]: try shape=[48,16,3]"),
    ],
)
def test_shapes_that_no_weights_contradict(
    shape: str, kind: str, reason: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As many elements as the first layer takes, but not those of the input that the model
    declares."""
    net = Net(3)
    net.input("data", (3, 16, 16))
    net.layer("Reshape", "data", "flat", {0: -1})
    net.layer("InnerProduct", "flat", "fc", {0: 4, 1: 0, 2: 4 * 768})
    net.tagged(net.normal(4, 768))
    net.write(folder, "model")
    ncnn_table_main.main([*TABLE, "type=1", "thread=1", "shape=[16,16,3]"])
    (folder / "model.table").unlink()
    with pytest.raises(SystemExit):
        ncnn_table_main.main([*TABLE, kind, "thread=1", f"shape={shape}"])
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(f"ncnn-table: error: shape={shape} of input 'data': {reason}")
    assert not (folder / "model.table").exists()


@pytest.mark.parametrize(("pixel", "kind"), [("RGBA", "BGR2RGBA"), ("BGRA", "BGR2BGRA")])
@pytest.mark.parametrize("declared", [True, False])
def test_images_with_alpha(pixel: str, kind: str, declared: bool, folder: Path) -> None:
    """The blob is that of ncnn's own conversion."""
    image = pytest.importorskip("PIL.Image")
    ncnn = pytest.importorskip("ncnn")
    net = Net(3)
    net.input("data", (4, 16, 16))
    conv(net, "data", "c1", 4, 8, 3, act=1)
    conv(net, "c1", "c2", 8, 4, 1)
    param = net.write(folder, "model")
    if not declared:
        param.write_text(re.sub(r"(Input +data +0 1 data).*", r"\1", param.read_text()))
    pixels = np.random.default_rng(0).integers(0, 256, (16, 16, 3), np.uint8)
    image.fromarray(pixels).save("0.png")
    (folder / "list.txt").write_text("0.png\n")
    mean, norm = [1.0, 2.0, 3.0, 4.0], [0.5, 0.25, 0.125, 0.1]
    keys = [f"{name}=[{','.join(map(str, v))}]" for name, v in (("mean", mean), ("norm", norm))]
    ncnn_table_main.main([*TABLE, *keys, f"pixel={pixel}", "thread=1"])
    conversion = getattr(ncnn.Mat.PixelType, f"PIXEL_{kind}")
    blob = ncnn.Mat.from_pixels(np.ascontiguousarray(pixels[:, :, ::-1]), conversion, 16, 16)
    blob.substract_mean_normalize(mean, norm)
    np.save("0.npy", np.array(blob))
    (folder / "list.txt").write_text("0.npy\n")
    table = (folder / "model.table").read_bytes()
    ncnn_table_main.main([*TABLE, "type=1", "thread=1"])
    assert (folder / "model.table").read_bytes() == table


def test_pixels_as_they_are_and_a_shape_without_brackets(folder: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    pixels = np.random.default_rng(0).integers(0, 256, (20, 24, 3), np.uint8)
    image.fromarray(pixels).save("0.png")
    (folder / "list.txt").write_text("0.png\n")
    tables: dict[str, bytes] = {}
    for keys in ("pixel=BGR shape=[16,16,3]", "pixel=RAW shape=16,16,3", "pixel=RGB shape=16,16"):
        ncnn_table_main.main([*TABLE, *keys.split(), "mean=1,2,3", "thread=1"])
        tables[keys] = (folder / "model.table").read_bytes()
    bgr, raw, rgb = tables.values()
    assert bgr == raw != rgb


def test_a_warning_about_images_without_mean_and_norm(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = pytest.importorskip("PIL.Image")
    (folder / "calib").mkdir()
    image.fromarray(np.zeros((16, 16, 3), np.uint8)).save("calib/0.png")
    warning = "ncnn-quantize: warning: --images without --mean and --norm: pixels are 0 to 255; "
    line = ["calibrate", "model.param", "--images", "calib", "-o", "t", "-j1"]
    for more in ([], ["--mean", "1"], ["--norm", "1"]):
        ncnn_quantize_main.main([*line, *more])
        assert (warning in capsys.readouterr().err) == (not more)


@pytest.mark.parametrize("declared", [True, False])
def test_grey_images(declared: bool, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A model of one channel gets grey, also where only its weights say so."""
    image = pytest.importorskip("PIL.Image")
    net = Net(3)
    net.input("data", (1, 16, 16))
    conv(net, "data", "c1", 1, 8, 3, act=1)
    conv(net, "c1", "c2", 8, 4, 1)
    param = net.write(folder, "model")
    if not declared:
        param.write_text(re.sub(r"(Input +data +0 1 data).*", r"\1", param.read_text()))
    pixels = np.random.default_rng(0).integers(0, 256, (16, 16, 3), np.uint8)
    image.fromarray(pixels).save("0.png")
    (folder / "list.txt").write_text("0.png\n")
    tables: set[bytes] = set()
    for keys in ([], ["pixel=GRAY"], ["shape=[16,16,1]"], ["shape=[16,16]", "pixel=GRAY"]):
        ncnn_table_main.main([*TABLE, *keys, "thread=1"])
        tables.add((folder / "model.table").read_bytes())
    assert len(tables) == 1
    with pytest.raises(SystemExit):
        ncnn_table_main.main([*TABLE, "shape=[16,16,3]"])
    assert capsys.readouterr().err.endswith("shape is [w,h,c]: try shape=[16,16,1]\n")
    with pytest.raises(SystemExit):
        ncnn_table_main.main([*TABLE, "pixel=BGR"])
    wrong = "pixel=BGR makes images of 3 channels, input 'data' has 1\n"
    assert capsys.readouterr().err.endswith(wrong)


def test_arrays_of_another_size(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without `shape` the declared extents are hints; what `shape` specifies is meant."""
    for i in range(4):
        np.save(f"{i}.npy", data(count=4)[i][:, :12])
    ncnn_table_main.main([*TABLE, "type=1", "thread=1"])
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("warning: input 'data' is declared as 3x16x16, the samples are 3x12x")
    with pytest.raises(SystemExit):
        ncnn_table_main.main([*TABLE, "type=1", "thread=1", "shape=[16,16,3]"])
    assert capsys.readouterr().err.endswith("input 'data' is 3x16x16, this is 3x12x16\n")


def test_mistakes_of_int8(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "t").write_text("c9_param_0 1\nc9 1\n")
    with pytest.raises(SystemExit):
        ncnn_int8_main.main(["model.param", "model.bin", "out.param", "out.bin", "t"])
    said = capsys.readouterr().err
    assert "ncnn-int8: error: t:1: the table is of another model: there is no layer 'c9'" in said
    assert not (folder / "out.param").exists()
