"""Linear layers of one blob that are added become one convolution: small models, before and after,
in the real runtime."""

from pathlib import Path

from .amount import examples
from .near_misses import Rewriting, check
from .parallel import MISSES, parallel
from .runtime import Runtime

EXAMPLES = examples(100)

REWRITING = Rewriting(
    passes=("eliminate-split", "fuse-parallel-branches"),
    is_made=lambda model, checked: "fuse-parallel-branches" in checked.rewrites,
    misses=MISSES,
    least=0.4,
    alone=True,
)


def test_branches_become_one(runtime: Runtime, tmp_path: Path) -> None:
    check(parallel, EXAMPLES, REWRITING, runtime, tmp_path)
