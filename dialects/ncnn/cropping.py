"""Layers that cut a box out of a blob, overwrite a box, or pad a blob."""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import SSAValue

from ..shapes.analysis import Shapes
from ..shapes.terms import UNKNOWN, Extents
from .checks import INT_MAX
from .cost import Memory
from .expressions import evaluate
from .extents import ABSENT, Box, SizedBox, box_between, by_axis, known
from .interfaces import Identity
from .layer import Arity, KeepsElements, KeepsShape, UnaryLayer, VariadicLayer, layer
from .params import enum_param, float_param, int_param, str_param
from .weight_specs import optional_weight, weight_size


@layer
class CropOp(Identity, KeepsElements, VariadicLayer, SizedBox):
    """Cuts a box out of a blob: by starts and ends as in NumPy, by offsets and extents, or with the
    size of a second blob.

    Shapes: any of 1 to 4 dims -> the same rank.
    Parameters: starts and ends (-233: from the first or to the last element), or offsets and
    maximum extents; with offsets before only, the extents of the second input (with woffset -233
    its elements are offsets and extents). Expressions on the inputs' extents have precedence.
    """

    MEMORY: ClassVar[Memory] = Memory.SAME

    starts_expr = str_param(19)
    ends_expr = str_param(20)
    axes_expr = str_param(21)

    NUM_INPUTS: ClassVar[Arity] = (1, None)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        extents = by_axis(shapes[0])
        if self.keeps_shape():
            return shapes[:1]
        if extents is None:
            return None
        if self.starts_expr and self.ends_expr:
            return [self._box_by_expression(tuple(extents.values()), shapes)]
        if self.starts_expr or self.ends_expr or self.axes_expr:
            return None
        if self.has_size():
            return [self.box_in(extents)]
        return [self.box_like(extents, by_axis(shapes[1]))] if len(shapes) > 1 else None

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        # A box with the blob's extents is the blob, for any start.
        return self.inputs[:1] if shapes.same(self.inputs[0], self.outputs[0]) else None

    def keeps_shape(self) -> bool:
        # The box starts and ends where the blob does, for any rank and extents.
        if self.starts_expr or self.ends_expr or self.axes_expr or not self.has_size():
            return False
        if self.starts and self.ends:
            starts, ends = set(self.starts) <= {0, ABSENT}, set(self.ends) <= {0, ABSENT, INT_MAX}
            return bool(self.axes) and starts and ends
        offsets = (*self.offsets().values(), *self.offsets_after().values())
        return not any(offsets) and set(self.wanted().values()) == {ABSENT}

    def _box_by_expression(
        self, shape: Extents, shapes: Sequence[Extents | None]
    ) -> Extents | None:
        starts = evaluate(self.starts_expr, shapes)
        ends, axes = evaluate(self.ends_expr, shapes), evaluate(self.axes_expr, shapes)
        if starts is None or ends is None or axes is None:
            return (UNKNOWN,) * len(shape)
        return box_between(shape, starts, ends, axes)


@layer
class PaddingOp(Identity, KeepsElements, UnaryLayer):
    """Pads a blob.

    Shapes: any of 1 to 4 dims -> the same rank; front and behind are along c of a 3-D blob and
    along d of a 4-D one.
    """

    MEMORY: ClassVar[Memory] = Memory.SAME

    top = int_param(0)
    bottom = int_param(1)
    left = int_param(2)
    right = int_param(3)
    type = enum_param(4, ("constant", "replicate", "reflect"), within=(0, 2))
    value = float_param(5)
    front = int_param(7)
    behind = int_param(8)

    per_channel_pad = optional_weight(
        lambda p: (p.per_channel_pad_data_size,), when=lambda p: p.per_channel_pad_data_size
    )
    per_channel_pad_data_size = weight_size(6, "per_channel_pad")

    def keeps_int8(self) -> bool:
        plain = self.per_channel_pad is None and not (self.front or self.behind)
        return plain and self.type == 0 and self.value == 0

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        extents = by_axis(shapes[0])
        if extents is None:
            return None
        pads = {
            "w": (self.left, self.right),
            "h": (self.top, self.bottom),
            "c" if len(extents) == 3 else "d": (self.front, self.behind),
        }
        if any(pad < 0 for both in pads.values() for pad in both):
            return None
        return [tuple(known(n + sum(pads.get(a, ()))) for a, n in extents.items())]

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        pads = (self.top, self.bottom, self.left, self.right, self.front, self.behind)
        return None if any(pads) else (self.input,)


@layer
class CopyToOp(KeepsElements, KeepsShape, VariadicLayer, Box):
    """A copy of the first blob, with a box that the second blob overwrites.

    Shapes: any of 1 to 4 dims, and a smaller blob of the same rank -> the first one's shape.
    """

    NUM_INPUTS: ClassVar[Arity] = (2, 2)
    IGNORES_MORE: ClassVar[bool] = True
