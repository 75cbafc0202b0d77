"""How many models and cases the tests draw.

With `NCNN_OPT_EXAMPLES=10` in the environment, random models are ten times as many. (Fewer than
usual are too few for tests that must see something happen.)
"""

import os
from collections.abc import Callable
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
