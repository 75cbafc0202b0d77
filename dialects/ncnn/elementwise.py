"""Element-wise arithmetic of blobs."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from math import inf
from typing import Any, ClassVar

from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, SSAValue

from ..shapes.analysis import Shapes
from ..shapes.terms import UNKNOWN, Extent, Extents, function
from .blob import element_count, static_shape_of
from .checks import check
from .constant import ConstantOp, constant_of
from .cost import Memory, elements, product
from .extents import differ
from .formulas import NoFormula, Term, affine, approximate_power, call, exp, maximum, minimum, term
from .interfaces import (
    RELU,
    Activation,
    Affine,
    ChannelAffine,
    ChannelAxis,
    ElementWise,
    Forwarding,
    FusableActivation,
    HasFormula,
)
from .layer import Arity, KeepsElements, KeepsShape, SameShapeLayer, VariadicLayer, layer
from .params import enum_param, float_param, floats_param, int_param

BINARY_OPS = (
    "add", "sub", "mul", "div", "max", "min", "pow", "rsub", "rdiv", "rpow", "atan2", "ratan2",
    "fmod", "rfmod", "logaddexp", "floor_divide", "rfloor_divide", "remainder", "rremainder",
)  # fmt: skip
"""The keywords for BinaryOp's op_type 0, 1, 2, …; `r…` swaps the operands."""


_BINARY: Mapping[str, Callable[[Term, Term], Term]] = {
    "add": Term.__add__,
    "sub": Term.__sub__,
    "mul": Term.__mul__,
    "div": Term.__truediv__,
    "max": maximum,
    "min": minimum,
    "pow": approximate_power,
    "atan2": partial(call, "math.atan2"),
    "fmod": partial(call, "c.fmod"),
    "logaddexp": lambda a, b: (
        maximum(a, b) + call("math.log1p", exp(minimum(a, b) - maximum(a, b)))
    ),
    "floor_divide": lambda a, b: call("math.floor", a / b),
    "remainder": partial(call, "c.remainder"),
}
"""The formula of each keyword without swapped operands."""


def reversed_op(op_type: int) -> int:
    """Return the op_type that computes on (b, a) the result of this one on (a, b)."""
    word = BINARY_OPS[op_type]
    other = word[1:] if word[0] == "r" and word[1:] in BINARY_OPS else f"r{word}"
    return BINARY_OPS.index(other) if other in BINARY_OPS else op_type


AFFINE_OPS = ("add", "sub", "rsub", "mul", "div", "rdiv")
"""The op_types that may be affine in a blob if one operand is a constant."""


@layer
class PowerOp(ElementWise, ChannelAffine, SameShapeLayer):
    """`y = (shift + x * scale) ^ power`."""

    power = float_param(0, default=1.0)
    scale = float_param(1, default=1.0)
    shift = float_param(2)

    def affine_operand(self) -> SSAValue | None:
        return self.input if self.power == 1 else None

    def affine(self, axis: ChannelAxis) -> Affine | None:
        return Affine.spread(axis, self.scale, self.shift)

    def other_flops(self) -> int | None:
        return product(2 if self.power == 1 else 3, elements(self.output))

    def formula(self, x: Term) -> Term:
        base = affine(x, self.scale, self.shift)
        return base if self.power == 1 else base**self.power


@layer
class DropoutOp(Forwarding, ElementWise, ChannelAffine, SameShapeLayer):
    """Dropout at inference: `y = x * scale`."""

    scale = float_param(0, default=1.0)

    def affine_operand(self) -> SSAValue | None:
        return self.input

    def affine(self, axis: ChannelAxis) -> Affine | None:
        return Affine.spread(axis, self.scale, 0.0)

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        return (self.input,) if self.scale == 1 else None

    def other_flops(self) -> int | None:
        return 0 if self.scale == 1 else elements(self.output)

    def formula(self, x: Term) -> Term:
        return affine(x, self.scale, 0.0)


@layer
class BinaryOpOp(ChannelAffine, FusableActivation, VariadicLayer):
    """`y = op(a, b)`, where b is a blob or the scalar `b`.

    Shapes: a and b of 1 to 4 dims broadcast: for unequal ranks, the smaller blob's axes align with
    the outer axes (a 1-D blob with the outermost if its extent fits, else with the innermost).
    Source: docs/developer-guide/binaryop-broadcasting.md.
    """

    FLOPS_PER_ELEMENT: ClassVar[int] = 1

    op_type = enum_param(0, BINARY_OPS, shown=True, within=(0, len(BINARY_OPS) - 1))
    with_scalar = int_param(1)
    b = float_param(2)

    NUM_INPUTS: ClassVar[Arity] = (1, 2)

    @classmethod
    def ignores_more(cls, params: Any) -> bool:
        return not params.with_scalar

    def verify_layer(self) -> None:
        inputs, scalar = len(self.inputs), bool(self.with_scalar)
        check(self, inputs != 1 or scalar, "a single input needs with_scalar")
        check(self, inputs != 2 or not scalar, "with_scalar excludes a second input")

    def keeps_shape(self) -> bool:
        return bool(self.with_scalar)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        if self.with_scalar:
            return shapes[:1]
        match [shape for shape in shapes[:2] if shape is not None]:
            case [a, b]:
                return [broadcast(a, b)]
            case [a] if len(a) == 4:  # the maximum rank
                return [broadcast(a, (UNKNOWN,) * 4)]
            case _:
                return None

    def contract_violation(self, shapes: Sequence[Extents | None]) -> str | None:
        if self.with_scalar or shapes[0] is None or shapes[1] is None:
            return None
        a, b = expand(shapes[0], shapes[1]), expand(shapes[1], shapes[0])
        if a is None or b is None:
            return None
        pairs = [(m, n) for m, n in zip(a, b, strict=True) if 1 not in (m, n)]
        return "takes extents that are equal or 1" if any(differ(*pair) for pair in pairs) else None

    def infer_elements(self, elements: Sequence[Attribute]) -> Sequence[Attribute]:
        return elements[:1] if self.with_scalar else [f32]

    def is_elementwise(self) -> bool:
        return bool(self.with_scalar)

    def constant_side(self) -> tuple[SSAValue, ConstantOp, bool] | None:
        """Return the blob, the constant, and whether the constant is the first operand; `None`
        unless exactly one of two operands is a constant."""
        if len(self.inputs) != 2:
            return None
        a, b = self.inputs
        if (constant := constant_of(b)) is not None and constant_of(a) is None:
            return a, constant, False
        if (constant := constant_of(a)) is not None and constant_of(b) is None:
            return b, constant, True
        return None

    def is_shift(self) -> bool:
        """Whether the layer only adds a constant to a blob."""
        return BINARY_OPS[self.op_type] in ("add", "sub")

    def affine_operand(self) -> SSAValue | None:
        if BINARY_OPS[self.op_type] not in AFFINE_OPS:
            return None
        if self.with_scalar:
            return self.inputs[0]
        side = self.constant_side()
        return None if side is None else side[0]

    def affine_channels(self, shapes: Shapes) -> int | None:
        side = None if self.with_scalar else self.constant_side()
        count = 1 if side is None else element_count(side[1].output)
        return None if count == 1 else count

    def affine(self, axis: ChannelAxis) -> Affine | None:
        import numpy as np

        values, first = np.full(1, self.b), False
        if not self.with_scalar:
            side = self.constant_side()
            values = None if side is None else per_channel(side[1], axis)
            if side is None or values is None:
                return None
            first = side[2]
        line = self.line(values, first)
        return None if line is None else Affine.spread(axis, line.scale, line.shift)

    def line(self, values: Any, first: bool) -> Affine | None:
        """Return the affine map of a blob for these constant values as first or second operand;
        `None` if it is not affine."""
        import numpy as np

        ones, zeros = np.ones(len(values)), np.zeros(len(values))
        match BINARY_OPS[reversed_op(self.op_type) if first else self.op_type]:
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

    def fused_activation(self) -> Activation | None:
        # A Clip has two bounds; the largest finite one in a file would change infinities.
        return Activation(RELU) if self.bounds() == (0, inf) else None

    def bounds(self) -> tuple[float, float] | None:
        """Return the interval that elements are clamped to, if the layer clamps."""
        if not self.with_scalar:
            return None
        match BINARY_OPS[self.op_type]:
            case "max":
                return self.b, inf
            case "min":
                return -inf, self.b
            case _:
                return None

    def memory(self) -> Memory:
        return Memory.IN_PLACE if self.with_scalar else Memory.OWN

    def formula(self, a: Term, b: Term | None = None) -> Term:
        word = BINARY_OPS[self.op_type]
        first, second = a, term(self.b) if b is None else b
        if word in _BINARY:
            return _BINARY[word](first, second)
        return _BINARY[word.removeprefix("r")](second, first)


def broadcast(a: Extents, b: Extents) -> Extents:
    """Return the result shape of BinaryOp for two shapes. The result is unknown for extents that do
    not fit: the runtime accepts them, and its result depends on packing."""
    a2, b2 = expand(a, b), expand(b, a)
    if a2 is None or b2 is None:
        return (UNKNOWN,) * max(len(a), len(b))
    return tuple(_extent(m, n) for m, n in zip(a2, b2, strict=True))


def _extent(m: Extent, n: Extent) -> Extent:
    if m == n or n == 1:
        return m
    if m == 1:
        return n
    undecided = UNKNOWN not in (m, n) and not (isinstance(m, int) and isinstance(n, int))
    return function("broadcast", frozenset((m, n))) if undecided else UNKNOWN


def expand(shape: Extents, other: Extents) -> Extents | None:
    """Return a shape expanded to the other's rank as BinaryOp does; `None` if this depends on a
    dynamic extent."""
    more, first = len(other) - len(shape), shape[0]
    if more <= 0:
        return shape
    if len(shape) > 1 or first == other[0]:
        return (*shape, *(1,) * more)
    if first == 1:
        return (1,) * len(other)
    undecided = not (isinstance(first, int) and isinstance(other[0], int))
    return None if undecided else (*(1,) * more, first)


def per_channel(constant: ConstantOp, axis: ChannelAxis) -> Any:
    """Return the constant's values in float64, one for all channels or one per channel, if it
    broadcasts so along that axis without changing the blob's shape; else `None`."""
    shape = static_shape_of(constant.output)
    if shape is None or not constant.has_values():
        return None
    if shape != (1,):  # rank 1 fits any blob
        if axis.shape is None or len(shape) > len(axis.shape):
            return None
        place = len(axis.shape) - 1 if axis.innermost else 0
        spread = expand(shape, (*axis.shape[:place], axis.channels, *axis.shape[place + 1 :]))
        if spread is None or any(n != 1 for i, n in enumerate(spread) if i != place):
            return None
        if spread[place] not in (1, axis.channels):
            return None
    values = constant.read()
    if values.dtype.kind != "f":
        return None
    return values.astype("f8").reshape(-1)


@layer
class EltwiseOp(HasFormula, KeepsElements, KeepsShape, VariadicLayer):
    """`y = op(x0, x1, …)`: product, sum (weighted by `coeffs` if given) or maximum.

    Shapes: blobs of one shape -> the same; if they differ, the shape of the first.
    """

    op_type = enum_param(0, ("prod", "sum", "max"), shown=True, within=(0, 2))
    coeffs = floats_param(1)

    NUM_INPUTS: ClassVar[Arity] = (2, None)

    def contract_violation(self, shapes: Sequence[Extents | None]) -> str | None:
        first, *others = [shape for shape in shapes if shape is not None] or [()]
        for shape in others:
            unlike = any(differ(m, n) for m, n in zip(first, shape, strict=False))
            if unlike or len(shape) != len(first):
                return "takes blobs of one shape"
        return None

    def other_flops(self) -> int | None:
        each = len(self.inputs) * (2 if self.coeffs else 1) - 1
        return product(each, elements(self.outputs[0]))

    def formula(self, *values: Term) -> Term:
        match self.op_type:
            case 0:
                return reduce(Term.__mul__, values)
            case 1 if not self.coeffs:
                return reduce(Term.__add__, values)
            case 1 if len(self.coeffs) >= len(values):
                pairs = zip(values, self.coeffs, strict=False)
                return reduce(Term.__add__, (affine(x, c, 0.0) for x, c in pairs))
            case 1:
                raise NoFormula(f"{len(self.coeffs)} coefficients for {len(values)} operands")
            case _:
                return reduce(maximum, values)
