"""The layers that run on the host, because tensor operations with statically known shapes and steps
cannot express them, and the pass that moves them into a module of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from ..dialects.fused import FusedOp
from ..dialects.ncnn.audio import InverseSpectrogramOp
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.detection import (
    DetectionOutputOp,
    ProposalOp,
    YoloDetectionOutputOp,
    Yolov3DetectionOutputOp,
)
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
from ..dialects.ncnn.pooling import PSROIPoolingOp, ROIAlignOp, ROIPoolingOp, SPPOp
from ..dialects.ncnn.reduction import ArgMaxOp
from ..dialects.ncnn.structure import InputOp
from ..transforms.rewriting.remarks import remark

HOST = "host"
"""The name of the module with the tail."""

TAIL = "tail"
"""The name of the tail's function."""

Blobs = Mapping[SSAValue, str]
"""Values with the names of their blobs, in order."""

_BOXES = "which boxes there are, and how many, depends on values"
_REGIONS = "which elements are read depends on values"

HOST_ONLY: Mapping[type[LayerOp], str] = {
    ProposalOp: _BOXES,
    DetectionOutputOp: _BOXES,
    YoloDetectionOutputOp: _BOXES,
    Yolov3DetectionOutputOp: _BOXES,
    ROIAlignOp: _REGIONS,
    ROIPoolingOp: _REGIONS,
    PSROIPoolingOp: _REGIONS,
    ArgMaxOp: "it sorts",
    SPPOp: "no reference semantics",
    InverseSpectrogramOp: "samples that overlap are added up at computed places",
}
"""Layer types that are not lowered because they run on the host, with the reasons."""


def host_reason(op: Operation) -> str | None:
    """Return the reason why an operation runs on the host; `None` if it can be lowered."""
    return HOST_ONLY.get(type(op)) if isinstance(op, LayerOp) else None


@dataclass(frozen=True)
class PartitionHostOps(ModulePass):
    """Move layers that have no linalg form, and all layers that depend on them, into a separate
    model that runs on the host (docs/native.md). The separate model is a module `@host` in the
    module, with the function `@tail`. The rest is for native code.

    - The remaining model returns the outputs that it computes and the blobs that the tail reads,
      under their names.
    - `@tail` takes these blobs, and the inputs of the model that it reads. It returns all outputs
      of the model in their order, including outputs that it takes. So both functions together
      compute the model. NumPy computes the tail; no pass lowers it to linalg.
    - Constants that the tail reads are copied.

    `drop=true` leaves the tail out, for other tools, which do not read layers: the blobs that it
    would read are the outputs.

    A layer that depends on such a layer must not read weights: it would be slow in NumPy. The pass
    fails and names that layer. It also fails if no layer remains. A model without such layers is
    unchanged.
    """

    name = "partition-host-ops"

    drop: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        outline(op, self.name)
        if self.drop:
            take_tail(op)


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
    """Move the tail of a model into a module of its own (`PartitionHostOps`). A remark names each
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
            op = value.owner
            own = op.blob_name if isinstance(op, FusedOp) else name_at_producer(value)
            given[value] = signature.names.unique(own or value.name_hint or "blob")
    return given


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
