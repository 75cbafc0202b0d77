"""Scales and shifts before a linear layer become part of it: small models of all kinds, before and
after, in the real runtime."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from .amount import examples, for_each
from .driver import Trial
from .followers import FORWARD, GEMMS, INNER_PRODUCTS, TRANSPOSED
from .leaders import Model, models
from .runtime import Runtime

EXAMPLES = examples(25)
"""Models of each kind of linear layer."""

FAMILIES = {
    "windows": (*FORWARD, *TRANSPOSED),
    "inner products": INNER_PRODUCTS,
    "Gemm": GEMMS,
}
"""Kinds of linear layers that take in much the same."""


@pytest.mark.parametrize("kinds", FAMILIES.values(), ids=FAMILIES)
def test_scales_and_shifts_ahead(kinds: Sequence[str], runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    def check(model: Model) -> None:
        seen["models"] += 1
        trial = Trial(model.build(), runtime, tmp_path)
        if not trial.is_evidence:
            return
        seen["evidence"] += 1
        seen.update(trial.after().rewrites)
        trial.after(["fuse-affine-linear"])

    for kind in kinds:
        for_each(models(kind), EXAMPLES, check)
    assert seen["evidence"] > 0.9 * seen["models"], seen
    # (Not of each kind: which models are drawn is not the same on all machines.)
    assert seen["fuse-affine-linear"] > 0.02 * seen["models"], seen
