"""The layers that a part of a model needs, and the removal of all others."""

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.function import (
    add_input,
    blob_in,
    blobs_without_split,
    drop_input,
    name_at_producer,
    named,
    outputs_of,
    set_blobs_without_split,
    set_outputs,
)
from ...dialects.ncnn.lookup import find_layer
from ...dialects.ncnn.structure import InputOp, SplitOp


def cut(func: FuncOp, start: str | None, end: str | None) -> str:
    """Keep the layers that depend on layer `start` and that layer `end` needs (`CutModel`). Return
    a summary of the result as text. Raise `PassFailedException` for an unknown layer, or if no
    layer would be left."""
    part = _Cut(func)
    before = part.size()
    first = None if start is None else find_layer(func, start)
    last = None if end is None else find_layer(func, end)
    if isinstance(last, list):
        raise PassFailedException(f"'{end}' is an input: no layer would be left")
    if first is not None:
        part.keep_after(first)
    if last is not None:
        part.keep_before(last)
        if last not in part.kept:
            raise PassFailedException(f"layer '{end}' does not depend on '{start}'")
    if not part.kept:
        raise PassFailedException(f"no layer depends on input '{start}'")
    part.remove_rest(last)
    inputs = ", ".join(part.inputs()) or "none"
    outputs = ", ".join(blob_in(a) or name_at_producer(v) or "?" for v, a in outputs_of(func))
    return f"{part.size()} of {before} layers; inputs: {inputs}; outputs: {outputs or 'none'}"


class _Cut:
    """The kept layers of a function, and the rewrite that removes the others."""

    def __init__(self, func: FuncOp) -> None:
        self.func = func
        self.ops = [op for op in func.body.block.ops if not isinstance(op, ReturnOp)]
        self.kept = set(self.ops)
        self.start_inputs: set[SSAValue] = set()
        """The inputs at which the kept part starts."""

    def size(self) -> int:
        """Return the number of layers, without inputs and weights."""
        block = self.func.body.block
        layers = [op for op in block.ops if not isinstance(op, ReturnOp | InputOp)]
        return sum(not (isinstance(op, ConstantOp) and op.layer_name is None) for op in layers)

    def inputs(self) -> list[str]:
        """Return the names of the inputs."""
        attrs = self.func.arg_attrs
        return [] if attrs is None else [blob_in(a) or "?" for a in attrs.data]

    # -- selection of the kept layers

    def keep_after(self, start: Operation | list[BlockArgument]) -> None:
        """Keep the layers that depend on a layer, or on the blobs of an Input layer."""
        found: set[Operation] = set()
        if isinstance(start, Operation):
            found.add(start)
        else:
            self.start_inputs.update(start)
        values = {*self.start_inputs, *(r for op in found for r in op.results)}
        for op in self.ops:
            if op in found or any(v in values for v in op.operands):
                found.add(op)
                values.update(op.results)
        self.kept &= found

    def keep_before(self, end: Operation) -> None:
        """Keep the layers that a layer needs."""
        found = {end}
        for op in reversed(self.ops):
            if op in found:
                found.update(v.owner for v in op.operands if isinstance(v.owner, Operation))
        self.kept &= found

    def add_constants(self) -> None:
        """Keep the constants that kept layers read: operations that depend on no input. Also keep
        Input layers in the middle of the file that kept layers read."""
        fixed: set[Operation] = set()
        for op in self.ops:
            constant = all(v.owner in fixed for v in op.operands)
            if constant and op.results and not isinstance(op, InputOp):
                fixed.add(op)
        needed = {self.source(v) for op in self.kept for v in op.operands}
        for op in reversed(self.ops):
            if op in self.kept or not any(r in needed for r in op.results):
                continue
            if op in fixed or isinstance(op, InputOp):
                self.kept.add(op)
                needed.update(self.source(v) for v in op.operands)

    def source(self, value: SSAValue) -> SSAValue:
        """Return the input of the removed Splits that produce a value."""
        while isinstance(value, OpResult) and isinstance(split := value.op, SplitOp):
            if split in self.kept or split.inputs[0].type != value.type:
                break
            value = split.inputs[0]
        return value

    # -- removal of all other layers

    def remove_rest(self, end: Operation | None) -> None:
        """Remove all layers that are not kept, and update the function's inputs and outputs. `end`
        is the last kept layer; `None` to keep everything after the start."""
        own = set(self.kept)
        self.add_constants()
        start = self.start_inputs if end is None else set[SSAValue]()
        outputs = [(v, a) for v, a in outputs_of(self.func) if v.owner in own or v in start]
        self.read_inputs()
        set_outputs(self.func, outputs)
        for op in [op for op in self.ops if op in self.kept]:
            unread = [r for r in op.results if not self.is_read(r)]
            if not unread:
                continue
            if isinstance(op, SplitOp | InputOp) and op is not end:
                self.trim(op, unread)
            else:
                names = [name_at_producer(r) or r.name_hint or f"out{r.index}" for r in unread]
                ends = zip(unread, map(named, names), strict=True)
                set_outputs(self.func, [*outputs_of(self.func), *ends])
        self.drop()

    def read_inputs(self) -> None:
        """Add function arguments for the values that kept layers read from removed layers."""
        outside: set[SSAValue] = set()
        for op in [op for op in self.ops if op in self.kept]:
            sources = [self.source(v) for v in op.operands]
            if sources != list(op.operands):
                op.operands = sources
            outside.update(v for v in sources if isinstance(v, OpResult) and v.op not in self.kept)
        for value in [r for op in self.ops for r in op.results if r in outside]:
            name = name_at_producer(value) or value.name_hint or f"in{len(self.func.args)}"
            arg = add_input(self.func, value.type, name)
            arg.name_hint = value.name_hint
            for use in list(value.uses):
                if use.operation in self.kept:
                    use.operation.operands[use.index] = arg

    def is_read(self, value: SSAValue) -> bool:
        """Whether a kept layer reads a value, or the model returns it."""
        readers = [use.operation for use in value.uses]
        return any(op in self.kept or isinstance(op, ReturnOp) for op in readers)

    def trim(self, op: SplitOp | InputOp, unread: Sequence[SSAValue]) -> None:
        """Remove unread results from a Split or Input layer."""
        self.kept.discard(op)
        rest = [r for r in op.results if r not in unread]
        if isinstance(op, SplitOp) and len(rest) == 1 and rest[0].type == op.inputs[0].type:
            rest[0].replace_all_uses_with(op.inputs[0])
            return
        inputs = op.inputs if isinstance(op, SplitOp) else [op.inputs[r.index] for r in rest]
        properties = {k: v for k, v in op.properties.items() if k != "shape_hints"}
        new = type(op).make(inputs, {}, [r.type for r in rest], properties, op.attributes)
        name = None if op.layer_name is None else op.layer_name.data
        set_names(new, name, [names_of(op)[r.index] for r in rest])
        self.func.body.block.insert_op_before(new, op)
        for old, result in zip(rest, new.results, strict=True):
            result.name_hint = old.name_hint
            old.replace_all_uses_with(result)

    def drop(self) -> None:
        """Remove the layers that are not kept, and unused arguments."""
        for op in reversed(self.ops):
            if op not in self.kept:
                Rewriter.erase_op(op)
        for arg in list(self.func.args):
            if not arg.first_use:
                drop_input(self.func, arg)
        self.prune_shared_blobs()

    def prune_shared_blobs(self) -> None:
        """Remove blobs that no longer have several uses from the list of blobs that had several
        consumers without a Split."""
        values = [*self.func.args, *(r for op in self.func.body.block.ops for r in op.results)]
        names = {_name_of(self.func, v) for v in values if len(list(v.uses)) > 1}
        left = [name for name in blobs_without_split(self.func) if name in names]
        set_blobs_without_split(self.func, left)


def _name_of(func: FuncOp, value: SSAValue) -> str | None:
    if isinstance(value, BlockArgument):
        return None if func.arg_attrs is None else blob_in(func.arg_attrs.data[value.index])
    return name_at_producer(value)
