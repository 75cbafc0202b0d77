"""The limit on the size of folded constants."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

DEFAULT_FOLD_LIMIT = 4096
"""The number of bytes that one fold may add to the weights of a model."""

FOLD_LIMIT: ContextVar[int] = ContextVar("fold_limit", default=DEFAULT_FOLD_LIMIT)
"""The limit in force."""


@contextmanager
def fold_limit(limit: int) -> Generator[None]:
    """Allow each fold in the `with` block to add `limit` bytes to the weights."""
    token = FOLD_LIMIT.set(limit)
    try:
        yield
    finally:
        FOLD_LIMIT.reset(token)
