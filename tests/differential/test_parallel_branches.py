"""Linear layers of one blob that are added become one convolution: small models, before and after,
in the real runtime."""

from collections import Counter
from pathlib import Path

from .amount import examples, for_each
from .driver import Trial
from .parallel import MISSES, Parallel, parallel
from .runtime import Runtime

EXAMPLES = examples(200)


def test_branches_become_one(runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    def check(model: Parallel) -> None:
        seen["models"] += 1
        trial = Trial(model.sketch.build(), runtime, tmp_path)
        if not trial.is_evidence:
            return
        seen["evidence"] += 1
        fused = trial.after(("eliminate-split", "fuse-parallel-branches")).rewrites
        seen[f"{model.miss}: {'fuse-parallel-branches' in fused}"] += 1
        assert trial.after().is_stable()

    for_each(parallel(), EXAMPLES, check)
    assert seen["evidence"] > 0.9 * seen["models"], seen
    assert seen[": True"] > 0.3 * seen["models"], seen
    assert not [miss for miss in MISSES if seen[f"{miss}: True"]], seen
