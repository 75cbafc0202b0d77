"""Weights of a model as symbols: exact numbers with the model's values and random residues.

A rewrite of one model must see the model's own values, because patterns have conditions on weights.
The residues decide whether an identity holds for all weights. Equal values have equal residues, so
the weights that a rewrite found equal stay equal.
"""

from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, ModuleOp, TensorType
from xdsl.ir import Attribute

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.weights import ElidedAttr, HeldWeight
from .array import ExactArray, NotExact, exact
from .field import PRIME
from .laws import residues_of

MOST_ELEMENTS = 1 << 22
"""The largest weight that becomes symbols: a Python integer for each element."""

DIGITS = 10
"""A weight with at most this many binary digits behind the point stands for itself, such as 0, 1
and 0.5: a rewrite may depend on it."""


class Symbols:
    """The symbols of a model's weights; each constant has the same symbols in all copies."""

    def __init__(self, seed: int, blobs: bool) -> None:
        """`blobs`: whether constants that layers read as blobs are symbols, too."""
        self.seed = np.uint64(seed)
        self.blobs = blobs
        self._made: dict[tuple[Attribute, Attribute, bool], HeldWeight] = {}

    def replace_weights(self, module: ModuleOp) -> None:
        """Replace the float weights of a module by symbols. Raises `NotExact`."""
        for op in module.walk():
            if isinstance(op, ConstantOp) and isinstance(op.output.type, TensorType):
                element = op.output.type.element_type
                if isinstance(element, Float16Type | Float32Type | BFloat16Type):
                    op.value = self._of(op)

    def _of(self, op: ConstantOp) -> HeldWeight:
        if isinstance(op.value, HeldWeight):
            return op.value
        if isinstance(op.value, ElidedAttr):
            raise NotExact("the weights are elided")
        own = not self.blobs and op.is_layer()
        key = op.value, op.output.type, own
        if key not in self._made:
            type_ = cast(TensorType[Attribute], op.output.type)
            count = prod(type_.get_shape())
            if count > MOST_ELEMENTS:
                raise NotExact(f"a weight of {count:,} elements is too large")
            plain = np.asarray(op.read(), "f8")
            made = exact(plain) if count == 1 or own else self.symbols(plain)
            self._made[key] = made.as_weight()
        return self._made[key]

    def symbols(self, values: NDArray[np.float64]) -> ExactArray:
        """Return the symbols of an array of numbers."""
        bits: Any = values.astype("<f8").view("u8") + self.seed
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            bits = (bits ^ bits >> np.uint64(shift)) * np.uint64(factor)  # SplitMix64
        residues = ((bits ^ bits >> np.uint64(31)) % np.uint64(PRIME)).astype(object)
        with np.errstate(all="ignore"):
            scaled = values * (1 << DIGITS)
            simple = ~np.isfinite(values) | (scaled == np.floor(scaled))
        residues[simple] = residues_of(values[simple])
        return ExactArray(residues, values)
