"""Whether two models compute the same from the same inputs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.function import input_name, output_names
from ..formats.columns import printable
from ..interpreters.errors import RunError
from ..interpreters.run import blobs_of
from .comparison import Row, compare, table

Blobs = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Agreement:
    """What came of a comparison. It is true if the outputs agree."""

    rows: Sequence[Row]
    """The blobs that both models have."""
    outputs: Collection[str]
    """Those that decide."""
    tolerance: float
    """The largest error that counts as none, relative to a blob's largest value."""
    silent: Sequence[str] = ()
    """Outputs without a finite value, of which nothing is compared."""
    inputs: str = ""
    """What the models were fed, where they do not say it themselves."""

    @property
    def worst(self) -> Row:
        """The output with the largest error."""
        decisive = [row for row in self.rows if row.blob in self.outputs]
        return max(decisive, key=lambda row: row.error or 0)

    @property
    def error(self) -> float:
        """The largest error of an output, relative to its largest value."""
        return self.worst.error or 0.0

    def __bool__(self) -> bool:
        return not self.silent and not self.worst.exceeds(self.tolerance)

    def __str__(self) -> str:
        """A line for each blob, and one for all."""
        lines = [table(self.rows, self.tolerance)]
        error = f"largest error of an output: {self.error:.3g} at '{self.worst.blob}'"
        lines.append(printable(f"{error}, limit {self.tolerance:g}"))
        if self.silent:
            names = ", ".join(map(repr, self.silent))
            lines.append(printable(f"nothing is compared of {names}: no finite value"))
        if self.inputs:
            lines.append(printable(f"compared with {self.inputs}"))
        return "\n".join(lines)


def check_comparable(first: FuncOp, second: FuncOp, path: str) -> None:
    """Raises `RunError` unless the second model, of this name, has the outputs of the first, and no
    other inputs."""
    theirs = [input_name(first, i) for i in range(len(first.args))]
    for i in range(len(second.args)):
        if (name := input_name(second, i)) not in theirs:
            known = ", ".join(f"'{n}'" for n in theirs[:6])
            raise RunError(f"{path}: its input '{name}' is none of the first model's: {known}")
    outputs = output_names(second)
    for name in output_names(first):
        if name not in outputs:
            known = ", ".join(f"'{n}'" for n in outputs[:6])
            raise RunError(f"{path}: there is no output '{name}' as in the first; it has {known}")


def shared_blobs(first: FuncOp, second: FuncOp) -> list[str]:
    """The blobs that two models have, in the order of the first; inputs are the same anyway."""
    theirs = blobs_of(second).keys()
    inputs = {input_name(first, i) for i in range(len(first.args))}
    return [name for name in blobs_of(first) if name in theirs and name not in inputs]


def agreement(
    func: FuncOp, expected: Blobs, actual: Blobs, tolerance: float, inputs: str = ""
) -> Agreement:
    """Compares the blobs of a model with those of another of the same names."""
    outputs = output_names(func)
    silent = [name for name in outputs if not np.isfinite(expected[name]).any()]
    return Agreement(list(compare(func, expected, actual)), outputs, tolerance, silent, inputs)


def worse(one: Agreement, other: Agreement) -> Agreement:
    """The comparison with the larger error."""
    return other if (bool(other), -other.error) < (bool(one), -one.error) else one
