"""Gemms on the pixels of an image become 1x1 Convolutions, and Reshapes between them go: small
models, before and after, in the real runtime."""

from collections import Counter
from pathlib import Path

from .amount import examples, for_each
from .driver import Trial
from .pixels import MISSES, Pixels, pixels
from .runtime import Runtime

EXAMPLES = examples(150)


def test_gemms_become_convolutions(runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    def check(model: Pixels) -> None:
        seen["models"] += 1
        trial = Trial(model.sketch.build(), runtime, tmp_path)
        if not trial.is_evidence:
            return
        seen["evidence"] += 1
        checked = trial.after()
        seen[f"{model.miss}: {'Gemm' not in checked.types}"] += 1
        assert checked.is_stable()
        trial.after(("eliminate-split", "replace-gemm-with-convolution", "merge-reshapes"))

    for_each(pixels(), EXAMPLES, check)
    assert seen["evidence"] > 0.9 * seen["models"], seen
    assert seen[": True"] > 0.4 * seen["models"], seen
    assert not [miss for miss in MISSES if seen[f"{miss}: True"]], seen
