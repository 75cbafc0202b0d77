"""`--dynamic` of a model that was exported for as many steps as a head has features: the layers
that read a Reshape show which of its extents is the number of steps."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.runtime.process import Runtime
from ncnn_opt.tools.ncnn_opt_main import main

from .nets import Net

FEATURES, GROUPS, HEADS = 8, 2, 4
WIDTH = HEADS * FEATURES


def heads(net: Net, name: str, count: int, steps: int) -> str:
    net.tagged(net.normal(count * FEATURES, WIDTH, scale=0.4))
    params = {3: 1, 5: 1, 6: 1, 8: count * FEATURES, 9: WIDTH, 10: -1}
    x = net.layer("Gemm", f"x_{name}", f"{name}_rows", params)
    x = net.layer("Reshape", x, f"{name}_split", {0: FEATURES, 1: count, 2: steps})
    return net.layer("Permute", x, name, {0: 2})


def repeated(net: Net, name: str, steps: int) -> str:
    """Heads of `name`, repeated by a Tile of flat heads."""
    x = net.layer("Reshape", name, f"{name}_flat", {0: steps * FEATURES, 1: 1, 2: GROUPS})
    x = net.layer("Tile", x, f"{name}_tiled", {2: [1, HEADS // GROUPS, 1]})
    return net.layer("Reshape", x, f"{name}_all", {0: FEATURES, 1: steps, 2: HEADS})


def attention(steps: int, reader: str = "SDPA") -> Net:
    net = Net(4)
    net.input("x", (steps, WIDTH))
    net.input("mask", (steps, steps))
    net.layer("Split", "x", ["x_q", "x_k", "x_v"])
    net.rng = np.random.default_rng(2)  # the same weights for all numbers of steps
    q = heads(net, "q", HEADS, steps)
    k, v = (repeated(net, heads(net, name, GROUPS, steps), steps) for name in "kv")
    if reader == "SDPA":
        net.layer("SDPA", [q, k, v, "mask"], "y", {5: 1})
    else:
        net.layer("Concat", [q, k, v], "y", {0: 0})
        net.layer("AbsVal", "y", "z")
    return net


AXES = ("--dynamic", "x=h:n", "--dynamic", "mask=h:n,w:n")


@pytest.mark.parametrize("reader", ["SDPA", "Concat"])
def test_readers_decide(reader: str, tmp_path: Path, runtime: Runtime) -> None:
    out = tmp_path / "any.param"
    main(["-q", str(attention(FEATURES, reader).write(tmp_path)), *AXES, "-o", str(out)])
    for steps in (1, 5, FEATURES, 11):
        net = attention(steps, reader)
        path = net.write(tmp_path, f"net{steps}")
        name = net.computed[0]
        before, after = (runtime.run(p, net.inputs, [name]) for p in (path, out))
        assert isinstance(before, dict)
        assert isinstance(after, dict)
        np.testing.assert_allclose(after[name], before[name], atol=1e-5)


def test_without_such_readers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = Net(4)
    net.input("x", (GROUPS, FEATURES, FEATURES))
    x = net.layer("Reshape", "x", "flat", {0: FEATURES * FEATURES, 1: GROUPS})
    x = net.layer("Softmax", x, "soft", {0: 1, 1: 1})
    net.layer("Reshape", x, "again", {0: FEATURES, 1: FEATURES, 2: GROUPS})
    net.layer("AbsVal", "again", "y")
    out = tmp_path / "any.param"
    with pytest.raises(SystemExit):
        main(["-q", str(net.write(tmp_path)), "--dynamic", "x=h:n", "-o", str(out)])
    assert "it is ambiguous which of 8x8 depend on its input's extents" in capsys.readouterr().err
    assert not out.exists()
