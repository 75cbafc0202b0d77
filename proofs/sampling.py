"""Random exact numbers for the inputs of a model or of a region (see `analysis/wide_values.py`)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..analysis.wide_values import BITS, NEIGHBOURS, copy_some, numerators, specials
from .array import ExactArray
from .field import PRIME, residue_of, simple

_UNIT = pow(NEIGHBOURS, -1, PRIME)

INTERIOR: Sequence[float] = ()
"""No thresholds: all numbers are in (-1, 1)."""


def exact_sample(
    shape: Sequence[int], random: np.random.Generator, thresholds: Sequence[float]
) -> ExactArray:
    """Return random exact numbers; in (-1, 1) only without thresholds."""
    scale = 1 << BITS
    found, is_free = numerators(shape, random, thresholds)
    residues: Any = found.astype(object) * pow(scale, -1, PRIME) % PRIME
    values = found / scale
    for i, at, offset in specials(is_free, random, thresholds):
        residues[i] = (residue_of(at) + offset * _UNIT) % PRIME
        values[i] = float(simple(at)) + offset / NEIGHBOURS
    copy_some(is_free, random, thresholds, residues, values)
    return ExactArray(residues.reshape(shape), values.reshape(shape))
