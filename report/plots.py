"""Plots of a report with matplotlib: weights, ranges, noise and times of layers."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

from ..dialects.xdsl_extras.spelling import nearest
from .noise import WIDEST

PlotKind = Literal["weights", "ranges", "snr", "time"]
KINDS: Sequence[str] = get_args(PlotKind)

MISSING = "plots need matplotlib: pip install 'ncnn-opt[plot]'"

HALF_MAX = 65504.0
"""The largest float16."""
_COLOR, _LIMIT = "#2a78d6", "#b3261e"

Layer = Mapping[str, Any]


class PlotError(Exception):
    """A plot that cannot be drawn, with the remedy."""


def plot(report: Mapping[str, Any], kind: str, axes: Any = None, most: int = 30) -> Any:
    """Draw one figure of the layers in a report (the content of `ncnn-report --print-json`), and
    return matplotlib's axes. Without axes, make a new figure. `most` is the largest number of
    layers: the largest weights, the most noise, the longest times; ranges have all layers, in
    order. Raise `PlotError` for an unknown kind, for a figure that the report does not contain, and
    without matplotlib."""
    if kind not in KINDS:
        raise PlotError(f"there is no plot '{kind}'{nearest(kind, KINDS)}: {', '.join(KINDS)}")
    draw, figure, remedy = _PLOTS[kind]
    layers = [layer for layer in report["layers"] if figure(layer) is not None]
    if not layers:
        raise PlotError(f"the report has no {kind}: {remedy}")
    if axes is None:
        axes = _axes(len(layers) if kind == "ranges" else min(len(layers), most), kind)
    draw(axes, layers, most)
    file_name = report["model"].replace("\\", "/").rpartition("/")[2]
    axes.set_title(f"{file_name}: {_TITLES[kind]}")
    return axes


def _axes(count: int, kind: str) -> Any:
    try:
        pyplot = importlib.import_module("matplotlib.pyplot")
    except ImportError as e:
        raise PlotError(MISSING) from e
    if kind == "ranges":
        size = max(6.0, min(0.16 * count, 24.0)), 4.5
    else:
        size = 7.0, max(2.0, 0.26 * count + 1.2)
    return pyplot.subplots(figsize=size, layout="constrained")[1]


def _label(layer: Layer) -> str:
    return f"{layer['type']} {layer['name']}".rstrip()


def _bars(axes: Any, layers: Sequence[Layer], values: Sequence[float], name: str) -> None:
    """Draw horizontal bars, the first at the top."""
    places = range(len(layers))
    axes.barh(places, values, color=_COLOR)
    axes.set_yticks(places, [_label(layer) for layer in layers])
    axes.invert_yaxis()
    axes.set_xlabel(name)


def _weights(axes: Any, layers: Sequence[Layer], most: int) -> None:
    found = sorted(layers, key=lambda layer: -layer["weight_bytes"])[:most]
    _bars(axes, found, [layer["weight_bytes"] / 1024 for layer in found], "weights in KiB")


def _times(axes: Any, layers: Sequence[Layer], most: int) -> None:
    found = sorted(layers, key=lambda layer: -layer["time_ms"])[:most]
    _bars(axes, found, [layer["time_ms"] for layer in found], "time in ms")


def _noise(axes: Any, layers: Sequence[Layer], most: int) -> None:
    found = sorted(layers, key=lambda layer: layer["snr_db"])[:most]
    values = [max(min(layer["snr_db"], WIDEST), 0.0) for layer in found]
    _bars(axes, found, values, "signal to noise in dB (less is worse)")
    axes.set_xlim(0, WIDEST)


def _ranges(axes: Any, layers: Sequence[Layer], most: int) -> None:
    places = range(len(layers))
    low = [layer["range"]["smallest"] for layer in layers]
    high = [layer["range"]["largest"] for layer in layers]
    inside = [layer["range"]["inside"] for layer in layers]
    axes.vlines(places, low, high, color=_COLOR, linewidth=3, label="outputs")
    axes.plot(places, inside, ".", color="#12875a", label="largest inside")
    for limit in (-HALF_MAX, HALF_MAX):
        axes.axhline(limit, color=_LIMIT, linestyle="--", linewidth=1)
    axes.set_yscale("symlog", linthresh=1.0)
    axes.set_xticks(places, [_label(layer) for layer in layers], rotation=90, fontsize="x-small")
    axes.set_ylabel("value (dashed: float16's limits)")
    axes.legend(loc="lower right")


_TITLES = {
    "weights": "bytes of weights",
    "ranges": "ranges of values",
    "snr": "noise of int8",
    "time": "time of layers",
}

_Draw = Callable[[Any, Sequence[Layer], int], None]
_Figure = Callable[[Layer], Any]

_PLOTS: Mapping[str, tuple[_Draw, _Figure, str]] = {
    "weights": (
        _weights,
        lambda layer: layer["weight_bytes"] or None,
        "no layer has weights",
    ),
    "ranges": (
        _ranges,
        lambda layer: layer.get("range"),
        "model.report(data=samples) measures them",
    ),
    "snr": (
        _noise,
        lambda layer: layer.get("snr_db"),
        "model.report(evaluation=…) takes them from quantize(…, measure=True).evaluation",
    ),
    "time": (
        _times,
        lambda layer: layer.get("time_ms"),
        "model.report(repeat=20) measures them",
    ),
}
"""For each kind: the drawing, the figure of a layer, and the remedy if no layer has it."""
