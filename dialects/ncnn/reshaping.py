"""Layers that only move the elements of a blob: reshape, permute, flip."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import ClassVar

from xdsl.ir import SSAValue

from ..shapes.analysis import Shapes
from ..shapes.terms import UNKNOWN, Extent, Extents, minimum, provably_equal
from .checks import check, check_axes
from .cost import Memory
from .expressions import evaluate, expression_length
from .extents import (
    ABSENT,
    AXES,
    NO_BATCH,
    by_axis,
    count_of,
    expanded,
    extent_along,
    known,
    permutation,
    reshaped,
)
from .interfaces import Identity, Reshaping
from .layer import Arity, KeepsElements, SameShapeLayer, UnaryLayer, VariadicLayer, layer
from .params import int_param, ints_param, str_param

MOST_REFERENCES = 10
"""The number of inputs that an expression can name, each by one digit."""


@layer
class ReshapeOp(Reshaping, VariadicLayer):
    """The same elements, row-major, in another shape.

    Shapes: any of 1 to 4 dims -> `w`, `h x w`, `c x h x w` or `c x d x h x w`, by the number of
    given parameters. Only the extents of further inputs are used.
    Parameters: w, h, d, c (0: the input's extent, -1: inferred, -233: no such axis), shape_expr (w
    first; it has precedence), input_batch_axis and output_batch_axis (the batch axes of the logical
    shapes, 233: none).
    """

    MEMORY: ClassVar[Memory] = Memory.RESHAPED

    w = int_param(0, default=ABSENT)
    h = int_param(1, default=ABSENT)
    d = int_param(11, default=ABSENT)
    c = int_param(2, default=ABSENT)
    shape_expr = str_param(6)
    """A list such as `0w,*(0h,1h)`: extents and arithmetic on the inputs' extents."""
    input_batch_axis = int_param(12, default=NO_BATCH)
    output_batch_axis = int_param(13, default=NO_BATCH)

    NUM_INPUTS: ClassVar[Arity] = (1, None)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        rank, shape = self.output_rank(), shapes[0]
        if self.is_batched():
            one = self._one_blob(rank)
            return None if one is None else [one]
        if rank not in AXES:
            return None
        wanted: list[Extent] = [*self.wanted(rank)]
        if self.shape_expr:
            values = evaluate(self.shape_expr, shapes)
            wanted = [UNKNOWN] * rank if values is None else values[::-1]
            if len(wanted) != rank:
                return None
        total = count_of(shape)
        if rank == 1:
            return [(total,)]  # all elements, for any parameter value
        return [reshaped(wanted, by_axis(shape), total)]

    def asks_for_same(self, one: Sequence[Extents | None], other: Sequence[Extents | None]) -> bool:
        """Whether the extents that are asked for are provably the same for inputs of both shapes.
        (`infer_shapes` may know the result by its number of elements, whatever is asked for; where
        both differ, the runtime fails.)"""
        if not self.shape_expr:
            return provably_equal(one[:1], other[:1])
        values, others = evaluate(self.shape_expr, one), evaluate(self.shape_expr, other)
        if values is None or others is None:
            return False
        # A negative value is no extent: the expression itself has it, as -1 for "inferred".
        return all(
            a == b if isinstance(a, int) and isinstance(b, int) else provably_equal(a, b)
            for a, b in zip(values, others, strict=True)
        )

    def keeps_order(self, shapes: Shapes) -> bool:
        return not self.is_batched()

    def determines_shape(self) -> bool:
        return not self.shape_expr and 0 not in (self.w, self.h, self.d, self.c)

    def is_batched(self) -> bool:
        """Whether an axis of the logical input or output is a batch of blobs."""
        return (self.input_batch_axis, self.output_batch_axis) != (NO_BATCH, NO_BATCH)

    def _one_blob(self, rank: int | None) -> Extents | None:
        """Return the shape of the output if the parameters alone determine that it is one blob, and
        its shape; `None` otherwise."""
        wanted: Sequence[Extent] = self.wanted(rank)
        if self.shape_expr:
            wanted = (evaluate(self.shape_expr, [None] * len(self.inputs)) or [])[::-1]
        axis, rank = self.output_batch_axis, len(wanted)
        if not -rank <= axis < rank or wanted[axis] != 1:
            return None
        axis %= rank
        rest = (*wanted[:axis], *wanted[axis + 1 :])
        is_static = all(isinstance(n, int) and n > 0 for n in rest)
        return rest if rest and is_static else None

    def output_rank(self) -> int | None:
        """The rank of the (logical) output; `None` if the expression is malformed."""
        if self.shape_expr:
            return expression_length(self.shape_expr)
        given = self.w, self.h, self.c, self.d
        return given.index(ABSENT) if ABSENT in given else 4

    def wanted(self, rank: int | None) -> list[int]:
        """Return the extent parameters of an output of this rank, outermost first; empty for an
        unknown rank or more dims than a blob has."""
        own = {"w": self.w, "h": self.h, "d": self.d, "c": self.c}
        return [own[axis] for axis in AXES.get(rank or 0, "")]

    def expected_elements(self) -> int | None:
        wanted = self.wanted(self.output_rank())
        if self.is_batched() or self.shape_expr or not wanted or min(wanted) <= 0:
            return None
        return prod(wanted)

    def contract_violation(self, shapes: Sequence[Extents | None]) -> str | None:
        rank, total = self.output_rank(), count_of(shapes[0])
        if self.is_batched() or self.shape_expr or rank not in AXES or not isinstance(total, int):
            return None
        wanted = self.wanted(rank)
        if 0 in wanted or (-1 not in wanted and prod(wanted) == total):
            return None
        given = prod(n for n in wanted if n > 0)
        if -1 in wanted and total % given == 0:
            return None
        times = "a multiple of " if -1 in wanted else ""
        return f"makes {times}{given} elements {'x'.join(map(str, wanted))}"

    def verify_layer(self) -> None:
        rank, most = self.output_rank(), 4 if self.output_batch_axis == NO_BATCH else 5
        check(self, rank is not None, f"shape_expr '{self.shape_expr}' is not an expression")
        check(self, rank is None or 1 <= rank <= most, f"an output cannot have {rank} dims")
        self._check_inferred(rank)

    def _check_inferred(self, rank: int | None) -> None:
        """Check that at most one extent is inferred. The runtime infers each of several from the
        others while these are still -1, and computes with the result."""
        axes = AXES.get(rank or 0, "")
        if self.shape_expr:
            wanted = evaluate(self.shape_expr, [None] * MOST_REFERENCES) or []
            axes = AXES.get(len(wanted), "")
        else:
            wanted = [*self.wanted(rank)][::-1]
        inferred = [axis for axis, n in zip(reversed(axes), wanted, strict=False) if n == -1]
        check(
            self,
            len(inferred) < 2,
            f"{' and '.join(inferred)} are -1, but only one extent can be inferred; "
            "give all others as numbers, or as 0 to copy the input's extent",
        )


@layer
class FlattenOp(Reshaping, UnaryLayer):
    """The same elements, row-major, in one dim.

    Shapes: any of 1 to 4 dims -> `w`.
    """

    MEMORY: ClassVar[Memory] = Memory.SAME

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        return [(count_of(shapes[0]),)]

    def keeps_int8(self) -> bool:
        return True

    def determines_shape(self) -> bool:
        return True


@layer
class SqueezeOp(Reshaping, UnaryLayer):
    """Drops axes of extent 1; other axes stay.

    Shapes: any of 1 to 4 dims -> the remaining dims, at least 1.
    Parameters: axes, or without them squeeze_w, squeeze_h, squeeze_d, squeeze_c.
    """

    MEMORY: ClassVar[Memory] = Memory.VIEW

    squeeze_w = int_param(0)
    squeeze_h = int_param(1)
    squeeze_d = int_param(11)
    squeeze_c = int_param(2)
    axes = ints_param(3)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        extents = by_axis(shapes[0])
        kept = None if extents is None else self._kept(extents)
        if extents is None or kept is None:
            return None
        return [tuple(extents[axis] for axis in kept) or (1,)]

    def _kept(self, extents: Mapping[str, Extent]) -> list[str] | None:
        """Return the axes that remain in a blob of these extents; `None` if this depends on a
        dynamic extent."""
        rank = len(extents)
        named = {"w": self.squeeze_w, "h": self.squeeze_h, "d": self.squeeze_d, "c": self.squeeze_c}
        wanted = [bool(named[axis]) for axis in extents]
        if self.axes:
            wanted = [i in self.axes or i - rank in self.axes for i in range(rank)]
        dropped = [axis for axis, drop in zip(extents, wanted, strict=True) if drop]
        if not all(isinstance(extents[axis], int) for axis in dropped):
            return None
        return [axis for axis, n in extents.items() if n != 1 or axis not in dropped]

    def verify_layer(self) -> None:
        check_axes(self, self.axes)


@layer
class ExpandDimsOp(Reshaping, UnaryLayer):
    """Inserts axes of extent 1.

    Shapes: any of 1 to 3 dims -> one dim more per axis. If the result would have more than 4 dims,
    the blob is unchanged.
    Parameters: axes (of the result).
    """

    MEMORY: ClassVar[Memory] = Memory.VIEW

    axes = ints_param(3)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape = shapes[0]
        if shape is None or len(shape) + len(self.axes) > 4:
            return shapes
        result = expanded(shape, self.axes)
        return None if result is None else [tuple(result)]

    def verify_layer(self) -> None:
        check_axes(self, self.axes)


@layer
class PermuteOp(Reshaping, UnaryLayer):
    """Permutes the axes.

    Shapes: any of 1 to 4 dims -> the same extents in another order; 1-D blobs are unchanged.
    Parameters: order_type (see `extents.ORDERS`).
    """

    order_type = int_param(0, within=(0, 23))

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape = shapes[0]
        order = None if shape is None else permutation(self.order_type, len(shape))
        if shape is None or order is None:
            return None
        return [tuple(shape[axis] for axis in order)]

    def keeps_order(self, shapes: Shapes) -> bool:
        # Axes of extent 1 may move anywhere.
        shape = shapes.of(self.input)
        order = None if shape is None else permutation(self.order_type, len(shape))
        if shape is None or order is None:
            return self.order_type == 0  # the identity for all ranks
        moved = [axis for axis in order if shape[axis] != 1]
        return moved == sorted(moved)

    def keeps_shape(self) -> bool:
        return self.order_type == 0

    def memory(self) -> Memory:
        return Memory.SAME if self.order_type == 0 else Memory.OWN


@layer
class FlipOp(Identity, SameShapeLayer):
    """Reverses the elements along axes."""

    axes = ints_param(0)

    def verify_layer(self) -> None:
        check_axes(self, self.axes)

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        same = all(extent_along(self.input, axis, shapes) == 1 for axis in self.axes)
        return (self.input,) if same else None

    def memory(self) -> Memory:
        return Memory.OWN if self.axes else Memory.SAME


@layer
class DiagOp(KeepsElements, UnaryLayer):
    """Makes a matrix with the blob on a diagonal, or extracts that diagonal from a matrix.

    Shapes: `w` -> `n x n`, n = w + |diagonal|; `h x w` -> `n`.
    Parameters: diagonal (0: the main diagonal, positive: above it, negative: below it).
    """

    diagonal = int_param(0)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        k = self.diagonal
        match shapes[0]:
            case (w,):
                return [(known(w + abs(k)),) * 2]
            case (h, w):
                return [(known(minimum(h + min(k, 0), w - max(k, 0))),)]
            case _:
                return None
