"""Arithmetic of blobs, element by element."""

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from .blob import BlobType, agree, blob, combined, rank_of, shape_of, static_shape_of
from .checks import check_range
from .constant import ConstantOp, constant_of
from .cost import Memory, elements, product
from .interfaces import Affine, ChannelAffine, Identity
from .layer import Arity, SameShapeLayer, VariadicLayer, layer
from .params import enum_param, float_param, floats_param, int_param

BINARY_OPS = (
    "add", "sub", "mul", "div", "max", "min", "pow", "rsub", "rdiv", "rpow", "atan2", "ratan2",
    "fmod", "rfmod", "logaddexp", "floor_divide", "rfloor_divide", "remainder", "rremainder",
)  # fmt: skip
"""The words for BinaryOp's op_type 0, 1, 2, …; `r…` has its operands swapped."""


@layer
class PowerOp(ChannelAffine, SameShapeLayer):
    """`y = (shift + x * scale) ^ power`.

    Shapes: any of 1 to 4 dims -> the same.
    Parameters: power, scale, shift.
    Source: src/layer/power.cpp.
    """

    power = float_param(0, default=1.0)
    scale = float_param(1, default=1.0)
    shift = float_param(2)

    def affine_operand(self) -> SSAValue | None:
        return self.input if self.power == 1 else None

    def affine(self, channels: int, rank: int | None) -> Affine | None:
        return _uniform(channels, self.scale, self.shift)

    def other_flops(self) -> int | None:
        return product(2 if self.power == 1 else 3, elements(self.output))


@layer
class DropoutOp(Identity, ChannelAffine, SameShapeLayer):
    """Dropout at inference: `y = x * scale`.

    Shapes: any of 1 to 4 dims -> the same.
    Parameters: scale.
    Source: src/layer/dropout.cpp.
    """

    scale = float_param(0, default=1.0)

    def affine_operand(self) -> SSAValue | None:
        return self.input

    def affine(self, channels: int, rank: int | None) -> Affine | None:
        return _uniform(channels, self.scale, 0.0)

    def forwarded(self) -> Sequence[SSAValue] | None:
        return (self.input,) if self.scale == 1 else None

    def other_flops(self) -> int | None:
        return 0 if self.scale == 1 else elements(self.output)


def _uniform(channels: int, scale: float, shift: float) -> Affine:
    import numpy as np

    return Affine(np.full(channels, scale), np.full(channels, shift))


@layer
class BinaryOpOp(ChannelAffine, VariadicLayer):
    """`y = op(a, b)`, b a blob or the scalar `b`.

    Shapes: a and b of 1 to 4 dims broadcast: where the dims differ, the smaller blob stands for
    the outer axes (a 1-D blob for the outermost if its extent fits, else for the innermost).
    Parameters: op_type (add, sub, mul, div, max, min, pow, rsub, rdiv, rpow, atan2, ratan2, fmod,
    rfmod, logaddexp, floor_divide, rfloor_divide, remainder, rremainder), with_scalar, b.
    Source: src/layer/binaryop.cpp, docs/developer-guide/binaryop-broadcasting.md.
    """

    FLOPS_PER_ELEMENT: ClassVar[int] = 1

    op_type = enum_param(0, BINARY_OPS, shown=True)
    with_scalar = int_param(1)
    b = float_param(2)

    NUM_INPUTS: ClassVar[Arity] = (1, 2)

    def verify_layer(self) -> None:
        check_range(self, 0, len(BINARY_OPS) - 1, "op_type")
        if len(self.inputs) == 1 and not self.with_scalar:
            raise VerifyException(f"{self.label()}: one input needs with_scalar")
        if len(self.inputs) == 2 and self.with_scalar:
            raise VerifyException(f"{self.label()}: with_scalar leaves no place for a second input")

    def infer_types(self) -> Sequence[BlobType] | None:
        if self.with_scalar:
            return (cast(BlobType, self.inputs[0].type),)
        match [shape for v in self.inputs if (shape := shape_of(v)) is not None]:
            case [a, b]:
                shape = broadcast(a, b)
            case [a] if len(a) == 4:  # no blob has more dims
                shape = broadcast(a, (DYNAMIC_INDEX,) * 4)
            case _:
                return None
        return None if shape is None else (blob(shape),)

    def _constant_side(self) -> tuple[SSAValue, ConstantOp, bool] | None:
        """The blob, the constant, and whether the constant is the first operand."""
        a, b = self.inputs
        if (constant := constant_of(b)) is not None and constant_of(a) is None:
            return a, constant, False
        if (constant := constant_of(a)) is not None and constant_of(b) is None:
            return b, constant, True
        return None

    def affine_operand(self) -> SSAValue | None:
        if self.with_scalar:
            return self.inputs[0]
        side = self._constant_side()
        return None if side is None else side[0]

    def affine(self, channels: int, rank: int | None) -> Affine | None:
        import numpy as np

        first = False
        if self.with_scalar:
            values: Any = np.full(channels, self.b)
        else:
            side = self._constant_side()
            if side is None:
                return None
            if rank is None:
                return None
            x, constant, first = side
            values = per_channel(constant, x, channels, rank)
            if values is None:
                return None
        kind = BINARY_OPS[self.op_type] if 0 <= self.op_type < len(BINARY_OPS) else ""
        if first:  # op(c, x) is the reversed op of (x, c)
            kind = {"sub": "rsub", "rsub": "sub", "div": "rdiv", "rdiv": "div"}.get(kind, kind)
        ones, zeros = np.ones(channels), np.zeros(channels)
        match kind:
            case "add":
                return Affine(ones, values)
            case "sub":
                return Affine(ones, -values)
            case "rsub":
                return Affine(-ones, values)
            case "mul":
                return Affine(values, zeros)
            case "div" if (values != 0).all():
                return Affine(1 / values, zeros)
            case _:
                return None

    def memory(self) -> Memory:
        return Memory.IN_PLACE if self.with_scalar else Memory.OWN


def broadcast(a: Sequence[int], b: Sequence[int]) -> tuple[int, ...] | None:
    """The shape that BinaryOp gives for two shapes; `None` if it cannot be known."""
    rank = max(len(a), len(b))
    a2, b2 = expand(a, b), expand(b, a)
    if a2 is None or b2 is None:
        return (DYNAMIC_INDEX,) * rank
    return tuple(_extent(m, n) for m, n in zip(a2, b2, strict=True))


def _extent(m: int, n: int) -> int:
    if DYNAMIC_INDEX in (m, n):
        known = max(m, n)
        return known if known > 1 else DYNAMIC_INDEX
    return max(m, n)


def expand(shape: Sequence[int], other: Sequence[int]) -> tuple[int, ...] | None:
    """A shape with as many dims as the other, as BinaryOp expands it; `None` if an unknown extent
    decides."""
    more = len(other) - len(shape)
    if more <= 0:
        return tuple(shape)
    if len(shape) > 1 or shape[0] == other[0] != DYNAMIC_INDEX:
        return (*shape, *(1,) * more)
    if shape[0] == 1:
        return (1,) * len(other)
    if DYNAMIC_INDEX in (shape[0], other[0]):
        return None
    return (*(1,) * more, shape[0])


def per_channel(constant: ConstantOp, x: SSAValue, channels: int, rank: int) -> Any:
    """The constant's values as one float64 a channel, if against a blob of that many dims and
    channels it broadcasts so and leaves the blob's shape as it is; else `None`."""
    import numpy as np

    shape = static_shape_of(constant.output)
    if shape is None or len(shape) > rank or not constant.has_values():
        return None
    known = shape_of(x)
    target = known if known is not None and len(known) == rank else None
    outer = (channels, *(target[1:] if target else (DYNAMIC_INDEX,) * (rank - 1)))
    full = expand(shape, outer)
    if full is None or any(n != 1 for n in full[1:]) or full[0] not in (1, channels):
        return None
    if rank_of(constant.output) is None or constant.read().dtype.kind != "f":
        return None
    values = constant.read().astype("f8").reshape(-1)
    return np.broadcast_to(values, (channels,)).copy()


@layer
class EltwiseOp(VariadicLayer):
    """`y = op(x0, x1, …)`: product, sum (weighted by `coeffs` if there are any) or maximum.

    Shapes: blobs of one shape -> the same.
    Parameters: op_type (prod, sum, max), coeffs.
    Source: src/layer/eltwise.cpp.
    """

    op_type = enum_param(0, ("prod", "sum", "max"), shown=True)
    coeffs = floats_param(1)

    NUM_INPUTS: ClassVar[Arity] = (2, None)

    def verify_layer(self) -> None:
        check_range(self, 0, 2, "op_type")

    def infer_types(self) -> Sequence[BlobType] | None:
        first = cast(BlobType, self.inputs[0].type)
        shape = shape_of(first)
        for other in map(shape_of, self.inputs[1:]):
            if agree(shape, other):
                shape = combined(shape, other)
        return (blob(shape, first.element_type),)

    def other_flops(self) -> int | None:
        each = len(self.inputs) * (2 if self.coeffs else 1) - 1
        return product(each, elements(self.outputs[0]))
