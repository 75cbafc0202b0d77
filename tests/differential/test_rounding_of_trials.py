"""A trial knows what a net makes of rounding: a difference that a change of the inputs by some
roundings makes, too, is no mismatch, and a larger one is."""

from pathlib import Path

import pytest

from .driver import Mismatch, Trial
from .nets import Net
from .runtime import Runtime

SCALE = 30.0
"""Of the logits: a rounding changes the Softmax by more than the tolerance."""


def softmax_of(*factors: str, flat: bool = False) -> Net:
    net = Net(seed=3)
    blob = net.input("x", (15, 40), scale=SCALE)
    for i, factor in enumerate(factors):
        blob = net.layer("BinaryOp", blob, f"b{i}", f"{factor} 1=1")
    blob = net.layer("Softmax", blob, "inner" if flat else "out", "0=1 1=1")
    if flat:
        net.layer("Flatten", blob, "out")
    return net


ORIGINAL = ("0=2 2=0.5", "0=3 2=1.75")


@pytest.mark.parametrize("factor", ["0.28571430", "0.2857142"])
def test_rounding_is_no_mismatch(factor: str, runtime: Runtime, tmp_path: Path) -> None:
    trial = Trial(softmax_of(*ORIGINAL), runtime, tmp_path, others=0, tolerance=1e-8)
    result = softmax_of(f"0=2 2={factor}").write(tmp_path, "result")
    trial._compare(result)  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("factor", ["0.28575", "0.28568", "-0.2857143"])
def test_another_factor_is_a_mismatch(factor: str, runtime: Runtime, tmp_path: Path) -> None:
    trial = Trial(softmax_of(*ORIGINAL), runtime, tmp_path, others=0, tolerance=1e-8)
    result = softmax_of(f"0=2 2={factor}").write(tmp_path, "result")
    with pytest.raises(Mismatch):
        trial._compare(result)  # pyright: ignore[reportPrivateUsage]


def test_another_shape_is_a_mismatch(runtime: Runtime, tmp_path: Path) -> None:
    trial = Trial(softmax_of(*ORIGINAL), runtime, tmp_path, others=0)
    result = softmax_of(*ORIGINAL, flat=True).write(tmp_path, "result")
    with pytest.raises(Mismatch):
        trial._compare(result)  # pyright: ignore[reportPrivateUsage]
