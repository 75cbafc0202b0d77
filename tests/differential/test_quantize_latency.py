"""`ncnn-quantize --latency` and `--keep-slower`: what int8 saves, and what is better in float."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from ncnn_opt.quantization.int8_models import integers_of
from ncnn_opt.quantization.layer_timing import (
    LayerTimes,
    ModelTimer,
    Timing,
    layers_faster_in_float,
)
from ncnn_opt.runtime.latency import Latency
from ncnn_opt.runtime.stopwatch import Times
from xdsl.dialects.builtin import ModuleOp

from . import test_quantize
from .test_quantize import Quantize

folder = test_quantize.folder
quantize = test_quantize.quantize


def test_latencies_beside_the_noise(quantize: Quantize, folder: Path) -> None:
    args = ("model.param", "--data", "data.npy", "--method", "mse", "-o", "int8.param", "-j1")
    report = ("--json", "r.json", "--html", "r.html")
    said = quantize(*args, "--keep", "c3", "--latency", "--repeat", "4", "--measure", *report)
    lines = said.splitlines()
    assert lines[0].split()[-4:] == ["float", "ms", "int8", "ms"]
    assert re.search(r" \d\.\d{3} +\d\.\d{3}$", lines[1]), "of a layer in int8"
    assert "Convolution 'c3'" in lines[4]
    assert not re.search(r"\d\.\d{3} +\d\.\d{3}$", lines[4]), "of one in float"
    ratio = r"\d\.\d{3} ms in float, \d\.\d{3} in int8: int8 takes \d+\.\d\d times as long as float"
    assert re.search(ratio + r" \(87 %: .* to .*, 4 pairs of runs\)", said)
    found = json.loads((folder / "r.json").read_text())
    timed = {row["name"]: "int8_ms" in row for row in found["layers"]}
    assert timed == {"c1": True, "dw": True, "c2": True, "c3": False, "map": True, "fc": True}
    latency = found["latency"]
    assert latency["interval"][0] <= latency["int8_to_float"] <= latency["interval"][1]
    for row in found["layers"]:
        if row["name"] in latency["slower"]:
            assert f"{row['layer']} {row['float_ms']:.3f} -> {row['int8_ms']:.3f} ms" in said
    assert ">int8 ms</th>" in (folder / "r.html").read_text()
    said = quantize("measure", *args[:1], "int8.param", *args[1:3], "--latency", "--repeat", "4")
    assert re.search(ratio, said)


def test_what_is_tuned_stays_float(quantize: Quantize, folder: Path) -> None:
    args = ("model.param", "--data", "data.npy", "--method", "mse", "-o", "int8.param", "-j1")
    said = quantize(*args, "--keep-slower", "--repeat", "20", "--json", "r.json")
    rows = json.loads((folder / "r.json").read_text())["layers"]
    kept = re.findall(r"'(\w+)' stays float: \d\.\d{3} ms, in int8 \d\.\d{3}", said)
    assert [row["name"] for row in rows if not row["int8"]] == sorted(
        kept, key=[row["name"] for row in rows].index
    )
    assert bool(kept) != ("the model is not faster with any layer in float" in said)


class FakeTimer:
    """A processor on which each layer takes so long, in float and in int8; what stands beside a
    layer of the other kind takes longer by `switch`."""

    def __init__(self, times: Mapping[str, tuple[float, float]], switch: float = 0) -> None:
        self.times = times
        self.switch = switch

    def time(self, kept: Collection[str]) -> Timing:
        names = list(self.times)
        layers: dict[str, LayerTimes] = {}
        for i, name in enumerate(names):
            if name not in kept:
                before, after = self.times[name]
                after += self.switch * sum(n in kept for n in names[max(i - 1, 0) : i + 2])
                layers[name] = LayerTimes(before, after, after > before)
        return Timing(Latency(["int8", "float"], [Times(), Times()]), layers)

    def is_faster(self, kept: Collection[str], other: Collection[str]) -> bool:
        return self._sum(kept) < self._sum(other)

    def _sum(self, kept: Collection[str]) -> float:
        int8 = sum(t.int8_ms for t in self.time(kept).layers.values())
        return int8 + sum(self.times[name][0] for name in kept)


def tune(timer: FakeTimer) -> Sequence[str]:
    def model(kept: Collection[str]) -> ModuleOp:
        return cast(ModuleOp, list(kept))

    return list(layers_faster_in_float(cast(ModelTimer, timer), model))


@pytest.mark.parametrize(
    ("times", "switch", "kept"),
    [
        ({"a": (2, 1), "b": (2, 1)}, 0, []),
        ({"a": (2, 1), "b": (2, 9), "c": (2, 3)}, 0, ["b", "c"]),
        # Alone it would be faster, but not with what its neighbours then take.
        ({"a": (2, 1), "b": (2, 3), "c": (2, 1)}, 0.8, []),
        # Only the half that loses most is worth it.
        ({"a": (9, 1), "b": (1, 6), "c": (9, 1), "d": (1, 2), "e": (9, 1)}, 1.5, ["b"]),
        # Then its neighbour is slower, too.
        ({"a": (2, 1.9), "b": (2, 9), "c": (9, 1)}, 0.5, ["b", "a"]),
    ],
)
def test_the_whole_model_decides(times: Any, switch: float, kept: list[str]) -> None:
    assert tune(FakeTimer(times, switch)) == kept


SPEEDS = {
    "ssh://a": {"c1": (2.0, 9.0), "dw": (2.0, 1.0)},
    "local": {"c1": (2.0, 1.0), "dw": (2.0, 5.0)},
}
"""Milliseconds in float and in int8: the devices disagree."""


def speeds_of(timer: ModelTimer) -> Mapping[str, tuple[float, float]]:
    return {name: SPEEDS[str(timer.device)].get(name, (2.0, 1.0)) for name in timer.prepared.labels}


def fake_time(timer: ModelTimer, module: ModuleOp) -> Timing:
    times = [[0.0], [0.0]]
    layers: dict[str, LayerTimes] = {}
    for name, (before, after) in speeds_of(timer).items():
        is_int8 = name in integers_of(module)
        times[0][0] += after if is_int8 else before
        times[1][0] += before
        if is_int8:
            layers[name] = LayerTimes(before, after, after > before)
    whole = Latency(["int8", "float"], [Times(runs) for runs in times])
    return Timing(whole, layers)


def fake_is_faster(timer: ModelTimer, module: ModuleOp, other: ModuleOp) -> bool:
    one, two = (fake_time(timer, each).whole.median(0) for each in (module, other))
    return one < two


@pytest.fixture
def two_devices(monkeypatch: pytest.MonkeyPatch) -> Sequence[str]:
    monkeypatch.setattr(ModelTimer, "time", fake_time)
    monkeypatch.setattr(ModelTimer, "is_faster", fake_is_faster)
    return ("--on-device", "ssh://a", "--on-device", "local:")


LINE = ("model.param", "--data", "data.npy", "--method", "mse", "-o", "int8.param", "-j1")
QUICK = (*LINE, "--quick")


def test_a_layer_that_is_slower_on_any_device_stays_float(
    quantize: Quantize, folder: Path, two_devices: Sequence[str]
) -> None:
    said = quantize(*QUICK, "--keep-slower", "--json", "r.json", *two_devices)
    rows = json.loads((folder / "r.json").read_text())["layers"]
    assert [row["name"] for row in rows if not row["int8"]] == ["c1", "dw"]
    assert "'c1' stays float: 2.000 ms on ssh://a, in int8 9.000" in said
    assert "'dw' stays float: 2.000 ms on local, in int8 5.000" in said
    assert "not faster" not in said
    said = quantize(*QUICK, "--keep-slower", "--json", "r.json", *two_devices[2:])
    rows = json.loads((folder / "r.json").read_text())["layers"]
    assert [row["name"] for row in rows if not row["int8"]] == ["dw"]
    assert "'dw' stays float: 2.000 ms, in int8 5.000" in said


def test_a_device_on_which_no_layer_is_slower(
    quantize: Quantize, two_devices: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SPEEDS, "local", {})
    said = quantize(*QUICK, "--keep-slower", *two_devices)
    assert "the model is not faster on local with any further layer in float" in said
    assert said.count("stays float") == 1
    monkeypatch.setitem(SPEEDS, "ssh://a", {})
    said = quantize(*QUICK, "--keep-slower", *two_devices)
    assert "the model is not faster on ssh://a with any layer in float" in said
    assert "stays float" not in said


def test_a_column_for_each_device(
    quantize: Quantize, folder: Path, two_devices: Sequence[str]
) -> None:
    report = ("--json", "r.json", "--html", "r.html", "--measure")
    said = quantize(*QUICK, "--latency", "--keep", "c3", *report, *two_devices)
    lines = said[said.index("layer ") :].splitlines()
    assert lines[0].endswith("  ssh://a (float -> int8 ms)  local (float -> int8 ms)")
    assert re.search(r"'c1' .* 2\.000 -> 9\.000 +2\.000 -> 1\.000$", lines[1])
    assert "Convolution 'c3'" in lines[4]
    assert "->" not in lines[4]
    assert "ssh://a: slower in int8: Convolution 'c1' 2.000 -> 9.000 ms" in lines
    assert "local: slower in int8: ConvolutionDepthWise 'dw' 2.000 -> 5.000 ms" in lines
    ratios = [line.partition(": int8 takes ")[2][:4] for line in lines if "int8 takes" in line]
    assert ratios == ["1.15", "0.95"]
    found = json.loads((folder / "r.json").read_text())
    assert "latency" not in found
    latencies = found["latencies"]
    assert {name: row["slower"] for name, row in latencies.items()} == {
        "ssh://a": ["c1"],
        "local": ["dw"],
    }
    assert latencies["ssh://a"]["int8_ms"] == 23.0
    rows = {row["name"]: row for row in found["layers"]}
    assert rows["c1"]["times"]["ssh://a"] == {"float_ms": 2.0, "int8_ms": 9.0}
    assert "times" not in rows["c3"]
    assert "<th>local (float -&gt; int8 ms)</th>" in (folder / "r.html").read_text().replace(
        ' scope="col"', ""
    )


def test_other_weights_in_float16(quantize: Quantize, folder: Path) -> None:
    args = ("model.param", "--data", "data.npy", "--method", "mse", "--keep", "c3", "-j1")
    for storage in ("fp32", "fp16"):
        out = ("-o", f"{storage}.param", "--storage", storage)
        quantize(*args, *out, "--output-table", "t")
    sizes = [(folder / f"{storage}.bin").stat().st_size for storage in ("fp32", "fp16")]
    assert sizes[0] - sizes[1] == 2 * 16 * 16 * 9
    quantize(
        "apply", "model.param", "--table", "t", "--keep", "c3", "--storage", "fp16", "-o", "a.param"
    )
    assert (folder / "a.bin").read_bytes() == (folder / "fp16.bin").read_bytes()
