"""Squeeze and excitation on vectors: small models, before and after, in the real runtime."""

from collections import Counter
from pathlib import Path

from .amount import examples, for_each
from .driver import Trial
from .gates import MISSES, Gates, gates
from .runtime import Runtime

EXAMPLES = examples(200)


def test_gates_are_computed_on_vectors(runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    def check(model: Gates) -> None:
        seen["models"] += 1
        trial = Trial(model.sketch.build(), runtime, tmp_path)
        if not trial.is_evidence:
            return
        seen["evidence"] += 1
        checked = trial.after()
        before = sum(step.kind == "Reduction" for step in model.sketch.steps)
        seen[f"{model.miss}: {checked.rewrites['eliminate-kept-axes'] == before}"] += 1
        assert checked.is_stable()
        trial.after(("eliminate-split", "eliminate-kept-axes"))

    for_each(gates(), EXAMPLES, check)
    assert seen["evidence"] > 0.9 * seen["models"], seen
    assert seen[": True"] > 0.5 * seen["models"], seen
    assert not [miss for miss in MISSES if seen[f"{miss}: True"]], seen
