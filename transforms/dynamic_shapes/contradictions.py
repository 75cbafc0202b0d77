"""Extents of a blob that contradict the layers which read it: no size of the inputs but that of the
export would fit."""

from collections.abc import Iterator, Sequence

from xdsl.ir import SSAValue

from ...dialects.ncnn.attention import RotaryEmbedOp, SDPAOp
from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.elementwise import BinaryOpOp, EltwiseOp
from ...dialects.ncnn.extents import positive_axis
from ...dialects.ncnn.joining import ConcatOp, SliceOp, TileOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.matmul import GemmOp, MatMulOp
from ...dialects.ncnn.pooling import Pool1D
from ...dialects.ncnn.resampling import InterpOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.shapes.terms import UNKNOWN, Extent, Extents, ExtentTerm
from .exported_model import ExportedModel

MAX_LAYERS = 64
"""The number of layers that are asked about a blob."""

UNDECIDED = (ReshapeOp, InterpOp, TileOp, SliceOp, CropOp, Pool1D)
"""Layers whose constants may become extents: their results are open."""

Shapes = Sequence[Extents | None]


def is_contradicted(model: ExportedModel, value: SSAValue, extents: Extents) -> bool:
    """Whether layers that read a blob of these extents, or a blob that other layers make of it,
    need equal extents that differ for some sizes of the inputs."""
    known: dict[SSAValue, Extents] = {value: extents}
    pending = [value]
    asked = 0
    while pending and asked < MAX_LAYERS:
        for use in pending.pop(0).uses:
            op = use.operation
            if not isinstance(op, LayerOp):
                continue
            asked += 1
            shapes = [known.get(v) or model.of(v) for v in op.operands]
            if any(_differ(a, b) for a, b in equal_extents(op, shapes)):
                return True
            if isinstance(op, UNDECIDED) or any(result in known for result in op.results):
                continue
            for result, found in zip(op.results, op.infer_shapes(shapes) or (), strict=False):
                if found is not None:
                    known[result] = found
                    pending.append(result)
    return False


def equal_extents(op: LayerOp, shapes: Shapes) -> Iterator[tuple[Extent, Extent]]:
    """Yield the extents of a layer's operands that must be equal."""
    match op:
        case SDPAOp() if not op.kv_cache:
            query, key, value, *others = shapes
            yield from _along(query, -1, key, -1)
            yield from _along(key, -2, value, -2)
            if op.attn_mask and others:
                yield from _unless_one(_along(others[0], -1, key, -2))
                yield from _unless_one(_along(others[0], -2, query, -2))
        case BinaryOpOp() | EltwiseOp():
            first, *others = shapes
            for other in others:
                if first is not None and other is not None and len(first) == len(other):
                    yield from _unless_one(zip(first, other, strict=True))
        case ConcatOp():
            first, *others = shapes
            axis = None if first is None else positive_axis(op.axis, len(first))
            for other in others:
                if first is not None and other is not None and len(first) == len(other):
                    pairs = [*zip(first, other, strict=True)]
                    yield from (pair for i, pair in enumerate(pairs) if i != axis)
        case RotaryEmbedOp():
            yield from _along(shapes[0], -2, shapes[1], -2)
        case MatMulOp():
            yield from _along(shapes[0], -1, shapes[1], -1 if op.transB else -2)
        case GemmOp() if op.constantB and op.constantK and not op.constantA:
            yield from _along(shapes[0], -2 if op.transA else -1, (op.constantK,), -1)
        case _:
            pass


def _along(
    first: Extents | None, axis: int, second: Extents | None, other: int
) -> Iterator[tuple[Extent, Extent]]:
    """Yield the extents of two blobs along an axis of each, counted from the innermost."""
    if first is not None and second is not None:
        if len(first) >= -axis and len(second) >= -other:
            yield first[axis], second[other]


def _unless_one(pairs: Iterator[tuple[Extent, Extent]]) -> Iterator[tuple[Extent, Extent]]:
    """Yield the pairs without an extent of 1, which is repeated."""
    return (pair for pair in pairs if 1 not in pair)


def _differ(a: Extent, b: Extent) -> bool:
    """Whether extents differ for some sizes of the inputs: both are computed from these sizes, and
    the normal forms differ."""
    return _is_given(a) and _is_given(b) and a != b


def _is_given(extent: Extent) -> bool:
    """Whether an extent is computed from sizes of the inputs alone."""
    if not isinstance(extent, ExtentTerm):
        return True
    atoms = {atom for monomial in extent.parts for atom in monomial}
    return extent is not UNKNOWN and all(
        atom.name == "symbol" and atom.args[0] in ("named", "size") for atom in atoms
    )
