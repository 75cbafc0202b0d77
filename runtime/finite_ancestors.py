"""Replacements for outputs without finite values in a comparison: the blobs that such an output is
computed from. (A detector finds no box in random values.)"""

from collections.abc import Iterator, Sequence

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.layer import LayerOp
from ..interpreters.run import blobs_of
from .host import Array


def has_finite_value(blob: Array) -> bool:
    """Whether a blob has a finite value."""
    return bool(np.isfinite(blob).any())


class FiniteAncestors:
    """The blobs that an output is computed from, the nearest first."""

    def __init__(self, func: FuncOp, output: str) -> None:
        blobs = blobs_of(func)
        self._names = {value: name for name, value in reversed(blobs.items())}
        self._seen = {blobs[output]}
        self._frontier: Sequence[SSAValue] = [blobs[output]]

    def next(self) -> list[str | None]:
        """Return the names of the blobs one layer further back; `None` for a blob without a name.
        The list is empty if only inputs of the model are left."""
        self._frontier = [v for value in self._frontier for v in self._read_for(value)]
        return [self._names.get(value) for value in self._frontier]

    def continue_behind(self, selected: Sequence[bool]) -> None:
        """Continue the search only behind the selected blobs of the last result."""
        self._frontier = [v for v, on in zip(self._frontier, selected, strict=True) if on]

    def _read_for(self, value: SSAValue) -> Iterator[SSAValue]:
        if isinstance(value, BlockArgument) or not isinstance(value.owner, LayerOp):
            return
        for operand in value.owner.data_operands():
            known = isinstance(operand, BlockArgument) or isinstance(operand.owner, ConstantOp)
            if not known and operand not in self._seen:
                self._seen.add(operand)
                yield operand
