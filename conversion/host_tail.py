"""Moves the layers that run on the host into a module of their own, and takes that module out of
the model's."""

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from ..dialects.fused import FusedOp
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.function import (
    InterfaceNames,
    Output,
    add_input,
    name_at_producer,
    named,
    outputs_of,
    set_outputs,
    signature_of,
)
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.structure import InputOp
from ..transforms.rewriting.remarks import remark
from .to_linalg.host_layers import host_reason

HOST = "host"
"""The name of the module with the tail."""

TAIL = "tail"
"""The name of the tail's function."""

Blobs = Mapping[SSAValue, str]
"""Values with the names of their blobs, in order."""


def take_tail(module: ModuleOp) -> ModuleOp | None:
    """Detach the tail's module from a model's module, and return it. Return `None` for a model
    without a tail."""
    tail = host_module(module)
    if tail is not None:
        tail.detach()
    return tail


def host_module(module: ModuleOp) -> ModuleOp | None:
    """Return the tail's module in a model's module; `None` for a model without a tail."""
    for op in module.ops:
        if isinstance(op, ModuleOp) and op.sym_name is not None and op.sym_name.data == HOST:
            return op
    return None


def outline(module: ModuleOp, pass_name: str) -> None:
    """Move the tail of a model into a module of its own (`OutlineHostTail`). A remark names each
    layer that runs on the host only, with the reason. Raises `PassFailedException`."""
    func = model_of(module)
    found = {op: reason for op in func.body.block.ops if (reason := host_reason(op)) is not None}
    if not found:
        return
    moved = _followers(func, found)
    _check(func, moved, found)
    labels = [(_label(op), reason) for op, reason in found.items()]
    signature = signature_of(func)
    outputs = [v for v, _ in outputs_of(func)]
    given = _given(moved, outputs, signature)
    tail = FuncOp(TAIL, ([], []), Region(Block([ReturnOp()])))
    inside = copy_into(tail, moved, given)
    set_outputs(tail, _named([inside[v] for v in outputs], signature.outputs))
    native = [v for v in given if v not in signature.inputs]
    set_outputs(func, _named(native, [given[v] for v in native]))
    for op in reversed(moved):
        Rewriter.erase_op(op)
    for op in list(func.body.block.ops):
        if isinstance(op, ConstantOp) and not op.output.first_use:
            Rewriter.erase_op(op)
    module.body.block.add_op(ModuleOp([tail], sym_name=StringAttr(HOST)))
    for label, reason in labels:
        remark(pass_name, label, note=f"on the host: {reason}")


def _followers(func: FuncOp, first: Mapping[Operation, str]) -> list[Operation]:
    """Return operations and all operations that depend on them, in order."""
    found: list[Operation] = []
    values: set[SSAValue] = set()
    for op in func.body.block.ops:
        if op in first or (not isinstance(op, ReturnOp) and any(v in values for v in op.operands)):
            found.append(op)
            values.update(op.results)
    return found


def _check(func: FuncOp, moved: Sequence[Operation], first: Mapping[Operation, str]) -> None:
    """Raise `PassFailedException` if a layer that must not run on the host would do so."""
    for op in moved:
        if op not in first and any(_is_weight(v) for v in op.operands):
            head = _label(next(iter(first)))
            raise PassFailedException(
                f"{head} runs on the host, and {_label(op)} behind it would have to: it reads "
                "weights, which is slow there; cut the model in front of it"
            )
    left = [op for op in func.body.block.ops if isinstance(op, LayerOp | FusedOp)]
    if all(op in moved or isinstance(op, ConstantOp | InputOp) for op in left):
        label, reason = next((_label(op), reason) for op, reason in first.items())
        raise PassFailedException(
            f"{label} runs on the host ({reason}), and no layer is in front of it"
        )


def _is_weight(value: SSAValue) -> bool:
    return isinstance(value.owner, ConstantOp) and value.owner.layer_name is None


def _given(
    moved: Sequence[Operation], outputs: Sequence[SSAValue], signature: InterfaceNames
) -> Blobs:
    """Return the inputs of the tail: outputs of the model that the tail does not compute, then the
    values that it reads, except constants, which it copies."""
    inside = {v for op in moved for v in op.results}
    declared = dict(zip(reversed(outputs), reversed(signature.outputs), strict=True))
    given: dict[SSAValue, str] = {}
    for value in (*outputs, *(v for op in moved for v in op.operands)):
        if value in inside or value in given or isinstance(value.owner, ConstantOp):
            continue
        if value in signature.inputs:
            given[value] = signature.inputs[value]
        elif value in declared:
            given[value] = declared[value]
        else:
            given[value] = signature.names.unique(_blob_name(value))
    return given


def _blob_name(value: SSAValue) -> str:
    own = value.owner.blob_name if isinstance(value.owner, FusedOp) else name_at_producer(value)
    return own or value.name_hint or "blob"


def copy_into(tail: FuncOp, moved: Sequence[Operation], given: Blobs) -> dict[SSAValue, SSAValue]:
    """Copy operations, and the constants that they read, into a function with `given` as inputs.
    Return the copy of each value."""
    inside: dict[SSAValue, SSAValue] = {}
    for value, name in given.items():
        inside[value] = arg = add_input(tail, value.type, name)
        arg.name_hint = value.name_hint
    last = tail.body.block.last_op
    assert last is not None
    for op in moved:
        constants = [v.owner for v in op.operands if v not in inside]
        for each in (*(c for c in constants if isinstance(c, ConstantOp)), op):
            if each.results and each.results[0] in inside:
                continue
            copy = each.clone(inside)
            tail.body.block.insert_op_before(copy, last)
            inside.update(zip(each.results, copy.results, strict=True))
    return inside


def _named(values: Sequence[SSAValue], names: Sequence[str]) -> list[Output]:
    return [(value, named(name)) for value, name in zip(values, names, strict=True)]


def _label(op: Operation) -> str:
    return op.label() if isinstance(op, LayerOp | FusedOp) else op.name
