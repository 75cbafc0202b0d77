"""PNNX's IR as a source model."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from xdsl.ir import SSAValue

from ...dialects.pnnx.operations import GraphOp, OperatorOp, params_of
from ...dialects.pnnx.tensors import NAMES_IN_TORCH, shape_in_torch, tensor_parts
from .expressions import Call, Operand, call, parse
from .operators import call_function, call_module, module
from .source_steps import Array, SourceModel, SourceStep, StepError, as_tensor, is_sequence

Weight = Callable[[OperatorOp, str], Array]
"""The values of a weight of an operator, by key."""


def source_of(graph: GraphOp, origin: str, weight: Weight) -> SourceModel:
    """Return the steps of a PNNX graph. A function inside an expression is a step of its own, since
    the converter makes a layer of it."""
    inputs: list[str] = []
    types: list[tuple[tuple[int | None, ...] | None, str | None]] = []
    outputs: list[str] = []
    steps: list[SourceStep] = []
    names: dict[SSAValue, str] = {
        value: name
        for op in graph.operators()
        for name, value in zip(op.operand_names(), op.outputs, strict=True)
    }
    for op in graph.operators():
        read = tuple(names[value] for value in op.inputs)
        match op.type.data:
            case "pnnx.Input":
                for value in op.outputs:
                    parts = tensor_parts(value.type)
                    inputs.append(names[value])
                    dtype = None if parts is None else NAMES_IN_TORCH.get(parts[1])
                    types.append((None if parts is None else parts[0], dtype))
            case "pnnx.Output":
                outputs += read
            case "pnnx.Attribute":
                steps.append(_step(op, (), _attribute(op, weight)))
            case "pnnx.Expression":
                steps += _expression(op, read)
            case type_ if type_.startswith("nn."):
                steps.append(_step(op, read, _module(op, weight)))
            case _:
                steps.append(_step(op, read, _function(op)))
    return SourceModel(origin, inputs, steps, outputs, types)


def _step(op: OperatorOp, read: tuple[str, ...], compute: Callable[..., Any]) -> SourceStep:
    made = tuple(op.operand_names())
    shapes = {
        name: shape
        for name, value in zip(made, op.outputs, strict=True)
        if (shape := shape_in_torch(value.type)) is not None
    }

    def run(inputs: Sequence[Any]) -> Sequence[Any]:
        return results(compute(inputs), len(made))

    return SourceStep(op.type.data, op.layer.data, read, made, run, shapes)


def results(value: Any, count: int) -> Sequence[Any]:
    """Return `count` results of a function. PNNX omits results that nothing reads."""
    found: list[Any] = [*value] if is_sequence(value) else [value]
    if len(found) < count:
        raise StepError(f"PyTorch gives {len(found)} results, the file names {count}")
    return found[:count]


def _attribute(op: OperatorOp, weight: Weight) -> Callable[..., Any]:
    def compute(inputs: Sequence[Any]) -> Any:
        key = next(iter(op.weight_types()), None)
        if key is None:
            raise StepError("the attribute has no values")
        return (as_tensor(weight(op, key)),)

    return compute


def _module(op: OperatorOp, weight: Weight) -> Callable[..., Any]:
    made: list[Any] = []
    keys = _keys(op)

    def compute(inputs: Sequence[Any]) -> Any:
        if not made:
            weights = {key: as_tensor(weight(op, key)) for key in op.weight_types()}
            made.append(module(op.type.data, params_of(op), weights))
        return call_module(op.type.data, made[0], inputs, keys, len(op.outputs))

    return compute


def _function(op: OperatorOp) -> Callable[..., Any]:
    keys, params = _keys(op), params_of(op)

    def compute(inputs: Sequence[Any]) -> Any:
        return call_function(op.type.data, inputs, keys, params)

    return compute


def _keys(op: OperatorOp) -> list[str]:
    return [] if op.keys is None else [key.data for key in op.keys]


def _expression(op: OperatorOp, read: tuple[str, ...]) -> Iterator[SourceStep]:
    """Yield a step for each function in an expression, innermost first."""
    try:
        tree = parse(str(op.param("expr", "")))
    except StepError as e:
        reason = str(e)

        def fail(inputs: Sequence[Any]) -> Any:
            raise StepError(reason)

        yield _step(op, read, fail)
        return
    if not isinstance(tree, Call):
        inputs = read[tree.index : tree.index + 1] if isinstance(tree, Operand) else ()

        def same(inputs: Sequence[Any]) -> Sequence[Any]:
            return (inputs[0] if inputs else tree,)

        yield _step(op, inputs, same)
        return
    steps: list[SourceStep] = []
    _visit(op, read, tree, steps)
    *inner, last = steps
    yield from inner
    whole = _step(op, (), call)
    yield replace(last, name=whole.name, outputs=whole.outputs, shapes=whole.shapes)


def _visit(op: OperatorOp, read: tuple[str, ...], node: Any, steps: list[SourceStep]) -> Any:
    """Return the operand's name or the number of a node, after its steps are made."""
    if isinstance(node, Operand):
        if node.index >= len(read):
            raise StepError(f"the expression has no input @{node.index}")
        return _Name(read[node.index])
    if not isinstance(node, Call):
        return node
    arguments = [_visit(op, read, child, steps) for child in node.arguments]
    function = node.function
    made = f"{op.layer.data}:{len(steps) + 1}"

    def compute(inputs: Sequence[Any]) -> Any:
        values = iter(inputs)
        given = [next(values) if isinstance(a, _Name) else a for a in arguments]
        return (call(function, given),)

    operands = tuple(a for a in arguments if isinstance(a, _Name))
    name = f"{op.layer.data}: {function}"
    steps.append(SourceStep("pnnx.Expression", name, operands, (made,), compute))
    return _Name(made)


class _Name(str):
    """The name of an operand among numbers and texts."""
