"""Models for a rewrite, in some of which one thing is otherwise, so that it must not be made."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from .amount import examples, for_each
from .driver import Checked, Trial
from .runtime import Runtime
from .sketches import Sketch


@dataclass(frozen=True)
class NearMiss:
    """A model."""

    sketch: Sketch
    miss: str
    """What is otherwise; as a rule nothing."""


def misses(of: Sequence[str]) -> st.SearchStrategy[str]:
    """What is otherwise in a model: one of these in every fourth, nothing in the others."""
    return st.integers(0, 3).flatmap(lambda n: st.just("") if n else st.sampled_from(of))


@dataclass(frozen=True)
class Rewriting:
    """What is done with models, and how to see that it was."""

    passes: Sequence[str]
    """Those that make the rewrite, beside `-O`."""
    is_made: Callable[[NearMiss, Checked], bool]
    """Whether it was, all over a model."""
    misses: Collection[str]
    """All that keeps it from being made."""
    least: float
    """In so many of the models that are no near misses at least it is made."""
    alone: bool = False
    """Whether that is asked after the passes alone, not after `-O`."""


OF_EACH_MISS = 3
"""The number of models with each near miss."""


def check(
    models: Callable[[str], st.SearchStrategy[NearMiss]],
    count: int,
    rewriting: Rewriting,
    runtime: Runtime,
    folder: Path,
) -> None:
    """Asserts for so many models that they compute in the runtime what they did, after `-O`, which
    a second time changes nothing, and after the passes; and that the rewrite is made where it is to
    be, and for no near miss. Some models of each near miss are drawn, the others are none."""
    seen: Counter[str] = Counter()

    def each(model: NearMiss) -> None:
        seen["models"] += 1
        trial = Trial(model.sketch.build(), runtime, folder)
        if not trial.is_evidence:
            return
        seen["evidence"] += 1
        optimized = trial.after()
        made = rewriting.is_made(model, optimized)
        assert optimized.is_stable()
        alone = trial.after(rewriting.passes)
        made = rewriting.is_made(model, alone) if rewriting.alone else made
        seen[f"{model.miss}: {made}"] += 1

    few = examples(OF_EACH_MISS)
    for number, miss in enumerate(rewriting.misses, 1):
        for_each(models(miss), few, each, first=1000 * number)
    plain = max(few, count - few * len(rewriting.misses))
    for_each(models(""), plain, each)
    assert seen["evidence"] > 0.9 * seen["models"], seen
    assert seen[": True"] > rewriting.least * plain, seen
    assert not [miss for miss in rewriting.misses if seen[f"{miss}: True"]], seen
    assert all(seen[f"{miss}: False"] for miss in rewriting.misses), seen
