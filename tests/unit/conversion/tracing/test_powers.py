"""LRN's power: two square roots for the usual exponent."""

from typing import Any, cast

import numpy as np
import pytest
from ncnn_opt.conversion.tracing import nodes
from ncnn_opt.interpreters.ncnn.normalization import power
from traced_values import given, value

X = np.array([1e-30, 0.25, 1, 1.5, 7, 1e20], "f4")


@pytest.mark.parametrize(
    ("exponent", "name"), [(-0.75, "math.sqrt"), (-0.5, "math.powf"), (0.75, "math.powf")]
)
def test_power_of_a_constant(exponent: float, name: str) -> None:
    x = given(X)
    result: Any = power(cast(Any, x), exponent)
    computed = nodes.in_order([result.node])
    found = {each.name for each in computed if isinstance(each, nodes.Elementwise)}
    assert name in found
    assert ("math.powf" in found) is (name == "math.powf")
    np.testing.assert_allclose(value(result, {id(x.node): X}), X**exponent, 1e-6)
