"""Where the nodes of a graph are drawn."""

import random

import pytest
from ncnn_opt.report.layout import Edge, Placed, place


def boxes(placed: Placed, width: float) -> list[tuple[int, float, float]]:
    return [(r, x - width / 2, x + width / 2) for r, x in zip(placed.rank, placed.x, strict=True)]


@pytest.mark.parametrize("seed", range(20))
def test_layout_of_random_graphs(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randint(1, 60)
    edges = [
        Edge(source, target, i)
        for target in range(1, count)
        for i, source in enumerate(rng.sample(range(target), min(target, rng.randint(0, 3))))
    ]
    placed = place(count, edges, 100.0)
    for edge in edges:
        assert placed.rank[edge.source] < placed.rank[edge.target]
        assert edge in placed.lines or edge in placed.cut
    for edge, bends in placed.lines.items():
        ranks = [placed.rank[edge.source], *(r for _, r in bends), placed.rank[edge.target]]
        assert ranks == list(range(ranks[0], ranks[-1] + 1))
    found = sorted(boxes(placed, 100.0))
    for (rank, _, right), (other, left, _) in zip(found, found[1:], strict=False):
        assert rank != other or right <= left + 1e-6
    assert min(left for _, left, _ in found) >= -1e-6
    assert max(right for _, _, right in found) <= placed.width + 1e-6


def test_a_chain_is_straight() -> None:
    placed = place(50, [Edge(i, i + 1, 0) for i in range(49)], 100.0)
    assert placed.rank == list(range(50))
    assert max(placed.x) - min(placed.x) < 1e-6
