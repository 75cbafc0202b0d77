"""Maxima and means over windows."""

from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, StringAttr, f32
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, operand_def, var_operand_def

from .fields import flag_field, int_values, ints_field, word_field
from .shapes import Shape, TensorConstraint, element_of, shape_of
from .window import Window, dims, slid

MAX, AVG = "max", "avg"


@irdl_op_definition
class PoolOp(Window):
    """Pooling: the maximum or the mean of each window.

    Shapes: x `channels x …` -> `channels x …`; global: -> `channels`.
    Properties: kind (max, avg), kernel, strides, pads (before and after each axis),
    count_include_pad (a mean counts the padding), global (one window, all of a channel), adaptive
    (as many windows as the result has elements; along an axis of n elements the window i of m is
    from floor(i * n / m) to ceil((i + 1) * n / m)).
    Accumulator: f32; for integers, which have maxima only, their own type.
    Example: `%y = fused.pool %x {kind = max, kernel = [3, 3], strides = [2, 2]} : (…) -> …`
    """

    name = "fused.pool"

    input = operand_def(TensorConstraint())
    residuals = var_operand_def(TensorConstraint())

    kind = word_field(MAX, AVG)
    kernel = ints_field(1)
    count_include_pad = flag_field()
    is_global = flag_field("global")
    adaptive = flag_field()

    FIELDS: ClassVar[tuple[str, ...]] = (
        "kind",
        "kernel",
        "strides",
        "pads",
        "count_include_pad",
        "global",
        "adaptive",
    )

    def is_max(self) -> bool:
        """Whether windows give their maximum, not their mean."""
        return self.kind == StringAttr(MAX)

    def accumulator_type(self) -> Attribute:
        element = element_of(self.input)
        return f32 if isinstance(element, AnyFloat) else element

    def spatial_rank(self) -> int | None:
        shape = shape_of(self.input)
        return None if shape is None else len(shape) - 1

    def verify_anchor(self) -> None:
        self.check(self.kind is not None, "it needs a kind: max or avg")
        floats = isinstance(element_of(self.input), AnyFloat)
        self.check(floats or self.is_max(), f"a mean of {element_of(self.input)}")
        whole = [name for name in ("is_global", "adaptive") if getattr(self, name) is not None]
        self.check(len(whole) < 2, "it is global or adaptive, not both")
        for name in ("kernel", "strides", "pads", "count_include_pad") if whole else ():
            self.check(getattr(self, name) is None, f"{name} is of no use here")
        self.check(bool(whole) or self.kernel is not None, "it needs a kernel")
        rank, own = self.spatial_rank(), shape_of(self.result)
        if rank is None:
            rank = None if own is None or self.is_global is not None else len(own) - 1
        if rank is not None:
            self.check(1 <= rank <= 3, f"pooling along {rank} axes")
            self.check_lists(rank, kernel=1)

    def result_shape(self) -> Shape | None:
        rank = self.spatial_rank()
        if self.is_global is not None:
            return (DYNAMIC_INDEX,) if rank is None else dims(self.input, 0)[:1]
        if rank is None:
            return None
        channels, *extents = dims(self.input, rank + 1)
        if self.adaptive is not None:
            return (channels, *(DYNAMIC_INDEX,) * rank)
        kernel, strides = int_values(self.kernel), self.steps("strides", rank)
        rows = zip(extents, kernel, strides, self.pad_pairs(rank), strict=True)
        return (channels, *(slid(*row) for row in rows))
