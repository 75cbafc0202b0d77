"""Random nets of PNNX's operators: the legalized net in the runtime against PyTorch.

`python -m differential.pnnx_nets 5000` compares more of them.
"""

from pathlib import Path

import pytest

from .amount import examples
from .expressions_of_pnnx import run
from .pnnx_nets import differences, random_net
from .runtime import Runtime

pytest.importorskip("torch", reason="needs PyTorch (the extra export)")


@pytest.mark.parametrize("optimize", [False, True], ids=["legalized", "optimized"])
def test_random_nets(optimize: bool, runtime: Runtime, tmp_path: Path) -> None:
    compared = elements = 0
    for seed in range(examples(25)):
        net = random_net(seed)
        got = run(net.text(), net.inputs, runtime, tmp_path, optimize)
        wrong, count = differences(net, got)
        assert not wrong, (seed, wrong[:5], net.text())
        compared, elements = compared + count, elements + got.size
    assert compared > elements / 4
