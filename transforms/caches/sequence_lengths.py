"""The length of the sequence that a decoder was exported for, made dynamic."""

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument
from xdsl.utils.exceptions import PassFailedException

from ...analysis.shape_inference import drop_hints, infer
from ...dialects.ncnn.attention import Attention, MultiHeadAttentionOp
from ...dialects.ncnn.blob import shape_of
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.extents import ABSENT
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import layers_of
from ...dialects.ncnn.matmul import GemmOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.ncnn.weight_specs import Shape
from .step_axes import StepAxes

AXES = ("w", "h", "d", "c")

ELEMENT_WISE = ("BinaryOp", "Eltwise", "Concat")
"""Layers that combine rows of blobs."""


def exported_steps(ops: list[Attention]) -> int | None:
    """Return the number of steps that self-attentions were exported for, if it is known."""
    for op in ops:
        shape = shape_of(op.inputs[0])
        axis = 0 if isinstance(op, MultiHeadAttentionOp) else 1
        if shape is not None and len(shape) > axis and shape[axis] != DYNAMIC_INDEX:
            return shape[axis]
    gemms = (layer for op in ops for layer in _before(op))
    return next((g.constantM for g in gemms if isinstance(g, GemmOp) and g.constantM), None)


def _before(op: Attention) -> list[LayerOp]:
    """Return the layers before the query of an attention, nearest first, up to one of several
    inputs."""
    found: list[LayerOp] = []
    value = op.inputs[0]
    while isinstance(value.owner, LayerOp) and value.owner.operands:
        found.append(value.owner)
        value = value.owner.operands[0]
    return found


def make_steps_dynamic(func: FuncOp, steps: int | None, args: frozenset[BlockArgument]) -> None:
    """Make the layers that compute on `steps` steps of these inputs accept any number of steps.
    Raises `PassFailedException` with the layer that has no such form."""
    axes = StepAxes(args)
    for op in layers_of(func):
        if all(axes.of(v) is None for v in op.operands):
            continue
        axes.visit(op)
        if isinstance(op, GemmOp) and op.constantM and not op.constantA:
            op.set_params(constantM=0)
        elif isinstance(op, ReshapeOp) and (axis := axes.of(op.results[0])) is not None:
            _free(op, axis)
        _check_constants(op, steps)
    if steps is None:
        return
    drop_hints(func)
    infer(func, {arg: shape for arg in func.body.block.args if (shape := _freed(arg, steps, args))})


def _freed(arg: BlockArgument, steps: int, args: frozenset[BlockArgument]) -> Shape | None:
    """Return the shape of an input with dynamic steps, if it is declared. The inputs `args` have a
    row for each step; others are masks, which also have a column, and tables."""
    shape = shape_of(arg)
    if shape is None or steps not in shape:
        return None
    row = max(len(shape) - 2, 0)
    free = {row} if arg in args else {i for i, n in enumerate(shape) if n == steps}
    return tuple(DYNAMIC_INDEX if i in free and n == steps else n for i, n in enumerate(shape))


def _free(op: ReshapeOp, steps: int) -> None:
    """Infer the extent of a Reshape that is the number of steps, along this axis."""
    given = [axis for axis in AXES if getattr(op, axis) != ABSENT]
    place = given[-steps - 1]
    if getattr(op, place) in (-1, 0):
        return
    changes = {place: -1}
    if inferred := [axis for axis in given if getattr(op, axis) == -1]:
        shape = shape_of(op.results[0])
        extent = DYNAMIC_INDEX if shape is None else shape[-given.index(inferred[0]) - 1]
        if extent == DYNAMIC_INDEX:
            raise PassFailedException(
                f"{op.label()} infers another extent than the number of steps; give the shapes of "
                "the inputs with --input-shape"
            )
        changes[inferred[0]] = extent
    op.set_params(**changes, shape_hints=())


def _check_constants(op: LayerOp, steps: int | None) -> None:
    """Refuse a constant with a row for each step: later calls are for other steps."""
    if op.LAYER_TYPE not in ELEMENT_WISE:
        return
    for value in op.data_operands():
        constant = value.owner
        if not isinstance(constant, ConstantOp):
            continue
        shape = shape_of(value) or ()
        if len(shape) >= 2 and shape[-2] > 1 and shape[-2] == (steps or shape[-2]):
            raise PassFailedException(
                f"{op.label()} reads {constant.label()}, which has a row for each of {shape[-2]} "
                "steps, and the steps of later calls are others; make it an input of the model"
            )
