"""The noise of a quantized model as a page: a bar for each layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

from ..formats.markup import Markup, document, element, table
from .noise import share_of

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .15rem .6rem; text-align: right; white-space: nowrap; }
th.w, td.w { text-align: left; }
td.b { width: 40%; }
td svg { width: 100%; height: .8rem; display: block; }
thead th { border-bottom: 1px solid; }
rect.int8 { fill: #2a78c8; } rect.float { fill: #8a8a8a; }
"""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@dataclass(frozen=True)
class Bar:
    """The line of a layer."""

    label: str
    kind: str
    """The type that it computes in: `int8`, `4 bits`, …, or `float`."""
    snr: float | None
    """The signal-to-noise ratio in dB; `None` if it was not compared."""
    cells: Sequence[str]
    """Signal-to-noise ratio, cosine, largest difference and further columns as text."""


def quantization_page(
    title: str,
    bars: Sequence[Bar],
    outputs: Sequence[tuple[str, Sequence[str]]],
    sentences: Sequence[str],
    more: Sequence[str] = (),
) -> str:
    """Return a self-contained page: a summary, then a line for each layer, with a bar that is
    longer for more noise, and a line for each output. `more` are the heads of further columns."""
    heads = ("layer", "computes in", "noise", "signal to noise", "cosine", "largest difference")
    heads = (*heads, *more)
    lines = [_line(bar.label, bar.kind, _bar(bar), bar.cells) for bar in bars]
    lines += [_line(label, "", Markup(), cells) for label, cells in outputs]
    head = [element("title", f"{title} · ncnn-quantize"), element("style", Markup(_STYLE))]
    body = [
        element("h1", title),
        *(element("p", sentence) for sentence in sentences),
        table(heads, lines, heads[:3]),
        element("p", f"ncnn-opt {version('ncnn-opt')}"),
    ]
    return document(_POLICY, head, body)


def _line(label: str, kind: str, bar: Markup, cells: Sequence[str]) -> Markup:
    return element(
        "tr",
        element("td", label, class_="w"),
        element("td", kind, class_="w"),
        element("td", bar, class_="b"),
        *(element("td", cell) for cell in cells),
    )


def _bar(bar: Bar) -> Markup:
    """Return the bar of a layer; empty for a layer that was not compared."""
    if bar.snr is None:
        return Markup()
    return element(
        "svg",
        element("title", f"{bar.label}: {bar.cells[0]}"),
        element(
            "rect",
            x=0,
            y=0,
            width=100 * share_of(bar.snr),
            height=10,
            class_="float" if bar.kind == "float" else "int8",
        ),
        viewBox="0 0 100 10",
        preserveAspectRatio="none",
        role="img",
    )
