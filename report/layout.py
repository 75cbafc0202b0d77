"""Layout of a graph: nodes in ranks from top to bottom, so that edges point down.

This is layered drawing (Sugiyama, Tagawa, Toda: Methods for Visual Understanding of Hierarchical
System Structures, 1981) in its usual steps: ranks by longest path; bends where an edge crosses a
rank; an order within each rank by the barycentre heuristic; positions by moving each node towards
its neighbours. A very long edge of a value with many readers is not drawn as a line: its ends are
marked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

LONGEST = 12
"""An edge over more ranks than this, of a value with more readers than `MOST_READERS`, is cut."""
MOST_READERS = 3
SWEEPS = 6
BEND_WIDTH = 24.0
GAP = 20.0
NODE_WEIGHT = 1e4


@dataclass(frozen=True)
class Edge:
    """An edge from a node to a reader of its value, with the index of the reader's input."""

    source: int
    target: int
    place: int


@dataclass
class Placed:
    """A graph with positions for all nodes."""

    x: list[float]
    """The centre of each node."""
    rank: list[int]
    lines: dict[Edge, list[tuple[float, int]]]
    """The bends of each drawn edge: position and rank."""
    cut: list[Edge]
    """The edges that are not drawn; only their ends are marked."""
    width: float
    ranks: int


def place(
    count: int,
    edges: Sequence[Edge],
    width: float,
    least_ranks: Mapping[int, int] | None = None,
    more_ranks: Mapping[int, int] | None = None,
) -> Placed:
    """Lay out `count` nodes of the same width. Edges lead from lower to higher node numbers.
    `least_ranks` gives the smallest rank of a node; `more_ranks` gives the number of additional
    ranks that a node covers."""
    layout = _Layout(count, edges, width, more_ranks or {})
    layout.assign_ranks(least_ranks or {})
    layout.add_bends()
    layout.order()
    return layout.assign_positions()


def ranks_of(
    count: int, edges: Sequence[Edge], least_ranks: Mapping[int, int], more_ranks: Mapping[int, int]
) -> list[int]:
    """Return the rank that `place` assigns to each node."""
    layout = _Layout(count, edges, 0.0, more_ranks)
    layout.assign_ranks(least_ranks)
    return layout.ranks


@dataclass(eq=False)
class _Cell:
    """A node, or a bend in the edges of one value."""

    node: int | None
    rank: int
    width: float
    weight: float
    """The resistance to being moved. Nodes have a large weight, so that edges move instead."""
    x: float = 0.0
    above: list["_Cell"] = field(default_factory=list["_Cell"])
    below: list["_Cell"] = field(default_factory=list["_Cell"])


class _Layout:
    def __init__(
        self, count: int, edges: Sequence[Edge], width: float, more: Mapping[int, int]
    ) -> None:
        self.count = count
        self.more = more
        self.edges = edges
        self.node_width = width
        self.ranks = [0] * count
        self.cut: list[Edge] = []
        self.bends: dict[Edge, list[_Cell]] = {}
        self.cells = [_Cell(i, 0, width, NODE_WEIGHT) for i in range(count)]
        self.rows: list[list[_Cell]] = []

    def assign_ranks(self, least: Mapping[int, int]) -> None:
        """Assign ranks by the longest path from the top. Then move each node down towards its
        readers."""
        into: list[list[int]] = [[] for _ in range(self.count)]
        out: list[list[int]] = [[] for _ in range(self.count)]
        for edge in self.edges:
            into[edge.target].append(edge.source)
            out[edge.source].append(edge.target)
        ranks = self.ranks
        for i in range(self.count):
            above = [ranks[j] + 1 + self.more.get(j, 0) for j in into[i]]
            ranks[i] = max([least.get(i, 0), *above])
        for i in reversed(range(self.count)):
            if out[i] and i not in least:
                ranks[i] = min(ranks[j] for j in out[i]) - 1 - self.more.get(i, 0)
        for cell, rank in zip(self.cells, ranks, strict=True):
            cell.rank = rank

    def add_bends(self) -> None:
        """Add one chain of bends below each node; the edge to each reader branches off at the
        reader's rank."""
        readers: dict[int, list[Edge]] = {}
        for edge in self.edges:
            readers.setdefault(edge.source, []).append(edge)
        for source in range(self.count):
            chain = [self.cells[source]]
            for _ in range(self.more.get(source, 0)):
                self._lengthen(chain, self.node_width, 1e3 * NODE_WEIGHT)
            for edge in sorted(readers.get(source, []), key=lambda e: self.ranks[e.target]):
                span = self.ranks[edge.target] - self.ranks[source]
                if span > LONGEST and len(readers[source]) > MOST_READERS:
                    self.cut.append(edge)
                    continue
                while len(chain) < span:
                    self._lengthen(chain, BEND_WIDTH, 1.0)
                _join(chain[span - 1], self.cells[edge.target])
                self.bends[edge] = chain[1 + self.more.get(source, 0) : span]
        self.rows = [[] for _ in range(max((c.rank for c in self.cells), default=-1) + 1)]
        for cell in self.cells:
            self.rows[cell.rank].append(cell)

    def _lengthen(self, chain: list[_Cell], width: float, weight: float) -> None:
        cell = _Cell(None, chain[-1].rank + 1, width, weight)
        _join(chain[-1], cell)
        chain.append(cell)
        self.cells.append(cell)

    def order(self) -> None:
        """Order the nodes in each rank by the mean position of their neighbours, alternately above
        and below, and keep the order with the fewest crossings."""
        for row in self.rows:
            _number(row)
        best = self._crossings()
        kept = [list(row) for row in self.rows]
        for sweep in range(SWEEPS):
            if best == 0:
                break
            down = sweep % 2 == 0
            for row in self.rows if down else reversed(self.rows):
                row.sort(key=lambda cell: _mean(cell.above if down else cell.below, cell.x))
                _number(row)
            crossings = self._crossings()
            if crossings < best:
                best, kept = crossings, [list(row) for row in self.rows]
        self.rows = kept

    def _straighten(self) -> None:
        """Align the ranks with a single cell vertically: otherwise a long model would drift to one
        side."""
        offset, spine = 0.0, None
        for row in self.rows:
            if len(row) == 1:
                spine = row[0].x if spine is None else spine
                offset = spine - row[0].x
            for cell in row:
                cell.x += offset

    def _crossings(self) -> int:
        total = 0
        for row in self.rows:
            ends = [(cell.x, other.x) for cell in row for other in cell.below]
            if len(ends) > 1:
                ends.sort()
                for i, (x, end) in enumerate(ends):
                    total += sum(1 for x2, end2 in ends[i + 1 :] if x2 > x and end2 < end)
        return total

    def assign_positions(self) -> Placed:
        """Move each node to the mean of its neighbours, as far as its rank has space, and return
        the positions."""
        for row in self.rows:
            x = 0.0
            for cell in row:
                cell.x = x + cell.width / 2
                x += cell.width + GAP
            for cell in row:
                cell.x -= (x - GAP) / 2
        for sweep in range(2 * SWEEPS + 1):  # the last one down, so that chains hang straight
            down = sweep % 2 == 0
            for row in self.rows if down else reversed(self.rows):
                _shift(row, [_middle(c.above if down else c.below, c.x) for c in row])
        self._straighten()
        for i in self.more:  # a node over several ranks must be vertical
            cell = self.cells[i]
            for _ in range(self.more[i]):
                cell.below[0].x = cell.x
                cell = cell.below[0]
        left = min((c.x - c.width / 2 for c in self.cells), default=0.0)
        right = max((c.x + c.width / 2 for c in self.cells), default=0.0)
        for cell in self.cells:
            cell.x -= left
        return Placed(
            [cell.x for cell in self.cells[: self.count]],
            self.ranks,
            {e: [(c.x, c.rank) for c in cells] for e, cells in self.bends.items()},
            self.cut,
            right - left,
            len(self.rows),
        )


def _join(upper: _Cell, lower: _Cell) -> None:
    if lower not in upper.below:
        upper.below.append(lower)
        lower.above.append(upper)


def _number(row: Sequence[_Cell]) -> None:
    for i, cell in enumerate(row):
        cell.x = float(i)


def _mean(cells: Sequence[_Cell], otherwise: float) -> float:
    return sum(c.x for c in cells) / len(cells) if cells else otherwise


def _middle(cells: Sequence[_Cell], otherwise: float) -> float:
    """Return the mean position of the nodes in `cells`, or of all cells if there are no nodes."""
    return _mean([c for c in cells if c.weight >= NODE_WEIGHT] or cells, otherwise)


def _shift(row: Sequence[_Cell], wanted: Sequence[float]) -> None:
    """Place the cells of a rank in their order, with the least squared distance to the wanted
    positions (pool adjacent violators)."""
    offsets: list[float] = []
    offset = 0.0
    for i, cell in enumerate(row):
        if i:
            offset += (row[i - 1].width + cell.width) / 2 + GAP
        offsets.append(offset)
    blocks: list[tuple[float, float, int]] = []  # mean, weight, cells
    for cell, want, shift in zip(row, wanted, offsets, strict=True):
        mean, weight, size = want - shift, cell.weight, 1
        while blocks and blocks[-1][0] > mean:
            m, w, n = blocks.pop()
            mean, weight, size = (m * w + mean * weight) / (w + weight), w + weight, n + size
        blocks.append((mean, weight, size))
    places = [mean for mean, _, size in blocks for _ in range(size)]
    for cell, at, shift in zip(row, places, offsets, strict=True):
        cell.x = at + shift
