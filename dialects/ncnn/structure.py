"""Layers that only route blobs: Input, Split, Noop, DeepCopy."""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, UnitAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import opt_prop_def
from xdsl.utils.exceptions import VerifyException

from ..shapes.analysis import Shapes
from ..shapes.terms import Extents
from .blob import UNRANKED, BlobType, blob, shape_of
from .checks import check
from .cost import Memory
from .interfaces import Forwarding
from .layer import Arity, KeepsElements, KeepsShape, LayerOp, SameShapeLayer, VariadicLayer, layer
from .params import ParamView, int_param


@layer
class InputOp(VariadicLayer):
    """The position of an Input layer among other layers in the file.

    `y = x` for each output, where x is an argument of the function. Input layers at the head of a
    file are arguments only.

    Shapes: any of 1 to 4 dims -> the same.
    Parameters: w, h, d, c (as the file gives them; 0 for unknown).
    """

    MEMORY: ClassVar[Memory] = Memory.VIEW

    w = int_param(0)
    h = int_param(1)
    d = int_param(11)
    c = int_param(2)

    NUM_INPUTS: ClassVar[Arity] = (0, None)
    NUM_OUTPUTS: ClassVar[Arity] = (0, None)
    REMOVABLE: ClassVar[bool] = False  # the inputs of a model and their order are kept

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        return shapes

    def infer_elements(self, elements: Sequence[Attribute]) -> Sequence[Attribute]:
        return elements


@layer
class SplitOp(Forwarding, KeepsElements, KeepsShape, VariadicLayer):
    """Gives a blob several names.

    Shapes: any -> the same, for each output.
    """

    MEMORY: ClassVar[Memory] = Memory.VIEW

    NUM_OUTPUTS: ClassVar[Arity] = (1, None)
    IGNORES_MORE: ClassVar[bool] = True

    def keeps_int8(self) -> bool:
        return True

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        return [self.inputs[0]] * len(self.outputs)


@layer
class NoopOp(Forwarding, VariadicLayer):
    """No operation: each output is the input at the same position.

    With `further_inputs` it is not a layer of the file: it carries the ignored inputs of the one
    layer that reads its output (see `bottoms_of`).

    Shapes: any -> the same. There may be fewer outputs than inputs, or none.
    """

    MEMORY: ClassVar[Memory] = Memory.IN_PLACE

    further_inputs = opt_prop_def(UnitAttr)

    NUM_INPUTS: ClassVar[Arity] = (0, None)
    NUM_OUTPUTS: ClassVar[Arity] = (0, None)

    def verify_layer(self) -> None:
        inputs, outputs = len(self.inputs), len(self.outputs)
        check(self, outputs <= inputs, f"{outputs} outputs, but only {inputs} inputs")

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        return shapes[: len(self.outputs)]

    def infer_elements(self, elements: Sequence[Attribute]) -> Sequence[Attribute]:
        return elements[: len(self.outputs)]

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        return self.inputs[: len(self.outputs)]


@layer
class DeepCopyOp(SameShapeLayer):
    """A copy of a blob in separate memory.

    Shapes: any -> the same.
    """

    MEMORY: ClassVar[Memory] = Memory.OWN


def carries_further_inputs(op: LayerOp) -> bool:
    """Whether an operation only carries further inputs of the layer that reads its output."""
    if not isinstance(op, NoopOp) or op.further_inputs is None or len(op.results) != 1:
        return False
    users = [use.operation for use in op.results[0].uses]
    if len(users) != 1 or not isinstance(users[0], LayerOp):
        return False
    return carries_further_inputs(users[0]) or users[0].ignores_more(users[0])


def bottoms_of(op: LayerOp) -> list[SSAValue]:
    """Return the input blobs of a layer as in a file: inputs, then dynamic weights, then further
    inputs, which the runtime ignores."""
    own: list[SSAValue] = []
    further: list[SSAValue] = []
    for value in op.blobs_read():
        maker = value.owner
        if isinstance(maker, NoopOp) and carries_further_inputs(maker):
            value, *others = bottoms_of(maker)
            further += others
        own.append(value)
    return own + further


def shape_of_extents(params: ParamView) -> tuple[int, ...] | None:
    """Return the row-major shape given by the parameters w, h, d and c; `None` if all are 0."""
    w, h, d, c = params.w, params.h, params.d, params.c
    for used, shape in ((d, (c, d, h, w)), (c, (c, h, w)), (h, (h, w)), (w, (w,))):
        if used:
            return shape
    return None


def input_type(params: ParamView) -> BlobType:
    """Return the type of an Input layer's blobs. An extent of 0 is dynamic."""
    shape = shape_of_extents(params)
    if shape is None or any(n < 0 for n in shape):
        return UNRANKED
    return blob([n or DYNAMIC_INDEX for n in shape])


EXTENT_IDS = {"w": 0, "h": 1, "d": 11, "c": 2}
"""The ids of an Input layer's parameters."""


def input_extents(type_: Attribute) -> dict[int, int]:
    """Return the parameters of an Input layer by id: the inverse of `input_type`.

    They are empty if no parameters express the type: without c (or d of a 4-D blob) they would give
    fewer dims. Raises `VerifyException` for more than 4 dims.
    """
    shape = [max(n, 0) for n in shape_of(type_) or ()]
    if len(shape) > 4:
        raise VerifyException(f"a blob has at most 4 dims, not {type_}")
    if len(shape) > 1 and not shape[1 if len(shape) == 4 else 0]:
        return {}
    axes = {0: "", 1: "w", 2: "hw", 3: "chw", 4: "cdhw"}[len(shape)]
    ids = [EXTENT_IDS[axis] for axis in axes]
    return {id: n for id, n in sorted(zip(ids, shape, strict=True)) if n}
