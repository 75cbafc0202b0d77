"""The channels-last layout of blobs.

A blob of shape `channels x … x h x w` has a channels-last copy of shape `h x w x channels x …`. A
convolution computes many channels of one pixel from the same few inputs, so vectors hold channels.
Then no vector ends inside a row, padding copies whole rows, strides skip whole vectors, and windows
need no columns. Layers compute channels-last copies where they can. The blob itself is the
transposed copy; it is removed where only copies are read.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.shapes.terms import Extents
from .builder import Builder

_T = TypeVar("_T")


def channels_last(axes: Sequence[_T]) -> tuple[_T, ...]:
    """Return one item per axis of a blob in the order of its channels-last copy."""
    return (*axes[-2:], *axes[:-2])


def channels_first(axes: Sequence[_T]) -> tuple[_T, ...]:
    """Return one item per axis of a channels-last copy in the order of the blob."""
    return (*axes[2:], *axes[:2])


class ChannelsLastCopies:
    """The channels-last copies of blobs; each blob is transposed at most once."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._copies: dict[SSAValue, SSAValue] = {}

    def find(self, blob: SSAValue) -> SSAValue | None:
        """Return the copy of `blob`; `None` if it has none yet."""
        copy = self._copies.get(blob) or _transposed_from(blob, channels_first)
        if copy is not None:
            self._copies[blob] = copy
        return copy

    def of(self, blob: SSAValue, shape: Extents) -> SSAValue:
        """Return the copy of `blob`, a tensor of `shape`. Create it if necessary."""
        copy = self.find(blob)
        if copy is None:
            order = channels_last(range(len(shape)))
            copy = self._copies[blob] = self._builder.transpose(blob, shape, order)
        return copy

    def blob_of(self, copy: SSAValue, shape: Extents) -> SSAValue:
        """Create the blob of `shape` whose copy is `copy`."""
        order = channels_first(range(len(shape)))
        blob = self._builder.transpose(copy, channels_last(shape), order)
        self._copies[blob] = copy
        return blob


def _transposed_from(
    value: SSAValue, order: Callable[[Sequence[int]], tuple[int, ...]]
) -> SSAValue | None:
    """Return the tensor that `value` transposes by this order of the axes; `None` for others."""
    op = value.owner
    if not isinstance(op, linalg.TransposeOp):
        return None
    permutation = op.permutation.get_values()
    rank = len(permutation)
    return op.inputs[0] if rank > 2 and permutation == order(range(rank)) else None


def remove_unused(block: Block) -> None:
    """Remove transpositions that undo others, then tensor operations without users.

    xDSL's dead-code elimination cannot do this: xDSL's linalg operations declare no memory effects.
    """
    for op in list(block.ops):
        if isinstance(op, linalg.TransposeOp):
            copy = _transposed_from(op.res[0], channels_last)
            original = None if copy is None else _transposed_from(copy, channels_first)
            if original is not None:
                op.res[0].replace_all_uses_with(original)
    for op in reversed(list(block.ops)):
        if op.dialect_name() in ("linalg", "tensor") and not any(r.uses for r in op.results):
            Rewriter.erase_op(op)
