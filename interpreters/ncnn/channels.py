"""Channels of a blob, and one value for each."""

from .semantics import Array


def along_outermost(values: Array, rank: int) -> Array:
    """Values along the outermost axis of a blob of that many dims, to be broadcast."""
    return values.reshape(-1, *(1,) * (rank - 1))


def as_channels(x: Array) -> Array:
    """A blob as `channels x elements`: in one of 1 or 2 dims there is one channel."""
    return x.reshape(x.shape[0] if x.ndim > 2 else 1, -1)
