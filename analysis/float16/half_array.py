"""Arrays of float32 elements that NumPy computes with float16 arithmetic."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

MAX = 65504.0
"""The largest float16."""

TERMS = 4
"""The number of products that shaders add before a sum is rounded: they multiply vectors of 4."""

LANES = 256
"""The number of partial sums of a reduction (`src/layer/vulkan/shader/reduction.comp`)."""


@dataclass
class Arithmetic:
    """The arithmetic of one layer, and the largest magnitude that occurred in it."""

    limit: float = MAX
    """Larger magnitudes become infinite. A lower limit than `MAX` is a safety margin."""
    rounds: bool = True
    """Whether results are rounded. Otherwise, only `peak` is recorded."""
    peak: float = 0.0
    sums: bool = True
    """Whether sums are rounded while they are added. Otherwise, only results are rounded."""
    terms: int = TERMS
    """The number of products that are added before a sum is rounded."""
    exponent: float = np.inf
    """The largest magnitude of an argument of `exp`; larger ones count as this."""

    def stored(self, values: Array) -> Array:
        """Return float32 values as float16 represents them."""
        if not self.rounds:
            return values
        with np.errstate(over="ignore"):
            result = values.astype("f2").astype("f4")
        if self.limit < MAX:
            result[np.abs(result) > self.limit] *= np.float32(np.inf)
        return result

    def computed(self, values: Array) -> Array:
        """Return the rounded result of an operation, and record its magnitude."""
        if values.size:
            finite = np.nan_to_num(values, nan=0, posinf=0, neginf=0)
            self.peak = max(self.peak, float(finite.max()), -float(finite.min()))
        return self.stored(values)

    def of(self, values: Array) -> "HalfArray":
        """Return an array that computes with this arithmetic."""
        result = np.ascontiguousarray(values, "f4").view(HalfArray)
        result.arithmetic = self
        return result


class HalfArray(np.ndarray[Any, Any]):
    """A float32 array whose universal functions round their operands and results to float16."""

    arithmetic: Arithmetic | None = None

    def __array_finalize__(self, obj: Any) -> None:
        self.arithmetic = getattr(obj, "arithmetic", None)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *args: Any, **kwargs: Any) -> Any:
        arithmetic = next(
            (a.arithmetic for a in args if isinstance(a, HalfArray) and a.arithmetic), None
        )
        out = kwargs.pop("out", None)
        if arithmetic is None:
            result = getattr(ufunc, method)(*map(_plain, args), **kwargs)
        else:
            result = _compute(arithmetic, ufunc, method, args, kwargs)
        if out is not None:
            out[0][...] = _plain(result)
            return out[0]
        return result


def _plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, HalfArray) else value


def _compute(
    arithmetic: Arithmetic, ufunc: np.ufunc, method: str, args: Sequence[Any], kwargs: Any
) -> Any:
    operands = [_rounded(arithmetic, value) for value in args]
    if ufunc is np.exp:
        operands[0] = np.clip(operands[0], -arithmetic.exponent, arithmetic.exponent)
    if ufunc is np.matmul and method == "__call__":
        return arithmetic.of(_product(arithmetic, operands[0], operands[1]))
    if ufunc is np.add and method == "reduce":
        return _wrapped(arithmetic, _total(arithmetic, operands[0], *operands[1:], **kwargs))
    result = getattr(ufunc, method)(*operands, **kwargs)
    if not _is_float(result):
        return result
    return _wrapped(arithmetic, arithmetic.computed(np.asarray(result, "f4")))


def _wrapped(arithmetic: Arithmetic, values: Array) -> Any:
    return arithmetic.of(values).reshape(np.shape(values))


def _is_float(value: Any) -> bool:
    kind: str = getattr(getattr(value, "dtype", None), "kind", "")
    return kind == "f"


def _rounded(arithmetic: Arithmetic, value: Any) -> Any:
    """Return an operand as float16 represents it; integers and masks unchanged. The elements of a
    `HalfArray` are rounded already."""
    if isinstance(value, HalfArray):
        return _plain(value)
    return arithmetic.stored(np.asarray(value, "f4")) if _is_float(value) else value


def _product(arithmetic: Arithmetic, a: Array, b: Array) -> Array:
    """Return a matrix product. The sums are rounded after each `terms` products."""
    if not arithmetic.sums:
        return arithmetic.computed(np.asarray(a @ b, "f4"))
    if a.ndim == 1 or b.ndim == 1:
        left, right = (a[None] if a.ndim == 1 else a), (b[:, None] if b.ndim == 1 else b)
        result = _product(arithmetic, left, right)
        result = result[..., 0] if b.ndim == 1 else result
        return result[..., 0, :] if a.ndim == 1 and b.ndim > 1 else result.reshape(-1)
    return _summed(
        arithmetic,
        a.shape[-1],
        lambda start, stop: a[..., start:stop] @ b[..., start:stop, :],
    )


def _summed(arithmetic: Arithmetic, count: int, part: Callable[[int, int], Array]) -> Array:
    terms = arithmetic.terms
    sums = part(0, min(terms, count))
    sums = arithmetic.computed(sums)
    for start in range(terms, count, terms):
        sums = arithmetic.computed(sums + part(start, min(start + terms, count)))
    return sums


def _total(
    arithmetic: Arithmetic,
    values: Array,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    **_: Any,
) -> Array:
    """Return sums along axes: `LANES` partial sums, then pairs of these."""
    if not arithmetic.sums:
        return arithmetic.computed(np.asarray(values.sum(axis, keepdims=keepdims), "f4"))
    axes = tuple(range(values.ndim)) if axis is None else np.atleast_1d(axis)
    axes = tuple(int(i) % values.ndim for i in axes)
    kept = tuple(i for i in range(values.ndim) if i not in axes)
    shape = tuple(values.shape[i] for i in kept)
    rows = values.transpose((*kept, *axes)).reshape(*shape, -1)
    rest = -rows.shape[-1] % LANES if rows.shape[-1] > LANES else 0
    rows = np.concatenate([rows, np.zeros((*shape, rest), "f4")], axis=-1)
    lanes = rows.reshape(*shape, -1, min(LANES, max(rows.shape[-1], 1)))
    sums = lanes[..., 0, :] if lanes.shape[-2] else np.zeros(shape + (1,), "f4")
    for i in range(1, lanes.shape[-2]):
        sums = arithmetic.computed(sums + lanes[..., i, :])
    while sums.shape[-1] > 1:
        half = (sums.shape[-1] + 1) // 2
        tail = sums[..., half:]
        sums = sums[..., :half].copy()
        sums[..., : tail.shape[-1]] = arithmetic.computed(sums[..., : tail.shape[-1]] + tail)
    result = sums[..., 0]
    if keepdims:
        result = result.reshape([1 if i in axes else n for i, n in enumerate(values.shape)])
    return result
