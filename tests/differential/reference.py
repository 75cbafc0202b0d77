"""What a model gives by the reference semantics, whatever extents its inputs have.

Where it gives nothing, or something else than the runtime, a layer was given what its weights are
not for, and the runtime computes with whatever is there.
"""

from ncnn_opt.dialects.ncnn.function import input_name, output_names, outputs_of
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.interpreters.ncnn import NoSemantics
from ncnn_opt.interpreters.ncnn.layer_evaluation import evaluate
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import InterpretationError, VerifyException

from .runtime import Array, Blobs

REFUSALS = (
    NoSemantics, InterpretationError, VerifyException,
    ValueError, IndexError, ArithmeticError, MemoryError,
)  # fmt: skip
"""What a layer raises for blobs that it does not take."""


def fits(op: LayerOp, x: Array, *weights: Array) -> bool:
    """Whether there is a weight for each channel or element. (NumPy takes one for many, and the
    runtime reads what is behind it.)"""
    sizes = {weight.size for weight in weights}
    match op.LAYER_TYPE:
        case "BatchNorm" | "Scale" | "InstanceNorm" | "GroupNorm":
            return sizes <= {x.shape[0]}
        case "Bias":
            return x.ndim < 3 or sizes == {x.shape[0]}
        case "LayerNorm" | "RMSNorm":
            return 1 not in sizes or x.shape[-1] == 1
        case _:
            return True


def compute(module: ModuleOp, inputs: Blobs) -> Blobs | None:
    """The outputs of a model, `None` if a layer does not take its blobs. (`interpreters.run` takes
    only inputs of the extents that the file tells.)"""
    func = model_of(module)
    args = func.body.block.args
    values: dict[SSAValue, Array] = {arg: inputs[input_name(func, i)] for i, arg in enumerate(args)}
    try:
        for op in func.body.block.ops:
            if isinstance(op, LayerOp):
                operands = [values[value] for value in op.operands]
                if operands and not fits(op, *operands):
                    return None
                results = evaluate(op, operands)
                values.update(zip(op.results, results, strict=True))
    except REFUSALS:
        return None
    named = zip(output_names(func), outputs_of(func), strict=True)
    return {name: values[value] for name, (value, _) in named}
