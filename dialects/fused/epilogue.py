"""What all fused operations share: an anchor computes an accumulator for each element of the
result, and the epilogue, a region on scalars, makes the element of it.

    %y = fused.conv %x weight %w bias %b residuals(%r) pads [1, 1, 1, 1] {name = "conv1"}
         : (…) -> tensor<64x56x56xf32> epilogue(%acc: f32, %r0: f32) {
      %0 = arith.addf %acc, %r0 : f32
      %1 = math.tanh %0 : f32
      fused.yield %1 : f32
    }

Residuals are further blobs whose elements the epilogue sees. They broadcast: each axis of a
residual stands for an axis of the result, the outermost ones in order unless `residuals(%r at [1])`
says others; an extent of 1 is repeated, and so is the residual along the axes that it does not
have. So `tensor<64xf32>` is one value a channel, and `tensor<768xf32> at [1]` one a column of a
matrix.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Self, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    Float32Type,
    IndexType,
    IntegerType,
    StringAttr,
    f32,
    i8,
    i32,
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
"""The dialects that epilogues are written in."""


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends an epilogue with the element of the result.

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

    The operands are those of the anchor, then `residuals`. The block of the epilogue has the
    accumulator as its first argument, if there is one, then the element of each residual, in that
    residual's type.
    """

    layer_name = opt_prop_def(StringAttr, prop_name="name")
    """The name of the layer that the anchor came from."""
    blob = opt_prop_def(StringAttr)
    """The name of the result; left out where it is that of the layer."""
    residual_axes = opt_prop_def(ArrayAttr[DenseArrayBase])
    """For each residual the axes of the result that its own stand for; empty for the outermost.
    Left out where it is empty for all."""

    epilogue = region_def("single_block")
    result = result_def(TensorConstraint())

    traits = traits_def(Pure(), IsolatedFromAbove())

    if TYPE_CHECKING:
        residuals: VarOperand
        """The further blobs that the epilogue sees; each operation defines them, after its own."""

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
        """An operation with these operands of the anchor (`None` for one left out), residuals and
        the axes of each (none: the outermost). Without an epilogue the result is the
        accumulator."""
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

    # -- what an anchor says

    @classmethod
    @abstractmethod
    def accumulator_of(cls, *elements: Attribute | None) -> Attribute | None:
        """The type of the accumulator for these elements of the anchor's operands (`None`: it is
        left out); `None` if there is none."""

    def accumulator_type(self) -> Attribute | None:
        """The type of the accumulator; `None` if there is none."""
        anchor = self.anchor_operands().values()
        return self.accumulator_of(*(None if v is None else element_of(v) for v in anchor))

    @classmethod
    def is_default(cls, name: str, attr: Attribute) -> bool:
        """Whether a property says what it would if it were left out."""
        return attr == cls.get_irdl_definition().properties[name].default_value

    @classmethod
    def without_defaults(cls, properties: Mapping[str, Attribute | None]) -> dict[str, Attribute]:
        """The one form of properties: what is not the default."""
        given = {k: v for k, v in properties.items() if v is not None and not cls.is_default(k, v)}
        if given.get("blob") == given.get("name"):
            given.pop("blob", None)
        return given

    def verify_anchor(self) -> None:
        """Checks the operands and properties of the anchor. Raises `VerifyException`."""

    def anchor_operands(self) -> dict[str, SSAValue | None]:
        """The operands of the anchor by name, `None` for one left out."""
        names = [name for name, _ in type(self).get_irdl_definition().operands]
        return {name: getattr(self, name) for name in names if name != "residuals"}

    # -- the epilogue

    @property
    def block(self) -> Block:
        """The block of the epilogue."""
        return self.epilogue.block

    @property
    def accumulator(self) -> BlockArgument | None:
        """The accumulator in the epilogue, if there is one."""
        return None if self.accumulator_type() is None else self.block.args[0]

    @property
    def residual_args(self) -> Sequence[BlockArgument]:
        """The elements of the residuals in the epilogue."""
        return self.block.args[int(self.accumulator_type() is not None) :]

    @property
    def yielded(self) -> SSAValue:
        """The element of the result in the epilogue."""
        return cast(YieldOp, self.block.last_op).value

    def only_accumulates(self) -> bool:
        """Whether the result is the accumulator as it is, and nothing else is there."""
        return len(self.block.args) == 1 and self.yielded is self.accumulator

    def axes_of(self, index: int) -> tuple[int, ...] | None:
        """The axes of the result that those of a residual stand for; `None` if it is not known how
        many these are."""
        axes = self.explicit_axes(index)
        if axes:
            return axes
        shape = shape_of(self.residuals[index])
        return None if shape is None else tuple(range(len(shape)))

    def explicit_axes(self, index: int) -> tuple[int, ...]:
        """The axes of a residual, if they are not the outermost."""
        axes = () if self.residual_axes is None else int_values(self.residual_axes.data[index])
        return () if is_outermost(self.residuals[index], axes) else axes

    # -- names

    @property
    def blob_name(self) -> str | None:
        """The name of the result."""
        name = self.layer_name if self.blob is None else self.blob
        return None if name is None else name.data

    def set_names(self, layer: str | None, blob: str | None) -> None:
        """Names the layer and its result."""
        self.layer_name = None if layer is None else StringAttr(layer)
        self.blob = None if blob is None or blob == layer else StringAttr(blob)

    def label(self) -> str:
        """The operation as messages name it: `fused.conv 'conv1'`."""
        return self.name if self.layer_name is None else f"{self.name} '{self.layer_name.data}'"

    # -- verification

    def check(self, holds: bool, what: str) -> None:
        """Raises `VerifyException` with what is wrong, unless a condition holds."""
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
            self.check(given == found, f"axes of {given} residuals, there are {found}")
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
        scalar = len(op.results) == 1 and _is_scalar(op.result_types[0])
        scalar = scalar and dialect in SCALARS and not op.regions
        self.check(scalar, f"'{op.name}' in the epilogue is no arith or math of scalars")

    # -- patterns

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return _canonicalization_patterns(cls)


@cache
def _canonicalization_patterns(cls: type[FusedOp]) -> tuple[RewritePattern, ...]:
    # The one upward import: xDSL asks the operation for its patterns, which live apart.
    from ...transforms.canonicalization.fused import patterns_for

    return patterns_for(cls)


def _is_scalar(type_: Attribute) -> bool:
    return isinstance(type_, AnyFloat | IntegerType | IndexType)


def sums_of(*elements: Attribute | None) -> Attribute:
    """The type that products of these elements are summed in: i32 for int8, f32 for floats."""
    return i32 if all(isinstance(element, IntegerType) for element in elements) else f32


def check_products(op: FusedOp, *operands: SSAValue) -> None:
    """Checks that operands can be multiplied with each other: floats, or all of them int8."""
    elements = [element_of(v) for v in operands]
    floats = all(isinstance(e, AnyFloat) for e in elements)
    bytes_ = all(e == i8 for e in elements)
    op.check(floats or bytes_, f"products of {' and '.join(map(str, elements))}")


def check_bias(op: FusedOp, bias: SSAValue | None, outputs: int) -> None:
    """Checks that a bias has one value of the accumulator's kind for each output channel."""
    if bias is None:
        return
    element, accumulator = element_of(bias), op.accumulator_type()
    same = isinstance(element, AnyFloat) == isinstance(accumulator, Float32Type)
    op.check(same, f"a bias of {element} on sums of {accumulator}")
    op.check(
        agree(shape_of(bias), (outputs,)),
        f"the bias is {bias.type}, there are {shape_text((outputs,))} output channels",
    )


def axes_attr(
    residuals: Sequence[SSAValue], axes: Sequence[Sequence[int]]
) -> "ArrayAttr[DenseArrayBase[Any]] | None":
    """The property for these axes of residuals (none: the outermost), in its one form."""
    given = zip(residuals, axes or [()] * len(residuals), strict=True)
    lists = [() if is_outermost(residual, each) else each for residual, each in given]
    return ArrayAttr([ints(each) for each in lists]) if any(lists) else None


def is_outermost(residual: SSAValue, axes: Sequence[int]) -> bool:
    """Whether these are the axes that a residual stands for if none are given."""
    shape = shape_of(residual)
    return shape is not None and list(axes) == list(range(len(shape)))


def identity(type_: Attribute) -> Region:
    """An epilogue that gives the accumulator back."""
    block = Block(arg_types=[type_])
    block.args[0].name_hint = "acc"
    block.add_op(YieldOp(block.args[0]))
    return Region(block)
