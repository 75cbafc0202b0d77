"""Scales and shifts before a linear layer become part of it: small models of all kinds, before and
after, in the real runtime."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ncnn_opt.transforms.remarks import Remark, listening

from .amount import REPEATABLE, examples
from .comparing import assert_equal, is_evidence
from .compiler import optimize
from .followers import LINEAR, Follower, chains, linear_layers
from .gemms import Gemm
from .nets import Net
from .producers import Producer
from .runtime import Runtime

EXAMPLES = examples(120)
"""Models of each kind of linear layer."""


@dataclass(frozen=True)
class Model:
    """One or two layers, perhaps with a second reader between, and then a linear one."""

    leaders: tuple[Follower, ...]
    producer: Producer | Gemm
    shared_after: int | None
    """The value after this many leaders is an output as well."""
    seed: int

    def build(self) -> Net:
        """The model as files."""
        net = Net(self.seed)
        self.producer.add_to(net, self._lead)
        return net

    def _lead(self, net: Net, x: str) -> str:
        for i, leader in enumerate(self.leaders, 1):
            x = leader.add_to(net, x, f"l{i}")
            if i == self.shared_after:
                net.layer("Split", x, ["split_a", "split_b"])
                x = "split_a"
        return x


@st.composite
def models(draw: st.DrawFn, kind: str) -> Model:
    """A model that ends in a linear layer of this kind."""
    producer = draw(linear_layers(kind))
    leaders = draw(chains(producer.inputs[0], 2))
    shared = draw(st.integers(0, 4)) == 0
    place = draw(st.integers(1, len(leaders))) if shared else None
    return Model(leaders, producer, place, draw(st.integers(0, 999)))


@pytest.mark.parametrize("kind", LINEAR)
def test_scales_and_shifts_ahead(kind: str, runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    @settings(REPEATABLE, max_examples=EXAMPLES)
    @given(models(kind))
    def check(model: Model) -> None:
        seen["models"] += 1
        net = model.build()
        param = net.write(tmp_path)
        before = runtime.run(param, net.inputs, net.outputs)
        if not is_evidence(before):
            return
        seen["evidence"] += 1
        remarks: list[Remark] = []
        with listening(remarks.append):
            result = optimize(param, tmp_path / "optimized.param")
        assert_equal(before, runtime.run(result, net.inputs, net.outputs))
        seen.update(remark.rewrite for remark in remarks)

        alone = optimize(param, tmp_path / "alone.param", ["fuse-affine-linear"])
        assert_equal(before, runtime.run(alone, net.inputs, net.outputs))

    check()
    assert seen["evidence"] > 0.9 * seen["models"], seen
    assert seen["fuse-affine-linear"] > 0.02 * seen["models"], seen
