"""Plans of fused operations, the facts that plans of several layers need, and the operations that
are created from plans.

The functions that plan the operations of layers are in `convolution.py`, `linear.py` and
`pooling.py`, those of layers with int8 weights in `int8.py`; `lowering.py` lists these functions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, f32, i8
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.fused import ElementwiseOp, FusedOp, YieldOp
from ...dialects.fused.properties import ints
from ...dialects.ncnn.assembly import names_of
from ...dialects.ncnn.blob import run_time_element
from ...dialects.ncnn.convolution import Forward
from ...dialects.ncnn.deconvolution import Transposed
from ...dialects.ncnn.formulas import Arg, Term, widened
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.interfaces import HasFormula
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.pooling import Pool1D
from ...dialects.ncnn.spatial import axes_of
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.tensors import element_of, shape_of
from ...dialects.shapes.windows import NoWindow, Window
from ...transforms.rewriting.scalar_code import NotFused, appended_to, emit, missing_operations
from ..epilogues.constants import like
from ..epilogues.operands import EpilogueOperand, operands_of

ACC = Arg(0)
"""The accumulator in the code of an epilogue. The residuals are the arguments after it."""


@dataclass
class FusedOpPlan:
    """A fused operation to be created."""

    cls: type[FusedOp]
    operands: Sequence[SSAValue | None]
    """The operands of the anchor."""
    term: Term
    """The epilogue: `Arg(0)` is the accumulator if there is one; the residuals follow."""
    properties: Mapping[str, Attribute | None] = field(default_factory=dict[str, Attribute | None])
    residuals: Sequence[EpilogueOperand] = ()


Anchor: TypeAlias = Callable[[Any], FusedOpPlan]
"""Returns the plan for a layer. Raises `NotFused`, with the reason, if there is none."""


def elementwise_plan(op: HasFormula, shapes: Shapes) -> FusedOpPlan:
    """Return the plan for an element-wise layer: its formula, without an anchor. The first operand
    that has the shape of the result is the input. Raises `NotFused` and `NoFormula`."""
    if len({shape_of(v) is None for v in (op.results[0], *op.data_operands())}) > 1:
        raise NotFused("the rank of an operand or of the result is unknown")
    operands = operands_of(op, shapes)
    leading = next((operand for operand in operands if operand.leads), None)
    distinct = [] if leading is None else [leading]
    for operand in operands:
        if all(_place(operand) != _place(other) for other in distinct):
            distinct.append(operand)
    places = [_place(operand) for operand in distinct]
    args = [_argument(operand, places.index(_place(operand)), op) for operand in operands]
    first = None if leading is None else leading.value
    residuals = distinct[int(leading is not None) :]
    formula = op.formula(*args)
    for name in sorted(missing_operations(formula)):
        raise NotFused(f"there is no scalar operation for {name.partition('.')[2]}")
    return FusedOpPlan(ElementwiseOp, [first], formula, {}, residuals)


def _place(operand: EpilogueOperand) -> tuple[SSAValue, tuple[int, ...]]:
    """Return a key that is equal for operands whose elements are always equal."""
    return operand.value, operand.axes


def _argument(operand: EpilogueOperand, index: int, op: HasFormula) -> Term:
    element = run_time_element(operand.value)
    if element != f32 and not op.ANY_ELEMENTS:
        raise NotFused(f"elements of {element}")
    return argument(operand.value, index)


def argument(value: SSAValue, index: int) -> Term:
    """Return the element of an operand as layers read it: 16-bit floats are widened."""
    wider = run_time_element(value) != element_of(value)
    return widened(Arg(index)) if wider else Arg(index)


def check_rank(value: SSAValue, axes: str) -> None:
    """Raise `NotFused` for a blob whose known rank does not fit the axes of a window."""
    shape = shape_of(value)
    if shape is not None and len(shape) != len(axes) + 1:
        raise NotFused(f"an input of {len(shape)} dims for a window along {len(axes)} axes")


def window_of(op: Forward | Transposed | Pool1D) -> Window[int]:
    """Return the window of a layer for the type of its input. Raises `NotFused` if the window is
    not known, and for negative pads, which the runtime may cut off."""
    axes = axes_of(op)
    check_rank(op.input, axes)
    shape = shape_of(op.input)
    try:
        return op.window_on((DYNAMIC_INDEX,) * len(axes) if shape is None else shape[1:])
    except NoWindow as e:
        raise NotFused(str(e)) from e


def properties_of(window: Window[int]) -> dict[str, Attribute]:
    """Return the properties that all fused operations with a window have."""
    return {
        "strides": ints(window.strides),
        "pads": ints([n for pair in window.pads for n in pair]),
    }


def check_float(op: Forward | Transposed | InnerProductOp) -> None:
    """Raise `NotFused` unless input and weight are floats."""
    for what, value in (("input", op.input), ("weight", op.weight)):
        if not isinstance(element_of(value), AnyFloat):
            raise NotFused(f"an {what} of {element_of(value)}, and no scales")


def build(plan: FusedOpPlan, op: LayerOp) -> tuple[FusedOp, list[Operation]]:
    """Create the operation of a plan, with the names and the result type of a layer. Return it with
    the operations that must precede it. If the epilogue computes int8, the result is int8, even if
    the layer's type has floats. Raises `NotFused` for another element type."""
    result = op.results[0]
    fused = make(plan, result.type)
    made = fused.yielded.type
    if made not in (element_of(result), i8):
        fused.erase()
        raise NotFused(f"elements of {made}, the result has {element_of(result)}")
    if made == i8:
        Rewriter.replace_value_with_new_type(fused.result, like(result, i8))
    fused.set_names(op.layer_name.data if op.layer_name else None, names_of(op)[0])
    fused.attributes.update(op.attributes)
    owners = (v.owner for v in fused.operands)
    return fused, [op for op in owners if isinstance(op, Operation) and op.parent is None]


def make(plan: FusedOpPlan, result_type: Attribute) -> FusedOp:
    """Create the operation of a plan."""
    residuals = [operand.value for operand in plan.residuals]
    axes = [operand.axes for operand in plan.residuals]
    fused = plan.cls.of(
        plan.operands,
        result_type,
        plan.properties,
        residuals=residuals,
        axes=axes,
        epilogue=Region(Block()),
    )
    accumulator = fused.accumulator_type()
    types = [] if accumulator is None else [accumulator]
    block = Block(arg_types=[*types, *map(element_of, residuals)])
    hints = [*["acc"][: len(types)], *(operand.hint for operand in plan.residuals)]
    for arg, hint in zip(block.args, hints, strict=True):
        arg.name_hint = hint
    args = dict(enumerate(block.args))
    block.add_op(YieldOp(emit(plan.term, args, appended_to(block))))
    fused.detach_region(0)
    fused.add_region(Region(block))
    return fused
