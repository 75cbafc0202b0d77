"""Channels of a blob, and per-channel values."""

from .semantics import Array


def along_outermost(values: Array, rank: int) -> Array:
    """Return values shaped for broadcasting along the outermost axis of a blob of this rank."""
    return values.reshape(-1, *(1,) * (rank - 1))


def as_channels(x: Array) -> Array:
    """Return a blob as `channels x elements`; a 1-D or 2-D blob has one channel."""
    return x.reshape(x.shape[0] if x.ndim > 2 else 1, -1)
