"""Functions of the reference semantics that other kinds of arrays may compute their own way."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


def traceable(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Like NumPy's `__array_function__`, for functions of ours: if an argument has a method
    `__trace__`, that is called with the function and its arguments instead. Arrays that record what
    is done to them (`transforms/tracing/`) see a convolution so, and not how it is computed here.
    """

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        for arg in args:
            trace: Callable[..., Any] | None = getattr(arg, "__trace__", None)
            if trace is not None:
                return trace(call, args, kwargs)
        return function(*args, **kwargs)

    return call
