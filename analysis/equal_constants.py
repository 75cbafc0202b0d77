"""Which MemoryData of a model have the same values, as a pattern asks for it."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from xdsl.ir import Attribute, Operation
from xdsl.pattern_rewriter import PatternRewriter

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.weights import HeldWeight


@dataclass
class Constants:
    """The constants that a walk has met, by what they may have in common."""

    _met: dict[Hashable, dict[ConstantOp, None]] = field(
        default_factory=lambda: defaultdict[Hashable, dict[ConstantOp, None]](dict)
    )
    _digests: dict[ConstantOp, tuple[Attribute, bytes]] = field(
        default_factory=dict[ConstantOp, tuple[Attribute, bytes]]
    )

    def like(self, op: ConstantOp) -> Iterator[ConstantOp]:
        """Those met before that have the type, storage and values of one, which has been met now.
        Values are read only where the rest is the same, each constant's once."""
        met = self._met[op.parent, op.output.type, op.load_type]
        for other in list(met):
            if other is not op and (other.value == op.value or self._same(op, other)):
                yield other
        met[op] = None

    def _same(self, a: ConstantOp, b: ConstantOp) -> bool:
        return self._digest(a) == self._digest(b)

    def _digest(self, op: ConstantOp) -> bytes:
        from hashlib import blake2b  # few models have two that could be the same

        known = self._digests.get(op)
        if known is None or known[0] is not op.value:
            held = isinstance(op.value, HeldWeight)
            known = op.value, op.read().digest() if held else blake2b(op.read()).digest()
            self._digests[op] = known
        return known[1]

    def __call__(self, op: Operation) -> None:
        """Forgets a removed operation."""
        if isinstance(op, ConstantOp):
            self._digests.pop(op, None)
            for met in self._met.values():
                met.pop(op, None)


def constants_of(rewriter: PatternRewriter) -> Constants:
    """The constants of the walk that a rewriter belongs to. (See `shapes_of`.)"""
    for handler in rewriter.operation_removal_handler:
        if isinstance(handler, Constants):
            return handler
    constants = Constants()
    rewriter.operation_removal_handler.append(constants)
    return constants
