"""Blocks of a graph that come several times in a row, so that a page may show the first only.

A graph is cut where all its paths pass one node; what lies between two cuts is a piece. Pieces are
alike that have the same layers with the same parameters, shapes and weights, joined in the same
way, whatever their names. A block is one piece or several that come at least once more right behind
it.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from .layout import Edge, Placed
from .model import Row

LEAST_RANKS = 4
"""What is folded is at least so many ranks high: less would save no room."""
LONGEST = 64
"""The most pieces of a block."""


@dataclass
class Drawing:
    """A graph whose nodes have places."""

    placed: Placed
    rows: Sequence[Row]
    """The nodes."""
    names: Mapping[Edge, str]
    """The blob of each edge."""
    marks: Sequence[str]
    """What else is said of each node."""
    last: Sequence[int]
    """The lowest rank that each node takes."""

    @cached_property
    def into(self) -> Mapping[int, Sequence[Edge]]:
        """The edges into each node that has some."""
        found: dict[int, list[Edge]] = {}
        for edge in self.names:
            found.setdefault(edge.target, []).append(edge)
        return found

    @cached_property
    def far(self) -> Collection[Edge]:
        """The edges that are not drawn."""
        return frozenset(self.placed.cut)

    @cached_property
    def at_rank(self) -> Mapping[int, Sequence[int]]:
        """The nodes that begin at each rank."""
        found: dict[int, list[int]] = {}
        for node, rank in enumerate(self.placed.rank):
            found.setdefault(rank, []).append(node)
        return found

    def between(self, first: int, last: int) -> list[int]:
        """The nodes of these ranks, in the order of the file."""
        return sorted(i for rank in range(first, last + 1) for i in self.at_rank.get(rank, ()))


@dataclass(frozen=True)
class Fold:
    """Ranks that hold nothing but what comes again."""

    first: int
    last: int
    times: int
    """How often the block above comes again."""

    def holds(self, rank: int) -> bool:
        """Whether it is one of these ranks."""
        return self.first <= rank <= self.last


def folds(graphs: Sequence[Drawing]) -> list[Fold]:
    """The ranks that can be folded in graphs side by side, of all at once, from the top."""
    cuts = sorted(set[int].intersection(*(_cuts(graph) for graph in graphs)))
    pieces = list(zip([-1, *cuts], cuts, strict=False))
    looks: dict[object, int] = {}
    seen = [_look(graphs, above + 1, last) for above, last in pieces]
    like = [looks.setdefault(look, len(looks)) for look in seen]
    found: list[Fold] = []
    at = 0
    while at < len(pieces):
        length, times, left = _run(like, at)
        # A run may go on for a part of a block: then it can begin at one place or another. A block
        # that begins with the largest piece begins where paths part, as those of people do.
        start = max(range(at, at + left + 1), key=lambda i: len(seen[i]))
        first, last = pieces[start + length - 1][1] + 1, pieces[start + length * times - 1][1]
        if times > 1 and last - first + 1 >= LEAST_RANKS:
            found.append(Fold(first, last, times - 1))
            at = start + length * times
        else:
            at += 1
    return found


def _cuts(graph: Drawing) -> set[int]:
    """The ranks at whose lower edge there is nothing but the lower edge of one node."""
    width, ends = Counter[int](), Counter(graph.last)
    for first, last in zip(graph.placed.rank, graph.last, strict=True):
        width.update(range(first, last + 1))
    # Edges of one value share their bends.
    bends = {(e.source, rank) for e, at in graph.placed.lines.items() for _, rank in at}
    width.update(rank for _, rank in bends)
    return {rank for rank, count in width.items() if count == 1 == ends[rank]}


def _run(like: Sequence[int], at: int) -> tuple[int, int, int]:
    """The block that begins here, in pieces, how often it stands here in a row, and how many pieces
    of it follow once more: where that takes most pieces, the shortest such block."""
    best = (1, 1, 0)
    for length in range(1, min(LONGEST, (len(like) - at) // 2) + 1):
        end = at + length
        while end < len(like) and like[end - length] == like[end]:
            end += 1
        times, left = divmod(end - at, length)
        if times > 1 and length * times > best[0] * best[1]:
            best = (length, times, left)
    return best


def _look(graphs: Sequence[Drawing], first: int, last: int) -> tuple[object, ...]:
    """What pieces that are alike have in common."""
    nodes = [_node(graph, i, first) for graph in graphs for i in graph.between(first, last)]
    return (last - first, *nodes)


def _node(graph: Drawing, node: int, first: int) -> tuple[object, ...]:
    """A node as its piece has it, and where what it reads is made: in the piece so many nodes
    before it, where the line is not drawn in this node; all else in the one above the piece."""
    row, rank = graph.rows[node], graph.placed.rank
    reads: list[object] = []
    for edge in graph.into.get(node, ()):
        far, inside = edge in graph.far, rank[edge.source] >= first
        made = ("far", edge.source) if far else node - edge.source if inside else "above"
        reads.append((edge.place, made))
    return (
        row.type,
        tuple(row.settings.items()),
        tuple(b.shape for b in row.outputs),
        tuple((w.storage, w.count) for w in row.weights),
        rank[node] - first,
        graph.last[node] - first,
        graph.marks[node],
        *reads,
    )
