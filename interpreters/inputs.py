"""The readers of a model's inputs, which determine their element types."""

from collections.abc import Iterator

from xdsl.ir import SSAValue, Use

from ..dialects.ncnn.embedding import EmbedOp
from ..dialects.ncnn.structure import InputOp, NoopOp, SplitOp


def is_embedding_index(value: SSAValue) -> bool:
    """Whether an Embed reads a value: its elements are then int32, regardless of its type."""
    return next(lookups(value), None) is not None


def lookups(value: SSAValue) -> Iterator[EmbedOp]:
    """Yield the Embed layers that read a value."""
    for use in readings(value):
        if isinstance(use.operation, EmbedOp):
            yield use.operation


def readings(value: SSAValue) -> Iterator[Use]:
    """Yield the uses of a value, also through layers that only forward it."""
    for use in value.uses:
        user = use.operation
        if isinstance(user, InputOp):  # each input is the result of the same index
            yield from readings(user.results[use.index])
        elif isinstance(user, SplitOp | NoopOp):
            for result in user.results:
                yield from readings(result)
        else:
            yield use
