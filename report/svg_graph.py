"""The graph of a model, or of two models side by side, as SVG."""

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..formats.markup import Markup, element, joined
from .layout import Edge, Placed, place, ranks_of
from .model import LayerRow, ModelFacts
from .model_comparison import ComparedLayer, Fate, ModelComparison
from .repeated_blocks import Drawing, Fold, folds
from .shared_texts import became, plural
from .units import count, elided, extents

WIDTH, HEIGHT, STEP = 226, 44, 68
"""A node's width and height, and the distance between ranks, in pixels."""
MARGIN = 24
LETTER, BOLD = 6.3, 7.4
"""The approximate width of a letter in pixels."""
MOST_RANKS = 12
"""The largest height in ranks of a layer that absorbed others."""


@dataclass
class _Drawn:
    """One of the drawn graphs."""

    facts: ModelFacts
    placed: Placed
    rows: Sequence[LayerRow]
    """The nodes."""
    names: Mapping[Edge, str]
    """The blob of each edge."""
    prefix: str
    """The prefix of ids."""
    links: Mapping[int, int]
    """The line of the table for each layer."""
    fates: Mapping[int, ComparedLayer]
    taken: Mapping[int, Sequence[tuple[int, LayerRow]]]
    """For each node the layers that were fused into it, with their distance below it in ranks."""

    def x(self, node: int) -> float:
        return MARGIN + self.placed.x[node]

    def y(self, node: int) -> float:
        return _y(self.placed.rank[node])

    def last(self, node: int) -> int:
        """Return the lowest rank that a node covers."""
        more = max((r for r, _ in self.taken.get(node, ())), default=0)
        return self.placed.rank[node] + more

    def bottom(self, node: int) -> float:
        return _y(self.last(node)) + HEIGHT

    def for_folding(self) -> Drawing:
        """Return the drawing that determines which blocks are equal."""
        given = {b.producer for b in self.facts.outputs}
        marks: list[str] = []
        for i, row in enumerate(self.rows):
            match = self.fates.get(row.index)
            marks.append(
                f"{match.fate.value if match else ''} {row.index in given}"
                f" {[(rank, other.type) for rank, other in self.taken.get(i, ())]}"
            )
        last = [self.last(i) for i in range(len(self.rows))]
        return Drawing(self.placed, self.rows, self.names, marks, last)


def model_graph(facts: ModelFacts) -> Markup:
    """Return the graph of one model, in a pane. Each node has the id `n<row>` and links to
    `#r<row>`."""
    rows, edges = _visible(facts)
    placed = place(len(rows), list(edges), WIDTH)
    links = {row.index: row.index for row in rows}
    drawn = _Drawn(facts, placed, rows, edges, "n", links, {}, {})
    return joined(_panes({"graph": (drawn, "")}, facts.has_integers))


def comparison_graph(comparison: ModelComparison) -> Markup:
    """Return the graphs of two models in two panes, with matching layers at the same height. Nodes
    have the ids `b<row>` and `a<row>` and link to `#r<match>`, the index in
    `comparison.matches`."""
    before, after = comparison.before, comparison.after
    rows, edges = _visible(before)
    rows2, edges2 = _visible(after)
    lines = {id(match): i for i, match in enumerate(comparison.matches)}
    fates, fates2 = comparison.fate_before(), comparison.fate_after()
    places = {row.index: i for i, row in enumerate(rows)}
    partners = {
        i: places[match.before.index]
        for i, row in enumerate(rows2)
        if (match := fates2[row.index]).before is not None and match.before.index in places
    }
    ranks, ranks2, taken = _level(
        (len(rows), list(edges)), (len(rows2), list(edges2)), partners, places,
        {i: fates2[row.index].absorbed for i, row in enumerate(rows2) if i in partners},
    )  # fmt: skip

    first = place(len(rows), list(edges), WIDTH, ranks)
    links = {index: lines[id(match)] for index, match in fates.items()}
    left = _Drawn(before, first, rows, edges, "b", links, fates, {})

    more = {i: max(rank for rank, _ in below) for i, below in taken.items()}
    second = place(len(rows2), list(edges2), WIDTH, ranks2, more)
    links = {index: lines[id(match)] for index, match in fates2.items()}
    right = _Drawn(after, second, rows2, edges2, "a", links, fates2, taken)
    graphs = {"graph-before": (left, "before"), "graph-after": (right, "after")}
    return joined(_panes(graphs, before.has_integers or after.has_integers))


_Graph = tuple[int, Sequence[Edge]]
_Taken = dict[int, list[tuple[int, LayerRow]]]


def _level(
    first: _Graph,
    second: _Graph,
    partners: Mapping[int, int],
    places: Mapping[int, int],
    absorbed: Mapping[int, Sequence[LayerRow]],
) -> tuple[dict[int, int], dict[int, int], _Taken]:
    """Return ranks for two graphs such that partners have the same rank, and for each node with
    absorbed layers their distances in ranks. `partners` maps nodes of the second graph to nodes of
    the first. A new layer moves all later layers down in both graphs."""
    ranks = ranks_of(*first, {}, {})
    least2: dict[int, int] = {}
    taken: _Taken = {}
    for _ in range(4):
        for i, rows in absorbed.items():
            below = [(ranks[places[r.index]] - ranks[partners[i]], r) for r in rows]
            if below and all(0 < rank <= MOST_RANKS for rank, _ in below):
                taken[i] = below
        more = {i: max(rank for rank, _ in below) for i, below in taken.items()}
        least2 = {i: ranks[j] for i, j in partners.items()}
        ranks2 = ranks_of(*second, least2, more)
        lower = {j: ranks2[i] for i, j in partners.items() if ranks2[i] > ranks[j]}
        if not lower:
            break
        ranks = ranks_of(*first, dict(enumerate(ranks)) | lower, {})
    return dict(enumerate(ranks)), least2, taken


def _visible(facts: ModelFacts) -> tuple[list[LayerRow], dict[Edge, str]]:
    """Return the drawn layers (all but Splits), and the edges between their indices in that list,
    with the name of the blob."""
    rows = [row for row in facts.rows if row.is_drawn]
    places = {row.index: i for i, row in enumerate(rows)}
    edges: dict[Edge, str] = {}
    for i, row in enumerate(rows):
        for at, b in enumerate(row.inputs):
            while b.producer is not None and b.producer not in places:
                b = facts.rows[b.producer].inputs[0]
            if b.producer is not None:
                edges[Edge(places[b.producer], i, at)] = b.name
    return rows, edges


def _panes(named: Mapping[str, tuple[_Drawn, str]], with_kinds: bool) -> Iterator[Markup]:
    """Yield a pane for each graph by the id of its picture, with a title above its first node.
    Pictures have the same height and the same folds. With `with_kinds`, nodes show whether they
    compute with integers."""
    graphs = [graph for graph, _ in named.values()]
    height = _y(max(g.placed.ranks for g in graphs)) + MARGIN
    found = folds([graph.for_folding() for graph in graphs])
    starts = sorted({0, *(f.first for f in found), *(f.last + 1 for f in found)})
    repeats = {f.first: f for f in found}
    for id, (graph, title) in named.items():
        layers: list[list[Markup]] = [[] for _ in starts]
        text = f"{graph.facts.name}, {plural(len(graph.facts.rows), 'layer')}"
        if title:
            words = f"{title}: {plural(len(graph.facts.rows), 'layer')}"
            left = graph.x(0) - WIDTH / 2 if graph.rows else MARGIN
            layers[0].append(element("text", words, class_="head", x=left, y=18))
        for rank, part in _parts(graph, with_kinds):
            layers[bisect(starts, rank) - 1].append(part)
        parts = [
            _part(drawn, repeats.get(first), graph)
            for first, drawn in zip(starts, layers, strict=True)
        ]
        width = graph.placed.width + 2 * MARGIN
        picture = element(
            "svg",
            joined(parts),
            id=id,
            role="group",
            aria_label=f"The graph of {text}",
            viewBox=f"0 0 {width:.0f} {height:.0f}",
            width=f"{width:.0f}",
            height=f"{height:.0f}",
        )
        label = f"graph {title}".rstrip()
        yield element("div", picture, class_="pane", tabindex="0", role="region", aria_label=label)


def _parts(graph: _Drawn, with_kinds: bool) -> Iterator[tuple[int, Markup]]:
    """Yield all elements of a graph with their ranks. Lines come before the nodes that cover
    them."""
    dearest = max((row.macs or 0 for row in graph.rows), default=0)
    ports, rank = _ports(graph), graph.placed.rank
    for edge, bends in graph.placed.lines.items():
        yield rank[edge.target], _line(graph, edge, bends, ports[edge])
    yield from _marks(graph)
    for i in range(len(graph.rows)):
        yield rank[i], _node(graph, i, dearest, with_kinds)


def _part(drawn: Sequence[Markup], fold: Fold | None, graph: _Drawn) -> Markup:
    """Return the elements of some ranks, which the page's script can move. For a fold, the script
    can also hide them and show a placeholder node."""
    if fold is None:
        return element("g", *drawn, class_="part")
    return element(
        "g",
        element("g", *drawn, class_="all"),
        _again(fold, graph),
        class_="part",
        data_by=(fold.last - fold.first) * STEP,
    )


def _again(fold: Fold, graph: _Drawn) -> Markup:
    """Return the placeholder node of a fold."""
    nodes = range(len(graph.rows))
    hidden = [row for i, row in enumerate(graph.rows) if fold.holds(graph.placed.rank[i])]
    above = next(i for i in nodes if graph.last(i) == fold.first - 1)
    last = next(i for i in nodes if graph.last(i) == fold.last)
    left, top = graph.x(last) - WIDTH / 2, _y(fold.first)
    start, middle = graph.bottom(above), (graph.bottom(above) + top) / 2
    wire = f"M{graph.x(above):.1f} {start:.0f}C{graph.x(above):.1f} {middle:.0f} "
    wire += f"{graph.x(last):.1f} {middle:.0f} {graph.x(last):.1f} {top:.0f}"
    macs = sum(row.macs or 0 for row in hidden)
    again = f"as above, {fold.times} more times" if fold.times > 1 else "as above, once more"
    text = f"{plural(len(hidden), 'layer')}, {elided(hidden[0].name, 22)} …"
    node = element(
        "g",
        element("title", f"{hidden[0].label} to {hidden[-1].label}: click to show them"),
        element("rect", class_="under", x=4, y=4, width=WIDTH, height=HEIGHT, rx=5),
        element("rect", class_="box", width=WIDTH, height=HEIGHT, rx=5),
        element("text", again, class_="t", x=14, y=18),
        element("text", count(macs) if macs else "", class_="m e", x=WIDTH - 10, y=18),
        element("text", text, class_="m", x=14, y=34),
        class_="unfold",
        role="button",
        tabindex="0",
        transform=f"translate({left:.1f} {top:.0f})",
    )
    return element("g", element("path", class_="wire", d=wire), node, class_="again")


def _y(rank: int) -> float:
    return 36 + rank * STEP


def _node(graph: _Drawn, node: int, dearest: int, with_kinds: bool) -> Markup:
    row, match = graph.rows[node], graph.fates.get(graph.rows[node].index)
    left, top = graph.x(node) - WIDTH / 2, graph.y(node)
    height = graph.bottom(node) - top
    fate = match.fate.value if match is not None else ""
    corner = count(row.macs) if row.macs else ""
    if match is not None and match.fate in (Fate.FUSED, Fate.ELIMINATED):
        corner = f"→ {match.after.name}" if match.fate is Fate.FUSED and match.after else fate
    corner = elided(corner, 22 - len(row.type) // 3)
    type_room = int((WIDTH - 32 - LETTER * len(corner)) / BOLD)
    shape = extents(row.shape) if row.outputs else ""
    name_room = int((WIDTH - 34) / LETTER) - len(shape)
    parts = [
        element("title", _title(row, match)),
        element("rect", class_="box", width=WIDTH, height=height, rx=5),
        element("rect", class_="side", width=5, height=height, rx=2),
        element("text", elided(row.type, max(type_room, 8)), class_="t", x=14, y=18),
        element("text", elided(row.name, max(name_room, 6)), class_="m", x=14, y=34),
        element("text", shape, class_="m e", x=WIDTH - 10, y=34),
        element("text", corner, class_="m e fate", x=WIDTH - 10, y=18),
    ]
    if row.macs and dearest:
        bar = max(2.0, (WIDTH - 24) * row.macs / dearest)
        parts.append(element("rect", class_="bar", x=14, y=HEIGHT - 5, width=bar, height=3))
    if with_kinds and row.kind:
        parts.append(_kind(row.kind))
    for rank, other in graph.taken.get(node, ()):
        y = rank * STEP
        text = elided(f"+ {other.type}  {other.name}", int((WIDTH - 30) / LETTER))
        parts.append(element("line", class_="sep", x1=14, x2=WIDTH - 10, y1=y - 8, y2=y - 8))
        parts.append(element("text", text, class_="p", x=14, y=y + 22))
    if given := [b.name for b in graph.facts.outputs if b.producer == row.index]:
        text = f"output {elided(given[0], 12)} ▾" if len(given) == 1 else f"{len(given)} outputs ▾"
        parts.append(element("text", text, class_="o", x=WIDTH - 10, y=height + 13))
    return element(
        "a",
        joined(parts),
        id=f"{graph.prefix}{row.index}",
        href=f"#r{graph.links[row.index]}",
        class_=f"n f-{row.family} {fate}".rstrip(),
        transform=f"translate({left:.1f} {top:.0f})",
    )


def _kind(kind: str) -> Markup:
    """Return a badge on a node's upper edge with the arithmetic of its layer."""
    wide = LETTER * len(kind) + 10
    return element(
        "g",
        element("rect", x=WIDTH - 10 - wide, y=-8, width=wide, height=14, rx=4),
        element("text", kind, x=WIDTH - 10 - wide / 2, y=3),
        class_=f"kind {'float' if kind == 'float' else 'integers'}",
    )


def _title(row: LayerRow, match: ComparedLayer | None) -> str:
    lines = [f"{row.type} {row.name}", f"output {extents(row.shape)}"]
    if row.kind:
        lines.append(f"computes in {row.kind}")
    if row.macs:
        lines.append(f"{count(row.macs)} MACs")
    lines += [f"{name} = {value}" for name, value in row.settings.items()]
    if match is not None and match.fate is not Fate.SAME:
        lines.append(became(match))
    return "\n".join(lines)


def _ports(graph: _Drawn) -> dict[Edge, float]:
    """Return the horizontal offset of each edge at its target node, in the order of the edges'
    sources from left to right."""
    into: dict[int, list[tuple[float, Edge]]] = {}
    for edge, bends in graph.placed.lines.items():
        x = bends[-1][0] if bends else graph.placed.x[edge.source]
        into.setdefault(edge.target, []).append((x, edge))
    ports: dict[Edge, float] = {}
    for ends in into.values():
        ends.sort(key=lambda end: end[0])
        spread = min(20.0, (WIDTH - 40) / len(ends))
        for i, (_, edge) in enumerate(ends):
            ports[edge] = (i - (len(ends) - 1) / 2) * spread
    return ports


def _line(graph: _Drawn, edge: Edge, bends: Sequence[tuple[float, int]], port: float) -> Markup:
    x, y = graph.x(edge.source), graph.bottom(edge.source)
    path = [f"M{x:.1f} {y:.0f}"]
    stops = [(MARGIN + bx, _y(rank), HEIGHT) for bx, rank in bends]
    stops.append((graph.x(edge.target) + port, graph.y(edge.target), 0))
    for to_x, to_y, through in stops:
        if abs(to_x - x) < 0.5:
            path.append(f"V{to_y + through:.0f}")
        else:
            half = (y + to_y) / 2
            path.append(f"C{x:.1f} {half:.0f} {to_x:.1f} {half:.0f} {to_x:.1f} {to_y:.0f}")
            if through:
                path.append(f"v{through}")
        x, y = to_x, to_y + through
    return element("path", class_="wire", d="".join(path))


def _marks(graph: _Drawn) -> Iterator[tuple[int, Markup]]:
    """Yield the marks of edges that are not drawn: the blob's name above the node that reads
    it."""
    ends: dict[int, float] = {}
    for edge in graph.placed.cut:
        source, target = graph.rows[edge.source], graph.rows[edge.target]
        x = ends.get(edge.target, graph.x(edge.target) - WIDTH / 2 + 4)
        text = f"↑ {elided(graph.names[edge], 14)}"
        ends[edge.target] = x + LETTER * (len(text) + 1)
        mark = element(
            "a",
            element("title", f"{target.label} reads it from {source.label}"),
            element("text", text, class_="o", x=x, y=graph.y(edge.target) - 5),
            href=f"#{graph.prefix}{source.index}",
            class_="cut",
        )
        yield graph.placed.rank[edge.target], mark
