"""ShuffleChannel, PixelShuffle and Reorg are recognized in chains of Reshape and Permute; what is
something else is left. The real runtime gives the same elements."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import strategies as st
from ncnn_opt.transforms import OPTIMIZE

from .amount import examples, for_each
from .driver import Trial
from .layouts import SPELLINGS, Framed, Spell, chains, framed
from .nets import layer_types
from .runtime import Runtime

EXAMPLES = examples(30)
"""Chains of each kind."""

PASSES = ["fuse-shufflechannel", "fuse-pixelshuffle", "fuse-reorg"]


@pytest.mark.parametrize("spell", SPELLINGS)
def test_chain_is_recognized(spell: Spell, runtime: Runtime, tmp_path: Path) -> None:
    type_ = SPELLINGS[spell]
    sizes = st.tuples(st.integers(2, 4), *(st.integers(2, 5) for _ in range(3)))
    seen: Counter[str] = Counter()

    def check(model: Framed) -> None:
        trial = Trial(model.build(), runtime, tmp_path, tolerance=0)
        assert trial.is_evidence
        for passes in ([f"fuse-{type_.lower()}"], OPTIMIZE):
            kinds = trial.after(passes).types
            assert (type_ in kinds) == (model.shared is None), trial.net.text()
            if model.shared is None:
                assert "Permute" not in kinds
                assert len(kinds) < len(layer_types(trial.param))
        seen["shared" if model.shared is not None else "recognized"] += 1

    for_each(sizes.flatmap(lambda n: framed(spell(*n))), EXAMPLES, check)
    assert min(seen["shared"], seen["recognized"]) > 3, seen


def test_any_chain_gives_the_same(runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    def check(model: Framed) -> None:
        trial = Trial(model.build(), runtime, tmp_path, tolerance=0)
        assert trial.is_evidence
        kinds = {"ShuffleChannel", "PixelShuffle", "Reorg"} & set(trial.after(PASSES).types)
        seen.update(kinds or {"left"})

    any_chain = chains().filter(lambda chain: len(chain.steps) > 1)
    for_each(any_chain.flatmap(framed), 5 * EXAMPLES, check)
    assert seen["left"] > EXAMPLES, seen
    assert seen["ShuffleChannel"] > 0, seen
