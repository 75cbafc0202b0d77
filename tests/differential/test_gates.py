"""Squeeze and excitation on vectors: small models, before and after, in the real runtime."""

from pathlib import Path

from .amount import examples
from .driver import Checked
from .gates import MISSES, gates
from .near_misses import NearMiss, Rewriting, check
from .runtime import Runtime

EXAMPLES = examples(100)


def all_drop_axes(model: NearMiss, checked: Checked) -> bool:
    """Whether each Reduction does."""
    reductions = sum(step.kind == "Reduction" for step in model.sketch.steps)
    return checked.rewrites["eliminate-kept-axes"] == reductions


REWRITING = Rewriting(
    passes=("eliminate-split", "eliminate-kept-axes"),
    is_made=all_drop_axes,
    misses=MISSES,
    least=0.67,
)


def test_gates_are_computed_on_vectors(runtime: Runtime, tmp_path: Path) -> None:
    check(gates, EXAMPLES, REWRITING, runtime, tmp_path)
