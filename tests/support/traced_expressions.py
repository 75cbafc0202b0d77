"""What NumPy computes, to be traced: functions of arrays, with arrays for them."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

import numpy as np
from ncnn_opt.interpreters.fused import compared
from ncnn_opt.interpreters.ncnn.erf import erf, erfc
from ncnn_opt.interpreters.ncnn.formulas import inverse_root
from ncnn_opt.interpreters.ncnn.int8 import rounded
from ncnn_opt.interpreters.ncnn.windows import windows
from numpy.typing import NDArray

Array = NDArray[Any]
Function = Callable[..., Any]

_rng = np.random.default_rng(0)
X = _rng.standard_normal((2, 3, 4)).astype("f4")
M = _rng.standard_normal((4, 5)).astype("f4")
V = np.array([0.5, -1.5, 2.5, -0.0], "f4")
INFINITE = np.array([np.inf, 1.5, -0.25, -np.inf], "f4")
I8 = _rng.integers(-127, 128, (3, 4)).astype("i1")
I32 = np.array([[5, -7, 0], [1, -2, 9]], "i4")


def _compared(x: Any, v: Any) -> Any:
    return cast(Any, np.where)((x > 0) & ~(x >= v) | (v == 0.5), x, v)


def _both(x: Any) -> Any:
    return cast(Any, np.where)((x > -1) & (x < 1) | (x > 2), x, -x)


def _written(x: Any) -> Any:
    result = np.zeros((2, 3, 6), "f4", like=x)
    result[..., 1:5] = x
    return result


def _apart(x: Any) -> Any:
    result = np.full((5, 3, 9), 2, "f4", like=x)
    result[1:5:2, :, 1:8:2] = x
    return result


def _interleaved(x: Any) -> Any:
    result = np.empty_like(x)
    result[..., ::2] = x[..., 1::2]
    result[..., 1::2] = -x[..., ::2]
    return result


def _added(x: Any) -> Any:
    result = x.copy()
    result += 1
    result[0] = result[0] * 2
    return result


def _view_alone(x: Any) -> Any:
    result = (x + 1).reshape(6, 4)
    result[0] = 0
    return result


def _filled(x: Any) -> Any:
    result = np.empty((2, 4), "f4", like=x)
    result[...] = x[0, 0]
    return result


def _like(x: Any) -> Any:
    result = np.empty_like(x, "i4")
    result[...] = 3
    return np.empty_like(x)[..., :0].sum() + result + np.zeros_like(x, "i4") + np.ones_like(x)


def _names(x: Any) -> Any:
    y = np.swapaxes(np.transpose(np.copy(x), (2, 0, 1)), 0, 2)  # 1, 0, 2 of x
    y = np.squeeze(np.expand_dims(np.moveaxis(y, 0, -1), -3), 1)
    assert (np.shape(y), np.ndim(y)) == (y.shape, 3)
    return np.reshape(np.broadcast_to(y, y.shape), (6, 4)) * np.max(x) - np.sum(x, 2).reshape(6, 1)


def _parts(x: Any) -> Any:
    a, b, c = np.split(x, [1, 3], -1)
    d, e = np.split(x, 2)
    return np.concatenate([c, a, b], 2) - np.stack([d[0], e[0]]) + np.stack([e[0], d[0]], -3)


def _sequence(x: Any) -> Any:
    a, b = np.split(x, 2, 2)
    return np.concatenate([b, a, a[..., :0]], -1) + np.stack([a, b], 3).reshape(2, 3, 4)


_OF_ONE: Mapping[str, tuple[Callable[[Any], Any], tuple[Array]]] = {
    "numbers": (lambda x: 2 * x - 1 / (x + 10) + np.float32(0.5) ** 2, (X,)),
    "a matrix of vectors": (lambda v: v[:, None] * v[None, :], (V,)),
    "not a number": (lambda v: np.where(np.isnan(np.log(v)), 1, v), (V,)),
    "integers": (lambda a: (a // 3) * 2 + (a << 2) - (a >> 1) ^ -a, (I32,)),
    "bits": (lambda x: ((x.view("u4") + 0x8000) & 0xFFFF0000).view("f4"), (X,)),
    "bytes": (lambda a: (a.view("u1") >> 4).astype("f4") + a, (I8,)),
    "int8": (lambda x: np.clip(np.rint(x * 40), -127, 127).astype("i1"), (X,)),
    "truth as numbers": (lambda x: (x > 0).astype("f4") * 2 + (x < 1), (X,)),
    "remainders": (lambda x: np.fmod(x * 1e5, np.float32(0.37)), (X,)),
    "floor and sign": (lambda x: np.floor(x) + np.copysign(np.ceil(x), -x), (X,)),
    "an index": (lambda x: x[1] + x[-1, 0] + x[0, :, 1:2], (X,)),
    "slices": (lambda x: x[:, 1:3, ::2] + x[..., -2:][:, :2], (X,)),
    "new axes": (lambda x: x[None, :, None, 1:, 0], (X,)),
    "rows by number": (lambda x: x[:, [2, 0, 2]] + np.take(x, [-1, 0, 1], 1), (X,)),
    "a table of places": (lambda v: v[np.array([[3, 1], [0, 0]])], (V,)),
    "reshape": (lambda x: x.reshape(6, 4).T.reshape(4, 2, -1) + 1, (X,)),
    "axes of one": (lambda x: np.squeeze(np.expand_dims(x, 1), 1).reshape(1, 6, 1, 4), (X,)),
    "transposed": (lambda x: np.moveaxis(x, -1, 0) + x.T.swapaxes(1, 2), (X,)),
    "sums": (lambda x: x.sum((0, 2)) + x.mean(2).max(0) + np.sum(x), (X,)),
    "sums that stay": (lambda x: x / x.sum(1, keepdims=True) - x.min((0, 1), keepdims=True), (X,)),
    "of a repeated one": (lambda x: np.broadcast_to(x[:, :1], (2, 3, 4)).sum(1) + x.prod(1), (X,)),
    "along one element": (lambda x: x[:, :1].sum(1) + x[:, :1].max(1), (X,)),
    "from a first value": (lambda x: np.fmax.reduce(x, 2, initial=0.25), (X,)),
    "all of them": (lambda x: (x - x.max()).reshape(24), (X,)),
    "together and apart": (_sequence, (X,)),
    "each element again": (lambda x: np.repeat(x, 3) + np.repeat(x, 3, -1).reshape(-1), (X,)),
    "again and again": (lambda x: np.repeat(x, 2, 1)[:, :3] + np.tile(x, (1, 2, 1))[:, 3:], (X,)),
    "the other way": (lambda x: np.flip(x, (0, 2)), (X,)),
    "a border": (lambda x: np.pad(x, ((1, 0), (0, 2), (1, 1)), constant_values=3), (X,)),
    "an edge": (lambda x: np.pad(x, ((0, 0), (2, 2), (3, 0)), "edge"), (X,)),
    "a mirror": (lambda x: np.pad(x, ((0, 0), (2, 1), (0, 3)), "reflect"), (X,)),
    "sums so far": (lambda x: np.cumsum(x, 1) + np.cumsum(x, -1), (X,)),
    "products of heads": (lambda x: x @ x.swapaxes(1, 2), (X,)),
    "einsum of one": (lambda x: np.einsum("ijk->ki", x), (X,)),
    "a diagonal": (lambda m: np.einsum("ii,i->i", m[:, :4], m[:, 4]) + np.trace(m[:, 1:]), (M,)),
    "on a diagonal": (lambda v: np.diag(v, 1) + np.diag(v[:3], -2), (V,)),
    "written": (_written, (X,)),
    "written apart": (_apart, (X,)),
    "interleaved": (_interleaved, (X,)),
    "added in place": (_added, (X,)),
    "a view whose base is gone": (_view_alone, (X,)),
    "one value everywhere": (_filled, (X,)),
}  # fmt: skip

_FURTHER: Mapping[str, tuple[Callable[[Any], Any], tuple[Array]]] = {
    "extremes of integers": (lambda a: a.max(1) * 10 + np.minimum.reduce(a, 1), (I32,)),
    "sums of integers": (lambda a: np.add.reduce(a, 0) - a.prod(0), (I32,)),
    "as one another": (_like, (X,)),
    "slices of slices": (lambda x: x[:, 1:][:, 1:, 1::2][..., 1:] - x[1:, 1:, ::3][:, 1:, 1], (X,)),
    "windows": (lambda x: windows(x, (2, 2), (1, 2), (1, 1)) * 2, (X,)),
    "windows with gaps": (lambda x: windows(x, (2, 2), (1, 1), (2, 3)) * 2, (X,)),
    "ones": (lambda x: np.ones_like(x) + x[0, 0, 0], (X,)),
    "zeros": (lambda x: np.zeros_like(x) - x[0, 0, 0], (X,)),
    "integers like floats": (lambda x: np.ones_like(x, "i4") * 7 - np.zeros_like(x, "i4"), (X,)),
    "halves away from zero": (lambda v: rounded(v * 5), (V,)),
    "errors": (lambda x: erf(x).astype("f4") - erfc(x).astype("f4") * 2, (X,)),
    "functions for methods": (_names, (X,)),
    "parts": (_parts, (X,)),
    "both conditions": (_both, (X,)),
    "truth": (
        lambda a: np.logical_and(a > 0, a < 8) * 4 + np.logical_or(a > 4, a < 0) * 2 + ~(a == 0),
        (I32,),
    ),
    "bits of all kinds": (lambda a: (~a & 6) | (a.view("u4") >> 29).astype("i4"), (I32,)),
    "rows from the end": (lambda m: np.take(m, np.array([-1, 0]), 0) + np.take(m, 2, 0), (M,)),
    "within bounds": (lambda x: np.clip(x, -0.5, 0.25), (X,)),
    "below a bound, widened": (lambda x: np.clip(x, None, 0.1, dtype="f8"), (X,)),
    "an inverse": (lambda x: np.reciprocal(x) + np.square(x) - np.positive(x), (X,)),
    "sums so far of one": (lambda x: np.cumsum(x[:1], 0) + np.cumsum(x[0], 1, "f8"), (X,)),
    "one part": (lambda x: np.concatenate([x]) + np.tile(x, (1, 1)) + np.repeat(x, 1, 0), (X,)),
    "a square on a diagonal": (lambda v: np.diag(v) + np.diag(np.diag(v), -0), (V,)),
    "a number of elements": (lambda x: np.full(3, 5, "f4", like=x) + np.ones(3, like=x) * 2, (X,)),
}  # fmt: skip

_OF_TWO: Mapping[str, tuple[Callable[[Any, Any], Any], tuple[Array, Array]]] = {
    "broadcasting": (lambda x, v: x * v + v[:3, None] - x[:1], (X, V)),
    "remainders of infinities": (lambda v, w: np.fmod(v, w), (INFINITE, INFINITE[:, None])),
    "comparisons": (_compared, (X, V)),
    "places that are computed": (lambda v, a: v[np.abs(a) & 3], (V, I32)),
    "a product": (lambda x, m: x @ m + x[0, 0] @ m, (X, M)),
    "products of vectors and stacks": (lambda x, v: x @ v + (v[:3] @ x)[:, :3], (X, V)),
    "a vector's product": (lambda v, m: m.T @ v, (V, M)),
    "an einsum": (lambda x, m: np.einsum("ijk,kl->lji", x, m), (X, M)),
}  # fmt: skip

_OF_THREE: Mapping[str, tuple[Callable[[Any, Any, Any], Any], tuple[Array, Array, Array]]] = {
    "einsum of three": (lambda x, m, v: np.einsum("ijk,kl,k->jl", x, m, v), (X, M, V)),
}  # fmt: skip

NAN_OR_NUMBER = np.array([np.nan, np.nan, 1, 2, 2, 3], "f4")
OTHER = np.array([np.nan, 1, np.nan, 1, 2, 4], "f4")

_OF_EPILOGUES: Mapping[str, tuple[Function, tuple[Array, ...]]] = {
    **{
        f"comparison {number}": (partial(compared, number), (NAN_OR_NUMBER, OTHER))
        for number in range(16)
    },
    "the inverse of a root": (inverse_root, (np.abs(X),)),
}

EXPRESSIONS: Mapping[str, tuple[Function, tuple[Array, ...]]] = {
    **_OF_ONE,
    **_FURTHER,
    **_OF_TWO,
    **_OF_THREE,
    **_OF_EPILOGUES,
}
"""By name: a function and its arguments."""
