"""Running a whole model on NumPy values by xDSL's interpreter."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.interpreter import Interpreter
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.exceptions import InterpretationError, VerifyException

from ..dialects.fused import FusedOp
from ..dialects.ncnn.assembly import names_of
from ..dialects.ncnn.blob import agree, shape_of
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.function import input_name, output_names, outputs_of
from ..dialects.ncnn.layer import LayerOp
from .errors import RunError
from .fused import FusedFunctions
from .ncnn import Array, NoSemantics, semantics_of
from .ncnn.functions import NcnnFunctions

_INPUT_ERRORS = (
    NoSemantics,
    InterpretationError,
    VerifyException,  # missing weights
    ValueError,
    IndexError,
    ArithmeticError,
    MemoryError,
)
"""The exceptions that invalid operands can cause in a layer; others are defects of this code."""


def make_interpreter(func: FuncOp, listeners: Sequence[Interpreter.Listener] = ()) -> Interpreter:
    """Return xDSL's interpreter for the operations of a model."""
    top = func.get_toplevel_object()
    module = top if isinstance(top, ModuleOp) else ModuleOp([])
    interpreter = Interpreter(module, listeners=tuple(listeners))
    interpreter.register_implementations(NcnnFunctions())
    interpreter.register_implementations(FusedFunctions())
    return interpreter


def run(
    func: FuncOp,
    inputs: Mapping[str, Array],
    blobs: Collection[str] | None = None,
    listeners: Sequence[Interpreter.Listener] = (),
) -> dict[str, Array]:
    """Return the values of blobs by name (default: the outputs) for inputs by name.

    Only the operations that these blobs need are computed, in function order; a value is freed
    after its last use. Listeners observe each operation. Inputs that the blobs do not need may be
    missing. An input's element type is the layer's: float32, or int32 for indices.

    Raises `RunError`, and `KeyError` for an unknown name.
    """
    return ModelRunner(func, blobs, listeners)(inputs)


class ModelRunner:
    """Runs a model several times, like `run`. The model must not be changed meanwhile."""

    def __init__(
        self,
        func: FuncOp,
        blobs: Collection[str] | None = None,
        listeners: Sequence[Interpreter.Listener] = (),
    ) -> None:
        known = blobs_of(func)
        self._wanted = {n: known[n] for n in (output_names(func) if blobs is None else blobs)}
        needed = _needed(self._wanted.values())
        self._operations = [op for op in func.body.block.ops if op in needed]
        for op in self._operations:
            if isinstance(op, LayerOp) and semantics_of(type(op)) is None:
                raise RunError(f"{op.label()}: it has no reference semantics")
        self._uses = Counter(value for op in self._operations for value in op.operands)
        self._uses.update(self._wanted.values())
        args = enumerate(func.body.block.args)
        self._inputs = {arg: input_name(func, i) for i, arg in args if arg in self._uses}
        self._interpreter = make_interpreter(func, listeners)

    def __call__(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        left = self._uses.copy()
        values: dict[SSAValue, Array] = {
            arg: _input(name, arg, inputs) for arg, name in self._inputs.items()
        }
        with np.errstate(all="ignore"):  # warnings are off, as in the runtime
            for op in self._operations:
                results = _run_op(self._interpreter, op, tuple(values[v] for v in op.operands))
                values.update(zip(op.results, results, strict=True))
                left.subtract(op.operands)
                for value in {*op.operands, *op.results}:
                    if left[value] == 0:
                        del values[value]
        return {name: values[value] for name, value in self._wanted.items()}


def run_by_layer(
    func: FuncOp,
    samples: Sequence[Mapping[str, Array]],
    visited: Collection[Operation],
    visit: Callable[[Operation, Sequence[Sequence[Array]]], None],
) -> None:
    """Compute the operations of a model for several inputs at once, operation by operation.

    `visit` is called before each of the `visited` operations, with the values of its blobs for each
    sample; it may change the operation. The last visited operation ends the run. Blobs are freed
    after their last use; weights are read for one operation at a time.

    Raises `RunError`.
    """
    needed = _needed([value for op in visited for value in op.operands])
    operations = [op for op in func.body.block.ops if op in needed or op in visited]
    left = Counter(value for op in operations for value in _blobs_read(op))
    all_values: list[dict[SSAValue, Array]] = [
        {
            arg: _input(input_name(func, i), arg, sample)
            for i, arg in enumerate(func.body.block.args)
            if arg in left
        }
        for sample in samples
    ]
    interpreter = make_interpreter(func)
    with np.errstate(all="ignore"):  # warnings are off, as in the runtime
        for op in operations:
            if isinstance(op, ConstantOp):
                continue  # read at its use
            read = _blobs_read(op)
            if op in visited:
                visit(op, [[values[v] for v in read] for values in all_values])
            if op in needed:
                _run_for_all(interpreter, op, all_values)
            left.subtract(read)
            for value in {*read, *op.results}:
                if left[value] == 0:
                    for values in all_values:
                        values.pop(value, None)


def _run_for_all(
    interpreter: Interpreter, op: Operation, samples: Sequence[dict[SSAValue, Array]]
) -> None:
    """Add the results of an operation to the values of each sample."""
    constants = {
        value: _run_op(interpreter, value.owner, ())[0]
        for value in op.operands
        if isinstance(value.owner, ConstantOp)
    }
    for values in samples:
        args = tuple(constants[v] if v in constants else values[v] for v in op.operands)
        results = _run_op(interpreter, op, args)
        values.update(zip(op.results, results, strict=True))


def _blobs_read(op: Operation) -> list[SSAValue]:
    """Return the operands of an operation that are not constants."""
    return [value for value in op.operands if not isinstance(value.owner, ConstantOp)]


def blobs_of(func: FuncOp) -> dict[str, SSAValue]:
    """Return the values with a blob name, in order: inputs, results, outputs. A duplicate name
    belongs to its first value."""
    blobs: dict[str, SSAValue] = {}
    for name, value in _named(func):
        blobs.setdefault(name, value)
    return blobs


def _named(func: FuncOp) -> Iterator[tuple[str, SSAValue]]:
    for i, arg in enumerate(func.body.block.args):
        yield input_name(func, i), arg
    for op in func.body.block.ops:
        names: Sequence[str | None] = ()
        if isinstance(op, LayerOp):
            names = names_of(op)
        elif isinstance(op, FusedOp):
            names = (op.blob_name,)
        yield from ((n, v) for n, v in zip(names, op.results, strict=False) if n is not None)
    for name, (value, _) in zip(output_names(func), outputs_of(func), strict=True):
        yield name, value


def _needed(values: Collection[SSAValue]) -> set[Operation]:
    """Return the operations that values depend on."""
    needed: set[Operation] = set()
    pending = list(values)
    while pending:
        value = pending.pop()
        if isinstance(value, OpResult) and value.op not in needed:
            needed.add(value.op)
            pending += value.op.operands
    return needed


def _input(name: str, arg: SSAValue, inputs: Mapping[str, Array]) -> Array:
    if name not in inputs:
        raise RunError(f"input '{name}' is missing; it is {arg.type}")
    value, shape = inputs[name], shape_of(arg)
    if not agree(value.shape, shape):
        wanted = "x".join("?" if n == DYNAMIC_INDEX else str(n) for n in shape or ())
        given = "x".join(map(str, value.shape))
        raise RunError(f"input '{name}' has shape {given}, the model takes {wanted}")
    return np.ascontiguousarray(value)


def _run_op(interpreter: Interpreter, op: Operation, args: tuple[Array, ...]) -> Sequence[Array]:
    try:
        return interpreter.run_op(op, args)
    except _INPUT_ERRORS as e:
        label, reason = _label(op), str(e) or type(e).__name__
        raise RunError(reason if reason.startswith(label) else f"{label}: {reason}") from e


def _label(op: Operation) -> str:
    """Return the label of an operation's layer; for a weight, of the layer that uses it."""
    if isinstance(op, ConstantOp) and op.layer_name is None and op.output.uses:
        return _label(next(iter(op.output.uses)).operation)
    return op.label() if isinstance(op, LayerOp | FusedOp) else op.name
