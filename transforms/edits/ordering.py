"""The order of inputs and outputs, and Input layers with several blobs."""

from collections.abc import Collection, Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.function import (
    Names,
    input_layer,
    input_name,
    inputs_of,
    named,
    outputs_of,
    set_outputs,
    signature_of,
    update_type,
)
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import layers_of
from ...dialects.ncnn.structure import InputOp, NoopOp
from ...dialects.xdsl_extras.spelling import nearest_or_all
from .naming import blob_names, layer_names


def groups_of(func: FuncOp, wanted: Sequence[str]) -> list[list[BlockArgument]]:
    """Return the arguments of each Input layer in the wanted order. Raise `PassFailedException`
    unless all inputs are named once."""
    inputs = inputs_of(func)
    names: list[list[str]] = []
    for text in wanted:
        names.append([text] if text in inputs else text.split("+"))
    _check_all([name for each in names for name in each], list(inputs), "input")
    return [[inputs[name] for name in each] for each in names]


def output_order(func: FuncOp, wanted: Sequence[str]) -> list[int]:
    """Return the positions of the outputs in the wanted order. Raise `PassFailedException` unless
    all outputs are named once."""
    outputs = signature_of(func).outputs
    _check_all(wanted, outputs, "output")
    return [outputs.index(name) for name in wanted]


def _check_all(wanted: Sequence[str], known: Sequence[str], what: str) -> None:
    remedy = {
        "input": "name all inputs",
        "output": "name all outputs; --cut-to removes some, --keep-blob adds some",
    }[what]
    for name in wanted:
        if name not in known:
            raise PassFailedException(
                f"there is no {what} '{name}'{nearest_or_all(name, known, f'{what}s')}"
            )
        if wanted.count(name) > 1:
            raise PassFailedException(f"{what} '{name}' is given twice")
    for name in known:
        if name not in wanted:
            raise PassFailedException(f"the order lacks the {what} '{name}': {remedy}")


# -- inputs


def order_inputs(func: FuncOp, groups: Sequence[Sequence[BlockArgument]]) -> None:
    """Order the arguments, with an Input layer for each group at the head of the file."""
    raise_input_ops(func)
    flat = [arg for group in groups for arg in group]
    blobs = {arg: input_name(func, arg.index) for arg in flat}
    layers = {arg: input_layer(func, arg.index) or blobs[arg] for arg in flat}
    used = Names(op.layer_name.data for op in layers_of(func) if op.layer_name is not None)
    data: list[DictionaryAttr] = []
    for group in groups:
        # The Input layer keeps its name if no other group has it.
        own, first = {layers[arg] for arg in group}, group[0]
        others = {layers[arg] for arg in layers if arg not in group}
        is_kept = len(own) == 1 and layers[first] not in others
        name = used.unique(layers[first] if is_kept else blobs[first])
        for arg in group:
            entry = {} if func.arg_attrs is None else dict(func.arg_attrs.data[arg.index].data)
            entry["ncnn.blob"] = StringAttr(blobs[arg])
            entry.pop("ncnn.layer", None)
            if name != blobs[arg]:
                entry["ncnn.layer"] = StringAttr(name)
            data.append(DictionaryAttr(entry))
    _permute_inputs(func, flat, data)


def permute_inputs(func: FuncOp, args: Sequence[BlockArgument]) -> None:
    """Order the arguments, and keep the Input layers: those among other layers stay there, and
    neighbours with the name of one layer are one layer."""
    data = [*(func.arg_attrs.data if func.arg_attrs else [DictionaryAttr({})] * len(args))]
    if list(args) != list(func.body.block.args):
        _permute_inputs(func, args, [data[arg.index] for arg in args])


def _permute_inputs(
    func: FuncOp, args: Sequence[BlockArgument], data: Sequence[DictionaryAttr]
) -> None:
    """Order the arguments, with these attributes."""
    block = func.body.block
    for arg in args:
        new = block.insert_arg(arg.type, len(block.args))
        new.name_hint, new.location = arg.name_hint, arg.location
        arg.replace_all_uses_with(new)
    for arg in args:
        block.erase_arg(arg)
    func.arg_attrs = ArrayAttr(data)
    update_type(func)


def raise_input_ops(func: FuncOp, names: Collection[str] | None = None) -> None:
    """Move Input layers that are among other layers to the head of the file: all of them, or those
    with an input of these names."""
    for op in [op for op in func.body.block.ops if isinstance(op, InputOp)]:
        if names is not None and not any(name in names for name in names_of(op)):
            continue
        for value, result, blob in zip(op.inputs, op.outputs, names_of(op), strict=True):
            assert isinstance(value, BlockArgument)
            attrs = {} if func.arg_attrs is None else dict(func.arg_attrs.data[value.index].data)
            if op.layer_name is not None and op.layer_name.data != blob:
                attrs["ncnn.layer"] = op.layer_name
            if op.extra is not None:
                attrs["ncnn.params"] = op.extra
            entries = [*(func.arg_attrs.data if func.arg_attrs else ())]
            entries[value.index] = DictionaryAttr(attrs)
            func.arg_attrs = ArrayAttr(entries)
            result.replace_all_uses_with(value)
        Rewriter.erase_op(op)


# -- outputs


def order_outputs(func: FuncOp, order: Sequence[int]) -> None:
    """Order the returned values, and the layers so that a file lists them in this order."""
    names, outputs = signature_of(func).outputs, outputs_of(func)
    set_outputs(func, [(outputs[i][0], named(names[i])) for i in order])
    last = -1
    for i in range(len(order)):
        position = _position(func, outputs_of(func)[i][0])
        if position <= last:
            _move_to_end(func, i)
            position = _position(func, outputs_of(func)[i][0])
        last = position


def _position(func: FuncOp, value: SSAValue) -> int:
    """Return the place of an output in the order of a file: its layer, then its result."""
    if isinstance(value, BlockArgument):
        return value.index
    assert isinstance(value, OpResult)
    block = func.body.block
    before = len(block.args)
    for op in block.ops:
        if op is value.op:
            return before + value.index
        before += max(1, len(op.results))
    raise AssertionError("the value is of another function")


def _move_to_end(func: FuncOp, index: int) -> None:
    """Write an output as the last one so far."""
    outputs, end = outputs_of(func), func.body.block.last_op
    assert end is not None
    value, attrs = outputs[index]
    only_returned = all(use.operation is end for use in value.uses)
    once = sum(other is value for other, _ in outputs) == 1
    if isinstance(value, OpResult) and len(value.op.results) == 1 and only_returned and once:
        if not isinstance(value.op, ConstantOp):
            value.op.detach()
            Rewriter.insert_op(value.op, InsertPoint.before(end))
            return
    name = signature_of(func).outputs[index]
    layers = Names(layer_names(func))
    _free_name(func, value, name)
    noop = NoopOp.make([value], {}, [value.type], {})
    set_names(noop, layers.unique(name), [name])
    noop.results[0].name_hint = value.name_hint
    Rewriter.insert_op(noop, InsertPoint.before(end))
    outputs[index] = noop.results[0], attrs
    set_outputs(func, outputs)


def _free_name(func: FuncOp, value: SSAValue, name: str) -> None:
    """Give the producer's blob another name, if it has this name, which its copy gets."""
    if not isinstance(value, OpResult) or not isinstance(op := value.op, LayerOp):
        return
    own = list(names_of(op))
    if own[value.index] == name:
        own[value.index] = Names(blob_names(func)).unique(f"{name}_noop")
        set_names(op, None if op.layer_name is None else op.layer_name.data, own)
