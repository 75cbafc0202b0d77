"""All layers for xDSL's interpreter."""

from typing import Any, cast

from xdsl.interpreter import Interpreter, InterpreterFunctions, PythonValues, impl, register_impls

from ...dialects.ncnn import LAYERS
from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.layer import LayerOp
from .semantics import evaluate


def _run_layer(
    self: InterpreterFunctions, interpreter: Interpreter, op: LayerOp, args: PythonValues
) -> PythonValues:
    return evaluate(op, args)


def _methods() -> dict[str, Any]:
    return {f"run_{cls.__name__}": impl(cls)(_run_layer) for cls in (*LAYERS, CustomOp)}


NcnnFunctions = cast(
    type[InterpreterFunctions],
    register_impls(type("NcnnFunctions", (InterpreterFunctions,), _methods())),
)
"""The layers for xDSL's `Interpreter`. Values are NumPy arrays (see `semantics.Array`)."""
