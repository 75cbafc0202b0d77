"""How many models and cases the tests draw.

- With `NCNN_OPT_EXAMPLES=10` in the environment, random models are ten times as many. (Fewer than
  usual are too few for tests that must see something happen.)
- Of cases that are slow and many, a part is tested, drawn by the commit, which pytest prints;
  `NCNN_OPT_DRAW` is another seed. With `--all-cases` all of them are tested.
"""

import os
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import TypeVar

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

FACTOR = float(os.environ.get("NCNN_OPT_EXAMPLES", "1"))

REPEATABLE = settings(
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""The same models in each run."""


IN_A_ROW = 20
"""Models from one seed. (What Hypothesis draws in a row is alike: of hundreds from one seed it may
be that none has what a third of them ought to have.)"""

_T = TypeVar("_T")


def for_each(
    models: st.SearchStrategy[_T], count: int, check: Callable[[_T], None], first: int = 0
) -> None:
    """Checks so many models, the same in each run: those of the first seed and of the next ones."""
    for number, start in enumerate(range(0, count, IN_A_ROW), first):

        @seed(number)
        @settings(REPEATABLE, derandomize=False, max_examples=min(IN_A_ROW, count - start))
        @given(models)
        def each(model: _T) -> None:
            check(model)

        each()


def examples(count: int) -> int:
    """So many models, by the factor of the environment."""
    return max(1, round(count * FACTOR))


@cache
def seed_of_draws() -> str:
    """What decides which cases are drawn."""
    if given := os.environ.get("NCNN_OPT_DRAW"):
        return given
    words = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short=12", "HEAD"]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # e.g. an archive of the sources
        return "no commit"


def part_of(cases: Sequence[_T], name: str, every: bool, one_of: int = 4) -> list[_T]:
    """One of so many cases, at least one, in their order; all of them if `every` is set."""
    if every or not cases:
        return list(cases)
    count = -(-len(cases) // one_of)
    chosen = Random(f"{seed_of_draws()} {name}").sample(range(len(cases)), count)
    return [cases[i] for i in sorted(chosen)]
