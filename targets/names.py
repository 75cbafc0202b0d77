"""Which blob of a file each value of the IR is, and where a value needs several names.

In SSA a value has any number of uses; in a `.param` a blob has one producer and one consumer, and
a name. Names of inputs and outputs are fixed, other names are kept where they do not collide.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, SSAValue

from ..dialects.ncnn.assembly import names_of, with_text
from ..dialects.ncnn.function import blob_in, declared_input, name_at_producer, outputs_of
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
        inputs = input_values(func)
        # Declared names first, then what layers call the outputs, then what is left to choose.
        outputs = [(value, blob_in(attrs)) for value, attrs in outputs_of(func)]
        declared = [name for name in (*inputs.values(), *(name for _, name in outputs)) if name]
        self.outputs: dict[SSAValue, list[str]] = {}
        for value, name in outputs:
            if name is not None:
                self.outputs.setdefault(value, []).append(name)
        for name, count in Counter(declared).items():
            if count > 1 and not self._same_value(name, inputs):
                raise FormatError("", f"two inputs or outputs have the name '{name}'")
        self._names = Names(declared)
        for value, name in outputs:
            if name is None and (own := name_at_producer(value)) is not None:
                self.outputs.setdefault(value, []).append(self._names.unique(own))
            elif name is None:
                self.outputs.setdefault(value, []).append(self._names.numbered("out"))
        self._inputs = {
            value: name or self._names.unique(hinted(value)) for value, name in inputs.items()
        }
        self._shared = shared_blobs(func)
        self._uses: dict[SSAValue, int] = defaultdict(int)
        for value in consumed:
            self._uses[value] += 1
        self._own: dict[SSAValue, str] = {}
        self._queues: dict[SSAValue, deque[str]] = {}

    def _same_value(self, name: str, inputs: Mapping[SSAValue, str | None]) -> bool:
        """Whether an input that is also returned keeps its one name."""
        values = [v for v, names in self.outputs.items() if name in names]
        return (
            len(values) == 1
            and self.outputs[values[0]].count(name) == 1
            and inputs.get(values[0]) == name
        )

    def define(self, value: SSAValue, wanted: str | None) -> tuple[str, Fork | None]:
        """The name that the producer of a value gives it, and the fork that must follow."""
        uses = self._uses[value]
        outs = [n for n in self.outputs.get(value, []) if n != self._inputs.get(value)]
        if value in self._inputs:
            own = self._inputs[value]
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


def input_values(func: FuncOp) -> dict[SSAValue, str | None]:
    """What Input layers make, and the names that are declared for it: the arguments, or for one
    whose layer stands among others the result of its `ncnn.input`."""
    values: dict[SSAValue, str | None] = {}
    for arg in func.body.block.args:
        if not stands_in_place(arg):
            values[arg] = declared_input(func, arg.index)
    for op in func.body.block.ops:
        if isinstance(op, InputOp):
            values.update(zip(op.outputs, names_of(op), strict=True))
    return values


def hinted(value: SSAValue) -> str:
    """A name for an input that declares none: that in the text."""
    return value.name_hint or (f"in{value.index}" if isinstance(value, BlockArgument) else "in")


def stands_in_place(arg: SSAValue) -> bool:
    """Whether an argument's Input layer is an `ncnn.input` among the other layers."""
    uses = [use.operation for use in arg.uses]
    return len(uses) == 1 and isinstance(uses[0], InputOp)


def shared_blobs(func: FuncOp) -> set[str]:
    """The blobs that the file had with several consumers and no Split."""
    attr = func.attributes.get("ncnn.shared_blobs")
    if not isinstance(attr, ArrayAttr):
        return set()
    names = cast(ArrayAttr[Attribute], with_text(cast(ArrayAttr[Attribute], attr)))
    return {name.data for name in names if isinstance(name, StringAttr)}
