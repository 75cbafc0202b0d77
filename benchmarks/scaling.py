"""The time of `-O` for growing models: the time per layer without start-up. Linear growth is a
ratio of 1."""

from collections.abc import Callable, Sequence
from pathlib import Path

from .measuring import TOOL, cost, print_table
from .models import chain, wide_concat, wide_split

LAYERS = (1_000, 10_000, 100_000)
WIDTHS = (1_000, 5_000)


def measure(folder: Path) -> None:
    """Print the tables."""
    _grow("Chains of so many layers, where two of three fuse", chain, LAYERS, folder)
    _grow("A Split with so many consumers", wide_split, WIDTHS, folder)
    _grow("A Concat of so many blobs", wide_concat, WIDTHS, folder)


def _grow(
    title: str, make: Callable[[Path, int], Path], sizes: Sequence[int], folder: Path
) -> None:
    out = folder / "out.param"

    def seconds(size: int, runs: int) -> tuple[float, float]:
        model = make(folder / "growing.param", size)
        took = cost([TOOL, "-O", model, "-o", out], runs)
        return took.seconds, took.megabytes

    start_up, _ = seconds(4, 5)
    rows: list[list[str]] = []
    first = 0.0
    for size in sizes:
        total, memory = seconds(size, 3 if size < 50_000 else 1)
        each = 1000 * (total - start_up) / size
        first = first or each
        rows.append(
            [f"{size:,}", f"{total:.2f}", f"{each:.3f}", f"{each / first:.2f}", f"{memory:.0f}"]
        )
    print_table(title, ["size", "s", "ms each", "ratio", "MB"], rows)
