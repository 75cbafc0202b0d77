"""What scales and shifts a normalization goes into its weights, and a normalization between two
reshapes becomes a GroupNorm; the real runtime gives the same."""

from collections import Counter
from pathlib import Path

import pytest
from ncnn_opt.transforms import OPTIMIZE

from .amount import examples, for_each
from .driver import Trial
from .norms import NORMS, Followed, followed, grouped
from .runtime import Runtime

EXAMPLES = examples(25)
"""Models of each normalization."""

TOLERANCE = 1e-5
"""Of the largest value of a blob."""


@pytest.mark.parametrize("kind", NORMS)
def test_scale_and_shift_become_weights(kind: str, runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[bool] = Counter()

    def check(model: Followed) -> None:
        trial = Trial(model.sketch.build(), runtime, tmp_path, TOLERANCE)
        if not trial.is_evidence:
            return
        fused = "BinaryOp" not in trial.after(["fuse-norm-affine"]).types
        assert model.fuses in (None, fused), trial.net.text()
        seen[fused] += 1

    for_each(followed(kind), EXAMPLES, check)
    assert min(seen[True], seen[False]) > EXAMPLES / 10, seen


def test_groups_are_recognized(runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[bool] = Counter()

    def check(model: Followed) -> None:
        trial = Trial(model.sketch.build(), runtime, tmp_path, TOLERANCE)
        assert trial.is_evidence, trial.net.text()
        for passes in (["fuse-groupnorm"], OPTIMIZE):
            kinds = trial.after(passes).types
            assert ("GroupNorm" in kinds) == bool(model.fuses), trial.net.text()
            assert not model.fuses or "BinaryOp" not in kinds
        seen[bool(model.fuses)] += 1

    for_each(grouped(), 2 * EXAMPLES, check)
    assert min(seen[True], seen[False]) > EXAMPLES / 10, seen
