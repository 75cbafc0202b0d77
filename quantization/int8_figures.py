"""The figures of an int8 model beside its float model, as data, text and JSON.

`evaluator.py` measures these figures; here they are only collected and displayed.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from ..formats.columns import aligned
from .blob_errors import BlobError
from .layer_matching import ABSENT
from .layer_timing import Timing
from .prepared import Candidate

HEAD = ("layer", "", "snr", "cosine", "largest")
TIMES_HEAD = ("float ms", "int8 ms")
MAX_SLOWER = 10
"""The number of slower layers that a sentence names."""


@dataclass(frozen=True)
class LayerEvaluation:
    """The figures of one layer."""

    layer: Candidate
    kind: str
    """The arithmetic in the int8 model: `int8`, `4 bits`, …, `float`, or `ABSENT` if it has no
    layer of that name."""
    difference: BlobError | None
    """The difference of its output, with the effect of all layers before it; `None` if no blob of
    the int8 model can be compared."""

    @property
    def is_int8(self) -> bool:
        """Whether it computes with integers."""
        return self.kind not in ("float", ABSENT)

    def cells(self) -> Sequence[str]:
        """Return signal to noise, cosine and largest difference as text."""
        return _cells(self.difference)


@dataclass(frozen=True)
class Top1:
    """The place of the largest score."""

    samples: int
    same: int
    """The samples for which both models have it in the same place."""
    right: tuple[int, int] | None
    """The samples for which it is at the right class: in the float model, in the int8 model."""


@dataclass(frozen=True)
class Evaluation:
    """The figures of an int8 model. `str()` is a table."""

    layers: Sequence[LayerEvaluation]
    outputs: Mapping[str, BlobError]
    """By blob (see `evaluated_outputs`), or by blob and indices for groups of other ranges (see
    `output_groups`): `out0[0:4, :]`."""
    samples: int
    float_macs: float | None
    """The fraction of multiplications in float; `None` if a layer's number is unknown."""
    top1: Top1 | None = None
    timings: Mapping[str, Timing] = field(default_factory=dict[str, Timing])
    """The latencies by device; an empty text is this machine."""
    blobs: Mapping[str, str] = field(default_factory=dict[str, str])
    """The blob of each key of `outputs`."""

    @property
    def error(self) -> float:
        """The error of the worst output, or group of one: a ratio of energies."""
        return max((d.error for d in self.outputs.values()), default=0.0)

    @property
    def time_heads(self) -> Sequence[str]:
        """The heads of the columns of times: two for one device, else one for each."""
        if len(self.timings) == 1:
            return TIMES_HEAD
        return [f"{address} (float -> int8 ms)" for address in self.timings]

    def time_cells(self, layer: LayerEvaluation) -> Sequence[str]:
        """Return the times of a layer as text; nothing if latencies were not measured."""
        cells: list[Sequence[str]] = []
        for timing in self.timings.values():
            times = timing.layers.get(layer.layer.name)
            cells.append(
                ("", "") if times is None else (f"{times.float_ms:.3f}", f"{times.int8_ms:.3f}")
            )
        return cells[0] if len(cells) == 1 else [" -> ".join(filter(None, pair)) for pair in cells]

    def output_rows(self) -> list[tuple[str, Sequence[str]]]:
        """Return the label and the cells of each output."""
        blank = [""] * len(self.time_heads)
        return [(f"output '{n}'", (*_cells(d), *blank)) for n, d in self.outputs.items()]

    def __str__(self) -> str:
        lines: list[Sequence[str]] = [(*HEAD, *self.time_heads)]
        for each in self.layers:
            lines.append((each.layer.label, each.kind, *each.cells(), *self.time_cells(each)))
        lines += [(label, "", *cells) for label, cells in self.output_rows()]
        return "\n".join([*aligned(lines, 2), *self.sentences()])

    def sentences(self) -> list[str]:
        """Return the summary."""
        present = [each for each in self.layers if each.kind != ABSENT]
        quantized = sum(each.is_int8 for each in present)
        words = "in int8" if {each.kind for each in present} <= {"int8", "float"} else "quantized"
        done = f"{quantized} of {len(present)} layers {words}"
        if missing := [each.layer.label for each in self.layers if each.difference is None]:
            done += f" ({len(missing)} not compared: {', '.join(missing)})"
        if self.float_macs is not None:
            done += f", {self.float_macs:.1%} of the multiplications in float"
        error = f"error at the outputs {self.error:.3g}, over {self.samples} samples"
        if len(set(self.blobs.values())) < len(self.outputs):
            each = [d.error for d in self.outputs.values()]
            error += f" (the worst of {len(each)} groups; mean {sum(each) / len(each):.3g})"
        found = [f"{done}; {error}"]
        for name, d in self.outputs.items():
            if d.ranked:
                found.append(f"largest score of '{name}' where it was: {d.same / d.ranked:.1%}")
        if self.top1 is not None:
            top1 = self.top1
            found.append(f"largest score where it was: {top1.same} of {top1.samples} samples")
            if top1.right is not None:
                before, now = top1.right
                found.append(f"as the labels say: {before} in float, {now} in int8")
        for address, timing in self.timings.items():
            place = f"{address}: " if len(self.timings) > 1 else ""
            found += [place + each for each in _time_sentences(timing, self.layers)]
        return found

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for a program, as `--json` writes them."""
        result: dict[str, Any] = {
            "samples": self.samples,
            "error": _finite(self.error),
            "float_macs": self.float_macs,
            "layers": [
                {
                    "name": each.layer.name,
                    "layer": each.layer.label,
                    "int8": each.is_int8,
                    "kind": each.kind,
                    "macs": each.layer.macs,
                    **_facts(each.difference),
                    **_times(self.timings, each),
                }
                for each in self.layers
            ],
            "outputs": [self._output(name, d) for name, d in self.outputs.items()],
        }
        if (top1 := self.top1) is not None:
            result["top1"] = {"samples": top1.samples, "same": top1.same}
            if top1.right is not None:
                right = zip(("right_float", "right_int8"), top1.right, strict=True)
                result["top1"] |= dict(right)
        latencies = {address: _latency(timing) for address, timing in self.timings.items()}
        if len(latencies) == 1:
            result["latency"] = next(iter(latencies.values()))
        elif latencies:
            result["latencies"] = latencies
        return result

    def _output(self, name: str, difference: BlobError) -> dict[str, Any]:
        blob = self.blobs.get(name, name)
        part = {"group": name.removeprefix(blob)} if blob != name else {}
        found: dict[str, Any] = {"blob": blob, **part, **_facts(difference)}
        if difference.ranked:
            found["same_largest"] = difference.same / difference.ranked
        return found

    def as_json(self) -> str:
        """Return the content of a `--json` file."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=1) + "\n"


def _time_sentences(timing: Timing, layers: Sequence[LayerEvaluation]) -> list[str]:
    int8, float_ = (timing.whole.median(i) for i in range(2))
    found = [f"{float_:.3f} ms in float, {int8:.3f} in int8: {timing.whole.comparison()}"]
    if slower := timing.slower:
        labels = {each.layer.name: each.layer.label for each in layers}
        each = [
            f"{labels.get(name, name)} {times.float_ms:.3f} -> {times.int8_ms:.3f} ms"
            for name, times in ((name, timing.layers[name]) for name in slower[:MAX_SLOWER])
        ]
        if len(slower) > MAX_SLOWER:
            each.append(f"and {len(slower) - MAX_SLOWER} more")
        found.append(f"slower in int8: {', '.join(each)}")
    return found


def _latency(timing: Timing) -> dict[str, Any]:
    whole = timing.whole
    return {
        "float_ms": whole.median(1),
        "int8_ms": whole.median(0),
        "int8_to_float": whole.ratio.value,
        "interval": [whole.ratio.low, whole.ratio.high],
        "slower": list(timing.slower),
    }


def _times(timings: Mapping[str, Timing], layer: LayerEvaluation) -> dict[str, Any]:
    """Return the times of a layer; by device if there are several."""
    found = {
        address: {"float_ms": times.float_ms, "int8_ms": times.int8_ms}
        for address, timing in timings.items()
        if (times := timing.layers.get(layer.layer.name)) is not None
    }
    if len(timings) > 1:
        return {"times": found} if found else {}
    return dict(*found.values())


def _cells(difference: BlobError | None) -> Sequence[str]:
    if difference is None:
        return ("not compared", "", "")
    if difference.noise == 0:
        return ("exact", "1", "0")
    snr = f"{difference.snr:.1f} dB" if isfinite(difference.snr) else "-"
    return (snr, f"{difference.cosine:.6f}", f"{difference.largest:.3g}")


def _facts(difference: BlobError | None) -> dict[str, float | None]:
    if difference is None:
        return dict.fromkeys(("snr", "cosine", "largest", "error"))
    return {
        "snr": _finite(difference.snr),
        "cosine": difference.cosine,
        "largest": _finite(difference.largest),
        "error": _finite(difference.error),
    }


def _finite(value: float) -> float | None:
    """Return a number as JSON, which has no infinities."""
    return value if isfinite(value) else None
