"""What is certain of a blob's extents, whatever those of the model's inputs are.

A file may say the extents of its inputs, and types follow from them, but the runtime takes blobs of
any size: a detector that was exported for 320x320 runs on 640x640 as well. A rewrite that depends
on an extent asks here, where the extents of inputs count for nothing and those of weights and
parameters do. How many dims an input has is what its type says.
"""

from collections.abc import Mapping, Sequence
from typing import cast
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, OpResult, SSAValue

from .blob import BlobType, blob, shape_of
from .constant import ConstantOp
from .extents import AXES, positive_axis
from .layer import LayerOp
from .slots import Shape


def certain_shape(value: SSAValue) -> Shape | None:
    """The extents of a blob, `DYNAMIC_INDEX` where inputs may decide; `None` if not even the number
    of dims is certain. (A Squeeze drops axes by their extents.)"""
    pending = [value]
    while pending:  # operands first; not by recursion: models are deeper than Python's stack
        op = _layer_to_ask(pending[-1])
        if op is None:
            pending.pop()
            continue
        operands = [v for v in op.operands if _layer_to_ask(v) is not None]
        if operands:
            pending += operands
        else:
            _find(op)
    return _shape(value)


def certain_rank(value: SSAValue) -> int | None:
    """The number of dims, `None` if it is not certain."""
    shape = certain_shape(value)
    return None if shape is None else len(shape)


def certain_extents(value: SSAValue) -> dict[str, int] | None:
    """The extents by axis, outermost first."""
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


_FOUND: WeakKeyDictionary[SSAValue, Shape | None] = WeakKeyDictionary()
"""What was found out, as long as the values live. It stays true, since a rewrite keeps what a value
means (one of another shape is another value). So each layer is asked once."""


def forget() -> None:
    """Forgets what was found out. For what makes inputs of values: what follows from the layers
    before these counts no longer."""
    _FOUND.clear()


def _layer_to_ask(value: SSAValue) -> LayerOp | None:
    """The layer before a value, if its answer is needed and not known yet."""
    if not isinstance(value, OpResult) or value in _FOUND or shape_of(value) is None:
        return None
    op = value.op
    return op if isinstance(op, LayerOp) and not isinstance(op, ConstantOp) else None


def _shape(value: SSAValue) -> Shape | None:
    """What is certain of a value, once the layer before it was asked."""
    declared = shape_of(value)
    if declared is None:
        return None
    if not isinstance(value, OpResult):
        return (DYNAMIC_INDEX,) * len(declared)
    return declared if isinstance(value.op, ConstantOp) else _FOUND.get(value)


def _find(op: LayerOp) -> None:
    """Asks a layer for its results, given what is certain of its operands."""
    types: dict[SSAValue, Attribute] = {}
    for operand in op.operands:
        if not isinstance(operand.owner, ConstantOp):
            element = cast(BlobType, operand.type).element_type
            types[operand] = blob(_shape(operand), element)
    results = infer_types_from(op, types) or ()
    found = [shape_of(type_) for type_ in results]
    for i, result in enumerate(op.results):
        shape, declared = found[i] if i < len(found) else None, shape_of(result)
        fits = shape is not None and declared is not None and len(shape) == len(declared)
        _FOUND[result] = shape if fits else None


def infer_types_from(op: LayerOp, types: Mapping[SSAValue, Attribute]) -> Sequence[BlobType] | None:
    """`op.infer_types()`, as if operands had other types."""
    return op.infer_types([types.get(value, value.type) for value in op.operands])
