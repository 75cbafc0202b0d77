"""Products with constant matrices become Gemms and InnerProducts: small models, before and after,
in the real runtime."""

from collections import Counter
from pathlib import Path

from .amount import examples, for_each
from .driver import Trial
from .products import MISSES, Products, products
from .runtime import Runtime

EXAMPLES = examples(200)


def test_products_become_gemms(runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    def check(model: Products) -> None:
        seen["models"] += 1
        trial = Trial(model.sketch.build(), runtime, tmp_path)
        if not trial.is_evidence:
            return
        seen["evidence"] += 1
        checked = trial.after()
        seen[f"{model.miss}: {'MatMul' not in checked.types}"] += 1
        assert checked.is_stable()
        trial.after(("eliminate-split", "replace-matmul-with-gemm"))

    for_each(products(), EXAMPLES, check)
    assert seen["evidence"] > 0.9 * seen["models"], seen
    assert seen[": True"] > 0.5 * seen["models"], seen
    assert not [miss for miss in MISSES if seen[f"{miss}: True"]], seen
