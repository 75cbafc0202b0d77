"""What depends on values, and what would not be seen, is an error and not a wrong graph."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ncnn_opt.conversion.tracing.nodes import NotTraced
from traced_values import given

X = np.arange(24, dtype="f4").reshape(2, 3, 4)


def _branch(x: Any) -> Any:
    return x if x.max() > 3 else -x


def _count(x: Any) -> Any:
    return [x for _ in range(x[0, 0, 0].astype("i4"))]


def _through_a_view(x: Any) -> Any:
    result = x.copy()
    view = result[0]
    view[...] = 0
    return result


def _below_a_view(x: Any) -> Any:
    result = x.copy()
    view = result.reshape(6, 4)
    result[0] = 0
    return view


def _beside_a_view(x: Any) -> Any:
    result = x.copy()
    one, other = result[0], result[0]
    one += 1
    return other


def _through_a_view_of_a_view(x: Any) -> Any:
    result = x.copy()
    inner = result[0].T
    result[0] = 0
    return inner


CASES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a branch": (_branch, "depends on values"),
    "a number of steps": (_count, "depends on values"),
    "a float": (float, "depends on values"),
    "a list": (lambda x: x.tolist(), "depends on values"),
    "an array": (np.array, "asks for values"),
    "a mask": (lambda x: x[x > 3], "chosen by values"),
    "places to write": (lambda x: x.__setitem__(np.array([0]), 1), "written at computed"),
    "backwards": (lambda x: x[::-1], "backwards"),
    "an unknown function": (np.linalg.norm, "numpy.linalg.norm has no traced form"),
    "an unknown method": (lambda x: x.argsort(), "'argsort' has no traced form"),
    "accumulation": (np.add.accumulate, "add.accumulate"),
    "a shape": (lambda x: x.reshape(5, 5), "2x3x4 as 5x5"),
    "shapes": (lambda x: x + np.ones(3, "f4"), "do not broadcast"),
    "a product": (lambda x: x @ x, "a product of"),
    "an einsum of all other axes": (lambda x: np.einsum("...j->...", x), "einsum of ...j->..."),
    "an einsum without a result": (lambda x: np.einsum("ijk", x), "einsum of ijk"),
    "an einsum onto a diagonal": (lambda x: np.einsum("ijk->ii", x), "einsum of ijk->ii"),
    "bytes": (lambda x: x.view("i1"), "float32 seen as int8"),
    "through a view": (_through_a_view, "shares its elements"),
    "below a view": (_below_a_view, "shares its elements"),
    "beside a view": (_beside_a_view, "shares its elements"),
    "through a view of a view": (_through_a_view_of_a_view, "shares its elements"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_cannot_be_traced_is_an_error(name: str) -> None:
    function, text = CASES[name]
    with pytest.raises(NotTraced, match=re.escape(text)):
        function(given(X))


def test_index_outside_is_an_error_as_in_numpy() -> None:
    with pytest.raises(IndexError):
        given(X)[2]
