"""What int8 costs, as a table, JSON and a page."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from ...quantization.blob_errors import Difference
from ...quantization.evaluator import Agreement, Cost, Costs
from ...quantization.layer_matching import ABSENT
from ...quantization.layer_timing import Timing
from ...report.quantization import Bar, quantization_page

HEAD = ("layer", "", "snr", "cosine", "largest")
TIMES_HEAD = ("float ms", "int8 ms")
MOST_SLOWER = 10
"""So many layers that are slower are named, with their times, in a sentence."""


@dataclass(frozen=True)
class Proof:
    """What was measured."""

    costs: Costs
    agreement: Agreement | None = None
    timing: Timing | None = None

    def times_of(self, cost: Cost) -> Sequence[str]:
        """The cells of a layer's times, none where none were measured."""
        if self.timing is None:
            return ()
        times = self.timing.layers.get(cost.layer.name)
        return ("", "") if times is None else (f"{times.float_ms:.3f}", f"{times.int8_ms:.3f}")


def text(proof: Proof) -> str:
    """A line for each layer, and for each output."""
    costs = proof.costs
    timed = () if proof.timing is None else TIMES_HEAD
    lines: list[Sequence[str]] = [(*HEAD, *timed)]
    for cost in costs.layers:
        cells = (*_cells(cost.difference), *proof.times_of(cost))
        lines.append((cost.layer.label, cost.kind, *cells))
    for name, difference in costs.outputs.items():
        lines.append((f"output '{name}'", "", *_cells(difference), *("" for _ in timed)))
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    rows = [
        "  ".join(
            cell.ljust(width) if i < 2 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join([*rows, *sentences(proof)])


def sentences(proof: Proof) -> list[str]:
    """What it comes to."""
    costs, agreement = proof.costs, proof.agreement
    there = [cost for cost in costs.layers if cost.kind != ABSENT]
    quantized = sum(cost.is_int8 for cost in there)
    words = "in int8" if {cost.kind for cost in there} <= {"int8", "float"} else "quantized"
    done = f"{quantized} of {len(there)} layers {words}"
    if missing := [c.layer.label for c in costs.layers if c.difference is None]:
        done += f" ({len(missing)} not compared: {', '.join(missing)})"
    if (part := costs.float_macs) is not None:
        done += f", {part:.1%} of the multiplications in float"
    worst = _number(costs.error)
    found = [f"{done}; error at the outputs {worst}, over {costs.samples} samples"]
    if agreement is not None:
        found.append(f"largest score where it was: {agreement.same} of {agreement.samples} samples")
        if agreement.right is not None:
            before, now = agreement.right
            found.append(f"as the labels say: {before} in float, {now} in int8")
    if proof.timing is not None:
        found += _times(proof.timing, costs)
    return found


def _times(timing: Timing, costs: Costs) -> list[str]:
    """What of the latencies is worth a sentence."""
    int8, float_ = (timing.whole.median(i) for i in range(2))
    found = [f"{float_:.3f} ms in float, {int8:.3f} in int8: {timing.whole.comparison()}"]
    if slower := timing.slower:
        labels = {cost.layer.name: cost.layer.label for cost in costs.layers}
        each = [
            f"{labels.get(name, name)} {times.float_ms:.3f} -> {times.int8_ms:.3f} ms"
            for name, times in ((name, timing.layers[name]) for name in slower[:MOST_SLOWER])
        ]
        if len(slower) > MOST_SLOWER:
            each.append(f"and {len(slower) - MOST_SLOWER} more")
        found.append(f"slower in int8: {', '.join(each)}")
    return found


def structured(proof: Proof) -> dict[str, Any]:
    """The same for a program."""
    costs, agreement = proof.costs, proof.agreement
    result: dict[str, Any] = {
        "samples": costs.samples,
        "error": _json(costs.error),
        "float_macs": costs.float_macs,
        "layers": [
            {
                "name": cost.layer.name,
                "layer": cost.layer.label,
                "int8": cost.is_int8,
                "kind": cost.kind,
                "macs": cost.layer.macs,
                **_facts(cost.difference),
                **_layer_times(proof.timing, cost),
            }
            for cost in costs.layers
        ],
        "outputs": [{"blob": name, **_facts(d)} for name, d in costs.outputs.items()],
    }
    if agreement is not None:
        result["top1"] = {"samples": agreement.samples, "same": agreement.same}
        if agreement.right is not None:
            result["top1"] |= dict(zip(("right_float", "right_int8"), agreement.right, strict=True))
    if proof.timing is not None:
        whole = proof.timing.whole
        result["latency"] = {
            "float_ms": whole.median(1),
            "int8_ms": whole.median(0),
            "int8_to_float": whole.ratio,
            "interval": list(whole.interval()),
            "slower": list(proof.timing.slower),
        }
    return result


def _layer_times(timing: Timing | None, cost: Cost) -> dict[str, float]:
    times = None if timing is None else timing.layers.get(cost.layer.name)
    return {} if times is None else {"float_ms": times.float_ms, "int8_ms": times.int8_ms}


def as_json(proof: Proof) -> str:
    """The same as text."""
    return json.dumps(structured(proof), ensure_ascii=False, indent=1) + "\n"


def page(title: str, proof: Proof) -> str:
    """The same as a page, with a bar for each layer."""
    bars = [
        Bar(
            c.layer.label,
            c.kind,
            None if c.difference is None else c.difference.snr,
            (*_cells(c.difference), *proof.times_of(c)),
        )
        for c in proof.costs.layers
    ]
    timed = () if proof.timing is None else TIMES_HEAD
    outputs = [
        (f"output '{name}'", (*_cells(d), *("" for _ in timed)))
        for name, d in proof.costs.outputs.items()
    ]
    return quantization_page(title, bars, outputs, sentences(proof), timed)


def _cells(difference: Difference | None) -> Sequence[str]:
    if difference is None:
        return ("not compared", "", "")
    snr = f"{difference.snr:.1f} dB" if isfinite(difference.snr) else "-"
    if difference.noise == 0:
        return ("exact", "1", "0")
    return (snr, f"{difference.cosine:.6f}", _number(difference.largest))


def _number(value: float) -> str:
    return f"{value:.3g}"


def _facts(difference: Difference | None) -> dict[str, float | None]:
    if difference is None:
        return dict.fromkeys(("snr", "cosine", "largest", "error"))
    return {
        "snr": _json(difference.snr),
        "cosine": difference.cosine,
        "largest": _json(difference.largest),
        "error": _json(difference.error),
    }


def _json(value: float) -> float | None:
    """JSON has no infinities."""
    return value if isfinite(value) else None
