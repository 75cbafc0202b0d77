"""Layers in one dim become layers in two: small models, before and after, in the real runtime."""

from pathlib import Path

from .amount import examples
from .near_misses import Rewriting, check
from .one_dim import KINDS, MISSES, one_dim
from .runtime import Runtime

EXAMPLES = examples(100)

REWRITING = Rewriting(
    passes=("eliminate-split", "replace-1d-with-2d", "merge-reshapes"),
    is_made=lambda model, checked: not {*KINDS} & {*checked.types},
    misses=MISSES,
    least=0.67,
)


def test_layers_in_one_dim_become_layers_in_two(runtime: Runtime, tmp_path: Path) -> None:
    check(one_dim, EXAMPLES, REWRITING, runtime, tmp_path)
