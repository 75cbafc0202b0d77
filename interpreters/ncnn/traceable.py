"""Functions of the reference semantics that array-like tracers can override, and the methods of
these tracers."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

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


class ArrayMethods(NDArrayOperatorsMixin):
    """The methods of an array-like that follow from its shape, `transpose`, items and NumPy's
    protocols."""

    shape: Any
    transpose: Callable[..., Any]

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def T(self) -> Any:
        return self.transpose()

    def __iter__(self) -> Any:
        every: Any = self
        return (every[i] for i in range(len(every)))

    def sum(self, axis: Any = None, **kwargs: Any) -> Any:
        return np.add.reduce(cast(Any, self), axis, **kwargs)

    def prod(self, axis: Any = None, **kwargs: Any) -> Any:
        return np.multiply.reduce(cast(Any, self), axis, **kwargs)

    def max(self, axis: Any = None, **kwargs: Any) -> Any:
        return np.maximum.reduce(cast(Any, self), axis, **kwargs)

    def min(self, axis: Any = None, **kwargs: Any) -> Any:
        return np.minimum.reduce(cast(Any, self), axis, **kwargs)
