"""Models in which several layers read a blob without a Split: they run only without light mode."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.driver.latency import KEPT
from ncnn_opt.runtime.host import lacks_split, load_net
from ncnn_opt.runtime.process import Failure, Runtime
from ncnn_opt.runtime.timed_net import TimedNet
from ncnn_opt.tools.ncnn_quantize_main import main as quantize
from ncnn_opt.tools.ncnn_run_main import main as run

import ncnn_opt

ncnn: Any = pytest.importorskip("ncnn", reason="no ncnn runtime (the extra verify)")

RESIDUAL = Path(__file__).parents[2] / "examples" / "residual.param"
INPUT = "Input data 0 1 data 0=4"


def files(folder: Path, *layers: str) -> tuple[str, str]:
    """Write a model without weights, and return its files."""
    lines = [line.split() for line in layers]
    tops = sum(int(words[3]) for words in lines)
    param = folder / "m.param"
    param.write_text("\n".join(["7767517", f"{len(lines)} {tops}", *layers, ""]))
    (folder / "m.bin").write_bytes(b"")
    return str(param), str(folder / "m.bin")


@pytest.mark.parametrize(
    ("layers", "shared"),
    [
        (["ReLU a 1 1 data a", "ReLU b 1 1 data b", "BinaryOp c 2 1 a b c"], True),
        (["BinaryOp c 2 1 data data c"], True),
        (
            [
                "Split s 1 2 data d0 d1",
                "ReLU a 1 1 d0 a",
                "ReLU b 1 1 d1 b",
                "BinaryOp c 2 1 a b c",
            ],
            False,
        ),
        (["ReLU a 1 1 data a", "ReLU c 1 1 a c"], False),
    ],
)
def test_light_mode_is_off_where_it_must_be(
    layers: list[str], shared: bool, tmp_path: Path
) -> None:
    paths = files(tmp_path, INPUT, *layers)
    net = load_net(ncnn, *paths)
    assert lacks_split(net) == shared
    assert net.opt.lightmode != shared
    assert load_net(ncnn, *paths, light_mode=True).opt.lightmode
    assert not load_net(ncnn, *paths, light_mode=False).opt.lightmode
    assert TimedNet(ncnn, *paths, 1).time({"data": np.ones(4, np.float32)}) >= 0


def test_layers_are_timed_in_any_order(tmp_path: Path) -> None:
    """Blobs stay after their readers, also where each has one reader."""
    net = TimedNet(ncnn, *files(tmp_path, INPUT, "ReLU a 1 1 data a", "ReLU c 1 1 a c"), 1)
    times = net.time_layers({"data": np.ones(4, np.float32)}, ["c", "a", "missing"])
    assert [ms is None for ms in times] == [False, False, True]


def test_one_run_has_light_mode_unless_told() -> None:
    """A pass that forgets a Split must fail in the checks of its result."""
    inputs = {"data": np.ones((8, 16, 16), np.float32)}
    with Runtime() as runtime:
        assert isinstance(runtime.run(RESIDUAL, inputs, ["heat"]), Failure)
        blobs = runtime.run(RESIDUAL, inputs, ["heat"], light_mode=None)
        decoded = runtime.decode(RESIDUAL, [inputs], {}, ["heat"])
    assert not isinstance(blobs, Failure)
    assert not isinstance(decoded, Failure)
    assert np.array_equal(blobs["heat"], decoded.blobs[0]["heat"])


def test_times_with_a_note(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fast = tmp_path / "fast.param"
    model = ncnn_opt.load(RESIDUAL)
    model.optimize()
    model.save(fast)
    run([str(RESIDUAL), "--engine", "ncnn", "--repeat", "3", "--against", str(fast)])
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.endswith(KEPT)] == [f"{RESIDUAL}: {KEPT}"]
    run([str(fast), "--engine", "ncnn", "--repeat", "3"])
    assert KEPT not in capsys.readouterr().out


def test_quantization_without_optimization(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, table, out = (str(tmp_path / name) for name in ("r.npy", "r.table", "q.param"))
    samples = np.random.default_rng(0).normal(size=(4, 8, 16, 16)).astype("f4")
    np.save(data, samples)
    quantize(["calibrate", str(RESIDUAL), "--data", data, "-o", table])
    assert "conv2b " in Path(table).read_text()
    quantize([str(RESIDUAL), "--data", data, "--quick", "-o", out])
    capsys.readouterr()
    quantize(["measure", str(RESIDUAL), out, "--data", data])
    assert capsys.readouterr().out.startswith("6 of 6 layers in int8")


def test_the_size_of_caches(tmp_path: Path) -> None:
    param, _ = files(tmp_path, INPUT, "Input s 0 1 s", "ReLU y 1 1 data y", "ReLU z 1 1 s z")
    calls = [{"data": np.ones(shape, np.float32)} for shape in ((3, 2, 5), (3, 4, 5))]
    with Runtime() as runtime:
        found = runtime.decode(Path(param), calls, {"s": "y"}, ["y"])
    assert not isinstance(found, Failure)
    assert [*found.cache_bytes] == [4 * 3 * 2 * 5, 4 * 3 * 4 * 5]
