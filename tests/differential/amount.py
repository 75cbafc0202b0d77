"""How many models the tests draw: with `NCNN_OPT_EXAMPLES=10` in the environment ten times as many.
(Fewer are too few for tests that must see something happen.)"""

import os

from hypothesis import HealthCheck, settings

FACTOR = float(os.environ.get("NCNN_OPT_EXAMPLES", "1"))

REPEATABLE = settings(
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""The same models in each run."""


def examples(count: int) -> int:
    """So many models, by the factor of the environment."""
    return max(1, round(count * FACTOR))
