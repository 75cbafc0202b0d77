"""Detection of blocks that a graph repeats several times in a row, so that a page can fold them.

The graph is cut at each node that all paths pass. The nodes between two cuts are a piece. Two
pieces are equal if they have the same layers with the same parameters, shapes and weights and the
same connections; names do not matter. A block is a sequence of pieces that occurs at least once
more directly after itself.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from .layout import Edge, Placed
from .model import LayerRow

LEAST_RANKS = 4
"""The smallest height of a fold in ranks: a smaller one would save no space."""
LONGEST = 64
"""The largest number of pieces in a block."""


@dataclass
class Drawing:
    """A graph whose nodes have positions."""

    placed: Placed
    rows: Sequence[LayerRow]
    """The nodes."""
    names: Mapping[Edge, str]
    """The blob of each edge."""
    marks: Sequence[str]
    """Further facts about each node that equal nodes must share."""
    last: Sequence[int]
    """The lowest rank that each node takes."""

    @cached_property
    def into(self) -> Mapping[int, Sequence[Edge]]:
        """The incoming edges of each node that has some."""
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
        """The nodes whose first rank is each rank."""
        found: dict[int, list[int]] = {}
        for node, rank in enumerate(self.placed.rank):
            found.setdefault(rank, []).append(node)
        return found

    def between(self, first: int, last: int) -> list[int]:
        """Return the nodes of these ranks, in file order."""
        return sorted(i for rank in range(first, last + 1) for i in self.at_rank.get(rank, ()))


@dataclass(frozen=True)
class Fold:
    """A range of ranks that contains only repetitions of the block above."""

    first: int
    last: int
    times: int
    """The number of repetitions."""

    def holds(self, rank: int) -> bool:
        """Whether the range contains a rank."""
        return self.first <= rank <= self.last


def folds(graphs: Sequence[Drawing]) -> list[Fold]:
    """Return the folds that graphs drawn side by side have in common, from the top."""
    cuts = sorted(set[int].intersection(*(_cuts(graph) for graph in graphs)))
    pieces = list(zip([-1, *cuts], cuts, strict=False))
    looks: dict[object, int] = {}
    seen = [_look(graphs, above + 1, last) for above, last in pieces]
    numbers = [looks.setdefault(look, len(looks)) for look in seen]
    found: list[Fold] = []
    at = 0
    while at < len(pieces):
        length, times, left = _longest_repetition(numbers, at)
        # The repetition may end with a part of a block, so that there are several possible starts.
        # Start at the largest piece: it is where paths branch, as in blocks that people define.
        start = max(range(at, at + left + 1), key=lambda i: len(seen[i]))
        first, last = pieces[start + length - 1][1] + 1, pieces[start + length * times - 1][1]
        if times > 1 and last - first + 1 >= LEAST_RANKS:
            found.append(Fold(first, last, times - 1))
            at = start + length * times
        else:
            at += 1
    return found


def _cuts(graph: Drawing) -> set[int]:
    """Return the ranks at whose lower end only one node ends and no line passes."""
    width, ends = Counter[int](), Counter(graph.last)
    for first, last in zip(graph.placed.rank, graph.last, strict=True):
        width.update(range(first, last + 1))
    # Edges of one value share their bends.
    bends = {(e.source, rank) for e, at in graph.placed.lines.items() for _, rank in at}
    width.update(rank for _, rank in bends)
    return {rank for rank, count in width.items() if count == 1 == ends[rank]}


def _longest_repetition(numbers: Sequence[int], at: int) -> tuple[int, int, int]:
    """Return the length in pieces of the block that starts at `at`, its number of consecutive
    occurrences, and the number of pieces of a last partial occurrence. Equal pieces have equal
    numbers. Choose the block whose occurrences cover the most pieces; of several, the shortest."""
    best = (1, 1, 0)
    for length in range(1, min(LONGEST, (len(numbers) - at) // 2) + 1):
        end = at + length
        while end < len(numbers) and numbers[end - length] == numbers[end]:
            end += 1
        times, left = divmod(end - at, length)
        if times > 1 and length * times > best[0] * best[1]:
            best = (length, times, left)
    return best


def _look(graphs: Sequence[Drawing], first: int, last: int) -> tuple[object, ...]:
    """Return a key that equal pieces have in common."""
    nodes = [_node(graph, i, first) for graph in graphs for i in graph.between(first, last)]
    return (last - first, *nodes)


def _node(graph: Drawing, node: int, first: int) -> tuple[object, ...]:
    """Return a key for a node in its piece, with the producer of each input: the distance in nodes
    if it is in the same piece, the node itself if the edge is not drawn, otherwise `above`."""
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
