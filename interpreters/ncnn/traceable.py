"""Functions of the reference semantics that array-like tracers can override."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


def traceable(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Like NumPy's `__array_function__`, for this project's functions.

    If an argument has a method `__trace__`, it is called with the function and its arguments
    instead. Arrays that record operations (`conversion/tracing/`) thereby see a convolution, not
    its NumPy implementation.
    """

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        for arg in args:
            trace: Callable[..., Any] | None = getattr(arg, "__trace__", None)
            if trace is not None:
                return trace(call, args, kwargs)
        return function(*args, **kwargs)

    return call
