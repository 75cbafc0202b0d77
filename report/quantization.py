"""The noise of a quantized model as a page: a bar for each output and layer, the worst first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import inf, log10

from ..formats.markup import Markup, document, element, table
from .noise import in_words, share_of

_STYLE = """
:root { color-scheme: light dark; --over: light-dark(#b3261e, #f28b82); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .15rem .6rem; text-align: right; white-space: nowrap; }
th.w, td.w { text-align: left; }
td.b { width: 40%; }
td svg { width: 100%; height: .9rem; display: block; }
thead th { border-bottom: 1px solid; }
.scroll { overflow-x: auto; }
rect.int8 { fill: #2a78c8; } rect.float { fill: #8a8a8a; } rect.output { fill: #12875a; }
rect.over { fill: var(--over); }
line { stroke: currentColor; stroke-width: 1.6; vector-effect: non-scaling-stroke; }
tr.over td:nth-child(4) { color: var(--over); font-weight: 600; }
"""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@dataclass(frozen=True)
class ChartBar:
    """The line of a layer or of an output."""

    label: str
    kind: str
    """The type that it computes in: `int8`, `4 bits`, …, or `float`; `output` for an output."""
    snr: float | None
    """The signal-to-noise ratio in dB; `None` if it was not compared."""
    cells: Sequence[str]
    """Signal-to-noise ratio, cosine, largest difference and further columns as text."""


def quantization_page(
    title: str,
    layers: Sequence[ChartBar],
    outputs: Sequence[ChartBar],
    sentences: Sequence[str],
    more: Sequence[str] = (),
    limit: float | None = None,
) -> str:
    """Return a self-contained page: a summary, then a line for each output and for each layer, the
    worst first, with a bar that is longer for more noise. `more` are the heads of further columns.
    `limit` is the largest allowed error of the outputs, a ratio of energies: a mark in each bar,
    and another colour for bars beyond it."""
    decibels = None if limit is None else -10 * log10(limit) if limit > 0 else inf
    marked = [] if decibels is None else [_limit_sentence(decibels, outputs, layers)]
    head = [element("title", f"{title} · ncnn-quantize"), element("style", Markup(_STYLE))]
    body = [
        element("h1", title),
        *(element("p", sentence) for sentence in sentences),
        *marked,
        element("div", _bars(outputs, layers, more, decibels), class_="scroll"),
        element("p", f"ncnn-opt {version('ncnn-opt')}"),
    ]
    return document(_POLICY, head, body)


def _limit_sentence(
    limit: float, outputs: Sequence[ChartBar], layers: Sequence[ChartBar]
) -> Markup:
    over = [sum(_is_over(bar, limit) for bar in bars) for bars in (outputs, layers)]
    words = (
        f"The line in the bars is the limit of the outputs, {in_words(limit)}: {over[0]} of "
        f"{len(outputs)} outputs and {over[1]} of {len(layers)} layers have more noise."
    )
    return element("p", words, class_="limit")


def _bars(
    outputs: Iterable[ChartBar],
    layers: Iterable[ChartBar],
    more: Sequence[str],
    limit: float | None,
) -> Markup:
    """Return a table of bars: outputs, then layers, each the worst first, and those at the end that
    were not compared."""
    heads = ("layer", "computes in", "noise", "signal to noise", "cosine", "largest difference")
    lines = [_line(bar, limit) for bars in (outputs, layers) for bar in _worst_first(bars)]
    return table((*heads, *more), lines, heads[:3])


def _worst_first(bars: Iterable[ChartBar]) -> list[ChartBar]:
    return sorted(bars, key=lambda bar: (bar.snr is None, bar.snr or 0.0))


def _is_over(bar: ChartBar, limit: float | None) -> bool:
    return bar.snr is not None and limit is not None and bar.snr < limit


def _line(bar: ChartBar, limit: float | None) -> Markup:
    return element(
        "tr",
        element("td", bar.label, class_="w"),
        element("td", bar.kind, class_="w"),
        element("td", _picture(bar, limit), class_="b"),
        *(element("td", cell) for cell in bar.cells),
        class_="over" if _is_over(bar, limit) else None,
    )


def _picture(bar: ChartBar, limit: float | None) -> Markup:
    """Return the bar, with a line at the limit; empty if there was no comparison."""
    if bar.snr is None:
        return Markup()
    kind = bar.kind if bar.kind in ("float", "output") else "int8"
    kind = "over" if _is_over(bar, limit) else kind
    parts = [
        element("title", f"{bar.label}: {bar.cells[0]}"),
        element("rect", x=0, y=0, width=100 * share_of(bar.snr), height=10, class_=kind),
    ]
    if limit is not None:
        at = 100 * share_of(limit)
        parts.append(element("line", x1=at, x2=at, y1=0, y2=10))
    return element("svg", *parts, viewBox="0 0 100 10", preserveAspectRatio="none", role="img")
