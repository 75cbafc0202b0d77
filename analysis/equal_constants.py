"""Detection of constants with equal values, for patterns."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from xdsl.ir import Attribute, Operation
from xdsl.pattern_rewriter import PatternRewriter

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.weights import HeldWeight


@dataclass
class Constants:
    """The constants that a walk has visited, by type and storage."""

    _visited: dict[Hashable, dict[ConstantOp, None]] = field(
        default_factory=lambda: defaultdict[Hashable, dict[ConstantOp, None]](dict)
    )
    _digests: dict[ConstantOp, tuple[Attribute, bytes]] = field(
        default_factory=dict[ConstantOp, tuple[Attribute, bytes]]
    )

    def equal_to(self, op: ConstantOp) -> Iterator[ConstantOp]:
        """Yield the visited constants with the type, storage and values of `op`; then mark `op` as
        visited. Read values only if type and storage are equal, at most once per constant."""
        visited = self._visited[op.parent, op.output.type, op.load_type]
        for other in list(visited):
            if other is not op and (other.value == op.value or self._same(op, other)):
                yield other
        visited[op] = None

    def _same(self, a: ConstantOp, b: ConstantOp) -> bool:
        return self._digest(a) == self._digest(b)

    def _digest(self, op: ConstantOp) -> bytes:
        from hashlib import blake2b  # few models have two candidates

        known = self._digests.get(op)
        if known is None or known[0] is not op.value:
            held = isinstance(op.value, HeldWeight)
            known = op.value, op.read().digest() if held else blake2b(op.read()).digest()
            self._digests[op] = known
        return known[1]

    def __call__(self, op: Operation) -> None:
        """Forget a removed operation."""
        if isinstance(op, ConstantOp):
            self._digests.pop(op, None)
            for visited in self._visited.values():
                visited.pop(op, None)


def constants_of(rewriter: PatternRewriter) -> Constants:
    """Return the constants that the walk of a rewriter has visited. (See `shapes_of`.)"""
    for handler in rewriter.operation_removal_handler:
        if isinstance(handler, Constants):
            return handler
    constants = Constants()
    rewriter.operation_removal_handler.append(constants)
    return constants
