"""Layers that normalize slices of a blob."""

from abc import ABC
from collections.abc import Sequence
from math import prod

from ..shapes.terms import Extents
from .extents import differ
from .layer import SameShapeLayer
from .params import float_param, int_param
from .weight_specs import Pattern, optional_weight, weight_flag


class NormalizesSlices(SameShapeLayer, ABC):
    """A layer that normalizes slices.

    Shapes: any of 1 to 4 dims -> the same; a slice is the innermost axis (w), or the two innermost
    (h x w) if affine_size is their product.
    """

    affine_size = int_param(0)
    """The number of elements per slice."""
    eps = float_param(1, default=0.001)
    """The term added to the variance or the mean square."""

    gamma = optional_weight(lambda p: (p.affine_size,), when=lambda p: p.affine)
    affine = weight_flag(2, "gamma", default=1)

    def expected_input_shapes(self) -> Sequence[Pattern]:
        n = self.affine_size
        patterns: list[Pattern] = [(None, n), (n,), (None, None, n), (None, None, None, n)]
        # Without weights, 1-D and 2-D slices have the blob's extents.
        return patterns if self.affine else [(None, None), (None,), *patterns[2:]]

    def contract_violation(self, shapes: Sequence[Extents | None]) -> str | None:
        # 3-D blobs also h x w, 4-D blobs also d x h x w.
        shape = shapes[0] or ()
        larger = (prod(shape[first:]) for first in range(1, len(shape) - 1))
        other = all(differ(n, self.affine_size) for n in larger)
        return super().contract_violation(shapes) if other else None
