"""A model split into parts that follow each other in the file."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.function import (
    Names,
    blobs_without_split,
    input_name,
    named,
    outputs_of,
    set_blobs_without_split,
    signature_of,
    text_of,
)
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import find_blob, model_of
from ...dialects.ncnn.structure import InputOp, SplitOp
from ...targets.param.export import export_module
from ...targets.param.weights import slot_bytes
from .joining import PART_SPLIT
from .naming import blob_names

LATE = 0.8
"""The fraction of the size from which a part may end."""


def split(
    module: ModuleOp, at: Sequence[str], size: int | None, parts_count: int | None = None
) -> list[tuple[str, str]]:
    """Split the model of a module (`SplitModel`). Return the name of each part with a note. Raise
    `PassFailedException`."""
    func = model_of(module)
    ops = [op for op in func.body.block.ops if not isinstance(op, ReturnOp)]
    if parts_count is not None:
        ends = _ends_of_equal_parts(_Layers.of(module, ops), parts_count)
    else:
        ends = _ends_at(func, ops, at) if size is None else _Layers.of(module, ops).ends(size)
    bounds = [0, *dict.fromkeys(_behind_inputs(ops, end) for end in ends), len(ops)]
    owner = {op: i for i in range(len(bounds) - 1) for op in ops[bounds[i] : bounds[i + 1]]}
    _keep_weights_with_layers(ops, owner)
    parts = [_Part(func, ops, owner, i) for i in range(len(bounds) - 1)]
    functions = [part.make() for part in parts]
    place = InsertPoint.before(func)
    for made in functions:
        Rewriter.insert_op(made, place)
    Rewriter.erase_op(func)
    return [(f.sym_name.data, _note(f)) for f in functions]


def _behind_inputs(ops: Sequence[Operation], end: int) -> int:
    """Return the place behind the Input layers that follow. (At the head of the next part, their
    place among the layers would be lost.)"""
    while end < len(ops) - 1 and isinstance(ops[end], InputOp):
        end += 1
    return end


def _note(func: FuncOp) -> str:
    inputs = ", ".join(input_name(func, i) for i in range(len(func.body.block.args)))
    return f"inputs: {inputs or 'none'}; outputs: {', '.join(signature_of(func).outputs)}"


def _keep_weights_with_layers(ops: Sequence[Operation], owner: dict[Operation, int]) -> None:
    """Put weights into the part of the layer that reads them."""
    for op in ops:
        if _is_weight(op):
            users = [use.operation for result in op.results for use in result.uses]
            owner[op] = min((owner[u] for u in users if u in owner), default=owner[op])


def _ends_at(func: FuncOp, ops: Sequence[Operation], at: Sequence[str]) -> list[int]:
    """Return the places behind the layers that write these blobs."""
    ends: dict[int, str] = {}
    for name in at:
        value = find_blob(func, name)
        if isinstance(value, BlockArgument) or isinstance(value.owner, InputOp):
            raise PassFailedException(f"'{name}' is an input: no layer is before it")
        assert isinstance(value, OpResult)
        end = ops.index(value.op) + 1
        if end == len(ops):
            raise PassFailedException(f"the last layer writes '{name}': no layer is behind it")
        if end in ends:
            raise PassFailedException(f"one layer writes '{ends[end]}' and '{name}': name one")
        ends[end] = name
    return sorted(ends)


def _ends_of_equal_parts(layers: "_Layers", count: int) -> list[int]:
    """Return the places at which so many parts end, of which the largest is as small as possible:
    bisection over the size of parts. Raise `PassFailedException` for fewer layers with weights."""
    sizes = [size for _, size in layers.sizes]
    if sum(size > 0 for size in sizes) < count:
        raise PassFailedException(
            f"{count} parts need {count} layers with weights: there are "
            f"{sum(size > 0 for size in sizes)}; --split-at splits at any layer"
        )
    low, high = max(sizes), sum(sizes)
    while low < high:
        middle = (low + high) // 2
        if len(layers.ends(middle, late=1.0)) < count:
            high = middle
        else:
            low = middle + 1
    ends = layers.ends(low)
    if len(ends) >= count:
        ends = layers.ends(low, late=1.0)
    return layers.with_more(ends, count - 1)


class _Layers:
    """The layers of a model with the sizes of their weights."""

    def __init__(self, ops: Sequence[Operation], sizes: Sequence[tuple[int, int]]) -> None:
        self.ops = ops
        self.sizes = sizes
        """The place behind each layer, and the bytes of its weights."""
        index = {op: i for i, op in enumerate(ops)}
        self.last_use = [
            max((index.get(u.operation, len(ops)) for r in op.results for u in r.uses), default=i)
            for i, op in enumerate(ops)
        ]

    @staticmethod
    def of(module: ModuleOp, ops: Sequence[Operation]) -> "_Layers":
        """Return the layers of a module's model."""
        entries = export_module(module).weights
        weights = {constant: slot_bytes(constant, encoding) for constant, encoding, _ in entries}
        sizes: list[tuple[int, int]] = []
        i = 0
        while i < len(ops):
            stop = _layer_end(ops, i)
            own = sum(weights.get(op, 0) for op in ops[i:stop] if isinstance(op, ConstantOp))
            sizes.append((stop, own))
            i = stop
        return _Layers(ops, sizes)

    def ends(self, size: int, late: float = LATE) -> list[int]:
        """Return the places at which parts end whose weights have at most `size` bytes. Parts have
        at least the fraction `late` of the size that is possible. Raise `PassFailedException`."""
        ends: list[int] = []
        used, places, i = 0, list[tuple[int, int]](), 0
        while i < len(self.sizes):
            stop, own = self.sizes[i]
            if own > size:
                layer = self.ops[stop - 1]
                label = layer.label() if isinstance(layer, LayerOp) else "a layer"
                raise PassFailedException(
                    f"{label} alone has {own:,} bytes of weights: a larger size is needed"
                )
            if used + own > size:
                allowed = (place for place, bytes_ in places if bytes_ >= late * used)
                end = min(allowed, key=lambda place: (self.crossing(place), -place))
                ends.append(end)
                used, places = 0, []
                i = next(j for j, (place, _) in enumerate(self.sizes) if place == end) + 1
                continue
            used += own
            places.append((stop, used))
            i += 1
        return ends

    def crossing(self, end: int) -> int:
        """Return the number of operations before a place whose results are read behind it."""
        return sum(self.last_use[j] >= end for j in range(end) if not _is_weight(self.ops[j]))

    def with_more(self, ends: list[int], count: int) -> list[int]:
        """Return places with more of them, up to `count`: the largest part is split in the
        middle."""
        while len(ends) < count:
            bounds = [0, *ends, len(self.ops)]
            parts = [
                [(place, size) for place, size in self.sizes if a < place <= b and size]
                for a, b in zip(bounds, bounds[1:], strict=False)
            ]
            part = max((p for p in parts if len(p) > 1), key=lambda p: sum(size for _, size in p))
            half, used, place = sum(size for _, size in part) / 2, 0, part[0][0]
            for end, size in part[:-1]:
                used, place = used + size, end
                if used >= half:
                    break
            ends = sorted([*ends, place])
        return ends


def _is_weight(op: Operation) -> bool:
    """Whether an operation is a weight of layers, and no layer (MemoryData) itself."""
    return isinstance(op, ConstantOp) and op.layer_name is None


def _layer_end(ops: Sequence[Operation], start: int) -> int:
    """Return the place behind the next layer, whose weights precede it."""
    for i in range(start, len(ops)):
        if not _is_weight(ops[i]):
            return i + 1
    return len(ops)


class _Part:
    """A part of a function, as a function."""

    def __init__(
        self, func: FuncOp, ops: Sequence[Operation], owner: dict[Operation, int], index: int
    ) -> None:
        self.func, self.index = func, index
        self.own = [op for op in ops if owner[op] == index]
        self.inside = set(self.own)
        self.owner = owner
        self.signature = signature_of(func)

    def make(self) -> FuncOp:
        """Return the part as a function."""
        names: dict[SSAValue, SSAValue] = {}
        block = Block()
        attrs: list[DictionaryAttr] = []
        for value in self.inputs():
            arg = block.insert_arg(value.type, len(block.args))
            arg.name_hint = value.name_hint
            names[value] = arg
            attrs.append(self.attrs_of(value))
        for op in self.own:
            copy = op.clone(names)
            copy.location = op.location
            block.add_op(copy)
        outputs = self.outputs()
        block.add_op(ReturnOp(*(names[value] for value, _ in outputs)))
        types = [value.type for value in names.values() if isinstance(value, BlockArgument)]
        func = FuncOp(
            "main" if self.index == 0 else f"part{self.index + 1}",
            (types, [value.type for value, _ in outputs]),
            Region(block),
            arg_attrs=ArrayAttr(attrs) if attrs else None,
            res_attrs=ArrayAttr([named(name) for _, name in outputs]) if outputs else None,
        )
        self.keep_shared(func)
        _fork_shared_outputs(func)
        return func

    def inputs(self) -> list[SSAValue]:
        """Return the values that the part reads, arguments first, in their order."""
        args = [arg for arg in self.func.body.block.args if self.reads(arg)]
        unread = [arg for arg in self.func.body.block.args if not arg.first_use]
        if self.index == 0:
            args = [a for a in self.func.body.block.args if a in args or a in unread]
        made = [
            result
            for op, part in self.owner.items()
            if part < self.index
            for result in op.results
            if self.reads(result)
        ]
        return [*args, *made]

    def reads(self, value: SSAValue) -> bool:
        """Whether a layer of the part reads a value from outside."""
        return any(use.operation in self.inside for use in value.uses)

    def attrs_of(self, value: SSAValue) -> DictionaryAttr:
        """Return the attributes of an argument for a value."""
        if isinstance(value, BlockArgument) and self.func.arg_attrs is not None:
            data = self.func.arg_attrs.data[value.index].data
            return DictionaryAttr({**data, **named(input_name(self.func, value.index)).data})
        return named(self.name_of(value))

    def name_of(self, value: SSAValue) -> str:
        """Return the blob name of a value that crosses a boundary."""
        if isinstance(value, OpResult) and isinstance(value.op, LayerOp):
            name = names_of(value.op)[value.index]
            if name is not None:
                return name
        return f"blob_{value.name_hint or 'x'}"

    def outputs(self) -> list[tuple[SSAValue, str]]:
        """Return the values that later parts read and outputs of the model, with names."""
        found: list[tuple[SSAValue, str]] = []
        ends = list(zip(outputs_of(self.func), self.signature.outputs, strict=True))
        last = max(self.owner.values())
        for (value, _), name in ends:
            if isinstance(value, BlockArgument):
                if self.index == last:
                    raise PassFailedException(f"output '{name}' is an input; it cannot be split")
            elif value.owner in self.inside:
                found.append((value, name))
        for op in self.own:
            for result in op.results:
                later = [self.owner.get(use.operation, -1) > self.index for use in result.uses]
                if any(later) and not (isinstance(op, ConstantOp) and op.layer_name is None):
                    found.append((result, self.name_of(result)))
        return found

    def keep_shared(self, func: FuncOp) -> None:
        """Keep the list of blobs with several readers and no Split."""
        own = set(blob_names(func))
        shared = [name for name in blobs_without_split(self.func) if name in own]
        set_blobs_without_split(func, shared)


def _fork_shared_outputs(func: FuncOp) -> None:
    """Put a Split behind each blob that a layer of the part reads and that is an output: files have
    no other form. Joining removes it."""
    outputs, end = outputs_of(func), func.body.block.last_op
    assert end is not None
    count = 0
    for value, attrs in outputs:
        readers = [use for use in value.uses if use.operation is not end]
        if not readers or not isinstance(value, OpResult) or not isinstance(value.op, LayerOp):
            continue
        name = text_of(attrs.data["ncnn.blob"]) or ""
        names = Names(blob_names(func))
        own = list(names_of(value.op))
        if own[value.index] != name:
            continue  # an output of the model under another name has its Split already
        own[value.index] = names.unique(f"{name}_whole")
        layer = value.op.layer_name
        set_names(value.op, None if layer is None else layer.data, own)
        fork = SplitOp.make([value], {}, [value.type] * (len(readers) + 1), {})
        tops = [names.unique(f"{name}_part{i}") for i in range(len(readers))]
        set_names(fork, f"{PART_SPLIT}{count}", [*tops, name])
        count += 1
        Rewriter.insert_op(fork, InsertPoint.after(value.op))
        for use, result in zip(readers, fork.results, strict=False):
            use.operation.operands[use.index] = result
        end.operands = [fork.results[-1] if v is value else v for v in end.operands]
