"""Fusions keep what a model computes: small models of all kinds, before and after, in the real
runtime. What must be fused is; values show whether what must not be is not."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ncnn_opt.transforms import OPTIMIZE, get_all_passes

from .amount import REPEATABLE, examples
from .comparing import assert_equal, is_evidence
from .compiler import optimize
from .followers import LINEAR, Model, models
from .nets import layer_types
from .runtime import Runtime

EXAMPLES = examples(150)
"""Models of each kind of linear layer."""

REWRITING = [name for name in get_all_passes() if name.startswith(("fuse-", "eliminate-"))]

NOT_COUNTED = ("Input", "Split")


def layers_of(param: Path) -> int:
    return sum(kind not in NOT_COUNTED for kind in layer_types(param))


@pytest.mark.parametrize("kind", LINEAR)
def test_optimized_model_gives_the_same(kind: str, runtime: Runtime, tmp_path: Path) -> None:
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
        assert layers_of(param) == model.layers()

        result = optimize(param, tmp_path / "optimized.param")
        assert_equal(before, runtime.run(result, net.inputs, net.outputs))
        most = model.most_left()
        assert layers_of(result) <= most, result.read_text()
        seen["fused" if most < model.layers() else "left alone"] += 1

    check()
    assert seen["evidence"] > 0.9 * seen["models"], seen
    assert seen["fused"] > 0.1 * seen["models"], seen
    assert seen["left alone"] > 0.1 * seen["models"], seen


@settings(REPEATABLE, max_examples=EXAMPLES)
@given(
    st.sampled_from(LINEAR).flatmap(models),
    st.lists(st.sampled_from([*REWRITING, *OPTIMIZE]), min_size=1, max_size=3),
)
def test_single_passes_give_the_same(
    runtime: Runtime, tmp_path_factory: pytest.TempPathFactory, model: Model, passes: list[str]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    net = model.build()
    param = net.write(folder)
    before = runtime.run(param, net.inputs, net.outputs)
    if not is_evidence(before):
        return
    result = optimize(param, folder / "optimized.param", passes)
    assert_equal(before, runtime.run(result, net.inputs, net.outputs))
    assert layers_of(result) <= model.layers()
