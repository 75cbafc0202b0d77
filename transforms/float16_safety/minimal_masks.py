"""The fewest masked layers with which the roundings of the other layers stay within a bound.

The roundings of a device are independent, and their signs are unknown. So the error of an output
element is at most the sum of the magnitudes of all effects (`roundings.py`), and hardly ever more
than `DEVIATIONS` standard deviations. A set of masks is accepted if the smaller of both is within
the bound for each element. (One emulation is one choice of signs. A search that tries many sets and
keeps those with a small emulated error finds sets whose errors cancel in the emulation, and on no
device.)

The search begins with all layers masked. It removes the mask whose removal adds least to the error
of the outputs, until no more can be removed. In small models, it is repeated from each first layer.
A blob is rounded once, whether its writer, a reader or both run on the GPU; so neighbours of a
layer without a mask become cheap.

Example: the arithmetic of three layers has effects of 3, 4 and 12 on one output element, and the
bound is 10. Without the first mask the expected error is min(3 * 3, 3) = 3, without the first two
min(3 * sqrt(9 + 16), 3 + 4) = 7, without all three min(3 * sqrt(9 + 16 + 144), 19) = 19. So the
third layer keeps its mask. With 20 layers of effect 1, the standard deviations decide: 3 * sqrt(20)
= 13.4 is less than the sum of 20.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import SSAValue

from ...analysis.float16.half_array import Array
from ...dialects.ncnn.layer import LayerOp
from .roundings import Roundings

DEVIATIONS = 3
"""The number of standard deviations that an error may have."""

EFFORT = 800
"""The search is repeated from several first layers: from so many, divided by their number."""


@dataclass
class Selection:
    """A search for the layers that need no mask."""

    roundings: Roundings
    choices: Sequence[LayerOp]
    """The layers that may run on the GPU without a mask."""
    on_cpu: bool
    """Whether masked layers run on the CPU; otherwise on the GPU, with float32 arithmetic."""

    def __post_init__(self) -> None:
        effects, float32 = self.roundings.effects, self.roundings.float32
        self._none = np.zeros_like(next(iter(effects.values())))
        self._blobs = {v: e for v, e in effects.items() if isinstance(v, SSAValue)}
        self._half = {op: effects.get(op, self._none) for op in self.choices}
        self._float32 = {op: float32.get(op, self._none) for op in self.choices}

    def unmasked(self, bound: float) -> list[LayerOp]:
        """Return the layers whose masks are removed."""
        count = max(EFFORT // max(len(self.choices), 1), 1)
        starts = sorted(self.choices, key=lambda op: self.error([op]))[:count]
        none: list[LayerOp] = []
        return max((self._grown(op, bound) for op in starts), key=len, default=none)

    def _grown(self, first: LayerOp, bound: float) -> list[LayerOp]:
        """Return the layers whose masks are removed, beginning with a layer."""
        total, rounded = self._sums(self._rows([])), set[SSAValue]()
        masked = dict.fromkeys(self.choices, np.zeros_like(total))
        if not self.on_cpu:
            rounded = set(self._blobs)
            masked = {op: self._sums([row]) for op, row in self._float32.items()}
        half = {op: self._sums([row]) for op, row in self._half.items()}
        blobs = {blob: self._sums([row]) for blob, row in self._blobs.items()}

        def with_layer(op: LayerOp) -> Array:
            new = [v for v in self.roundings.blobs_of(op) if v not in rounded]
            then = rounded.union(new)
            more = (blobs[v] for v in new if self.roundings.rounds(v, then))
            return sum(more, total + half[op] - masked[op])

        left, found, best = dict.fromkeys(self.choices), list[LayerOp](), first
        while left:
            del left[best]
            if _largest(more := with_layer(best)) <= bound:
                found.append(best)
                total = more
                rounded |= {*self.roundings.blobs_of(best)}
            best = min(left, key=lambda op: _largest(with_layer(op)), default=best)
        return found

    def error(self, unmasked: Collection[LayerOp]) -> float:
        """Return the largest error of an output that is expected if only these layers have no
        mask."""
        return _largest(self._sums(self._rows(unmasked)))

    def _rows(self, unmasked: Collection[LayerOp]) -> list[Array]:
        """Return the effects of all roundings if only these layers have no mask."""
        on_gpu = unmasked if self.on_cpu else self.choices
        rounded = {v for op in on_gpu for v in self.roundings.blobs_of(op)}
        blobs = [self._blobs[v] for v in rounded if self.roundings.rounds(v, rounded)]
        chosen = {*unmasked}
        return blobs + [(self._half if op in chosen else self._float32)[op] for op in on_gpu]

    def _sums(self, rows: Iterable[Array]) -> Array:
        """Return the sums of the squares and of the magnitudes for each output element."""
        effects = np.array([self._none, *rows], "f4")
        return np.array([np.square(effects).sum(0), np.abs(effects).sum(0)])


def _largest(sums: Array) -> float:
    """Return the largest error that is expected for sums of squares and of magnitudes."""
    errors = np.minimum(DEVIATIONS * np.sqrt(np.maximum(sums[0], 0)), sums[1])
    return float(errors.max(initial=0))
