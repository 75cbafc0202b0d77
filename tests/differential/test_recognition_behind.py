"""What a graph spells out behind a convolution is recognized before fusions take its first layers
away: small models, before and after `-O`, in the real runtime."""

from collections.abc import Callable
from pathlib import Path

import pytest

from .driver import Trial
from .nets import Net
from .runtime import Runtime

ADD, MUL, DIV = 0, 2, 3
"""BinaryOp's `op_type`."""


def scalar(net: Net, x: str, op: int, value: float, name: str) -> str:
    return net.layer("BinaryOp", x, name, {0: op, 1: 1, 2: value})


def hard_sigmoid(net: Net, x: str) -> None:
    y = net.layer("Clip", scalar(net, x, ADD, 3.0, "plus"), "clip", {0: 0.0, 1: 6.0})
    scalar(net, y, DIV, 6.0, "out")


def hard_swish(net: Net, x: str) -> None:
    net.layer("Split", x, ["a", "b"])
    y = net.layer("Clip", scalar(net, "a", ADD, 3.0, "plus"), "clip", {0: 0.0, 1: 6.0})
    net.layer("BinaryOp", ["b", scalar(net, y, MUL, 1 / 6, "sixth")], "out", {0: MUL})


def swish(net: Net, x: str) -> None:
    net.layer("Split", x, ["a", "b"])
    net.layer("BinaryOp", ["a", net.layer("Sigmoid", "b", "gate")], "out", {0: MUL})


SPELLINGS: dict[str, Callable[[Net, str], None]] = {
    "HardSigmoid": hard_sigmoid,
    "HardSwish": hard_swish,
    "Swish": swish,
}


@pytest.mark.parametrize("normed", [False, True], ids=["alone", "BatchNorm"])
@pytest.mark.parametrize("kind", SPELLINGS)
def test_behind_a_convolution(kind: str, normed: bool, runtime: Runtime, tmp_path: Path) -> None:
    net = Net(5)
    x = net.input("in0", (3, 6, 7))
    net.tagged(net.normal(4, 3, 3, 3, scale=0.5))
    net.plain(net.normal(4))
    x = net.layer("Convolution", x, "conv", {0: 4, 1: 3, 4: 1, 5: 1, 6: 108})
    if normed:
        for _ in range(4):
            net.plain(net.positive(4))
        x = net.layer("BatchNorm", x, "bn", {0: 4})
    SPELLINGS[kind](net, x)
    checked = Trial(net, runtime, tmp_path).after()
    # A Convolution applies HardSwish itself.
    last = [] if kind == "HardSwish" else [kind]
    assert checked.types == ["Input", "Convolution", *last]
    assert checked.is_stable()
