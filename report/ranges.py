"""The ranges of values against the limits of float16: columns of a report."""

from collections.abc import Mapping, Sequence
from math import log2
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..analysis.float16.ranges import LayerRange
    from .model import ModelFacts

HEADS = ("smallest", "largest", "inside", "of float16")
"""The columns: the extreme elements of the outputs, the largest magnitude inside the layer, and its
share of the largest float16. A layer with a feature mask has it there."""

_FLOAT32 = 1
"""The bit of a feature mask for float32 arithmetic."""


def cells(ranges: "Mapping[str, LayerRange]", name: str) -> Sequence[str]:
    """Return the texts of the columns for a layer."""
    found = ranges.get(name)
    if found is None:
        return ("",) * len(HEADS)
    share = "overflow" if found.share > 1 else f"{100 * found.share:.2g} %"
    if found.mask:
        computed = "float32" if found.share > 1 and found.mask & _FLOAT32 else share
        share = f"{computed} (mask {found.mask})"
    return (f"{found.low:.3g}", f"{found.high:.3g}", f"{found.peak:.3g}", share)


def first_overflow(facts: "ModelFacts") -> str | None:
    """Return the label of the first layer, in file order, that overflows in float16; `None` without
    one. A layer that computes in float32 does not."""
    for row in facts.rows:
        found = facts.ranges.get(row.name)
        if found is not None and found.share > 1 and not found.mask & _FLOAT32:
            return row.label
    return None


def length(ranges: "Mapping[str, LayerRange]", name: str) -> float:
    """Return the length of a layer's bar, from 0 to 1 for float16's limit and more. The scale is
    logarithmic: a quarter of the bar is a factor of 16."""
    from ..analysis.float16.half_array import MAX  # few reports have ranges

    found = ranges.get(name)
    return 0.0 if found is None else min(log2(1 + found.peak) / log2(1 + MAX), 1.0)
