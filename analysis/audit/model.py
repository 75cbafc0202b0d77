"""All rules for a model."""

from xdsl.dialects.func import FuncOp

from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.function import input_name
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import layers_of
from ..batches import is_batched
from ..element_sizes import ElementSizes
from .blobs import audit_blobs, audit_inputs
from .findings import DEFAULT_LIMIT, Findings
from .graph import audit_graph
from .weights import audit_weights


def audit(func: FuncOp, limit: int = DEFAULT_LIMIT) -> Findings:
    """Yield the bounds that a model violates. Shapes are those of the types. `limit` is the largest
    allocation in bytes."""
    yield from audit_graph(func)
    yield from audit_inputs(func, limit)
    covered, sizes = not gaps(func), ElementSizes()
    for op in layers_of(func):
        yield from audit_weights(op, limit)
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
