"""Which blob of a file each value of the IR is, and where a value needs several names.

In SSA a value has any number of uses; in a `.param` a blob has one producer and one consumer, and
a name. Names of inputs and outputs are fixed, other names are kept where they do not collide.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, BlockArgument, OpResult, SSAValue

from ..dialects.ncnn.assembly import names_of
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.structure import InputOp
from ..formats.errors import FormatError


class Names:
    """Hands out names that nothing else has."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = defaultdict(int)

    def unique(self, wanted: str) -> str:
        """`wanted`, or with a number behind it if that is taken."""
        name = wanted
        while name in self._taken:
            self._next[wanted] += 1
            name = f"{wanted}_{self._next[wanted]}"
        self._taken.add(name)
        return name

    def numbered(self, prefix: str) -> str:
        """The prefix with the first number, from 0 on, that makes a new name."""
        while True:
            name = f"{prefix}{self._next[prefix]}"
            self._next[prefix] += 1
            if name not in self._taken:
                self._taken.add(name)
                return name


@dataclass
class Fork:
    """The layer after a value that gives it several names."""

    type: str
    """`Split`, or `Noop` where there is one new name only."""
    bottom: str
    tops: list[str] = field(default_factory=list[str])


class BlobNames:
    """The blob names of a function's values.

    `use` must be called for the uses of a value in file order: each may be another blob.
    """

    def __init__(self, func: FuncOp, consumed: Sequence[SSAValue]) -> None:
        """`consumed` has a value once for each use as a blob by a layer."""
        self.block = func.body.block
        self.outputs = output_names(func)
        inputs = [
            None if stands_in_place(arg) else input_name(func, i)
            for i, arg in enumerate(self.block.args)
        ]
        reserved = [n for names in self.outputs.values() for n in names]
        reserved += [n for n in inputs if n is not None]
        for name, count in Counter(reserved).items():
            if count > 1 and not self._same_value(name, inputs):
                raise FormatError("", f"two inputs or outputs have the name '{name}'")
        self._names = Names(reserved)
        self._inputs: dict[SSAValue, str | None] = dict(zip(self.block.args, inputs, strict=True))
        self._shared = shared_blobs(func)
        self._uses: dict[SSAValue, int] = defaultdict(int)
        for value in consumed:
            self._uses[value] += 1
        self._own: dict[SSAValue, str] = {}
        self._queues: dict[SSAValue, deque[str]] = {}

    def _same_value(self, name: str, inputs: Sequence[str | None]) -> bool:
        """Whether an input that is also returned keeps its one name."""
        values = [v for v, names in self.outputs.items() if name in names]
        return (
            len(values) == 1
            and self.outputs[values[0]].count(name) == 1
            and isinstance(values[0], BlockArgument)
            and inputs[values[0].index] == name
        )

    def define(self, value: SSAValue, wanted: str | None) -> tuple[str, Fork | None]:
        """The name that the producer of a value gives it, and the fork that must follow."""
        uses = self._uses[value]
        outs = [n for n in self.outputs.get(value, []) if n != self._inputs.get(value)]
        if value in self._inputs:
            own = self._inputs[value] or self._names.unique(wanted or "input")
        elif len(outs) == 1 and uses == 0:
            own, outs = outs[0], []
        else:
            own = self._names.unique(wanted or "blob")
        self._own[value] = own
        if not outs and (uses <= 1 or own in self._shared):
            return own, None
        fork = Fork("Split" if uses + len(outs) > 1 else "Noop", own)
        for i in range(uses):
            fork.tops.append(self._names.unique(f"{own}_splitncnn_{i}"))
        self._queues[value] = deque(fork.tops)
        fork.tops.extend(outs)
        return own, fork

    def use(self, value: SSAValue) -> str:
        """The blob that the next use of a value reads."""
        queue = self._queues.get(value)
        return queue.popleft() if queue else self._own[value]


def stands_in_place(arg: SSAValue) -> bool:
    """Whether an argument's Input layer is an `ncnn.input` among the other layers."""
    uses = [use.operation for use in arg.uses]
    return len(uses) == 1 and isinstance(uses[0], InputOp)


def output_names(func: FuncOp) -> dict[SSAValue, list[str]]:
    """The names under which each value is returned."""
    terminator = func.body.block.last_op
    if not isinstance(terminator, ReturnOp):
        raise FormatError("", f"function '{func.sym_name.data}' does not end with func.return")
    names: dict[SSAValue, list[str]] = {}
    for i, value in enumerate(terminator.arguments):
        name = _string(func.res_attrs, i, "ncnn.blob") or _name_at_producer(value) or f"out{i}"
        names.setdefault(value, []).append(name)
    return names


def input_name(func: FuncOp, index: int) -> str | None:
    """The blob name of an argument."""
    hint = func.body.block.args[index].name_hint
    return _string(func.arg_attrs, index, "ncnn.blob") or hint or f"in{index}"


def input_layer(func: FuncOp, index: int) -> str | None:
    """The name of an argument's Input layer, if it is not the blob's."""
    return _string(func.arg_attrs, index, "ncnn.layer")


def input_params(func: FuncOp, index: int) -> DictionaryAttr | None:
    """The parameters of an argument's Input layer that its type does not say."""
    attrs = func.arg_attrs
    value = _attr(attrs, index, "ncnn.params")
    return value if isinstance(value, DictionaryAttr) else None


def shared_blobs(func: FuncOp) -> set[str]:
    """The blobs that the file had with several consumers and no Split."""
    attr = func.attributes.get("ncnn.shared_blobs")
    if not isinstance(attr, ArrayAttr):
        return set()
    names = cast(ArrayAttr[Attribute], attr)
    return {name.data for name in names if isinstance(name, StringAttr)}


def _name_at_producer(value: SSAValue) -> str | None:
    if isinstance(value, OpResult) and isinstance(value.op, LayerOp):
        return names_of(value.op)[value.index]
    return None


def _attr(attrs: ArrayAttr[DictionaryAttr] | None, index: int, key: str) -> Attribute | None:
    return None if attrs is None else attrs.data[index].data.get(key)


def _string(attrs: ArrayAttr[DictionaryAttr] | None, index: int, key: str) -> str | None:
    value = _attr(attrs, index, key)
    return value.data if isinstance(value, StringAttr) else None
