"""Transpositions in front of matrix products become part of them: small models, before and after,
in the real runtime."""

from pathlib import Path

from .amount import examples
from .near_misses import Rewriting, check
from .runtime import Runtime
from .transposed_products import MISSES, transposed_products

EXAMPLES = examples(60)

REWRITING = Rewriting(
    passes=("eliminate-split", "fuse-permute-matmul"),
    is_made=lambda model, checked: "Permute" not in checked.types,
    misses=MISSES,
    least=0.9,
    alone=True,
)


def test_products_transpose(runtime: Runtime, tmp_path: Path) -> None:
    check(transposed_products, EXAMPLES, REWRITING, runtime, tmp_path)
