"""A layer that several others spell out is recognized, however they do it, and computes the same in
the real runtime; what comes close to it, but is not, stays."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from .amount import examples, for_each
from .driver import Trial
from .nets import layer_types
from .runtime import Runtime
from .spelled import KINDS, Spelled, spelled

TOLERANCE = 5e-6
"""Of the largest value of input and output: some roundings of float32, and of numbers with 7
digits. (Of the input too: `1 + erf(x)` is off by what a 1 is rounded by, however small the sum.)"""

EXAMPLES = examples(30)
"""Models of each spelling."""

FRAME = ("Input", "Split", "MemoryData", "AbsVal", "ELU", "Reshape")
"""Layers that are not part of a spelling."""


def spelling_of(param: Path) -> list[str]:
    return [kind for kind in layer_types(param) if kind not in FRAME]


@pytest.mark.parametrize("key", KINDS)
def test_spelled_out_layer_is_recognized(key: str, runtime: Runtime, tmp_path: Path) -> None:
    kind = KINDS[key]
    seen: Counter[str] = Counter()

    def check(model: Spelled) -> None:
        net = model.sketch.build()
        least = max(float(np.abs(values).max()) for values in net.inputs.values())
        trial = Trial(net, runtime, tmp_path, TOLERANCE, least=least)
        assert trial.is_evidence, net.text()
        recognized = spelling_of(trial.after([kind.name]).param) == [kind.type]
        assert recognized == (not model.miss), (model.miss, net.text())
        seen["near-miss" if model.miss else "recognized"] += 1
        seen[model.miss] += 1

        assert model.miss or kind.type in trial.after().types, net.text()

    for_each(spelled(kind), EXAMPLES, check)
    assert seen["recognized"] > EXAMPLES / 5, seen
    assert seen["near-miss"] > EXAMPLES / 20, seen
