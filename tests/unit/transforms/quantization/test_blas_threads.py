"""The number of threads of NumPy's BLAS: one inside a quantization, and the same as before behind
it."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest
from ncnn_opt.quantization import quantize as quantizing
from ncnn_opt.transforms.quantization import blas_threads
from ncnn_opt.transforms.quantization.blas_threads import SETTING, one_blas_thread
from ncnn_opt.transforms.quantization.quantize_weights import QuantizeWeights
from ncnn_opt.transforms.quantization.weights import layer_inputs

import ncnn_opt

Number = Callable[[], int]


@pytest.fixture
def number(monkeypatch: pytest.MonkeyPatch) -> Iterator[Number]:
    """The number of threads of OpenBLAS, which is 3 before each test."""
    calls: Any = getattr(blas_threads, "_calls")()  # noqa: B009
    if calls is None:
        pytest.skip("NumPy has no OpenBLAS")
    monkeypatch.delenv(SETTING, raising=False)
    read, write = calls
    before = read()
    write(3)
    if read() != 3:
        pytest.skip("this OpenBLAS has fewer than 3 threads")
    yield read
    write(before)


def test_one_inside_and_as_before_behind(number: Number) -> None:
    with one_blas_thread():
        assert number() == 1
        with one_blas_thread():
            assert number() == 1
        assert number() == 1
    assert number() == 3
    with pytest.raises(ValueError, match="wrong"), one_blas_thread():
        raise ValueError("wrong")
    assert number() == 3


def test_blocks_in_two_threads(number: Number) -> None:
    entered, leave = Event(), Event()

    def hold() -> None:
        with one_blas_thread():
            entered.set()
            leave.wait(10)

    other = Thread(target=hold)
    with one_blas_thread():
        other.start()
        assert entered.wait(10)
    assert number() == 1  # the other block has not ended
    leave.set()
    other.join()
    assert number() == 3


def test_number_of_the_user_stays(number: Number, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "3")
    with one_blas_thread():
        assert number() == 3


def test_other_library(number: Number, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blas_threads, "_calls", lambda: None)
    with one_blas_thread():
        assert number() == 3


def test_in_force_in_quantize(
    number: Number, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("ncnn")
    lines = ["Input x 0 1 x 0=8 1=8 2=3", "Convolution conv 1 1 x y 0=4 1=3 6=108"]
    (tmp_path / "m.param").write_text("\n".join(["7767517", "2 2", *lines, ""]))
    weight = np.random.default_rng(1).normal(size=108).astype("f4")
    (tmp_path / "m.bin").write_bytes(bytes(4) + weight.tobytes())
    model = ncnn_opt.load(tmp_path / "m.param")
    seen: list[int] = []
    fit: Any = quantizing.fit_weights

    def watched(*arguments: Any) -> Any:
        seen.append(number())
        return fit(*arguments)

    monkeypatch.setattr(quantizing, "fit_weights", watched)
    samples = np.random.default_rng(0).normal(size=(4, 3, 8, 8)).astype("f4")
    ncnn_opt.quantize(model, samples, jobs=1)
    assert seen == [1]
    assert number() == 3
    with pytest.raises(ncnn_opt.NcnnOptError):
        ncnn_opt.quantize(model, samples, jobs=1)  # it is quantized already
    assert number() == 3


@pytest.mark.parametrize("method", ["awq", "gptq"])
def test_in_force_in_quantize_weights(
    method: str, number: Number, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = ["Input x 0 1 x 0=32 1=4", "Gemm g 1 1 x y 3=1 5=1 6=1 8=8 9=32 10=-1"]
    (tmp_path / "m.param").write_text("\n".join(["7767517", "2 2", *lines, ""]))
    rng = np.random.default_rng(1)
    (tmp_path / "m.bin").write_bytes(bytes(4) + rng.normal(size=256).astype("f4").tobytes())
    np.savez(tmp_path / "x.npz", x=rng.normal(size=(3, 4, 32)).astype("f4"))
    seen: list[int] = []
    quantize: Any = layer_inputs.METHODS[method]

    def watched(*arguments: Any) -> Any:
        seen.append(number())
        return quantize(*arguments)

    monkeypatch.setitem(layer_inputs.METHODS, method, watched)
    model = ncnn_opt.load(tmp_path / "m.param")
    data = QuantizeWeights(bits=8, block=32, method=method, data=(str(tmp_path / "x.npz"),))
    ncnn_opt.optimize(model, data)
    assert seen == [1]
    assert number() == 3


def test_library_is_found() -> None:
    """NumPy's own wheels contain OpenBLAS; the limit would not be tested with another one."""
    code = "import numpy; print(numpy.show_config('dicts')['Build Dependencies']['blas']['name'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if "openblas" not in done.stdout:
        pytest.skip("NumPy has no OpenBLAS")
    assert getattr(blas_threads, "_calls")() is not None  # noqa: B009
