"""Layers and blobs by the names that the files give them, and what to say if there is none."""

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ..xdsl_extras.spelling import nearest
from .assembly import names_of
from .constant import ConstantOp
from .function import blob_in, input_layer, input_name, outputs_of
from .layer import LayerOp

_OF_LAYERS = ("ncnn", "fused", "pnnx")
"""The dialects whose operations are layers: named, as importing them takes time."""


def model_of(module: ModuleOp) -> FuncOp:
    """The function that is the model: the only one, or the one called `main`. Raises
    `PassFailedException` unless it is there and has one block that returns."""
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    if len(functions) > 1:
        functions = [func for func in functions if func.sym_name.data == "main"]
    if len(functions) != 1:
        raise PassFailedException("there is no function, or several and none called 'main'")
    func = functions[0]
    blocks = func.body.blocks
    if len(blocks) != 1 or not isinstance(func.body.block.last_op, ReturnOp):
        raise PassFailedException(f"function '{func.sym_name.data}' is not one block that returns")
    return func


def functions_of(module: ModuleOp) -> list[FuncOp]:
    """The functions of a module, in order."""
    return [op for op in module.ops if isinstance(op, FuncOp)]


def layers_of(func: FuncOp) -> list[LayerOp]:
    """The layers of a function of one block in program order, with their weights."""
    return [op for op in func.body.block.ops if isinstance(op, LayerOp)]


def is_lowered(func: FuncOp) -> bool:
    """Whether a function computes something, and has no layer any more."""
    ops = [op for op in func.body.block.ops if not isinstance(op, ReturnOp)]
    return bool(ops) and not any(op.dialect_name() in _OF_LAYERS for op in ops)


def find_layer(func: FuncOp, name: str) -> Operation | list[BlockArgument]:
    """The first layer of this name; for an Input layer at the head of a file the arguments that it
    gives. Raises `PassFailedException` with the nearest name if there is none."""
    heads: dict[str, list[BlockArgument]] = {}
    for i, arg in enumerate(func.body.block.args):
        heads.setdefault(input_layer(func, i) or input_name(func, i), []).append(arg)
    layers = {op.layer_name.data: op for op in reversed(_named_layers(func)) if op.layer_name}
    if name in layers:
        return layers[name]
    if name in heads:
        return heads[name]
    maker = next((op for op in layers.values() if name in names_of(op)), None)
    if maker is not None and maker.layer_name is not None:
        hint = f"; the blob of that name is made by layer '{maker.layer_name.data}'"
    else:
        hint = nearest(name, [*heads, *layers])
    raise PassFailedException(f"there is no layer '{name}'{hint}")


def find_blob(func: FuncOp, name: str) -> SSAValue:
    """The value whose blob has this name. Raises `PassFailedException` with the nearest name if
    there is none."""
    blobs: dict[str, SSAValue] = {}
    for blob, value in _blobs(func):
        blobs.setdefault(blob, value)
    if name in blobs:
        return blobs[name]
    layers = {op.layer_name.data: op for op in _named_layers(func) if op.layer_name}
    if name in layers and (made := [blob for blob in names_of(layers[name]) if blob]):
        hint = f"; the layer of that name makes {', '.join(repr(blob) for blob in made)}"
    else:
        hint = nearest(name, list(blobs))
    raise PassFailedException(f"there is no blob '{name}'{hint}")


def _named_layers(func: FuncOp) -> list[LayerOp]:
    return [op for op in layers_of(func) if op.layer_name]


def _blobs(func: FuncOp) -> Iterator[tuple[str, SSAValue]]:
    """Every blob of the model: inputs, then what layers make, then outputs of other names."""
    for i, arg in enumerate(func.body.block.args):
        yield input_name(func, i), arg
    for op in func.body.block.ops:
        if isinstance(op, ConstantOp) and op.layer_name is None:
            continue  # a weight
        if isinstance(op, LayerOp):
            for blob, result in zip(names_of(op), op.results, strict=True):
                if blob is not None:
                    yield blob, result
    for value, attrs in outputs_of(func):
        if (blob := blob_in(attrs)) is not None:
            yield blob, value
