"""The data on weights that a page's script shows."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

from ..formats.markup import Markup, element
from .model import LayerRow, ModelFacts
from .model_comparison import Fate, ModelComparison
from .units import extents
from .weight_statistics import ValueStatistics


def model_values(facts: ModelFacts) -> Markup:
    """Return the weights of each line of `tables.model_table`."""
    return _data((row.index, [("", row)]) for row in facts.rows)


def comparison_values(comparison: ModelComparison) -> Markup:
    """Return the weights of each line of `tables.comparison_table`, before and after."""
    lines: list[tuple[int, Sequence[tuple[str, LayerRow]]]] = []
    for i, match in enumerate(comparison.matches):
        after = None if match.fate is Fate.FUSED else match.after
        sides = (("before", match.before), ("after", after))
        lines.append((i, [(side, row) for side, row in sides if row is not None]))
    return _data(lines)


def _data(lines: Iterable[tuple[int, Sequence[tuple[str, LayerRow]]]]) -> Markup:
    found = {f"r{line}": _weights(rows) for line, rows in lines if any(r.weights for _, r in rows)}
    text = json.dumps(found, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return element("script", Markup(text), id="weights", type="application/json")


def _weights(rows: Sequence[tuple[str, LayerRow]]) -> list[dict[str, Any]]:
    return [
        {
            "of": side,
            "name": weight.name,
            "storage": weight.storage,
            "count": weight.count,
            "shape": str(weight.count) if weight.values is None else extents(weight.values.shape),
            "values": None if weight.values is None else _sample(weight.values),
        }
        for side, row in rows
        for weight in row.weights
    ]


def _sample(sample: ValueStatistics) -> dict[str, Any]:
    """Return a sample as JSON data. JSON has no infinities or NaNs; float32 has seven digits."""
    figures = asdict(sample)
    del figures["shape"]
    for name in ("lowest", "highest", "mean", "deviation"):
        figures[name] = float(f"{figures[name]:.7g}") if isfinite(figures[name]) else 0.0
    return figures | {"first": [f"{value:.7g}" for value in sample.first]}
