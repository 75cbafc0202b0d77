"""Fusions keep what a model computes: small models of all kinds, before and after, in the real
runtime. What must be fused is; values show whether what must not be is not."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import strategies as st
from ncnn_opt.transforms import OPTIMIZE, get_all_passes

from .amount import examples, for_each
from .driver import Trial, check
from .followers import LINEAR, Model, models
from .nets import layer_types
from .runtime import Runtime

EXAMPLES = examples(35)
"""Models of each kind of linear layer."""

REWRITING = [name for name in get_all_passes() if name.startswith(("fuse-", "eliminate-"))]

NOT_COUNTED = ("Input", "Split")


def layers_of(param: Path) -> int:
    return sum(kind not in NOT_COUNTED for kind in layer_types(param))


@pytest.mark.parametrize("kind", LINEAR)
def test_optimized_model_gives_the_same(kind: str, runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    def each(model: Model) -> None:
        seen["models"] += 1
        trial = Trial(model.build(), runtime, tmp_path)
        if not trial.is_evidence:
            return
        seen["evidence"] += 1
        assert layers_of(trial.param) == model.layers()

        result = trial.after().param
        most = model.most_left()
        laid_out = layer_types(result).count("Reshape")  # in two dims, where that is faster
        assert layers_of(result) - laid_out <= most, result.read_text()
        seen["fused" if most < model.layers() else "left alone"] += 1

    for_each(models(kind), EXAMPLES, each)
    assert seen["evidence"] > 0.9 * seen["models"], seen
    assert seen["fused"] > 0.1 * seen["models"], seen
    assert seen["left alone"] > 0.1 * seen["models"], seen


def test_single_passes_give_the_same(runtime: Runtime, tmp_path: Path) -> None:
    passes = st.lists(st.sampled_from([*REWRITING, *OPTIMIZE]), min_size=1, max_size=3)
    both = st.tuples(st.sampled_from(LINEAR).flatmap(models), passes)

    def each(drawn: tuple[Model, list[str]]) -> None:
        model, passes = drawn
        checked = check(model.build(), runtime, tmp_path, passes)
        assert checked is None or layers_of(checked.param) <= model.layers()

    for_each(both, EXAMPLES, each)
