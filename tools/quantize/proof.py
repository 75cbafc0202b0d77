"""What int8 costs, as a table, JSON and a page."""

import json
from collections.abc import Sequence
from math import isfinite
from typing import Any

from ...quantization.differences import Difference
from ...quantization.measuring import Agreement, Costs
from ...report.quantization import Bar, quantization_page

HEAD = ("layer", "", "snr", "cosine", "largest")


def text(costs: Costs, agreement: Agreement | None) -> str:
    """A line for each layer, and for each output."""
    lines: list[Sequence[str]] = [HEAD]
    for cost in costs.layers:
        lines.append((cost.layer.label, cost.kind, *_cells(cost.difference)))
    for name, difference in costs.outputs.items():
        lines.append((f"output '{name}'", "", *_cells(difference)))
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    rows = [
        "  ".join(
            cell.ljust(width) if i < 2 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join([*rows, *sentences(costs, agreement)])


def sentences(costs: Costs, agreement: Agreement | None) -> list[str]:
    """What it comes to."""
    quantized = sum(cost.is_int8 for cost in costs.layers)
    words = "in int8" if {cost.kind for cost in costs.layers} <= {"int8", "float"} else "quantized"
    done = f"{quantized} of {len(costs.layers)} layers {words}"
    if (part := costs.float_macs) is not None:
        done += f", {part:.1%} of their multiplications in float"
    worst = _number(costs.error)
    found = [f"{done}; error at the outputs {worst}, over {costs.samples} samples"]
    if agreement is not None:
        found.append(f"largest score where it was: {agreement.same} of {agreement.samples} samples")
        if agreement.right is not None:
            before, now = agreement.right
            found.append(f"as the labels say: {before} in float, {now} in int8")
    return found


def structured(costs: Costs, agreement: Agreement | None) -> dict[str, Any]:
    """The same for a program."""
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
            }
            for cost in costs.layers
        ],
        "outputs": [{"blob": name, **_facts(d)} for name, d in costs.outputs.items()],
    }
    if agreement is not None:
        result["top1"] = {"samples": agreement.samples, "same": agreement.same}
        if agreement.right is not None:
            result["top1"] |= dict(zip(("right_float", "right_int8"), agreement.right, strict=True))
    return result


def as_json(costs: Costs, agreement: Agreement | None) -> str:
    """The same as text."""
    return json.dumps(structured(costs, agreement), ensure_ascii=False, indent=1) + "\n"


def page(title: str, costs: Costs, agreement: Agreement | None) -> str:
    """The same as a page, with a bar for each layer."""
    bars = [
        Bar(c.layer.label, c.kind, c.difference.snr, _cells(c.difference)) for c in costs.layers
    ]
    outputs = [(f"output '{name}'", _cells(d)) for name, d in costs.outputs.items()]
    return quantization_page(title, bars, outputs, sentences(costs, agreement))


def _cells(difference: Difference) -> Sequence[str]:
    snr = f"{difference.snr:.1f} dB" if isfinite(difference.snr) else "-"
    if difference.noise == 0:
        return ("exact", "1", "0")
    return (snr, f"{difference.cosine:.6f}", _number(difference.largest))


def _number(value: float) -> str:
    return f"{value:.3g}"


def _facts(difference: Difference) -> dict[str, float | None]:
    return {
        "snr": _json(difference.snr),
        "cosine": difference.cosine,
        "largest": _json(difference.largest),
        "error": _json(difference.error),
    }


def _json(value: float) -> float | None:
    """JSON has no infinities."""
    return value if isfinite(value) else None
