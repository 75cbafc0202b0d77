"""Batches that a model makes of an axis are done without: models before and after, in the real
runtime."""

from pathlib import Path

from .amount import examples
from .batches import MISSES, batches
from .near_misses import Rewriting, check
from .runtime import Runtime

EXAMPLES = examples(100)

REWRITING = Rewriting(
    passes=("eliminate-split", "eliminate-batches"),
    is_made=lambda model, checked: checked.rewrites["eliminate-batches"] > 0,
    misses=MISSES,
    least=0.67,
    alone=True,
)


def test_batches_are_eliminated(runtime: Runtime, tmp_path: Path) -> None:
    check(batches, EXAMPLES, REWRITING, runtime, tmp_path)
