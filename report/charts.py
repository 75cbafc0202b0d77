"""Bar charts: the cost of each layer and layer type, and the memory during a run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..formats.markup import Markup, element, table
from .families import FAMILIES
from .model import LayerRow, ModelFacts, Total
from .shared_texts import Unit, arrow, figure, or_blank
from .units import UNKNOWN, count, share, size

_TALL = 100
"""The height of the tallest bar in the units of the SVG's view box."""


def strip(
    bars: Sequence[tuple[LayerRow, int | None]],
    unit: Unit,
    label: str,
    link: Callable[[LayerRow], str],
    tallest: int | None = None,
) -> Markup:
    """Return a chart with a bar for each layer. `tallest` is the figure of a bar of full height.
    The chart is empty if no figure is known."""
    most = max((n or 0 for _, n in bars), default=0)
    if not most:
        return Markup()
    scale, wide = _TALL / (tallest or most), 0.86 if len(bars) < 300 else 1.0
    drawn: list[Markup] = []
    for i, (row, n) in enumerate(bars):
        parts = [
            element("title", f"{row.label}: {unit(n)}"),
            element("rect", class_="hit", x=i, width=1, height=_TALL),
        ]
        if n:
            tall = max(0.6, scale * n)
            place: dict[str, float] = {"x": i, "width": wide, "y": _TALL - tall, "height": tall}
            parts.append(element("rect", class_=f"f-{row.family}", **place))
        href = link(row) if row.is_drawn else None
        drawn.append(element("a", *parts, href=href, tabindex="-1"))
    picture = element(
        "svg",
        *drawn,
        role="img",
        aria_label=label,
        viewBox=f"0 0 {len(bars)} {_TALL}",
        preserveAspectRatio="none",
        class_="strip",
    )
    highest = element("span", f"highest {unit(most)}", class_="muted")
    return element("figure", element("figcaption", element("span", label), highest), picture)


def memory_strip(
    facts: ModelFacts, link: Callable[[LayerRow], str], label: str, tallest: int | None = None
) -> Markup:
    """Return a chart of the memory of all blobs while each layer runs, in execution order."""
    running = sorted((row for row in facts.rows if row.step is not None), key=lambda r: r.step or 0)
    return strip([(row, row.alive) for row in running], size, label, link, tallest)


@dataclass
class _Group:
    """The layers of one type."""

    family: str
    layers: int = 0
    macs: Total = Total(0)
    weight_bytes: int = 0


def type_table(*models: ModelFacts) -> Markup:
    """Return a table of the total cost of each layer type, for one model or before and after."""
    groups = [_by_type(facts.rows) for facts in models]
    names = {name: group.family for each in groups for name, group in each.items()}
    most = max((group.macs.known for each in groups for group in each.values()), default=0)
    lines: list[Markup] = []
    for name, family in names.items():
        found = [each.get(name, _Group(family)) for each in groups]
        bars = [_bar(group.macs.known, most, family) for group in found]
        cells = [
            element("th", element("i", class_=f"dot f-{family}"), name, scope="row"),
            element("td", arrow(*(str(group.layers) for group in found))),
            element("td", arrow(*(_macs(group.macs) for group in found))),
            element("td", *bars, class_="bars"),
            element("td", arrow(*(or_blank(size, group.weight_bytes) for group in found))),
        ]
        if len(models) == 1:
            macs, nbytes = found[0].macs.known, found[0].weight_bytes
            cells.insert(4, element("td", share(macs, models[0].macs.known) if macs else ""))
            cells.append(element("td", share(nbytes, models[0].weight_bytes) if nbytes else ""))
        lines.append(element("tr", *cells))
    heads = ["type", "layers", "MACs", "", "weights"]
    if len(models) == 1:
        heads = ["type", "layers", "MACs", "", "share", "weights", "share"]
    return table(heads, lines, class_="types")


def legend(facts: Sequence[ModelFacts]) -> Markup:
    """Return the legend of the families of layers in the models."""
    used = {row.family for each in facts for row in each.rows}
    items = [
        element("li", element("i", class_=f"dot f-{family}"), words)
        for family, words in FAMILIES.items()
        if family in used
    ]
    return element("ul", *items, class_="legend")


def _by_type(rows: Sequence[LayerRow]) -> dict[str, _Group]:
    """Return the sums for each layer type, the most expensive first."""
    found: dict[str, list[LayerRow]] = {}
    for row in rows:
        found.setdefault(row.type, []).append(row)
    groups = {
        name: _Group(
            own[0].family,
            len(own),
            Total.of(row.macs for row in own),
            sum(row.weight_bytes for row in own),
        )
        for name, own in found.items()
    }

    def descending_cost(item: tuple[str, _Group]) -> tuple[int, int, int]:
        group = item[1]
        return -group.macs.known, -group.weight_bytes, -group.layers

    return dict(sorted(groups.items(), key=descending_cost))


def _macs(total: Total) -> str:
    if total.unknown and not total.known:
        return UNKNOWN
    return figure(total, count) if total.known else ""


def _bar(value: int, most: int, family: str) -> Markup:
    width = f"width:{100 * value / most:.2f}%" if value else "display:none"
    return element("i", class_=f"hbar f-{family}", style=width)
