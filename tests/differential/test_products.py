"""Products with constant matrices become Gemms and InnerProducts: small models, before and after,
in the real runtime."""

from pathlib import Path

from .amount import examples
from .near_misses import Rewriting, check
from .products import MISSES, products
from .runtime import Runtime

EXAMPLES = examples(100)

REWRITING = Rewriting(
    passes=("eliminate-split", "replace-matmul-with-gemm"),
    is_made=lambda model, checked: "MatMul" not in checked.types,
    misses=MISSES,
    least=0.67,
)


def test_products_become_gemms(runtime: Runtime, tmp_path: Path) -> None:
    check(products, EXAMPLES, REWRITING, runtime, tmp_path)
