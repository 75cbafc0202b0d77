"""Arrays of exact numbers: each element is a residue modulo a prime and a float64 value.

The residues decide whether two results are equal. The values decide what depends on the order of
the reals: comparisons, `max`, `relu`, and whether a weight is finite or in the range of a type.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from ..dialects.ncnn.weights import HeldWeight
from ..interpreters.ncnn.traceable import ArrayMethods
from .decisions import note
from .field import PRIME
from .laws import residues_of

Function = Callable[..., Any]


class NotExact(Exception):
    """A computation has no exact form; the message names the operation."""


class ExactArray(ArrayMethods):
    """An array of exact numbers. It behaves as a float32 array does."""

    __array_priority__ = 1000

    is_fixed = False
    """Whether the numbers depend on constants and weights only: the values decide comparisons of
    these, as they do in patterns, since a proof is for all weights that a pattern decides alike."""

    _whole: "ExactArray | None" = None
    """The constants that this array may be a view of."""

    def __init__(self, residues: Any, values: Any) -> None:
        self.residues: Any = np.asarray(residues, dtype=object)
        self.values: Any = np.asarray(values, "f8")

    # -- structure

    dtype = np.dtype("f4")

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    @property
    def size(self) -> int:
        return self.values.size

    @property
    def nbytes(self) -> int:
        return 4 * self.size

    def both(self, function: Callable[[Any], Any]) -> "ExactArray":
        """Apply a function that only moves elements."""
        found = type(self)(function(self.residues), function(self.values))
        if self.is_fixed:
            found.is_fixed, found._whole = True, self
        return found

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, key: Any) -> "ExactArray":
        return self.both(lambda x: x[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        value = exact(value)
        self.residues[key] = value.residues
        self.values[key] = value.values
        if not value.is_fixed:
            self.is_fixed, of = False, self._whole
            while of is not None and np.may_share_memory(of.values, self.values):
                of.is_fixed, of = False, of._whole

    def __repr__(self) -> str:
        return f"ExactArray({self.values!r})"

    def tobytes(self) -> bytes:
        """Equal for arrays of equal numbers, in contrast to `digest` only for these."""
        return repr(self.residues.tolist()).encode()

    # -- what depends on values

    def __bool__(self) -> bool:
        note("a number")
        return bool(self.values)

    def __float__(self) -> float:
        note("a number")
        return float(self.values)

    item = __float__

    def __int__(self) -> int:
        note("a number")
        return int(self.values)

    def tolist(self) -> Any:
        note("a number")
        return self.values.tolist()

    # -- methods of arrays

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """Return a copy: the same elements for a float type, the values for an integer type."""
        if np.dtype(dtype).kind != "f":
            note("astype")
            return self.values.astype(dtype)
        return self.copy() if copy else self

    def reshape(self, *shape: Any) -> "ExactArray":
        return self.both(lambda x: x.reshape(*shape))

    def transpose(self, *axes: Any) -> "ExactArray":
        return self.both(lambda x: x.transpose(*axes))

    def swapaxes(self, *axes: Any) -> "ExactArray":
        return self.both(lambda x: x.swapaxes(*axes))

    def ravel(self) -> "ExactArray":
        return self.both(lambda x: x.ravel())

    flatten = ravel

    def copy(self) -> "ExactArray":
        return self.both(lambda x: x.copy())

    def repeat(self, *args: Any, **kwargs: Any) -> "ExactArray":
        return self.both(lambda x: x.repeat(*args, **kwargs))

    def any(self, *args: Any, **kwargs: Any) -> Any:
        note("any")
        return self.values.any(*args, **kwargs)

    def all(self, *args: Any, **kwargs: Any) -> Any:
        note("all")
        return self.values.all(*args, **kwargs)

    def dot(self, other: Any) -> "ExactArray":
        return cast(ExactArray, np.dot(cast(Any, self), other))

    def squeeze(self, *args: Any) -> "ExactArray":
        return self.both(lambda x: x.squeeze(*args))

    def mean(self, *args: Any, **kwargs: Any) -> "ExactArray":
        return cast(ExactArray, np.mean(cast(Any, self), *args, **kwargs))

    def clip(self, *args: Any, **kwargs: Any) -> "ExactArray":
        return cast(ExactArray, np.clip(cast(Any, self), *args, **kwargs))

    # -- the protocols of NumPy

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """The values, which NumPy converts to `dtype`. Numbers that are computed from these have
        other residues, so a proof that needs them fails."""
        note("an array of values")
        return self.values.copy()

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        from .ufuncs import apply, reduce

        out = kwargs.pop("out", (None,))[0]
        if method == "__call__":
            result = apply(ufunc, inputs, kwargs)
        elif method == "reduce":
            result = reduce(ufunc, *inputs, **kwargs)
        else:
            raise NotExact(f"{ufunc.__name__}.{method}")
        if out is None:
            return result
        if not isinstance(out, ExactArray):
            raise NotExact(f"{ufunc.__name__} into an array of floats")
        out[...] = result
        return out

    def __array_function__(
        self, func: Function, types: Sequence[type], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Any:
        return self.__trace__(func, args, kwargs)

    def __trace__(self, func: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        from .functions import call

        return call(func, args, kwargs)

    def digest(self) -> bytes:
        """Equal for arrays of equal numbers."""
        return hash((self.shape, *self.residues.flat)).to_bytes(8, "little", signed=True)

    def as_weight(self) -> HeldWeight:
        """Return the value of a constant (see `make_weight`): a read-only copy, as weights are."""
        held = self.copy()
        held.is_fixed = True
        held.residues.flags.writeable = held.values.flags.writeable = False
        return HeldWeight(held)


class ExactBooleans(ExactArray):
    """Results of comparisons as numbers: 1 is true, 0 is false (see `decisions.py`)."""

    dtype = np.dtype("f4")

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        return self if np.dtype(dtype).kind == "b" else exact(self).astype(dtype, copy)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        note("a comparison")
        return self.values.astype(bool)


def exact(value: Any) -> ExactArray:
    """Return exact numbers for an array or a number: constants stand for themselves."""
    if isinstance(value, ExactBooleans):
        return ExactArray(value.residues, value.values)
    if isinstance(value, ExactArray):
        return value
    plain = np.asarray(value)
    found = ExactArray(residues_of(plain), plain)
    found.is_fixed = True
    return found


def reduced(residues: Any, values: Any) -> ExactArray:
    """Return exact numbers whose residues are not reduced yet."""
    return ExactArray(np.asarray(residues, dtype=object) % PRIME, values)
