"""`ncnn-quantize` with the runtime: models in int8 run, and are as near to float as they say."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.formats.scale_table import read_scale_table
from ncnn_opt.interpreters.run import blobs_of, run
from ncnn_opt.quantization.statistics import Statistics
from ncnn_opt.runtime.process import Failure, Runtime
from ncnn_opt.samples.sources import Samples
from ncnn_opt.tools import ncnn_quantize_main

import ncnn_opt

from .nets import Array, Net

Quantize = Callable[..., str]

SAMPLES = 12


def small_net() -> Net:
    """Convolutions after each other, a depthwise one, a sum, two heads."""
    net = Net(3)
    net.input("data", (3, 16, 16))
    conv(net, "data", "c1", 3, 16, 3, act=1)
    conv(net, "c1", "dw", 16, 16, 3, group=16, act=1)
    conv(net, "dw", "c2", 16, 16, 1)
    net.layer("Split", "c2", ["left", "right"])
    conv(net, "left", "c3", 16, 16, 3, act=1)
    net.layer("BinaryOp", ["c3", "right"], "sum", {0: 0})
    net.layer("Split", "sum", ["s0", "s1"])
    conv(net, "s0", "map", 16, 5, 1)
    net.layer("Pooling", "s1", "pool", {0: 1, 4: 1})
    net.layer("InnerProduct", "pool", "fc", {0: 7, 1: 1, 2: 7 * 16})
    net.tagged(net.normal(7, 16))
    net.plain(net.normal(7))
    return net


def conv(
    net: Net, bottom: str, top: str, inputs: int, outputs: int, k: int, group: int = 1, act: int = 0
) -> None:
    kind = "ConvolutionDepthWise" if group > 1 else "Convolution"
    each = inputs // group
    params: dict[int, Any] = {0: outputs, 1: k, 4: k // 2, 5: 1, 6: outputs * each * k * k, 9: act}
    net.layer(kind, bottom, top, params | ({7: group} if group > 1 else {}))
    net.tagged(net.normal(outputs, each, k, k, scale=(each * k * k) ** -0.5))
    net.plain(net.normal(outputs, scale=0.1))


def data(seed: int = 0, count: int = SAMPLES) -> Array:
    return np.random.default_rng(seed).normal(size=(count, 3, 16, 16)).astype("f4")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    small_net().write(tmp_path, "model")
    np.save("data.npy", data())
    return tmp_path


@pytest.fixture
def quantize(folder: Path, capsys: pytest.CaptureFixture[str]) -> Quantize:
    """Runs the command; returns all that it says."""

    def call(*arguments: str, status: int = 0) -> str:
        ended = 0
        try:
            ncnn_quantize_main.main(list(arguments))
        except SystemExit as end:
            ended = int(end.code or 0)
        out, err = capsys.readouterr()
        assert ended == status, err
        return out + err

    return call


def snr(expected: Array, actual: Array) -> float:
    noise = ((expected - actual).astype("f8") ** 2).sum()
    return float(10 * np.log10((expected.astype("f8") ** 2).sum() / noise))


def in_runtime(param: str, samples: Array, blobs: Sequence[str]) -> list[dict[str, Array]]:
    found: list[dict[str, Array]] = []
    with Runtime() as runtime:
        for sample in samples:
            result = runtime.run(Path(param), {"data": sample}, blobs)
            assert not isinstance(result, Failure), result.reason
            found.append(dict(result))
    return found


def test_quiet(quantize: Quantize, folder: Path) -> None:
    assert quantize("model.param", "--data", "data.npy", "-o", "q.param", "-q") == ""
    assert (folder / "q.param").exists()


@pytest.mark.parametrize("method", ["kl", "minmax", "aciq", "percentile", "mse"])
def test_it_runs_and_is_near(method: str, quantize: Quantize, folder: Path) -> None:
    said = quantize(
        "model.param",
        "--data",
        "data.npy",
        "--method",
        method,
        "-o",
        "int8.param",
        "--json",
        "report.json",
        "--html",
        "report.html",
        "-j1",
    )
    assert "6 of 6 layers in int8" in said
    report = json.loads((folder / "report.json").read_text())
    assert [row["name"] for row in report["layers"]] == ["c1", "dw", "c2", "c3", "map", "fc"]
    expected = in_runtime("model.param", data(), ["map", "fc"])
    actual = in_runtime("int8.param", data(), ["map", "fc"])
    for row in report["outputs"]:
        name = row["blob"]
        found = snr(*(np.stack([b[name] for b in each]) for each in (expected, actual)))
        assert found == pytest.approx(row["snr"], abs=0.01)
        assert found > (15 if method == "aciq" else 28)
    page = (folder / "report.html").read_text()
    assert page.count("<rect") == 6 + 2  # layers, outputs
    assert "ConvolutionDepthWise &#x27;dw&#x27;" in page
    # c1 and dw are read by int8 layers alone; a Split, the sum and the Pooling take floats.
    text = (folder / "int8.param").read_text()
    terms = {
        line.split()[1]: [w for w in line.split() if w.startswith("8=")]
        for line in text.splitlines()
        if "8=" in line
    }
    assert terms == {
        "c1": ["8=102"],
        "dw": ["8=101"],
        "c2": ["8=2"],
        "c3": ["8=2"],
        "map": ["8=2"],
        "fc": ["8=2"],
    }


@pytest.mark.parametrize("options", [("-O", "--quick"), ("--gptq",)], ids=" ".join)
def test_the_bytes_before_are_those_of_the_file(
    options: Sequence[str], quantize: Quantize, folder: Path
) -> None:
    """Of a model in float16, whatever is float32 on the way."""
    ncnn_opt.optimize(model := ncnn_opt.load("model.param"), "convert-storage{storage=fp16}")
    ncnn_opt.save(model, "half.param")
    said = quantize("half.param", "--data", "data.npy", *options, "-o", "int8.param", "-j1")
    before, after = ((folder / name).stat().st_size for name in ("half.bin", "int8.bin"))
    assert f"6 of 6 layers in int8, {before:,} -> {after:,} bytes of weights" in said


def test_counts_are_those_of_the_blobs(quantize: Quantize, folder: Path) -> None:
    quantize("calibrate", "model.param", "--data", "data.npy", "-o", "all.npz")
    found = Statistics.from_bytes((folder / "all.npz").read_bytes(), "all.npz")
    func = model_of(ncnn_opt.load("model.param").module)
    wanted = ["data", "c1", "dw", "c2", "sum", "pool"]
    assert sorted(found.counts) == sorted(wanted)
    assert found.sizes["c1"] == 16 * 16 * 16
    values = [run(func, {"data": sample}, wanted) for sample in data()]
    for name in wanted:
        every = np.stack([v[name] for v in values])
        assert found.counts[name].total == every.size
        assert found.counts[name].largest == pytest.approx(np.abs(every).max(), rel=1e-5)
        assert abs(found.counts[name].zeros - (every == 0).sum()) <= 2
    assert set(wanted) <= set(blobs_of(func))


def test_shards_add_up_to_the_bytes_of_one_run(quantize: Quantize, folder: Path) -> None:
    calibrate = ("calibrate", "model.param", "--data", "data.npy")
    quantize(*calibrate, "-o", "all.npz", "-j2")
    quantize(*calibrate, "-o", "all.table", "--method", "mse", "-j1")
    for k in (1, 2, 3):
        quantize(*calibrate, "--shard", f"{k}/3", "-o", f"{k}.npz", "-j1")
    parts = ("3.npz", "1.npz", "2.npz")
    quantize("merge", "model.param", *parts, "-o", "merged.npz")
    quantize("merge", "model.param", *parts, "--method", "mse", "-o", "merged.table")
    for ending in ("npz", "table"):
        one, merged = (folder / f"{name}.{ending}" for name in ("all", "merged"))
        assert one.read_bytes() == merged.read_bytes()
    said = quantize("merge", "model.param", "1.npz", "-o", "part.table")
    assert "8 of 12 samples are in no part" in said


def test_of_many_elements_some_are_counted(
    quantize: Quantize, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ncnn_opt.quantization import collection

    def counted(name: str, *more: str) -> Statistics:
        quantize("calibrate", "model.param", "--data", "data.npy", "-o", name, *more)
        return Statistics.from_bytes((folder / name).read_bytes(), name)

    every = counted("every.npz").counts
    monkeypatch.setattr(collection, "MAX_ELEMENTS", 500 * SAMPLES)
    some = counted("some.npz", "-j2").counts
    for name, counts in every.items():
        assert some[name].largest == counts.largest
        share = some[name].total / counts.total
        few = counts.total <= 500 * SAMPLES
        assert share == 1 if few else 500 * SAMPLES < 2 * some[name].total <= 1000 * SAMPLES
        assert some[name].zeros == pytest.approx(counts.zeros * share, abs=300)
    for k in (2, 1):
        counted(f"{k}.npz", "--shard", f"{k}/2", "-j1")
    quantize("merge", "model.param", "1.npz", "2.npz", "-o", "merged.npz")
    assert (folder / "merged.npz").read_bytes() == (folder / "some.npz").read_bytes()


def test_an_interrupted_run_goes_on(
    quantize: Quantize, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ncnn_opt.quantization import collection

    counted: list[int] = []
    load = Samples.load

    def stops(self: Any, index: int) -> Any:
        if len(counted) == 5:
            raise KeyboardInterrupt
        counted.append(index)
        return load(self, index)

    monkeypatch.setattr(collection, "CHECKPOINT", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(Samples, "load", stops)
        quantize("calibrate", "model.param", "--data", "data.npy", "-o", "t.npz", "-j1", status=130)
    assert not (folder / "t.npz").exists()
    said = quantize("calibrate", "model.param", "--data", "data.npy", "-o", "t.npz", "-j1")
    assert "5 samples are counted in t.npz.partial" in said
    assert not (folder / "t.npz.partial").exists()
    quantize("calibrate", "model.param", "--data", "data.npy", "-o", "whole.npz", "-j1")
    assert (folder / "t.npz").read_bytes() == (folder / "whole.npz").read_bytes()


def test_a_search_leaves_few_in_float(quantize: Quantize, folder: Path) -> None:
    args = ("model.param", "--data", "data.npy", "-o", "int8.param")
    assert "all in int8" in quantize(*args, "--max-nsr", "0.1")
    said = quantize(*args, "--min-snr", "36", "--json", "report.json")
    report = json.loads((folder / "report.json").read_text())
    assert report["error"] <= 10**-3.6
    kept = [row["layer"] for row in report["layers"] if not row["int8"]]
    assert 0 < len(kept) < 6
    assert all(f"{layer} stays float: int8 in it alone makes an error of" in said for layer in kept)
    macs = {row["name"]: row["macs"] for row in report["layers"]}
    assert macs["dw"] == 16 * 9 * 16 * 16
    assert macs["fc"] == 16 * 7
    part = sum(macs[row["name"]] for row in report["layers"] if not row["int8"])
    assert report["float_macs"] == pytest.approx(part / sum(macs.values()))
    layers = "1 layer" if len(kept) == 1 else f"{len(kept)} layers"
    share = f"{layers} in float with {report['float_macs']:.1%} of the multiplications"
    assert share in said
    again = quantize(
        "measure", "model.param", "int8.param", "--data", "data.npy", "--min-snr", "36"
    )
    assert f"{6 - len(kept)} of 6 layers in int8" in again
    quantize(
        "measure", "model.param", "int8.param", "--data", "data.npy", "--min-snr", "60", status=1
    )


@pytest.mark.parametrize(("channels", "levels"), [(16, 127), (64, 101), (256, 31)])
def test_sums_stay_within_what_winograd_holds(
    channels: int, levels: int, quantize: Quantize, folder: Path
) -> None:
    """Weights of half of the largest in each channel, and the worst input for the first one."""
    net = Net(1)
    net.input("data", (channels, 12, 12))
    weight = np.sign(net.normal(8, channels, 3, 3)) * np.float32(0.5)
    weight[:, 0, 0, 0] = 1
    net.layer("Convolution", "data", "y", {0: 8, 1: 3, 4: 1, 6: weight.size})
    net.tagged(weight)
    net.write(folder, "wide")
    x = np.sign(net.normal(1, channels, 12, 12))
    x[0, :, 3:6, 3:6] = np.sign(weight[0])
    np.save("x.npy", x)
    args = ("--data", "x.npy", "--method", "minmax", "-o", "int8.param", "--output-table", "t")
    quantize("wide.param", *args)
    table = read_scale_table((folder / "t").read_bytes(), "t")
    assert table.weights["y", 0][0] == pytest.approx(levels, abs=1)
    if levels > 31:  # fewer are not told apart, as in ncnn's own tool
        (expected,), (actual,) = (in_runtime(p, x, ["y"]) for p in ("wide.param", "int8.param"))
        assert snr(expected["y"], actual["y"]) > 35


def test_what_is_no_data(quantize: Quantize, folder: Path) -> None:
    def refused(*arguments: str) -> str:
        said = quantize("model.param", *arguments, "-o", "out.param", status=1)
        assert said.startswith("ncnn-quantize: error: ")
        assert said.count("\n") == 1
        assert not (folder / "out.param").exists()
        return said

    assert "samples come from one of --images, --data and --list; given is none" in refused()
    (folder / "empty").mkdir()
    assert "there are no samples in empty" in refused("--images", "empty")
    np.save("odd.npy", np.zeros((1, 4, 16, 15), "f4"))
    wrong = "odd.npy[0]: Convolution 'c1' takes 3,?,? by its weights, and gets 4,16,15"
    assert wrong in refused("--data", "odd.npy")
    np.save("flat.npy", np.zeros((3, 16, 16), "f4"))
    assert "'data' is 3x16x16, samples x 3x16x16 are expected" in refused("--data", "flat.npy")
    np.save("nan.npy", np.where(np.arange(SAMPLES)[:, None, None, None] == 7, np.nan, data()))
    assert "nan.npy[7]: blob 'data' has infinities or NaNs" in refused("--data", "nan.npy", "-j1")
    assert "No such file" in refused("--data", "absent.npy")
    np.savez("other.npz", x=data())
    assert "there is no array 'data'" in refused("--data", "other.npz")
    (folder / "list.txt").write_text("a.npy\n\nb.npy\n")
    assert "a.npy: No such file" in refused("--list", "list.txt")
    assert "there is no layer 'cone'" in refused("--data", "data.npy", "--keep", "cone")
    (folder / "classes").write_text("1 2 x")
    assert "'x' is no number" in refused("--data", "data.npy", "--classes", "classes")
    said = quantize("model.param", "--data", "data.npy", "-o", "model.param", status=1)
    assert "model.param' is an input: the result would replace it" in said


def test_models_that_are_int8_already(quantize: Quantize, folder: Path) -> None:
    quantize("model.param", "--data", "data.npy", "-o", "int8.param", "--output-table", "t")
    said = quantize("int8.param", "--data", "data.npy", "-o", "twice.param", status=1)
    assert "int8.param: it is quantized already: Convolution 'c1' computes in integers" in said
    said = quantize("apply", "int8.param", "--table", "t", "-o", "twice.param", status=1)
    assert "Convolution 'c1' is int8 already" in said
    quantize("calibrate", "model.param", "--data", "data.npy", "-o", "part.npz")
    said = quantize("merge", "int8.param", "part.npz", "-o", "t2", status=1)
    assert "part.npz: these are statistics of another model than int8.param" in said


@pytest.mark.parametrize("seed", range(3))
def test_int8_from_layer_to_layer_is_the_same(seed: int, quantize: Quantize, folder: Path) -> None:
    """Chains of convolutions, some behind ReLU, Padding, Flatten and Split."""
    net = Net(seed)
    rng = np.random.default_rng(seed)
    channels, bottom = int(rng.choice([5, 8, 12, 16])), "data"
    net.input("data", (channels, 9, 9))
    for i in range(5):
        kind = rng.integers(5)
        name = f"l{i}"
        if kind == 0:
            net.layer("ReLU", bottom, name)
        elif kind == 1:
            net.layer("Padding", bottom, name, {0: 1, 1: 0, 2: 0, 3: 1})
        elif kind == 2:
            conv(net, bottom, name, channels, channels, 3, channels, int(rng.integers(3) == 1))
        else:
            conv(
                net,
                bottom,
                name,
                channels,
                channels,
                int(rng.choice([1, 3])),
                act=int(rng.integers(2)),
            )
        bottom = name
    conv(net, bottom, "last", channels, 8, 1, act=1)
    net.layer("Split", "last", ["a", "b"])
    conv(net, "a", "left", 8, 4, 1)
    conv(net, "b", "right", 8, 4, 3)
    net.write(folder, "chain")
    samples = net.normal(3, channels, 9, 9)
    np.save("x.npy", samples)
    quantize("calibrate", "chain.param", "--data", "x.npy", "-o", "t", "-j1")
    model = ncnn_opt.load("chain.param")
    ncnn_opt.optimize(model, 'insert-quantization{table="t"}')
    ncnn_opt.save(model, "apart.param")
    remarks = ncnn_opt.optimize(model, "fuse-requantize")
    assert any("'left'" in str(remark) and "'right'" in str(remark) for remark in remarks)
    ncnn_opt.save(model, "joined.param")
    for sample in samples:
        with Runtime() as runtime:
            blobs = [
                runtime.run(Path(p), {"data": sample}, ["left", "right"], packing=False)
                for p in ("apart.param", "joined.param")
            ]
        apart, joined = (b for b in blobs if not isinstance(b, Failure))
        for name in ("left", "right"):
            # (one step of a blob between, where two products are rounded instead of one)
            assert np.abs(apart[name] - joined[name]).max() <= 0.02 * np.abs(apart[name]).max()
