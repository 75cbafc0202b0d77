"""The factors of sums of products: int8 stays int8, whatever axes or border it has."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
from ncnn_opt.conversion.tracing import nodes
from ncnn_opt.dialects.shapes.windows import Window
from ncnn_opt.interpreters.ncnn.windows import correlate, pad
from traced_values import given

A = np.arange(-6, 6, dtype="i1").reshape(3, 4)
IMAGE = np.arange(-40, 40, dtype="i1").reshape(2, 5, 8)
KERNEL = np.arange(-18, 18, dtype="i1").reshape(2, 2, 3, 3)
WINDOW = Window((3, 3), (1, 1), (1, 1), ((0, 0), (0, 0)))


def wide(values: Any) -> Any:
    return given(values).astype("i4")


def types_of(result: Any) -> list[str]:
    """The types of the factors, then that of the sum."""
    (node,) = (
        each
        for each in nodes.in_order([result.node])
        if isinstance(each, nodes.Contract | nodes.Convolve)
    )
    return [str(each.dtype) for each in (*node.args, node)]


def _with_its_transpose(a: Any) -> Any:
    return a @ a.T


def _of_columns(a: Any) -> Any:
    return a.T @ a


def _of_stacks(a: Any) -> Any:
    return a[None] @ a.T[None]


def _einsum(a: Any) -> Any:
    return np.einsum("ij,kj->ik", a, a)


def _of_one_row(a: Any) -> Any:
    return a.reshape(1, 12) @ a.reshape(12, 1)


PRODUCTS = [_with_its_transpose, _of_columns, _of_stacks, _einsum, _of_one_row]


@pytest.mark.parametrize("product", PRODUCTS)
def test_products_of_widened_int8_read_int8(product: Callable[[Any], Any]) -> None:
    assert types_of(product(wide(A))) == ["int8", "int8", "int32"]


def test_other_products_read_what_they_are_given() -> None:
    assert types_of(wide(A) @ given(A.astype("i4")).T) == ["int32"] * 3
    assert types_of(given(A).astype("f4") @ given(A).astype("f4").T) == ["float32"] * 3
    assert types_of(_of_one_row(given(A.astype("i4")))) == ["int32"] * 3
    assert types_of(given(A.astype("i2")).astype("i4") @ wide(A).T) == ["int32"] * 3


@pytest.mark.parametrize(
    ("border", "types"),
    [
        (0, ["int8", "int8", "int32"]),
        (-128, ["int8", "int8", "int32"]),
        (127, ["int8", "int8", "int32"]),
        (128, ["int32"] * 3),
        (-129, ["int32"] * 3),
    ],
)
def test_a_border_of_int8_keeps_int8(border: int, types: list[str]) -> None:
    padded: Any = pad(wide(IMAGE), [(1, 1), (1, 1)], border)
    assert types_of(correlate(padded, wide(KERNEL), WINDOW)) == types


@pytest.mark.parametrize("dtype", ["f8", "i8"])
def test_sums_have_the_type_that_int8_was_widened_to(dtype: str) -> None:
    arrays: list[Any] = [given(values).astype(dtype) for values in (IMAGE, KERNEL)]
    result = cast(Any, correlate(arrays[0], arrays[1], WINDOW))
    assert result.dtype == np.dtype(dtype)
