"""The base of all fused operations: an anchor and its epilogue.

The anchor computes an accumulator for each element of the result. The epilogue, a region of scalar
operations, computes the element from it.

    %y = fused.conv %x weight %w bias %b residuals(%r) pads [1, 1, 1, 1] {name = "conv1"}
         : (…) -> tensor<64x56x56xf32> epilogue(%acc: f32, %r0: f32) {
      %0 = arith.addf %acc, %r0 : f32
      %1 = math.tanh %0 : f32
      fused.yield %1 : f32
    }

Residuals are further blobs whose elements the epilogue reads. They broadcast to the result. Each
axis of a residual maps to an axis of the result: the outermost ones in order, or the axes that
`residuals(%r at [1])` specifies. The residual is repeated along axes where its extent is 1 and
along axes that it lacks. So `tensor<64xf32>` is one value per channel, and `tensor<768xf32> at [1]`
is one value per column of a matrix.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Self, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerType,
    StringAttr,
)
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarOperand,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import IsolatedFromAbove, IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from ..shapes.analysis import InfersShapes, Shape, numbers
from ..shapes.tensors import (
    TensorConstraint,
    agree,
    element_of,
    extents_in,
    known,
    shape_of,
    shape_text,
)
from .properties import int_values, ints

SCALARS = ("arith", "math")
"""The dialects allowed in epilogues."""


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Terminate an epilogue with the result's element.

    Example: `fused.yield %0 : f32`
    """

    name = "fused.yield"

    value = operand_def()

    traits = traits_def(IsTerminator(), Pure())

    assembly_format = "$value attr-dict `:` type($value)"

    def __init__(self, value: SSAValue) -> None:
        super().__init__(operands=[value])


class FusedOp(IRDLOperation, InfersShapes, HasCanonicalizationPatternsInterface, ABC):
    """An anchor with an epilogue.

    The operands are the anchor's operands, then `residuals`. The epilogue block's arguments are the
    accumulator, if any, then one element of each residual, in the residual's element type.
    """

    layer_name = opt_prop_def(StringAttr, prop_name="name")
    """The name of the anchor's layer."""
    blob = opt_prop_def(StringAttr)
    """The name of the result, if it differs from the layer's name."""
    residual_axes = opt_prop_def(ArrayAttr[DenseArrayBase])
    """For each residual, the result axes that its own axes map to; empty for the outermost. Omitted
    if all are empty."""

    epilogue = region_def("single_block")
    result = result_def(TensorConstraint())

    traits = traits_def(Pure(), IsolatedFromAbove())

    if TYPE_CHECKING:
        residuals: VarOperand
        """The further blobs that the epilogue reads. Each operation declares them after its own
        operands."""

    @classmethod
    def of(
        cls,
        anchor: Sequence[SSAValue | None],
        result_type: Attribute,
        properties: Mapping[str, Attribute | None] | None = None,
        *,
        residuals: Sequence[SSAValue] = (),
        axes: Sequence[Sequence[int]] = (),
        epilogue: Region | None = None,
        attributes: Mapping[str, Attribute] | None = None,
    ) -> Self:
        """Build an operation from the anchor's operands (`None` for an omitted one), residuals and
        residual axes (empty: the outermost). Without `epilogue` the result is the accumulator."""
        places: list[Any] = [[] if value is None else [value] for value in anchor]
        given = cls.without_defaults(properties or {})
        op = cls.build(
            operands=[*places, list(residuals)],
            result_types=[result_type],
            properties={**given, "residual_axes": axes_attr(residuals, axes)},
            attributes=dict(attributes or {}),
            regions=[Region(Block())],
        )
        if epilogue is None:
            accumulator = op.accumulator_type()
            assert accumulator is not None, f"{cls.name} without an accumulator needs an epilogue"
            epilogue = identity(accumulator)
        op.detach_region(0)
        op.add_region(epilogue)
        return op

    # -- the anchor's interface

    @classmethod
    @abstractmethod
    def accumulator_of(cls, *elements: Attribute | None) -> Attribute | None:
        """Return the accumulator's type for these operand element types (`None`: omitted operand);
        `None` if there is no accumulator."""

    def accumulator_type(self) -> Attribute | None:
        """The type of the accumulator; `None` if there is none."""
        anchor = self.anchor_operands().values()
        return self.accumulator_of(*(None if v is None else element_of(v) for v in anchor))

    @classmethod
    def is_default(cls, name: str, attr: Attribute) -> bool:
        """Whether a property's value equals the value that its omission means."""
        return attr == cls.get_irdl_definition().properties[name].default_value

    @classmethod
    def without_defaults(cls, properties: Mapping[str, Attribute | None]) -> dict[str, Attribute]:
        """Return the canonical properties: without default values."""
        given = {k: v for k, v in properties.items() if v is not None and not cls.is_default(k, v)}
        if given.get("blob") == given.get("name"):
            given.pop("blob", None)
        return given

    def verify_anchor(self) -> None:
        """Check the operands and properties of the anchor. Raises `VerifyException`."""

    def anchor_operands(self) -> dict[str, SSAValue | None]:
        """Return the operands of the anchor by name; `None` for an omitted one."""
        names = [name for name, _ in type(self).get_irdl_definition().operands]
        return {name: getattr(self, name) for name in names if name != "residuals"}

    # -- the epilogue

    @property
    def block(self) -> Block:
        """The block of the epilogue."""
        return self.epilogue.block

    @property
    def accumulator(self) -> BlockArgument | None:
        """The epilogue's accumulator argument, if any."""
        return None if self.accumulator_type() is None else self.block.args[0]

    @property
    def residual_args(self) -> Sequence[BlockArgument]:
        """The epilogue's arguments for the residuals' elements."""
        return self.block.args[int(self.accumulator_type() is not None) :]

    @property
    def yielded(self) -> SSAValue:
        """The value that the epilogue yields."""
        return cast(YieldOp, self.block.last_op).value

    def only_accumulates(self) -> bool:
        """Whether there are no residuals and the epilogue yields the accumulator unchanged."""
        return len(self.block.args) == 1 and self.yielded is self.accumulator

    def axes_of(self, index: int) -> tuple[int, ...] | None:
        """Return the result axes that a residual's axes map to; `None` if its rank is not
        statically known."""
        axes = self.explicit_axes(index)
        if axes:
            return axes
        shape = shape_of(self.residuals[index])
        return None if shape is None else tuple(range(len(shape)))

    def explicit_axes(self, index: int) -> tuple[int, ...]:
        """Return the axes of a residual if they are not the outermost; else an empty tuple."""
        axes = () if self.residual_axes is None else int_values(self.residual_axes.data[index])
        return () if is_outermost(self.residuals[index], axes) else axes

    # -- names

    @property
    def blob_name(self) -> str | None:
        """The name of the result blob."""
        name = self.layer_name if self.blob is None else self.blob
        return None if name is None else name.data

    def set_names(self, layer: str | None, blob: str | None) -> None:
        """Set the names of the layer and its result."""
        self.layer_name = None if layer is None else StringAttr(layer)
        self.blob = None if blob is None or blob == layer else StringAttr(blob)

    def label(self) -> str:
        """Return the operation's name for messages: `fused.conv 'conv1'`."""
        return self.name if self.layer_name is None else f"{self.name} '{self.layer_name.data}'"

    # -- verification

    def check(self, holds: bool, what: str) -> None:
        """Raise `VerifyException` with `what` unless the condition holds."""
        if not holds:
            raise VerifyException(f"{self.label()}: {what}")

    def verify_(self) -> None:
        self.verify_anchor()
        own = shape_of(self.result)
        (inferred,) = self.infer_shapes([extents_in(v.type) for v in self.operands]) or (None,)
        follows = None if inferred is None else numbers(inferred)
        self.check(
            agree(own, follows),
            f"the result is {self.result.type}, but {shape_text(follows or ())} follows from the "
            "operands",
        )
        self._verify_residuals(own)
        self._verify_epilogue()

    def _verify_residuals(self, result: Shape | None) -> None:
        if self.residual_axes is not None:
            given, found = len(self.residual_axes), len(self.residuals)
            self.check(given == found, f"axes are given for {given} residuals, found {found}")
        for i, residual in enumerate(self.residuals):
            shape, axes = shape_of(residual), self.axes_of(i)
            if axes is None:
                continue
            which = f"residual {i} ({residual.type})"
            ordered = all(m < n for m, n in zip(axes, axes[1:], strict=False))
            self.check(ordered and axes[0] >= 0 if axes else True, f"{which} at {list(axes)}")
            if shape is not None:
                each = len(axes) == len(shape)
                self.check(each, f"{which} has {len(shape)} axes, {len(axes)} are given")
            if result is None:
                continue
            fits = not axes or axes[-1] < len(result)
            self.check(fits, f"{which} has more axes than the result ({self.result.type})")
            for axis, extent in zip(axes, shape or (), strict=False):
                wanted = result[axis]
                fits = extent == 1 or extent == wanted or not (known(extent) and known(wanted))
                self.check(
                    fits,
                    f"{which} does not broadcast to the result ({self.result.type}): {extent} "
                    f"along axis {axis}, not 1 or {wanted}",
                )

    def _verify_epilogue(self) -> None:
        accumulator = self.accumulator_type()
        types = [] if accumulator is None else [accumulator]
        types += [element_of(residual) for residual in self.residuals]
        own = list(self.block.arg_types)
        self.check(
            len(own) == len(types), f"the epilogue has {len(own)} arguments, not {len(types)}"
        )
        for i, (type_, wanted) in enumerate(zip(own, types, strict=True)):
            self.check(type_ == wanted, f"argument {i} of the epilogue is {type_}, not {wanted}")
        last = self.block.last_op
        if not isinstance(last, YieldOp):
            raise VerifyException(f"{self.label()}: the epilogue does not end with fused.yield")
        for op in self.block.ops:
            if op is not last:
                self._verify_scalar(op)
        made, wanted = last.value.type, element_of(self.result)
        self.check(made == wanted, f"the epilogue yields {made}, the result has {wanted}")

    def _verify_scalar(self, op: Operation) -> None:
        dialect = op.name.partition(".")[0]
        one = AnyFloat | IntegerType | IndexType
        scalar = len(op.results) == 1 and isinstance(op.result_types[0], one)
        scalar = scalar and dialect in SCALARS and not op.regions
        self.check(
            scalar, f"'{op.name}' in the epilogue is not a scalar operation of arith or math"
        )

    # -- patterns

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return _canonicalization_patterns(cls)


@cache
def _canonicalization_patterns(cls: type[FusedOp]) -> tuple[RewritePattern, ...]:
    # The one upward import: xDSL queries the operation for its patterns, which live in transforms/.
    from ...transforms.canonicalization.fused import patterns_for

    return patterns_for(cls)


def axes_attr(
    residuals: Sequence[SSAValue], axes: Sequence[Sequence[int]]
) -> "ArrayAttr[DenseArrayBase[Any]] | None":
    """Return the canonical property for residual axes (empty: the outermost)."""
    given = zip(residuals, axes or [()] * len(residuals), strict=True)
    lists = [() if is_outermost(residual, each) else each for residual, each in given]
    return ArrayAttr([ints(each) for each in lists]) if any(lists) else None


def is_outermost(residual: SSAValue, axes: Sequence[int]) -> bool:
    """Whether the axes equal a residual's default, the outermost axes."""
    shape = shape_of(residual)
    return shape is not None and list(axes) == list(range(len(shape)))


def identity(type_: Attribute) -> Region:
    """Return an epilogue that yields the accumulator unchanged."""
    block = Block(arg_types=[type_])
    block.args[0].name_hint = "acc"
    block.add_op(YieldOp(block.args[0]))
    return Region(block)
