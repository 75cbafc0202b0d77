"""All rules for a model. Those for its graph (readers of blobs, the depth of the recursion that
computes a blob) and for its weights are here."""

from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.ncnn.blob import element_count, static_shape_of
from ...dialects.ncnn.checks import INT_MAX
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.function import blobs_without_split, input_name
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import layers_of
from ..batches import is_batched
from ..element_sizes import ElementSizes
from .blobs import audit_blobs, audit_inputs
from .findings import DEFAULT_LIMIT, Finding, Findings, finding

DEEPEST = 4096
"""The largest number of layers in a chain: the runtime computes a blob by recursion over the layers
before it (src/net.cpp, `NetPrivate::forward_layer`), and the stack of a thread is finite."""


def audit(func: FuncOp, limit: int = DEFAULT_LIMIT) -> Findings:
    """Yield the bounds that a model violates. Shapes are those of the types. `limit` is the largest
    allocation in bytes."""
    yield from _audit_graph(func)
    yield from audit_inputs(func, limit)
    covered, sizes = not gaps(func), ElementSizes()
    for op in layers_of(func):
        yield from _audit_weights(op, limit)
        if not isinstance(op, ConstantOp) or op.is_layer():
            yield from audit_blobs(op, limit, covered, sizes)


def gaps(func: FuncOp) -> list[str]:
    """Return the reasons why only loading is audited, and not a run."""
    unknown = [
        f"the shape of input '{input_name(func, arg.index)}' is not known (--input-shape)"
        for arg in func.body.block.args
        if static_shape_of(arg) is None
    ]
    custom = [op for op in func.body.block.ops if isinstance(op, CustomOp)]
    batched = [op for op in func.body.block.ops if isinstance(op, LayerOp) and is_batched(op)]
    return [
        *unknown,
        *([f"the runtime has no layer '{custom[0].type.data}'"] if custom else []),
        *([f"{batched[0].label()} makes a batch of blobs"] if batched else []),
    ]


def _audit_graph(func: FuncOp) -> Findings:
    """Audit the edges between layers."""
    for name in blobs_without_split(func):
        yield Finding(
            f"blob '{name}'",
            "",
            "several layers read it without a Split; the runtime frees it after the first",
        )
    depths: dict[SSAValue, int] = {}
    for op in layers_of(func):
        depth = 1 + max((depths.get(value, 0) for value in op.operands), default=0)
        depths.update(dict.fromkeys(op.results, depth))
        if depth == DEEPEST + 1:
            yield finding(op, "", f"it ends a chain of more than {DEEPEST} layers")


def _audit_weights(op: LayerOp, limit: int) -> Findings:
    """Audit the weights of a layer."""
    if op.weights_are_dynamic():
        return
    slots = op.weight_slots()
    for name, value in op.weight_operands().items():
        if value is None or not isinstance(value.owner, ConstantOp):
            continue
        count = element_count(value)
        if count > INT_MAX:
            yield finding(op, f"weight '{name}'", f"{count:,} elements; an int32 counts them")
        elif 4 * count > limit:
            yield finding(op, f"weight '{name}'", f"{4 * count:,} bytes; the limit is {limit:,}")
        quantized = slots[name].quantized_by
        integers = isinstance(value.owner.output.type.element_type, IntegerType)
        if integers and not (quantized and getattr(op, quantized, 0)):
            yield finding(op, f"weight '{name}'", "its elements are int8; the layer reads float32")
