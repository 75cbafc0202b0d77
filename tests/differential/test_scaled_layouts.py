"""Scales and shifts of channels go into the linear layer before the Reshapes and Permutes before
them: small models, before and after, in the real runtime."""

from pathlib import Path

from .amount import examples
from .near_misses import Rewriting, check
from .runtime import Runtime
from .scaled_layouts import MISSES, scaled_layouts

EXAMPLES = examples(75)

REWRITING = Rewriting(
    passes=("eliminate-split", "fuse-affine-through-layout"),
    is_made=lambda model, checked: not {"BinaryOp", "Scale"} & {*checked.types},
    misses=MISSES,
    least=0.53,
    alone=True,
)


def test_scales_go_through_layouts(runtime: Runtime, tmp_path: Path) -> None:
    check(scaled_layouts, EXAMPLES, REWRITING, runtime, tmp_path)
