"""Overlays of a graph: a figure of each layer that the page shows as the colour of its node."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..formats.markup import Markup, element
from .model import LayerRow, ModelFacts
from .noise import WIDEST, in_words, share_of
from .ranges import cells as range_cells
from .ranges import length
from .shared_texts import Unit
from .units import count, size

Marked = tuple[float, str]
"""The strength of a node's colour, from 0 to 1, and the figure as text."""


@dataclass(frozen=True)
class Overlay:
    """A figure of layers."""

    key: str
    title: str
    nodes: Mapping[str, Marked]
    """By the id of a node. Layers whose figure is unknown or 0 have none."""
    low: str
    high: str
    """The figures at both ends of the scale of colours."""
    remedy: str = ""
    """The command that measures the figure."""


def overlays(models: Sequence[tuple[str, ModelFacts]]) -> list[Overlay]:
    """Return all overlays of models that are drawn with these prefixes of ids. Models have one
    scale. An overlay without nodes was not measured."""

    def marks(figure: Callable[[ModelFacts, LayerRow], Marked | None]) -> dict[str, Marked]:
        return {
            f"{prefix}{row.index}": marked
            for prefix, facts in models
            for row in facts.rows
            if row.is_drawn and (marked := figure(facts, row)) is not None
        }

    def relative(
        key: str,
        title: str,
        figure: Callable[[ModelFacts, LayerRow], float | None],
        unit: Callable[[float], str],
        remedy: str = "",
    ) -> Overlay:
        figures = (figure(facts, row) or 0.0 for _, facts in models for row in facts.rows)
        most = max(figures, default=0.0)

        def marked(facts: ModelFacts, row: LayerRow) -> Marked | None:
            value = figure(facts, row)
            return (value / most, unit(value)) if value else None

        return Overlay(key, title, marks(marked), "0", unit(most), remedy)

    def error(facts: ModelFacts, row: LayerRow) -> Marked | None:
        snr = facts.noise.get(row.name)
        return None if snr is None else (share_of(snr), in_words(snr))

    def span(facts: ModelFacts, row: LayerRow) -> Marked | None:
        if row.name not in facts.ranges:
            return None
        return length(facts.ranges, row.name), range_cells(facts.ranges, row.name)[-1]

    return [
        relative("time", "time", _time, milliseconds, "ncnn-run --repeat N --report FILE"),
        Overlay(
            *("error", "error", marks(error), f"{WIDEST:g} dB", "0 dB"),
            "ncnn-report --errors FILE",
        ),
        Overlay(
            *("range", "range", marks(span), "0", "float16's limit"),
            "ncnn-report --ranges --data FILE",
        ),
        relative("weights", "bytes of weights", lambda _, row: row.weight_bytes, _whole(size)),
        relative(
            "activations", "bytes of activations", lambda _, row: row.activation_bytes, _whole(size)
        ),
        relative("macs", "MACs", lambda _, row: row.macs, _whole(count)),
    ]


def milliseconds(ms: float) -> str:
    """A time as text."""
    return f"{ms:.3f} ms" if ms < 10 else f"{ms:.1f} ms"


def selector(found: Sequence[Overlay]) -> Markup:
    """Return the selector of overlays. An overlay that was not measured names the command."""
    options = [element("option", "layer types", value="")]
    for each in found:
        missing = None if each.nodes else ""
        text = each.title if each.nodes else f"{each.title}: {each.remedy or 'not known'}"
        options.append(element("option", text, value=each.key, disabled=missing))
    ends = element("span", id="low"), element("i", class_="ramp"), element("span", id="high")
    return element(
        "span",
        element("label", "Colour: ", element("select", *options, id="overlay")),
        element("span", *ends, id="heat", hidden=""),
        class_="overlay",
    )


def overlay_values(found: Sequence[Overlay]) -> Markup:
    """Return the figures of nodes for the page's script."""
    data = {
        each.key: {
            "low": each.low,
            "high": each.high,
            "nodes": {
                id: [round(strength, 3), text] for id, (strength, text) in each.nodes.items()
            },
        }
        for each in found
        if each.nodes
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return element("script", Markup(text), type="application/json", id="overlays")


def _time(facts: ModelFacts, row: LayerRow) -> float | None:
    return facts.times.get(row.name)


def _whole(unit: Unit) -> Callable[[float], str]:
    return lambda value: unit(int(value))
