"""A Padding goes into the convolution or pooling behind it where that pads in the same way, and
stays where it does not; the real runtime gives the same."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from .amount import examples, for_each
from .driver import Trial, types_after
from .nets import Net
from .paddings import POOLINGS, WINDOWS, Padded, padded
from .runtime import Runtime
from .sketches import Sketch

EXAMPLES = examples(20)
"""Models of each kind."""

TOLERANCE = 1e-5
"""Of the largest value of a blob."""


def test_padding_of_quantized_elements(runtime: Runtime, tmp_path: Path) -> None:
    for value in (0.0, 0.5):
        sketch = Sketch(seed=1)
        padding = sketch.layer("Padding", sketch.input((2, 5, 6)), {0: 1, 3: 2, 5: value})

        def weigh(net: Net) -> None:
            net.tagged(net.normal(4 * 2 * 9), "int8")
            net.plain(np.full(4, 50.0, "f4"))
            net.plain(np.full(1, 40.0, "f4"))

        sketch.layer("Convolution", padding, {0: 4, 1: 3, 6: 72, 8: 2}, weigh)
        types = types_after(runtime, tmp_path, sketch.build(), ["fuse-padding-conv"])
        assert ("Padding" in types) == (value != 0)


def test_padding_before_a_dynamic_weight(runtime: Runtime, tmp_path: Path) -> None:
    sketch = Sketch(seed=2)
    padding = sketch.layer("Padding", sketch.input((2, 5, 6)), {0: 1, 1: 2, 3: 2})
    weight = sketch.input((4, 2, 3, 3))
    sketch.layer("Convolution", (padding, weight), {0: 4, 1: 3, 4: 1, 19: 1})
    assert "Padding" not in types_after(runtime, tmp_path, sketch.build(), ["fuse-padding-conv"])


@pytest.mark.parametrize("kind", [*WINDOWS, *POOLINGS])
def test_padding_is_absorbed(kind: str, runtime: Runtime, tmp_path: Path) -> None:
    seen, evidence = Counter[bool](), list[bool]()
    name = "fuse-padding-pooling" if kind in POOLINGS else "fuse-padding-conv"

    count = 2 * EXAMPLES if kind in POOLINGS else EXAMPLES  # few of them can pad by themselves

    def check(model: Padded) -> None:
        trial = Trial(model.sketch.build(), runtime, tmp_path, TOLERANCE)
        evidence.append(trial.is_evidence)  # (a sum of the lowest numbers is infinite)
        assert ("Padding" not in trial.after([name]).types) == model.fuses, trial.net.text()
        seen[model.fuses] += 1
        trial.after()

    for_each(padded(kind), count, check)
    assert min(seen[True], seen[False]) > EXAMPLES / 20, seen
    assert sum(evidence) > 0.7 * len(evidence)
