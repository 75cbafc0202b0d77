"""`report.plot(…)`: the data of the artists, without a display."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib
import numpy as np
import pytest

import ncnn_opt

EXAMPLE = Path(__file__).parents[3] / "examples" / "small_cnn.param"


@pytest.fixture(autouse=True)
def pyplot() -> Iterator[Any]:
    """Matplotlib without a display; all figures are closed afterwards."""
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@pytest.fixture
def model() -> ncnn_opt.Model:
    return ncnn_opt.load(EXAMPLE)


def bars(axes: Any) -> dict[str, float]:
    """The lengths of horizontal bars by label, from the top."""
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert axes.yaxis_inverted()
    assert [bar.get_y() + bar.get_height() / 2 for bar in axes.patches] == list(range(len(labels)))
    return dict(zip(labels, (float(bar.get_width()) for bar in axes.patches), strict=True))


def test_weights(model: ncnn_opt.Model, pyplot: Any) -> None:
    report = model.report()
    found = bars(report.plot("weights"))
    expected = {
        f"{layer['type']} {layer['name']}": layer["weight_bytes"] / 1024
        for layer in report["layers"]
        if layer["weight_bytes"]
    }
    assert found == pytest.approx(expected)
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert next(iter(found)) == "Convolution conv3"
    axes = report.plot("weights", most=3)
    assert len(axes.patches) == 3
    assert axes.get_title() == "small_cnn.param: bytes of weights"
    # The caller's axes; no further figure.
    count = len(pyplot.get_fignums())
    own = pyplot.figure().subplots()
    assert report.plot("weights", axes=own) is own
    assert len(own.patches) == len(expected)
    assert len(pyplot.get_fignums()) == count + 1


def test_ranges(model: ncnn_opt.Model) -> None:
    data = np.random.default_rng(0).uniform(-3, 2, (4, 3, 32, 32))
    report = model.report(data=data)
    axes = report.plot("ranges")
    (outputs,) = axes.collections
    segments = [np.asarray(segment) for segment in outputs.get_segments()]
    assert len(segments) == len(report["layers"])
    assert segments[0][:, 1] == pytest.approx([data.min(), data.max()])
    names = [text.get_text() for text in axes.get_xticklabels()]
    relu = segments[names.index("ReLU relu1")]
    assert relu[0, 1] >= 0
    inside, *limits = axes.lines
    assert [line.get_ydata()[0] for line in limits] == [-65504, 65504]
    expected = [layer["range"]["inside"] for layer in report["layers"] if "range" in layer]
    assert list(inside.get_ydata()) == expected
    assert report["notes"][-1] == "ranges of 4 samples"


EVALUATION = {
    "layers": [
        {"name": "conv1", "snr": 43.5, "error": 1e-4, "float_ms": 0.5, "int8_ms": 0.2},
        {"name": "fc1", "snr": 12.0, "error": 0.06, "float_ms": 0.1, "int8_ms": 0.3},
        {"name": "fc2", "snr": None, "error": 0.0},
        {"name": "conv3", "snr": None, "error": None, "cosine": None},
    ],
    "latency": {"float_ms": 2.0, "int8_ms": 1.5},
}


def test_noise_and_times_of_an_evaluation(model: ncnn_opt.Model, tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    path.write_text(json.dumps(EVALUATION))
    evaluation: Any = SimpleNamespace(as_json=lambda: json.dumps(EVALUATION))
    for given in (path, str(path), evaluation):
        report = model.report(evaluation=given)
        axes = report.plot("snr")
        # The worst first; a layer without noise has the whole bar.
        assert list(bars(axes).items()) == [
            ("InnerProduct fc1", 12.0),
            ("Convolution conv1", 43.5),
            ("InnerProduct fc2", 80.0),
        ]
        times = bars(report.plot("time"))
        assert list(times.items()) == [("InnerProduct fc1", 0.3), ("Convolution conv1", 0.2)]
        assert report["totals"]["latency_ms"] == 1.5


def test_measured_times(model: ncnn_opt.Model) -> None:
    pytest.importorskip("ncnn")
    report = model.report(repeat=3)
    found = bars(report.plot("time", most=5))
    assert len(found) == 5
    times = {layer["name"]: layer["time_ms"] for layer in report["layers"] if "time_ms" in layer}
    assert list(found.values()) == sorted(times.values(), reverse=True)[:5]
    assert min(times.values()) > 0
    assert report["totals"]["latency_ms"] > 0
    assert report["notes"][-1] == "times with data=3,32,32"


def test_a_report_is_data(model: ncnn_opt.Model) -> None:
    report = model.report()
    assert isinstance(report, dict)
    assert json.loads(json.dumps(report)) == report
    assert all("time_ms" not in layer and "snr_db" not in layer for layer in report["layers"])
    assert "latency_ms" not in report["totals"]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("ranges", "the report has no ranges: model.report(data=samples) measures them"),
        (
            "snr",
            "the report has no snr: model.report(evaluation=…) takes them from "
            "quantize(…, measure=True).evaluation",
        ),
        ("time", "the report has no time: model.report(repeat=20) measures them"),
        ("weight", "plot: kind must be one of weights, ranges, snr, time, not 'weight'"),
        (3, "plot: kind must be one of weights, ranges, snr, time, not 3"),
    ],
)
def test_refusals(kind: Any, message: str, model: ncnn_opt.Model) -> None:
    with pytest.raises(ncnn_opt.NcnnOptError) as error:
        model.report().plot(kind)
    assert str(error.value) == message


def test_measurements_of_another_model(model: ncnn_opt.Model) -> None:
    other: Any = SimpleNamespace(as_json=lambda: '{"layers": [{"name": "x", "snr": 1}]}')
    with pytest.raises(ncnn_opt.NcnnOptError, match="evaluation is of another model: .*'x'"):
        model.report(evaluation=other)
    with pytest.raises(ncnn_opt.NcnnOptError, match="report: evaluation must be an Evaluation or"):
        model.report(evaluation=3)  # pyright: ignore[reportArgumentType]


def test_without_matplotlib(model: ncnn_opt.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    report = model.report()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ncnn_opt.NcnnOptError) as error:
        report.plot("weights")
    assert str(error.value) == "plots need matplotlib: pip install 'ncnn-opt[plot]'"
