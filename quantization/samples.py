"""The data that a model is looked at with."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from .counts import Array


class Samples(Protocol):
    """Values for all inputs, several times. They are read when they are needed."""

    def names(self) -> Sequence[str]:
        """What messages call each sample."""
        ...

    def load(self, index: int) -> Mapping[str, Array]:
        """The inputs of a sample by name."""
        ...

    def digest(self) -> str:
        """The same for the same samples, read in the same way."""
        ...


def shard(total: int, part: int, parts: int) -> list[int]:
    """The samples of one of several parts, counted from 1."""
    return list(range(part - 1, total, parts))
