"""Rotations that layers spell out become RotaryEmbed layers, and repeated heads of keys and values
are read once: small models, before and after, in the real runtime."""

from pathlib import Path

from .amount import examples
from .near_misses import Rewriting, check
from .rotation_pairs import MISSES as PAIR_MISSES
from .rotation_pairs import rotations_of_pairs
from .rotations import HEADS_MISSES, ROTATION_MISSES, rotations, shared_heads
from .runtime import Runtime

EXAMPLES = examples(60)

ROTATING = Rewriting(
    passes=("fold-constants", "merge-crops", "fuse-rotaryembed"),
    is_made=lambda model, checked: "RotaryEmbed" in checked.types,
    misses=ROTATION_MISSES,
    least=0.53,
)

PAIRS = Rewriting(
    passes=("fuse-rotaryembed",),
    is_made=lambda model, checked: "RotaryEmbed" in checked.types,
    misses=PAIR_MISSES,
    least=0.9,
    alone=True,
)

SHARING = Rewriting(
    passes=("eliminate-split", "eliminate-repeated-heads"),
    is_made=lambda model, checked: "Tile" not in checked.types,
    misses=HEADS_MISSES,
    least=0.67,
    alone=True,
)


def test_rotations_are_recognized(runtime: Runtime, tmp_path: Path) -> None:
    check(rotations, EXAMPLES, ROTATING, runtime, tmp_path)


def test_rotations_of_neighbours_are_recognized(runtime: Runtime, tmp_path: Path) -> None:
    check(rotations_of_pairs, examples(36), PAIRS, runtime, tmp_path)


def test_repeated_heads_are_shared(runtime: Runtime, tmp_path: Path) -> None:
    check(shared_heads, EXAMPLES, SHARING, runtime, tmp_path)
