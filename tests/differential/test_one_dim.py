"""Layers in one dim become layers in two: small models, before and after, in the real runtime."""

from collections import Counter
from pathlib import Path

from .amount import examples, for_each
from .driver import Trial
from .one_dim import KINDS, MISSES, OneDim, one_dim
from .runtime import Runtime

EXAMPLES = examples(200)


def test_layers_in_one_dim_become_layers_in_two(runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    def check(model: OneDim) -> None:
        seen["models"] += 1
        trial = Trial(model.sketch.build(), runtime, tmp_path)
        if not trial.is_evidence:
            return
        seen["evidence"] += 1
        checked = trial.after()
        seen[f"{model.miss}: {not {*KINDS} & {*checked.types}}"] += 1
        assert checked.is_stable()
        trial.after(("eliminate-split", "replace-1d-with-2d", "merge-reshapes"))

    for_each(one_dim(), EXAMPLES, check)
    assert seen["evidence"] > 0.9 * seen["models"], seen
    assert seen[": True"] > 0.5 * seen["models"], seen
    assert not [miss for miss in MISSES if seen[f"{miss}: True"]], seen
