"""The limit on the size of folded constants."""

from contextlib import AbstractContextManager
from contextvars import ContextVar

from .context import set_context

DEFAULT_FOLD_LIMIT = 4096
"""The number of bytes that one fold may add to the weights of a model."""

FOLD_LIMIT: ContextVar[int] = ContextVar("fold_limit", default=DEFAULT_FOLD_LIMIT)
"""The limit in force."""


def fold_limit(limit: int) -> AbstractContextManager[None]:
    """Allow each fold in the `with` block to add `limit` bytes to the weights."""
    return set_context(FOLD_LIMIT, limit)
