"""Properties of fused operations: 64-bit integers and 32-bit floats, single or in lists."""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, f32, i64
from xdsl.ir import Attribute
from xdsl.irdl import opt_prop_def


def ints_prop() -> "DenseArrayBase[Any] | None":
    """Declare an optional list of integers."""
    return cast(Any, opt_prop_def(DenseArrayBase.constr(i64)))


def int_prop(default: int) -> "IntegerAttr[Any]":
    """Declares an integer that may be left out."""
    return cast(Any, opt_prop_def(IntegerAttr.constr(i64), default_value=integer(default)))


def float_prop(default: float) -> "FloatAttr[Any]":
    """Declares a float that may be left out."""
    constraint: Any = FloatAttr.constr(f32)
    return opt_prop_def(constraint, default_value=FloatAttr(default, f32))


def integer(value: int) -> "IntegerAttr[Any]":
    """Return the attribute for an integer."""
    return IntegerAttr(value, i64)


def ints(values: Sequence[int]) -> "DenseArrayBase[Any]":
    """Return the attribute for a list of integers."""
    return DenseArrayBase.from_list(i64, list(values))


def int_values(attr: Attribute | None) -> tuple[int, ...]:
    """Return the integers of a list attribute; empty if it is omitted."""
    return () if attr is None else tuple(cast("DenseArrayBase[Any]", attr).get_values())
