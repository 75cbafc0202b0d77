"""One step after the other, each from what the one before has left."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from .semantics import Array
from .traceable import traceable

States: TypeAlias = tuple[Array, ...]
"""What is carried from step to step."""
Step: TypeAlias = Callable[[Array, States], States]
"""The next states, from a row of the sequence and the states."""


@traceable
def scan(step: Step, x: Array, states: States, reverse: bool) -> tuple[Array, States]:
    """The first state, a vector, after each of the rows of x, in their order, and the last states.
    In reverse the last row comes first."""
    result = np.empty((len(x), states[0].size), "f4")
    for t in reversed(range(len(x))) if reverse else range(len(x)):
        states = step(x[t], states)
        result[t] = states[0]
    return result, states
