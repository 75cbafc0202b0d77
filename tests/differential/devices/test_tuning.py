"""`--tune measure`: trials, decisions and their cache, with devices whose speeds the test sets."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver import device_tuning
from ncnn_opt.driver.device_tuning import DeviceTuner, Tuned
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.driver.pipelines import limited, optimizing, run_pipeline
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.interpreters.run import run
from ncnn_opt.paired_times.ratio import Ratio
from ncnn_opt.runtime.devices.address import Address, DeviceError, parse_address
from ncnn_opt.runtime.devices.measurements import DeviceMeasurement, DeviceModel, MeasuringOptions
from ncnn_opt.runtime.devices.probe import DeviceFacts

MODEL = """7767517
7 7
Input data 0 1 data 0=9 1=8
Convolution1D host 1 1 data host 0=2048 1=1 6=16384
Mish act 1 1 host out
Input image 0 1 image 0=12 1=12 2=1
Convolution c 1 1 image c 0=7 1=1 6=7
ConvolutionDepthWise d 1 1 c d 0=7 1=3 4=1 6=63 7=7
Convolution y 1 1 d y 0=1 1=1 6=7
"""
"""A Mish that is slow in the Convolution1D on some processors, and 7 channels, which are padded on
all."""
SLOW_MISH, UNPADDED = "act", "unpadded"

Speeds = Mapping[str, float]


@dataclass
class Devices:
    """Devices on which each change multiplies the time by a factor."""

    speeds: dict[str, Speeds]
    """The factors by address: `act` for a fused activation, `unpadded`, and `both`."""
    wrong: bool = False
    """Whether the outputs of tuned models are wrong."""
    ncnn: str = "1"
    trials: list[str] = field(default_factory=list[str])
    address: str = ""

    def with_session(
        self, address: Address, work: Callable[[Any], Any], say: object, waiting: float
    ) -> Any:
        if str(address) not in self.speeds:
            raise DeviceError(f"{address}: no connection")
        self.address = str(address)
        return work(self)

    def probe(self, session: object) -> DeviceFacts:
        return DeviceFacts(
            f"cpu of {self.address}", "x86_64", ["avx"], self.ncnn, "python", "float32"
        )

    def measure(
        self, session: object, models: Sequence[DeviceModel], inputs: Any, plan: MeasuringOptions
    ) -> DeviceMeasurement:
        text = models[0].param.read_text()
        changes = [SLOW_MISH] if "Mish" not in text else []
        changes += [UNPADDED] if " 0=7" in text else []
        kind = "both" if len(changes) > 1 else changes[0]
        self.trials.append(kind)
        value = self.speeds[self.address][kind]
        ratio = Ratio(value, value - 0.02, value + 0.02)
        source = read_model(str(models[1].param), ReadOptions())
        outputs = run(model_of(source.module), inputs, ["out", "y"])
        tuned = {name: v + np.float32(10 * self.wrong) for name, v in outputs.items()}
        times = [[value], [1.0]]
        return DeviceMeasurement(
            parse_address("local"), "1", ["", ""], times, ratio, outputs=[tuned, outputs]
        )


@dataclass
class Tuning:
    """Tunes the model, or another one, on devices."""

    folder: Path
    patch: pytest.MonkeyPatch
    said: list[str] = field(default_factory=list[str])

    def __call__(self, devices: Devices, text: str = MODEL) -> Tuned:
        for name in ("with_session", "probe", "measure"):
            self.patch.setattr(device_tuning, name, getattr(devices, name))
        devices.trials.clear()
        self.said.clear()
        path = self.folder / "model.param"
        path.write_text(text)
        module = read_model(str(path), ReadOptions("random")).module
        passes = limited(optimizing(None))
        addresses = [
            parse_address(f"ssh://{name}") for name in ("a", "b")[: len(devices.speeds) or 1]
        ]
        tuner = DeviceTuner(
            module, lambda copy: run_pipeline(copy, passes), addresses, self.said.append
        )
        return tuner.tune()


@pytest.fixture
def tune(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tuning:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Tuning(tmp_path, monkeypatch)


def one(act: float, padded: float, both: float = 1.0) -> dict[str, Speeds]:
    return {"ssh://a": {SLOW_MISH: act, UNPADDED: padded, "both": both}}


@pytest.mark.parametrize(
    ("speeds", "choices", "trials"),
    [
        (one(1.1, 1.1), "", 2),
        (one(0.99, 1.0), "", 2),  # no difference is shown
        (one(0.9, 1.0), "activation=arm", 2),
        (one(1.0, 0.9), "padding=none", 2),
        (one(0.9, 0.8, 0.7), "activation=arm,padding=none", 3),
        (one(0.9, 0.8, 0.85), "padding=none", 3),  # together they are slower than one
        (one(0.8, 0.9, 1.2), "activation=arm", 3),
    ],
)
def test_the_fastest_is_kept(
    speeds: dict[str, Speeds], choices: str, trials: int, tune: Tuning
) -> None:
    devices = Devices(speeds)
    found = tune(devices)
    assert found.choices == choices
    assert len(devices.trials) == trials
    assert tune.said[0] == "tuning: at most 2 trials on ssh://a, of 48 pairs of runs"
    kept = [line for line in found.lines if line.endswith("kept")]
    assert len(kept) == bool(choices)
    shown = 3 if "," in choices else 2
    assert sum("measured" in line for line in found.lines) == shown


def test_a_second_run_needs_no_device(tune: Tuning, tmp_path: Path) -> None:
    devices = Devices(one(0.9, 0.8, 0.7))
    first = tune(devices)
    absent = Devices({})
    second = tune(absent)
    assert second.choices == first.choices == "activation=arm,padding=none"
    assert absent.trials == tune.said == []
    assert sum("cache" in line for line in second.lines) == 3
    files = list((tmp_path / "cache" / "ncnn-opt").glob("tuning-*.json"))
    entries = json.loads(files[0].read_text())["entries"]
    assert [row["change"] for row in entries.values()][0] == "Convolution1D, Mish -> Convolution1D"
    # Equal structures in a model with other names and weights.
    other = MODEL.replace("host", "other").replace(" c", " k").replace("act", "mish")
    assert tune(absent, other).choices == first.choices
    # Another shape of a layer that changes is another structure.
    with pytest.raises(DeviceError, match="ssh://a: no connection"):
        tune(absent, MODEL.replace("0=9 1=8", "0=10 1=8"))


def test_another_release_is_measured_again(tune: Tuning) -> None:
    tune(Devices(one(0.9, 1.0)))
    (cache,) = [p for p in (tune.folder / "cache/ncnn-opt").glob("tuning-*.json")]
    cache.unlink()  # the facts about the address remain
    newer = Devices(one(1.1, 1.0), ncnn="2")
    assert tune(newer).choices == ""
    assert len(newer.trials) == 2


def test_a_damaged_entry_is_measured_again(tune: Tuning) -> None:
    tune(Devices(one(0.9, 1.0)))
    (cache,) = [p for p in (tune.folder / "cache/ncnn-opt").glob("tuning-*.json")]
    cache.write_text(cache.read_text().replace('"ratio": 0.9', '"ratio": "?"'))
    devices = Devices(one(0.9, 1.0))
    assert tune(devices).choices == "activation=arm"
    assert devices.trials == [SLOW_MISH]


def test_several_devices(tune: Tuning) -> None:
    """A change is kept if it is faster on one device and slower on none."""
    fast, same, slow = ({SLOW_MISH: n, UNPADDED: 1.0, "both": 1.0} for n in (0.9, 1.0, 1.1))
    for a, b, choices in (
        (fast, same, "activation=arm"),
        (same, fast, "activation=arm"),
        (fast, slow, ""),
        (same, same, ""),
    ):
        tune.patch.setenv("XDG_CACHE_HOME", str(tune.folder / f"{id(a)}{id(b)}"))
        found = tune(Devices({"ssh://a": a, "ssh://b": b}))
        assert found.choices == choices
        assert "ssh://a" in found.lines[0]
        assert "ssh://b" in found.lines[0]


def test_wrong_outputs_are_not_kept(tune: Tuning) -> None:
    devices = Devices(one(0.5, 0.5, 0.5), wrong=True)
    found = tune(devices)
    assert found.choices == ""
    assert sum("outputs differ by" in line for line in found.lines) == 2
    again = Devices(one(1.1, 1.1))
    tune(again)
    assert len(again.trials) == 2  # nothing of it is in the cache


def test_a_model_without_such_rewrites(tune: Tuning) -> None:
    text = "7767517\n2 2\nInput data 0 1 data 0=9 1=8\nReLU r 1 1 data out\n"
    found = tune(Devices({}), text)
    assert found == Tuned("", ["tuning: no rewrite of this model depends on the processor"])
