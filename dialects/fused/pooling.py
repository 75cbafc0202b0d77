"""Maxima and means over windows."""

from collections.abc import Sequence

from xdsl.dialects.builtin import AnyFloat, UnitAttr, f32
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
)
from xdsl.utils.str_enum import StrEnum

from ..shapes.tensors import TensorConstraint, element_of, shape_of
from ..shapes.terms import UNKNOWN, Extent, Extents
from ..shapes.windows import Window
from .assembly import Residuals, Signature
from .properties import int_values, ints_prop
from .window import Windowed, window_positions


class PoolKind(StrEnum):
    """The reduction over a window."""

    MAX = "max"
    AVG = "avg"


@irdl_attr_definition
class PoolKindAttr(EnumAttribute[PoolKind], SpacedOpaqueSyntaxAttribute):
    """The kind of a pooling: maximum or mean.

    Example: `#fused<pool_kind max>`
    """

    name = "fused.pool_kind"


@irdl_op_definition
class PoolOp(Windowed):
    """Pooling: the maximum or the mean of each window.

    Shapes: x `channels x …` -> `channels x …`; global: -> `channels`.
    Properties: kind (max, avg); kernel; strides; pads (before and after each axis);
    count_include_pad (a mean counts the padding); global (one window covers a whole channel);
    adaptive (the number of windows is the result's extent; along an axis of n elements, window i of
    m spans floor(i * n / m) to ceil((i + 1) * n / m)).
    Accumulator: f32; for integers, which support max only, their own type.
    Example: `%y = fused.pool max %x kernel [3, 3] strides [2, 2] : (…) -> …`
    """

    name = "fused.pool"

    input = operand_def(TensorConstraint())
    residuals = var_operand_def(TensorConstraint())

    kind = prop_def(PoolKindAttr)
    kernel = ints_prop()
    count_include_pad = opt_prop_def(UnitAttr)
    is_global = opt_prop_def(UnitAttr, prop_name="global")
    adaptive = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)
    custom_directives = (Residuals, Signature)
    assembly_format = """
    $kind $input custom<Residuals>($residuals, $residual_axes)
    (`kernel` $kernel^)? (`strides` $strides^)? (`pads` $pads^)?
    (`count_include_pad` $count_include_pad^)? (`global` $global^)? (`adaptive` $adaptive^)?
    attr-dict `:` custom<Signature>(type($input), type($residuals), type($result), $epilogue)
    """

    def is_max(self) -> bool:
        """Whether the kind is max."""
        return self.kind.data is PoolKind.MAX

    @classmethod
    def accumulator_of(cls, *elements: Attribute | None) -> Attribute | None:
        return f32 if isinstance(elements[0], AnyFloat) else elements[0]

    @classmethod
    def is_default(cls, name: str, attr: Attribute) -> bool:
        return name != "kernel" and super().is_default(name, attr)  # omitted: no window

    def spatial_rank(self) -> int | None:
        shape = shape_of(self.input)
        return None if shape is None else len(shape) - 1

    def window(self, extents: Sequence[Extent], kernel: Extents | None = None) -> Window[Extent]:
        rank = len(extents)
        own, strides = int_values(self.kernel), self.numbers("strides", rank)
        return Window(own, strides, (1,) * rank, self.pad_pairs(rank))

    def verify_anchor(self) -> None:
        floats = isinstance(element_of(self.input), AnyFloat)
        self.check(floats or self.is_max(), f"avg needs floats, not {element_of(self.input)}")
        whole = [name for name in ("is_global", "adaptive") if getattr(self, name) is not None]
        self.check(len(whole) < 2, "global and adaptive exclude each other")
        for name in ("kernel", "strides", "pads", "count_include_pad") if whole else ():
            self.check(getattr(self, name) is None, f"{name} has no effect here; remove it")
        self.check(bool(whole) or self.kernel is not None, "the kernel is missing")
        rank, own = self.spatial_rank(), shape_of(self.result)
        if rank is None:
            rank = None if own is None or self.is_global is not None else len(own) - 1
        if rank is not None:
            self.check(1 <= rank <= 3, f"pooling along {rank} axes; 1 to 3 are supported")
            self.check_lists(rank)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape = shapes[0]
        if self.is_global is not None:
            return [(UNKNOWN,) if shape is None else shape[:1]]
        if shape is None:
            return None
        channels, *extents = shape
        if self.adaptive is not None:
            return [(channels, *(UNKNOWN,) * len(extents))]
        return [(channels, *window_positions(self.window(extents), extents))]
