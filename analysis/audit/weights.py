"""Rules for weights: their elements, sizes and forms."""

from xdsl.dialects.builtin import IntegerType

from ...dialects.ncnn.blob import element_count
from ...dialects.ncnn.checks import INT_MAX
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.layer import LayerOp
from .findings import Findings, finding


def audit_weights(op: LayerOp, limit: int) -> Findings:
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
