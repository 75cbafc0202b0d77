"""Functions of NumPy, and of the reference semantics, on exact arrays."""

from collections.abc import Callable, Mapping, Sequence
from math import erf
from operator import attrgetter, methodcaller
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..interpreters.ncnn import erf as erfs
from ..interpreters.ncnn import int8, scans
from ..interpreters.ncnn import windows as sliding
from . import laws
from .array import ExactArray, ExactBooleans, Function, NotExact, exact, reduced
from .decisions import note
from .field import FieldArray
from .ufuncs import apply, check_options, chosen, reduce

_MOVING: frozenset[Function] = frozenset(
    {
        np.atleast_1d,
        np.atleast_2d,
        np.broadcast_to,
        np.delete,
        np.diag,
        np.diagonal,
        np.expand_dims,
        np.flip,
        np.moveaxis,
        np.ravel,
        np.repeat,
        np.reshape,
        np.roll,
        np.rollaxis,
        np.rot90,
        np.squeeze,
        np.swapaxes,
        np.take,
        np.tile,
        np.transpose,
        np.tril,
        np.triu,
        sliding_window_view,
        sliding.windows,
    }
)
"""Functions of one array that only move its elements."""

_PRODUCTS: frozenset[Function] = frozenset(
    {np.dot, np.einsum, np.inner, np.outer, np.tensordot, np.vdot, np.kron}
)
"""Functions that are sums of products."""

_LINEAR: frozenset[Function] = frozenset({sliding.correlate, sliding.spread})
"""The same, of the reference semantics: the implementation runs on residues and on values."""

_OF_VALUES: frozenset[Function] = frozenset(
    {np.all, np.any, np.argmax, np.argmin, np.argsort, np.count_nonzero, np.nonzero, np.unique}
)
"""Functions that the values decide."""


def call(func: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Return the result of a function on exact arrays. Raises `NotExact`."""
    if func in _OWN:
        return _OWN[func](*args, **kwargs)
    if func in _MOVING:
        x, *rest = args
        move: Any = getattr(func, "__wrapped__", func) if func is sliding.windows else func
        found = x if isinstance(x, ExactArray) else exact(x)
        return found.both(lambda part: move(part, *rest, **kwargs))
    if func in _LINEAR:
        args = [exact(x) if isinstance(x, np.ndarray) else x for x in args]
        plain: Any = func.__wrapped__  # pyright: ignore
        fields = (x.residues.view(FieldArray) if isinstance(x, ExactArray) else x for x in args)
        found = plain(*fields, **kwargs).view(np.ndarray)
        return reduced(found, plain(*(_part(x, "values") for x in args), **kwargs))
    if func in _PRODUCTS:
        return reduced(
            func(*(_part(x, "residues") for x in args), **kwargs),
            func(*(_part(x, "values") for x in args), **kwargs),
        )
    if func in _OF_VALUES:
        note(func.__name__)
        return func(*(_part(x, "values") for x in args), **kwargs)
    raw = getattr(func, "__wrapped__", None)
    if raw is not None and func.__module__.startswith(sliding.__name__.partition(".")[0]):
        return raw(*args, **kwargs)  # a function of the reference semantics, in terms of others
    raise NotExact(f"{func.__module__}.{func.__name__}")


def _part(x: Any, name: str) -> Any:
    """Residues or values of an argument; what is no array of numbers as it is."""
    if isinstance(x, ExactArray):
        return getattr(x, name)
    if name == "residues" and isinstance(x, np.ndarray | np.floating):
        return exact(x).residues
    return x


def _joined(function: Function) -> Callable[..., ExactArray]:
    def join(arrays: Sequence[Any], *args: Any, **kwargs: Any) -> ExactArray:
        parts = [exact(x) for x in arrays]
        return ExactArray(
            function([x.residues for x in parts], *args, **kwargs),
            function([x.values for x in parts], *args, **kwargs),
        )

    return join


def _split(function: Function) -> Callable[..., list[ExactArray]]:
    def split(x: ExactArray, *args: Any, **kwargs: Any) -> list[ExactArray]:
        pairs = zip(
            function(x.residues, *args, **kwargs), function(x.values, *args, **kwargs), strict=True
        )
        return [ExactArray(*pair) for pair in pairs]

    return split


def _where(condition: Any, a: Any, b: Any) -> ExactArray:
    if not isinstance(condition, ExactBooleans):
        if isinstance(condition, ExactArray) and not condition.is_fixed:
            note("where")
        condition = np.asarray(_part(condition, "values"), bool)
    return chosen(condition, exact(a), exact(b))


def _clip(x: Any, low: Any = None, high: Any = None, **kwargs: Any) -> Any:
    check_options(np.clip, kwargs)
    if low is not None:
        x = apply(np.maximum, (x, low), {})
    return x if high is None else apply(np.minimum, (x, high), {})


def _pad(x: Any, widths: Any, mode: str = "constant", **kwargs: Any) -> ExactArray:
    if mode != "constant":
        return exact(x).both(lambda part: np.pad(part, widths, mode, **kwargs))  # pyright: ignore
    value = float(kwargs.get("constant_values", 0))
    values = np.pad(x.values, widths, constant_values=value)
    # np.pad would turn the residue into a NumPy integer, whose sums overflow.
    residues = np.full(values.shape, laws.constant(value), dtype=object)
    residues[np.pad(np.ones(x.shape, bool), widths)] = x.residues.reshape(-1)
    return ExactArray(residues, values)


def _pad_blob(x: Any, pads: Sequence[tuple[int, int]], value: float) -> Any:
    plain = sliding.pad.__wrapped__  # pyright: ignore
    if not isinstance(value, ExactArray):
        value = float(value)
    return plain(x, pads, value)


def _full(shape: Any, value: Any, *_: Any, **__: Any) -> ExactArray:
    return exact(np.full(shape, float(value)))


def _full_like(x: Any, value: Any, *_: Any, **__: Any) -> ExactArray:
    return _full(x.shape, value)


def _filled(function: Callable[..., ExactArray], value: float) -> Callable[..., ExactArray]:
    """Return `function` with this value, for functions that are named after it."""

    def make(of: Any, *_: Any, **__: Any) -> ExactArray:
        return function(of, value)

    return make


_zeros, _zeros_like = _filled(_full, 0), _filled(_full_like, 0)


def _same(x: Any, *_: Any, **__: Any) -> Any:
    return x


def _float32(*_: Any) -> Any:
    return np.dtype("f4")


def _mean(x: ExactArray, axis: Any = None, keepdims: bool = False, **kwargs: Any) -> ExactArray:
    check_options(np.mean, kwargs)
    axes = range(x.ndim) if axis is None else np.atleast_1d(axis).tolist()
    count = int(np.prod([x.shape[a] for a in axes]))
    return reduce(np.add, x, axis, keepdims) / count


def _var(x: ExactArray, axis: Any = None, keepdims: bool = False, **kwargs: Any) -> ExactArray:
    check_options(np.var, kwargs)
    centered = x - _mean(x, axis, True)
    return _mean(centered * centered, axis, keepdims)


def _reduction(ufunc: np.ufunc) -> Callable[..., Any]:
    def function(x: Any, axis: Any = None, keepdims: bool = False, **kwargs: Any) -> Any:
        return reduce(ufunc, exact(x), axis, bool(keepdims), **kwargs)

    return function


def _cumulative(x: ExactArray, axis: int | None = None, **kwargs: Any) -> ExactArray:
    check_options(np.cumsum, kwargs)
    return reduced(np.cumsum(x.residues, axis), np.cumsum(x.values, axis))


def _array_equal(a: Any, b: Any) -> bool:
    a, b = exact(a), exact(b)
    note("array_equal")
    return a.shape == b.shape and bool((a.residues == b.residues).all())


def _close(a: Any, b: Any, **kwargs: Any) -> Any:
    note("isclose")
    return np.isclose(_part(a, "values"), _part(b, "values"), **kwargs)


def _all_close(a: Any, b: Any, **kwargs: Any) -> bool:
    return bool(_close(a, b, **kwargs).all())


def _erfc(x: Any) -> Any:
    return exact(1) - _erf(x)


def _multiplied_and_added(a: Any, b: Any, c: Any) -> Any:
    return exact(a) * b + c


def _scan(step: Any, x: Any, states: Any, reverse: bool) -> Any:
    rows: dict[int, ExactArray] = {}
    for t in reversed(range(len(x))) if reverse else range(len(x)):
        states = step(x[t], states)
        rows[t] = states[0].reshape(-1)
    return _joined(np.stack)([rows[t] for t in sorted(rows)]), states


def _erf(x: Any) -> ExactArray:
    x = exact(x)
    return ExactArray(laws.function("erf", x.residues), np.vectorize(erf, otypes="d")(x.values))


_OWN: Mapping[Function, Callable[..., Any]] = {
    np.array_equal: _array_equal,
    np.allclose: _all_close,
    np.isclose: _close,
    np.amax: _reduction(np.maximum),
    np.amin: _reduction(np.minimum),
    np.max: _reduction(np.maximum),
    np.min: _reduction(np.minimum),
    np.sum: _reduction(np.add),
    np.prod: _reduction(np.multiply),
    np.mean: _mean,
    np.var: _var,
    np.cumsum: _cumulative,
    np.clip: _clip,
    np.where: _where,
    np.pad: _pad,
    np.concatenate: _joined(np.concatenate),
    np.stack: _joined(np.stack),
    np.vstack: _joined(np.vstack),
    np.hstack: _joined(np.hstack),
    np.split: _split(np.split),
    np.array_split: _split(np.array_split),
    np.zeros: _zeros,
    np.ones: _filled(_full, 1),
    np.empty: _zeros,
    np.full: _full,
    np.zeros_like: _zeros_like,
    np.ones_like: _filled(_full_like, 1),
    np.empty_like: _zeros_like,
    np.full_like: _full_like,
    np.shape: attrgetter("shape"),
    np.ndim: attrgetter("ndim"),
    np.size: attrgetter("size"),
    np.copy: methodcaller("copy"),
    np.ascontiguousarray: _same,
    np.result_type: _float32,
    sliding.pad: _pad_blob,
    scans.scan: _scan,
    erfs.erf: _erf,
    erfs.erfc: _erfc,
    int8.mac_body: _multiplied_and_added,
}
