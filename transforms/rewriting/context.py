"""Values of context variables in a `with` block."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def set_context(variable: ContextVar[T], value: T) -> Generator[None]:
    """Set a context variable to `value` in the `with` block."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)
