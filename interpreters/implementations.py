"""Semantics of operations as implementations for xDSL's interpreter."""

from collections.abc import Callable, Iterable
from typing import Any, cast

from xdsl.interpreter import Interpreter, InterpreterFunctions, PythonValues, impl, register_impls
from xdsl.ir import Operation


def functions_of(
    name: str,
    operations: Iterable[type[Operation]],
    evaluate: Callable[[Any, PythonValues], PythonValues],
) -> type[InterpreterFunctions]:
    """Return the implementations of these operations, all by one function of an operation and its
    operands' values."""

    def run(
        self: InterpreterFunctions, interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        return evaluate(op, args)

    methods = {f"run_{cls.__name__}": impl(cls)(run) for cls in operations}
    made = register_impls(type(name, (InterpreterFunctions,), methods))
    return cast(type[InterpreterFunctions], made)
