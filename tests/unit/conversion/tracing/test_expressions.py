"""Graphs of traced arrays compute what NumPy computes, and stay as NumPy's shapes and types are."""

import numpy as np
import pytest
from traced_expressions import EXPRESSIONS
from traced_values import given, value


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_graph_computes_what_numpy_computes(name: str) -> None:
    function, arrays = EXPRESSIONS[name]
    with np.errstate(all="ignore"):
        expected = np.asarray(function(*arrays))
        traced = [given(array) for array in arrays]
        result = function(*traced)
        pairs = zip(traced, arrays, strict=True)
        actual = value(result, {id(each.node): array for each, array in pairs})
    assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(actual, expected, 1e-5, 1e-6)
