"""Layers that reduce, normalize or accumulate along axes, and sums of products over indices."""

import re
from collections.abc import Sequence
from typing import ClassVar

from ..shapes.terms import UNKNOWN, Extent, Extents
from .blob import static_shape_of
from .checks import check, check_axes
from .cost import elements, product
from .extents import known, positive_axis
from .layer import Arity, SameShapeLayer, UnaryLayer, VariadicLayer, layer
from .params import enum_param, float_param, int_param, ints_param

REDUCTIONS = (
    "sum", "asum", "sumsq", "mean", "max", "min", "prod", "l1", "l2", "logsum", "logsumexp",
)  # fmt: skip
"""The keywords for Reduction's operation 0, 1, 2, …"""

_REDUCTION_FLOPS = (1, 2, 2, 1, 1, 1, 1, 2, 2, 1, 2)
"""Operations per element of the input."""


@layer
class ReductionOp(UnaryLayer):
    """Reduces elements along axes: `y = coeff * op(x)`.

    Shapes: any of 1 to 4 dims -> without the reduced axes, or with extent 1 there if keepdims is
    set; `1` if no axis is left. A 1-D blob is always reduced.
    """

    operation = enum_param(0, REDUCTIONS, within=(0, len(REDUCTIONS) - 1))
    reduce_all = int_param(1, default=1)
    coeff = float_param(2, default=1.0)
    axes = ints_param(3)
    keepdims = int_param(4)
    fixbug0 = int_param(5)
    """Whether axes exclude the batch; older models counted it."""

    def verify_layer(self) -> None:
        check_axes(self, self.axes)
        check(
            self,
            not self.axes or self.fixbug0 != 0,
            "the axes use the old convention; fixbug0 must be 1",
        )

    def reduced_axes(self, rank: int) -> set[int] | None:
        """Return the axes that are reduced in a blob of this rank; `None` if an axis is out of
        range."""
        if self.reduce_all or rank == 1:
            return set(range(rank))
        axes = {axis + rank if axis < 0 else axis for axis in self.axes}
        return axes if all(0 <= axis < rank for axis in axes) else None

    def as_global_pooling(self, keepdims: bool = False) -> str | None:
        """Return the keyword of the Pooling type that computes the same on a 3-D blob, over whole
        channels, apart from kept axes if `keepdims`; `None` if there is none."""
        word = {"mean": "avg", "max": "max"}.get(REDUCTIONS[self.operation])
        whole = self.reduced_axes(3) == {1, 2} and self.coeff == 1
        return word if whole and bool(self.keepdims) == keepdims else None

    def is_global_pooling(self) -> bool:
        """Whether an equivalent global Pooling exists."""
        return self.as_global_pooling() is not None

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape = shapes[0]
        if shape is None:
            return [(1,)] if self.reduce_all and not self.keepdims else None
        reduced = self.reduced_axes(len(shape))
        if reduced is None:
            return None
        if self.keepdims:
            return [tuple(1 if i in reduced else n for i, n in enumerate(shape))]
        return [tuple(n for i, n in enumerate(shape) if i not in reduced) or (1,)]

    def other_flops(self) -> int | None:
        return product(_REDUCTION_FLOPS[self.operation], elements(self.input))


@layer
class ArgMaxOp(UnaryLayer):
    """The indices of the `topk` largest elements, largest first. With out_max_val: a row of the
    values, then a row of the indices.

    Shapes: any of 1 to 4 dims -> `1 x topk` or `2 x topk`.
    """

    out_max_val = int_param(0)
    topk = int_param(1, default=1)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        return [(2 if self.out_max_val else 1, known(self.topk))]

    def other_flops(self) -> int | None:
        return elements(self.input)


@layer
class SoftmaxOp(SameShapeLayer):
    """`y = exp(x) / sum(exp(x))`, the sum along an axis."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 5

    axis = int_param(0)
    fixbug0 = int_param(1)
    """Whether the axis uses the present convention; older models counted differently for 3-D
    blobs."""

    def verify_layer(self) -> None:
        right = self.axis == 0 or self.fixbug0 != 0
        check(self, right, "the axis uses the old convention; fixbug0 must be 1")


@layer
class CumulativeSumOp(SameShapeLayer):
    """The inclusive prefix sum along an axis."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 1

    axis = int_param(0)


@layer
class GLUOp(UnaryLayer):
    """Gated linear unit: `y = a * sigmoid(b)`, where a and b are the halves along an axis.

    Shapes: any of 1 to 4 dims -> the axis has half the extent.
    """

    FLOPS_PER_ELEMENT: ClassVar[int] = 5

    axis = int_param(0)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape = shapes[0]
        axis = None if shape is None else positive_axis(self.axis, len(shape))
        if shape is None or axis is None:
            return None
        return [(*shape[:axis], known(shape[axis] // 2), *shape[axis + 1 :])]


@layer
class EinsumOp(VariadicLayer):
    """The sum of products of elements over all indices absent from the output.

    Shapes: blobs whose rank is their token's number of indices -> the extents of the output's
    indices.
    Parameters: equation (character codes, see `equation_text`): for example `ik,kj->ij`, with
    indices from i to x and the output i, ij, ijk or ijkl; or `ii`, the trace of a matrix.
    """

    equation = ints_param(0)

    NUM_INPUTS: ClassVar[Arity] = (1, None)

    def equation_text(self) -> str:
        """The equation as text."""
        return "".join(chr(code) if 32 <= code < 127 else "?" for code in self.equation)

    def tokens(self) -> tuple[list[str], str]:
        """Return the indices of each input, and the output's indices."""
        inputs, _, output = self.equation_text().partition("->")
        return [token for token in inputs.split(",") if token], output

    def verify_layer(self) -> None:
        text = self.equation_text()
        if text == "ii":
            return
        pattern = "[i-x]{1,4}(,[i-x]{1,4})*->(i|ij|ijk|ijkl)"
        inputs, output = self.tokens()
        legal = re.fullmatch(pattern, text) is not None and set(output) <= set("".join(inputs))
        check(self, legal, f"the runtime does not support the equation '{text}'")

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        if self.equation_text() == "ii":
            return [(1,)]
        inputs, output = self.tokens()
        if len(inputs) != len(shapes):
            return None
        extents: dict[str, Extent] = {}
        for token, given in zip(inputs, shapes, strict=True):
            shape = given or (UNKNOWN,) * len(token)
            if len(shape) != len(token):
                return None
            # If blobs disagree on an index's extent, the runtime uses the last one.
            extents |= dict(zip(token, shape, strict=True))
        if not output or any(index not in extents for index in output):
            return None
        return [tuple(extents[index] for index in output)]

    def macs(self) -> int | None:
        inputs, _ = self.tokens()
        extents: dict[str, int | None] = {}
        for token, value in zip(inputs, self.inputs, strict=False):
            shape = static_shape_of(value) or (None,) * len(token)
            extents |= dict(zip(token, shape, strict=False))
        return product(max(len(inputs) - 1, 0), *extents.values())
