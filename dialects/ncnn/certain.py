"""What is certain of a blob's extents, whatever those of the model's inputs are.

A file may say the extents of its inputs, and types follow from them, but the runtime takes blobs of
any size: a detector that was exported for 320x320 runs on 640x640 as well. A rewrite that depends
on an extent asks here, where the extents of inputs count for nothing and those of weights and
parameters do. The number of dims is what the types say.
"""

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Block, OpResult, SSAValue

from .blob import BlobType, shape_of
from .constant import ConstantOp
from .extents import AXES, blob_like, positive_axis
from .layer import LayerOp, Shape

DEPTH = 6
"""How many layers are looked back: what weights decide is near, and what inputs decide is not
found however far one looks."""


def certain_shape(value: SSAValue) -> Shape | None:
    """The extents of a blob, `DYNAMIC_INDEX` where inputs may decide; `None` if not even the number
    of dims is known."""
    return _Question().shape(value, DEPTH)


def certain_extents(value: SSAValue) -> dict[str, int] | None:
    """The same by axis, outermost first."""
    shape = certain_shape(value)
    axes = None if shape is None else AXES.get(len(shape))
    return None if axes is None or shape is None else dict(zip(axes, shape, strict=True))


def certain_extent(value: SSAValue, axis: int) -> int:
    """The extent of a blob along an axis; `DYNAMIC_INDEX` if it is not certain."""
    shape = certain_shape(value)
    place = None if shape is None else positive_axis(axis, len(shape))
    return DYNAMIC_INDEX if shape is None or place is None else shape[place]


def certainly_keeps_shape(op: LayerOp) -> bool:
    """Whether a layer's first result has the known extents of its first operand."""
    source, result = op.operands[0], op.results[0]
    # Types first: what they do not say is not certain either, and they cost nothing.
    return _are_known_and_equal(shape_of(source), shape_of(result)) and _are_known_and_equal(
        certain_shape(source), certain_shape(result)
    )


def _are_known_and_equal(a: Shape | None, b: Shape | None) -> bool:
    return a is not None and a == b and DYNAMIC_INDEX not in a


class _Question:
    """One question, and what was found on the way to its answer."""

    def __init__(self) -> None:
        self._found: dict[SSAValue, Shape] = {}

    def shape(self, value: SSAValue, depth: int) -> Shape | None:
        declared = shape_of(value)
        if declared is None or all(n == DYNAMIC_INDEX for n in declared):
            return declared
        if value not in self._found:
            found = self._follows(value, depth)
            unknown = (DYNAMIC_INDEX,) * len(declared)
            self._found[value] = unknown if found is None or len(found) != len(declared) else found
        return self._found[value]

    def _follows(self, value: SSAValue, depth: int) -> Shape | None:
        """The extents that follow from those of the operands of the layer before."""
        if not isinstance(value, OpResult) or depth == 0:
            return None
        op = value.op
        if isinstance(op, ConstantOp):
            return shape_of(value)
        if not isinstance(op, LayerOp):
            return None
        types: dict[SSAValue, Attribute] = {}
        for operand in op.operands:
            if not isinstance(operand.owner, ConstantOp):
                shape = self.shape(operand, depth - 1)
                types[operand] = operand.type if shape is None else blob_like(operand, shape)
        results = infer_types_from(op, types)
        if results is None or value.index >= len(results):
            return None
        return shape_of(results[value.index])


def infer_types_from(op: LayerOp, types: Mapping[SSAValue, Attribute]) -> Sequence[BlobType] | None:
    """`op.infer_types()`, as if operands had other types."""
    if all(value.type == type_ for value, type_ in types.items()):
        return op.infer_types()
    stand_ins = dict(zip(types, Block(arg_types=types.values()).args, strict=True))
    probe = type(op).create(
        operands=[stand_ins.get(value, value) for value in op.operands],
        result_types=op.result_types,
        properties=op.properties,
    )
    try:
        return probe.infer_types()
    finally:
        probe.drop_all_references()
