"""Warnings of samples from which no good scales follow, with the names of samples and blobs."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.quantization import fitted_layers
from ncnn_opt.quantization.evaluator import Evaluator
from xdsl.dialects.builtin import ModuleOp

import ncnn_opt

from . import test_quantize
from .degenerate import make_worker
from .nets import Array, Net
from .test_quantize import SAMPLES, Quantize, conv, data

folder = test_quantize.folder
quantize = test_quantize.quantize


def warnings_in(said: str) -> list[str]:
    head = "ncnn-quantize: warning: "
    return [line.removeprefix(head) for line in said.splitlines() if line.startswith(head)]


def test_samples_that_differ(quantize: Quantize) -> None:
    for args in (("-o", "o.param", "--quick"), ("-o", "o.param", "--equalize")):
        assert warnings_in(quantize("model.param", "--data", "data.npy", *args)) == []
    assert warnings_in(quantize("calibrate", "model.param", "--data", "data.npy", "-o", "t")) == []


@pytest.mark.parametrize("command", [["calibrate"], []])
def test_one_sample(command: list[str], quantize: Quantize, folder: Path) -> None:
    args = (*command, "model.param", "--data", "data.npy", "--samples", "1", "-o", "o.param")
    wanted = ["'data.npy[0]' is the only sample: the scales fit nothing else"]
    assert warnings_in(quantize(*args)) == wanted
    if not command:
        assert warnings_in(quantize(*args, "--equalize")) == wanted
        assert warnings_in(quantize(*args, "-q")) == []


def test_equal_samples(quantize: Quantize, folder: Path) -> None:
    np.save("x.npy", np.repeat(data()[:1], 5, 0))
    args = ("model.param", "--data", "x.npy", "-o", "o.param", "--quick")
    assert warnings_in(quantize(*args)) == [
        "all 5 samples are equal: 'x.npy[0]', 'x.npy[1]', 'x.npy[2]' and 2 more"
    ]


def test_copies_of_samples(quantize: Quantize, folder: Path) -> None:
    np.save("x.npy", data()[[0, 1, 2, 1, 3, 0]])
    args = ("calibrate", "model.param", "--data", "x.npy")
    wanted = "2 of 6 samples are copies of others: {0}[3]' is {0}[1]', {0}[5]' is {0}[0]'"
    assert warnings_in(quantize(*args, "-o", "t", "-j2")) == [wanted.format("'x.npy")]
    for k in (1, 2):
        part = quantize(*args, "--shard", f"{k}/2", "-o", f"{k}.npz")
        assert warnings_in(part) == []
    said = quantize("merge", "model.param", "1.npz", "2.npz", "-o", "t")
    assert warnings_in(said) == [
        "2 of 6 samples are copies of others: 'sample 3' is 'sample 1', 'sample 5' is 'sample 0'"
    ]


def test_blobs_that_do_not_vary(quantize: Quantize, folder: Path) -> None:
    """One of zeros, one that is the same in all samples; and one between bounds that all reach."""
    net = Net(3)
    net.input("data", (3, 16, 16))
    net.layer("Split", "data", ["a", "b", "c"])
    net.layer("Clip", "a", "bounded", {0: -0.5, 1: 0.5})
    conv(net, "bounded", "c0", 3, 4, 1)
    net.layer("BinaryOp", "b", "zeros", {0: 2, 1: 1, 2: 0.0})
    conv(net, "zeros", "c1", 3, 4, 1)
    net.layer("MemoryData", [], "fixed", {0: 4, 1: 4, 2: 2})
    net.plain(net.normal(2, 4, 4))
    conv(net, "fixed", "c2", 2, 4, 1)
    conv(net, "c", "c3", 3, 4, 1)
    net.write(folder, "still")
    said = quantize("calibrate", "still.param", "--data", "data.npy", "-o", "t")
    assert warnings_in(said) == [
        "blobs that do not vary: 'zeros' (input of Convolution 'c1') is 0 everywhere, "
        "'fixed' (input of Convolution 'c2') is the same in all samples"
    ]
    np.save("x.npy", np.full((SAMPLES, 3, 16, 16), 0.25, "f4"))
    said = quantize("calibrate", "still.param", "--data", "x.npy", "-o", "t", "--samples", "2")
    assert warnings_in(said) == [
        "all 2 samples are equal: 'x.npy[0]', 'x.npy[1]'",
        "blobs that do not vary: 'data' (input of Convolution 'c3') is 0.25 everywhere, "
        "'bounded' (input of Convolution 'c0') is 0.25 everywhere, "
        "'zeros' (input of Convolution 'c1') is 0 everywhere",
    ]


def test_in_python(folder: Path) -> None:
    model = ncnn_opt.load("model.param")
    with pytest.warns(UserWarning, match="'sample 0' is the only sample") as told:
        model.calibrate(data()[:1])
    assert {each.filename for each in told} == {__file__}
    with pytest.warns(UserWarning, match="all 2 samples are equal: 'sample 0', 'sample 1'"):
        model.calibrate([data()[0], data()[0]])


def test_mean_errors_of_what_is_not_finite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Infinities have no difference: the error is that of the other elements."""
    inf, nan = np.inf, np.nan
    blobs = {
        "float": np.array([[[1, inf, 3, inf]], [[1, 1, nan, 2]]], "f4"),
        "int8": np.array([[[2, inf, -inf, 5]], [[0, 2, 4, 8]]], "f4"),
    }
    worker = make_worker()
    monkeypatch.setattr(worker, "run", lambda key, inputs, names: {"y": blobs[key]})  # pyright: ignore
    with np.errstate(all="raise"):
        for nonzero, wanted, counts in ((False, [1, 6], [1, 3]), (True, [1, 7], [1, 2])):
            error, count = worker.errors("int8", "float", {}, "y", 1.0, 2, nonzero)
            assert error.tolist() == wanted
            assert count.tolist() == counts


def test_weights_are_not_fitted_to_what_is_not_finite(
    quantize: Quantize, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = Evaluator.pairs

    def pairs(
        self: Evaluator, module: ModuleOp, name: str, chosen: Sequence[int]
    ) -> Iterator[tuple[Array, Array]]:
        for floats, found in theirs(self, module, name, chosen):
            yield np.full_like(floats, np.nan), found

    def fit(*_: object) -> None:
        pytest.fail("weights are fitted to NaNs")

    args = ("model.param", "--data", "data.npy", "-j1", "--method", "mse")
    quantize(*args, "-o", "plain.param")
    monkeypatch.setattr(Evaluator, "pairs", pairs)
    monkeypatch.setattr(fitted_layers, "fit", fit)
    said = quantize(*args, "--gptq", "-o", "fitted.param")
    assert "the weights stay as they were" in said
    assert (folder / "fitted.bin").read_bytes() == (folder / "plain.bin").read_bytes()


def test_biases_that_float32_does_not_hold_stay(
    quantize: Quantize, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mean_errors(
        self: Evaluator, module: ModuleOp, name: str, channels: int, *_: object
    ) -> Array:
        return np.where(np.arange(channels) == 0, 1e39, 0.0)

    args = ("model.param", "--data", "data.npy", "-j1", "--method", "mse")
    quantize(*args, "-o", "plain.param")
    monkeypatch.setattr(Evaluator, "mean_errors", mean_errors)
    with np.errstate(over="raise"):
        said = quantize(*args, "--correct-bias", "-o", "corrected.param")
    assert "corrected biases: error" in said
    assert (folder / "corrected.bin").read_bytes() == (folder / "plain.bin").read_bytes()
