"""A report as one self-contained HTML page: no network access, readable without scripts."""

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from importlib.metadata import version
from importlib.resources import files
from math import isfinite
from typing import Any

from ..formats.markup import Markup, document, element
from .cards import cards_section, comparison_cards, model_cards
from .charts import legend, memory_strip, strip, type_table
from .model import LayerRow, ModelFacts
from .model_comparison import Fate, ModelComparison
from .overlays import Overlay, overlay_values, overlays, selector
from .shared_texts import blobs, fates, notes, plural
from .svg_graph import comparison_graph, model_graph
from .tables import comparison_table, model_table
from .units import count, extents, size
from .weight_statistics import ValueStatistics

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
"""The policy that forbids the page to load anything."""

_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Crect width='16' height='16' rx='3' fill='%232a78d6'/%3E"
    "%3Cpath d='M3 5h10M3 8h7M3 11h4' stroke='white' stroke-width='2'/%3E%3C/svg%3E"
)

_HOW = """MACs are the multiply-accumulate operations of convolutions, matrix products and \
recurrences; FLOPs are twice the MACs and everything else that is computed. Weights are counted as \
the .bin holds them. Activations are the blobs read and written, in float32, or in int8 where a \
convolution requantizes. Memory is that of all blobs in memory while a layer runs in ncnn's light \
mode, inputs included, without what a layer takes for itself."""


def model_page(facts: ModelFacts) -> str:
    """Return the page of one model."""

    def link(row: LayerRow) -> str:
        return f"#n{row.index}"

    found = overlays([("n", facts)])
    body = [
        _header(facts.name, f"{blobs(facts.inputs)} → {blobs(facts.outputs)}"),
        cards_section(model_cards(facts)),
        _notes([*facts.notes, *facts.device_lines], [facts]),
        _search(),
        _graph(model_graph(facts), [facts], found),
        _cost(
            type_table(facts),
            strip([(row, row.macs) for row in facts.rows], count, "MACs of each layer", link),
            memory_strip(facts, link, _RUN),
            _peak(facts),
        ),
        _layers(model_table(facts), len(facts.rows)),
        _model_values(facts),
        overlay_values(found),
    ]
    return _page(facts.name, body)


def comparison_page(comparison: ModelComparison) -> str:
    """Return the page of two models."""
    before, after = comparison.before, comparison.after
    tallest = max(before.peak.known, after.peak.known)
    title = f"{before.name} → {after.name}"
    found = overlays([("b", before), ("a", after)])
    body = [
        _header(title, *fates(comparison)),
        cards_section(comparison_cards(comparison)),
        _notes(notes(comparison), [before, after]),
        _search(),
        _graph(comparison_graph(comparison), [before, after], found, comparison),
        _cost(
            type_table(before, after),
            memory_strip(before, lambda r: f"#b{r.index}", f"before: {_RUN}", tallest),
            _peak(before),
            memory_strip(after, lambda r: f"#a{r.index}", f"after: {_RUN}", tallest),
            _peak(after),
        ),
        _layers(comparison_table(comparison), len(comparison.matches)),
        _comparison_values(comparison),
        overlay_values(found),
    ]
    return _page(title, body)


_SCRIPTS = ("page", "graph", "map", "details", "table", "search", "overlay", "export")
"""The files of the page's script, in the order of their dependencies."""

_RUN = "memory while each layer runs, in the order of running"


def bare_page(title: str, command: str, body: Sequence[Markup]) -> str:
    """Return a page without scripts, with the style of a report."""
    style = files(__package__ or "").joinpath("web", "page.css").read_text("utf-8")
    head = [
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{title} · {command}"),
        element("link", rel="icon", href=_ICON),
        element("style", Markup(style)),
    ]
    header = element("header", element("div", element("h1", title)))
    footer = element("footer", element("p", f"ncnn-opt {version('ncnn-opt')}"))
    return document(_POLICY, head, [header, element("main", *body), footer])


def _page(title: str, body: Sequence[Markup]) -> str:
    here = files(__package__ or "").joinpath("web")
    style = here.joinpath("page.css").read_text("utf-8")
    script = "\n".join(here.joinpath(f"{name}.js").read_text("utf-8") for name in _SCRIPTS)
    head = [
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{title} · ncnn-report"),
        element("link", rel="icon", href=_ICON),
        element("style", Markup(style)),
    ]
    footer = element("footer", element("p", _HOW), element("p", f"ncnn-opt {version('ncnn-opt')}"))
    end = element("script", Markup(script), type="module")
    return document(_POLICY, head, [*body, footer, end])


def _header(title: str, *lines: str) -> Markup:
    skip = element("a", "to the table of layers", href="#layers", class_="skip")
    theme = element("button", "Theme", id="theme", type="button", hidden="")
    words = [element("p", line, class_="muted") for line in lines]
    return element("header", skip, element("div", element("h1", title), *words), theme)


def _notes(lines: Sequence[str], models: Sequence[ModelFacts]) -> Markup:
    """Return the notes on models, without folders: a shared page must not show them."""
    if not lines:
        return Markup()
    folders = {os.path.dirname(facts.path) for facts in models} - {""}
    for folder in sorted(folders, key=len, reverse=True):
        lines = [line.replace(os.path.join(folder, ""), "") for line in lines]
    lines = [re.sub(r"(?<=')[^']*(?=')", _without_folder, line) for line in lines]
    return element("ul", *(element("li", line) for line in lines), class_="notes")


def _without_folder(quoted: re.Match[str]) -> str:
    """Return the name of an existing file without its folder; other quoted text stays as it is."""
    return os.path.basename(quoted[0]) if os.path.isfile(quoted[0]) else quoted[0]


def _search() -> Markup:
    """Return the search bar, which stays visible while scrolling."""
    search = element(
        "input",
        id="search",
        type="search",
        placeholder="type, name, shape …",
        aria_label="search the layers",
    )
    hit = element("span", id="hit", aria_live="polite")
    return element("div", search, hit, class_="tools find", role="search", hidden="")


def _section(id: str, title: str, *children: Markup) -> Markup:
    return element("section", element("h2", title), *children, id=id)


def _graph(
    panes: Markup,
    facts: Sequence[ModelFacts],
    found: Sequence[Overlay],
    comparison: ModelComparison | None = None,
) -> Markup:
    buttons = [
        ("out", "−", "zoom out"),
        ("in", "+", "zoom in"),
        ("fit", "Fit", "the whole width"),
        ("one", "100 %", "full size"),
        ("all", "All", "the whole graph"),
    ]
    tools = element(
        "div",
        *(
            element("button", text, type="button", data_zoom=name, title=title, aria_label=title)
            for name, text, title in buttons
        ),
        element("button", "Fold", id="fold", type="button", title="blocks that come again"),
        element("button", "SVG", id="export", type="button", title="save the graph as it is shown"),
        selector(found),
        class_="tools",
        hidden="",
    )
    marks = [
        element("li", element("b", fate.value, class_=f"tag {fate.value}"), words)
        for fate, words in (
            (Fate.CHANGED, "does more, or with other parameters"),
            (Fate.FUSED, "its work is done by another layer"),
            (Fate.ELIMINATED, "not needed"),
            (Fate.NEW, "only in the second model"),
        )
        if comparison is not None and comparison.count(fate)
    ]
    keys = [legend(facts), element("ul", *marks, class_="legend") if marks else Markup()]
    view = element("div", panes, id="view")
    panel = element("aside", id="detail", aria_live="polite", hidden="")
    map_ = element("div", element("canvas"), id="map", aria_hidden="true", hidden="")
    return _section(
        "graph-section",
        "Graph",
        element("div", tools, *keys, class_="above"),
        element("div", view, map_, panel, class_="graph"),
    )


def _cost(types: Markup, *charts: Markup) -> Markup:
    """Return the costs of layer types, beside charts of the layers."""
    table = element("div", types, class_="scroll")
    columns = element("div", table, element("div", *charts), class_="columns")
    return _section("cost", "Where the work is", columns)


def _peak(facts: ModelFacts) -> Markup:
    """Return the blobs in memory at the peak, the largest first."""
    largest = sorted(facts.peak_blobs, key=lambda item: -item[1])
    if facts.peak.unknown or not largest:
        return Markup()
    shown = ", ".join(f"{name} {size(nbytes)}" for name, nbytes in largest[:5])
    more = f", and {len(largest) - 5} more" if len(largest) > 5 else ""
    return element("p", f"{size(facts.peak.known)} at most: {shown}{more}", class_="muted small")


def _layers(table: Markup, number: int) -> Markup:
    counted = element("span", plural(number, "layer"), id="shown", aria_live="polite")
    bar = element("div", counted, class_="tools", hidden="")
    return _section("layers-section", "Layers", bar, element("div", table, class_="scroll"))


def _model_values(facts: ModelFacts) -> Markup:
    """Return the weights of each line of `tables.model_table`."""
    return _weight_data((row.index, [("", row)]) for row in facts.rows)


def _comparison_values(comparison: ModelComparison) -> Markup:
    """Return the weights of each line of `tables.comparison_table`, before and after."""
    lines: list[tuple[int, Sequence[tuple[str, LayerRow]]]] = []
    for i, match in enumerate(comparison.matches):
        after = None if match.fate is Fate.FUSED else match.after
        sides = (("before", match.before), ("after", after))
        lines.append((i, [(side, row) for side, row in sides if row is not None]))
    return _weight_data(lines)


def _weight_data(lines: Iterable[tuple[int, Sequence[tuple[str, LayerRow]]]]) -> Markup:
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
