"""What reads the inputs of a model, and so what they have to be."""

from collections.abc import Iterator

from xdsl.ir import SSAValue, Use

from ..dialects.ncnn.embedding import EmbedOp
from ..dialects.ncnn.structure import InputOp, NoopOp, SplitOp


def is_looked_up(value: SSAValue) -> bool:
    """Whether an Embed reads a value: its elements are int32, whatever its type says."""
    return next(lookups(value), None) is not None


def lookups(value: SSAValue) -> Iterator[EmbedOp]:
    """The Embed layers that read a value."""
    for use in readings(value):
        if isinstance(use.operation, EmbedOp):
            yield use.operation


def readings(value: SSAValue) -> Iterator[Use]:
    """Where a value is read, also through layers that only pass it on."""
    for use in value.uses:
        user = use.operation
        if isinstance(user, SplitOp | NoopOp | InputOp):
            for result in user.results:
                yield from readings(result)
        else:
            yield use
