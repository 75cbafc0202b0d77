"""Rules for blobs: shapes that follow, sizes within the limit, operands that fit their layer."""

from math import prod
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.ncnn.assembly import names_of
from ...dialects.ncnn.blob import extents_in, shape_of, static_shape_of
from ...dialects.ncnn.checks import INT_MAX
from ...dialects.ncnn.cost import mat_bytes
from ...dialects.ncnn.function import input_name
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.spatial import WindowParams, axes_of
from ...dialects.ncnn.weight_specs import pattern_text
from ...dialects.shapes.windows import HasWindow, NoWindow, Window
from ..element_sizes import ElementSizes, misread
from .contracts import CONTRACTS, bind
from .findings import Finding, Findings, finding
from .layers import RULES, problems

DATA_DEPENDENT = frozenset(
    {"DetectionOutput", "Proposal", "YoloDetectionOutput", "Yolov3DetectionOutput"}
)
"""The layer types whose number of outputs depends on values."""


def audit_inputs(func: FuncOp, limit: int) -> Findings:
    """Audit the declared extents of inputs."""
    for arg in func.body.block.args:
        if (problem := size_problem(arg, limit)) is not None:
            yield Finding(f"Input '{input_name(func, arg.index)}'", "shape", problem)


def audit_blobs(op: LayerOp, limit: int, covered: bool, sizes: ElementSizes) -> Findings:
    """Audit the operands and results of a layer. `covered`: the shapes of all inputs are known, so
    that the shapes of all blobs must be known. `sizes` are found once for all layers."""
    blobs = op.blobs_read()
    yield from audit_elements(op, sizes)
    shapes = [static_shape_of(value) for value in blobs]
    known = [shape for shape in shapes if shape is not None]
    if len(known) < len(shapes):
        if covered and not is_free(op):
            yield finding(op, "input", "its extents depend on values, so no bound is known")
        return
    contract = CONTRACTS.get(op.LAYER_TYPE, ())
    if bind(contract, known) is None:
        given = " and ".join(map(pattern_text, known))
        yield finding(op, "input", f"the layer takes {' and '.join(contract)}, and gets {given}")
        return
    for field, problem in problems(op, known):
        yield finding(op, field, problem)
    wanted = op.contract_violation([extents_in(value.type) for value in blobs]) if blobs else None
    if wanted is not None:
        given = " and ".join(pattern_text(shape_of(value) or ()) for value in blobs[:3])
        yield finding(op, "input", f"the layer {wanted}, and gets {given}")
        return
    for i, (name, result) in enumerate(zip(names_of(op), op.results, strict=True)):
        field = f"output '{name}'" if name else f"output {i}"
        if (problem := size_problem(result, limit)) is not None:
            yield finding(op, field, problem)
        elif covered and static_shape_of(result) is None and follows(op):
            yield finding(op, field, "no shape follows from the inputs and the parameters")
    yield from audit_window(op, limit)


def is_free(op: LayerOp) -> bool:
    """Whether a layer takes an input of any shape: it computes each element from one element."""
    plain = op.LAYER_TYPE not in RULES and op.LAYER_TYPE not in CONTRACTS
    return plain and op.keeps_shape() and not op.weight_operands() and len(op.data_operands()) == 1


def follows(op: LayerOp) -> bool:
    """Whether the shapes of a layer's results must follow from its operands."""
    operands = op.operands
    return op.LAYER_TYPE not in DATA_DEPENDENT and all(map(static_shape_of, operands))


def size_problem(value: SSAValue, limit: int) -> str | None:
    """Return the problem with the size of a blob, if any."""
    shape = shape_of(value) or ()
    if any(n != DYNAMIC_INDEX and not 0 < n <= INT_MAX for n in shape):
        return f"the extents {pattern_text(shape)} are not positive 32-bit integers"
    size = mat_bytes(value)
    return None if size is None else over(size, limit, f"a blob of {pattern_text(shape)}")


def over(size: int, limit: int, what: str) -> str | None:
    """Return the problem with an allocation of `size` bytes, if any."""
    return None if size <= limit else f"{what} has {size:,} bytes; the limit is {limit:,}"


def audit_window(op: LayerOp, limit: int) -> Findings:
    """Audit the padded input of a window, or the output of a transposed window before its pads are
    cut off."""
    shape = static_shape_of(op.operands[0]) if op.operands else None
    if not isinstance(op, HasWindow) or shape is None or getattr(op, "global_pooling", 0):
        return
    if getattr(op, "adaptive_pooling", 0):
        return
    axes = len(axes_of(cast(WindowParams, op)))
    if len(shape) <= axes:
        return
    try:
        window = op.window_on(shape[len(shape) - axes :])
    except NoWindow as e:
        yield finding(op, "pad", str(e))
        return
    if DYNAMIC_INDEX in window.kernel:
        return
    size = covered(window, shape)
    if (problem := over(size, limit, "the padded blob")) is not None:
        yield finding(op, "pad", problem)


def covered(window: Window[int], shape: tuple[int, ...]) -> int:
    """Return the bytes of a blob of this shape with the pads of a window."""
    pads = [before + after for before, after in window.pads]
    spatial = shape[len(shape) - len(pads) :]
    extents = [n + pad for n, pad in zip(spatial, pads, strict=True)]
    return 4 * prod(shape[: len(shape) - len(pads)]) * prod(extents)


def audit_elements(op: LayerOp, known: ElementSizes) -> Findings:
    """Find blobs of one or two bytes per element whose reader takes floats: it would read beyond
    their end."""
    for i, size in misread(op, known):
        yield finding(op, f"input {i}", f"its elements have {size} bytes; the layer reads 4")
