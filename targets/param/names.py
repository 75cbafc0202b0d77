"""Assignment of blob names to values, and of forks where a value needs several names.

In SSA form a value has any number of uses; in a `.param` a blob has one producer, one consumer and
a name. Names of inputs and outputs are fixed; other names are kept unless they collide.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.ncnn.function import blobs_without_split, outputs_of, signature_of
from ...formats.errors import FormatError


@dataclass
class Fork:
    """The layer after a value that gives it several names."""

    type: str
    """`Split`, or `Noop` for a single new name."""
    bottom: str
    tops: list[str] = field(default_factory=list[str])


class BlobNames:
    """The blob names of a function's values.

    Call `use` for the uses of a value in file order: each may read another blob.
    """

    def __init__(self, func: FuncOp, consumed: Sequence[SSAValue]) -> None:
        """`consumed`: a value per use as a blob by a layer."""
        signature = signature_of(func)
        self._names, self._inputs = signature.names, signature.inputs
        self.outputs: dict[SSAValue, list[str]] = {}
        for (value, _), name in zip(outputs_of(func), signature.outputs, strict=True):
            self.outputs.setdefault(value, []).append(name)
        for name, count in Counter(signature.declared).items():
            if count > 1 and not self._same_value(name):
                raise FormatError("", f"two inputs or outputs have the name '{name}'")
        self._shared = {*blobs_without_split(func)}
        self._uses: dict[SSAValue, int] = defaultdict(int)
        for value in consumed:
            self._uses[value] += 1
        self._own: dict[SSAValue, str] = {}
        self._queues: dict[SSAValue, deque[str]] = {}

    def _same_value(self, name: str) -> bool:
        """Whether the name is an input's that is also returned under this name."""
        values = [v for v, names in self.outputs.items() if name in names]
        return (
            len(values) == 1
            and self.outputs[values[0]].count(name) == 1
            and self._inputs.get(values[0]) == name
        )

    def define(self, value: SSAValue, wanted: str | None) -> tuple[str, Fork | None]:
        """Return the producer's name for a value, and the fork that must follow."""
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
        """Return the blob that the next use of a value reads."""
        queue = self._queues.get(value)
        return queue.popleft() if queue else self._own[value]
