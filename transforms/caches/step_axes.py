"""The axis of each blob of a decoder along which the steps are, and the proof that layers compute
each step alone."""

from collections.abc import Sequence
from math import prod

from xdsl.ir import BlockArgument, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.attention import Attention, RotaryEmbedOp
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.conversion import CastOp
from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.elementwise import EltwiseOp
from ...dialects.ncnn.embedding import EmbedOp
from ...dialects.ncnn.extents import AXES, permutation
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.interfaces import ElementWise, Reshaping
from ...dialects.ncnn.joining import ConcatOp, SliceOp, TileOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.matmul import GemmOp
from ...dialects.ncnn.normalization import LayerNormOp, RMSNormOp
from ...dialects.ncnn.reshaping import ExpandDimsOp, PermuteOp, ReshapeOp, SqueezeOp
from ...dialects.ncnn.structure import DeepCopyOp, InputOp, NoopOp, SplitOp
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.terms import Extents, provably_equal

ALSO_ELEMENT_WISE = (
    CastOp,
    DeepCopyOp,
    EltwiseOp,
    InputOp,
    NoopOp,
    RotaryEmbedOp,
    SplitOp,
)
"""Layers without a formula, or of several blobs: each output has the steps of its inputs, along
the same axis."""

ROWS = -2
"""The axis of rows, counted from the innermost: the steps of most blobs."""


class StepAxes:
    """The axes of steps, counted from the innermost axis: the rank of a blob may be unknown."""

    def __init__(self, steps: frozenset[BlockArgument]) -> None:
        """`steps` are the inputs that have a row for each step, or are one row of steps."""
        self._shapes = Shapes(declared=True)
        self._found: dict[SSAValue, int] = {}
        for arg in steps:
            self._found[arg] = -1 if self._shapes.rank(arg) == 1 else ROWS

    def of(self, value: SSAValue) -> int | None:
        """Return the axis of steps of a blob, if it has one."""
        return self._found.get(value)

    def visit(self, op: LayerOp) -> None:
        """Find the axes of a layer's outputs. Raise `PassFailedException` if the layer does not
        provably compute each step from the same step."""
        axes = [self.of(v) for v in op.operands]
        given = {axis for axis in axes if axis is not None}
        if not given or isinstance(op, ConstantOp):
            return
        axis = self._result(op, axes) if len(given) == 1 else None
        if axis is None:
            raise PassFailedException(
                f"{op.label()} may combine steps, which come in different calls; only layers that "
                "provably compute each step alone, and attention, can stand in a decoder (-O "
                "recognizes attention and normalizations that are spelled out)"
            )
        self._found.update(dict.fromkeys(op.results, axis))

    def _result(self, op: LayerOp, axes: Sequence[int | None]) -> int | None:
        """Return the axis of steps of the outputs; `None` if steps may be combined."""
        (axis,) = {axis for axis in axes if axis is not None}
        match op:
            case EmbedOp():
                return ROWS
            case Attention():
                return axis if axis == ROWS else None
            case GemmOp():
                plain = op.constantB and not (op.transA or op.output_transpose or op.output_N1M)
                return axis if plain and axis == ROWS and axes[0] == ROWS else None
            case InnerProductOp():
                return axis if axis == ROWS else None
            case LayerNormOp() | RMSNormOp():
                return axis if axis != -1 and self._is_of_rows(op) else None
            case ConcatOp() | SliceOp():
                return axis if self._is_other(op, op.axis, axis) else None
            case TileOp():
                return axis if self._is_kept_by_tile(op, axis) else None
            case CropOp():
                return axis if self._is_whole(op, axis) else None
            case Reshaping():
                return self._reshaped(op, axis)
            case ElementWise():
                return axis
            case _:
                return axis if isinstance(op, ALSO_ELEMENT_WISE) else None

    def _is_of_rows(self, op: LayerNormOp | RMSNormOp) -> bool:
        """Whether a normalization is of each row alone, not of several rows."""
        shape = self._shapes.of(op.operands[0])
        if shape is None:  # a normalization of several rows has the number of steps as a parameter
            return bool(op.affine)
        return len(shape) <= 2 or shape[-1] == op.affine_size

    def _is_other(self, op: ConcatOp | SliceOp, axis: int, steps: int) -> bool:
        """Whether an axis is not that of steps."""
        rank = self._shapes.rank(op.results[0])
        if axis >= 0 and rank is None:
            return False
        return (axis if axis < 0 else axis - (rank or 0)) != steps

    def _is_kept_by_tile(self, op: TileOp, axis: int) -> bool:
        if op.repeats:
            return -axis > len(op.repeats) or (axis >= ROWS and op.repeats[axis] == 1)
        rank = self._shapes.rank(op.operands[0])
        return rank is not None and op.axis - rank != axis

    def _is_whole(self, op: CropOp, axis: int) -> bool:
        """Whether a Crop keeps all steps."""
        if op.extra is not None or op.starts_expr or op.ends_expr or len(op.operands) > 1:
            return False
        rank = self._shapes.rank(op.operands[0])
        if not op.axes or rank is None:
            return False
        return all((i if i < 0 else i - rank) != axis for i in op.axes)

    def _stays(self, op: SqueezeOp, axis: int) -> bool:
        """Whether a Squeeze never drops the axis of steps, which may have one step."""
        rank = self._shapes.rank(op.operands[0])
        if rank is None:
            return False
        if op.axes:
            return all((i if i < 0 else i - rank) != axis for i in op.axes)
        flags = {"w": op.squeeze_w, "h": op.squeeze_h, "d": op.squeeze_d, "c": op.squeeze_c}
        return any(flags.values()) and not flags[AXES[rank][axis]]

    def _reshaped(self, op: LayerOp, axis: int) -> int | None:
        """Return the only axis of the result that has the same elements before and after it."""
        before, after = (self._shapes.of(v) for v in (op.operands[0], op.results[0]))
        if isinstance(op, ExpandDimsOp) and before is not None and after is not None:
            added = {i % len(after) for i in op.axes}
            kept = [i - len(after) for i in range(len(after)) if i not in added]
            return kept[axis] if len(kept) == len(before) else None
        if isinstance(op, PermuteOp):
            order = None if before is None else permutation(op.order_type, len(before))
            return None if order is None else order.index(axis + len(order)) - len(order)
        if isinstance(op, SqueezeOp) and not self._stays(op, axis):
            return None
        if isinstance(op, ReshapeOp) and (op.is_batched() or op.shape_expr):
            return None
        if before is None or after is None:
            return None
        same = [i - len(after) for i in range(len(after)) if _surrounds(before, axis, after, i)]
        if len(same) > 1:
            raise PassFailedException(
                f"{op.label()} has several axes that may be that of one step; export the model for "
                "more steps"
            )
        return same[0] if same else None


def _surrounds(before: Extents, axis: int, after: Extents, place: int) -> bool:
    """Whether as many elements stand before and after both axes, so that they are the same."""
    i = axis + len(before)
    outer, inner = (before[:i], after[:place]), (before[i + 1 :], after[place + 1 :])
    return all(provably_equal(*map(prod, pair)) for pair in (outer, inner))
