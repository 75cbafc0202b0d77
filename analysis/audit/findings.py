"""The findings of an audit."""

from collections.abc import Iterator
from dataclasses import dataclass

from ...dialects.ncnn.layer import LayerOp

DEFAULT_LIMIT = 2 << 30
"""The largest number of bytes that a file may let the runtime allocate at once, by default."""


@dataclass(frozen=True)
class Finding:
    """A violated bound."""

    place: str
    """The layer or the line."""
    field: str
    """The parameter, weight, input or output; empty for a finding about the whole place."""
    problem: str

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.place, self.field, self.problem)))


Findings = Iterator[Finding]


def finding(op: LayerOp, field: str, problem: str) -> Finding:
    """Return a finding about a layer."""
    return Finding(op.label(), field, problem)
