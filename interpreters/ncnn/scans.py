"""Sequential scans over the steps of a sequence."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from .semantics import Array
from .traceable import traceable

States: TypeAlias = tuple[Array, ...]
"""The state carried from step to step."""
Step: TypeAlias = Callable[[Array, States], States]
"""Return the next states from a row of the sequence and the present states."""


@traceable
def scan(step: Step, x: Array, states: States, reverse: bool) -> tuple[Array, States]:
    """Return the first state after each row of x, in row order, and the last states. `reverse`: the
    last row comes first."""
    result = np.empty((len(x), states[0].size), "f4")
    for t in reversed(range(len(x))) if reverse else range(len(x)):
        states = step(x[t], states)
        result[t] = states[0]
    return result, states
