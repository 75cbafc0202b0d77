"""Steps that are traced once."""

from typing import Any, cast

import numpy as np
import pytest
from ncnn_opt.conversion.tracing import nodes
from ncnn_opt.conversion.tracing.loops import LoopResult
from ncnn_opt.conversion.tracing.nodes import NotTraced
from ncnn_opt.interpreters.ncnn.scans import scan
from traced_values import given

X = np.arange(12, dtype="f4").reshape(3, 4)


def test_what_does_not_vary_is_computed_before_the_loop() -> None:
    x, state, weight = given(X), given(X[0]), given(X)
    sums = weight.sum(0)  # the same in each step, and a product with it is not
    calls: list[object] = []

    def step(row: Any, states: Any) -> Any:
        calls.append(row)
        return (row * sums + states[0] * np.float32(2),)

    rows, last = scan(step, cast(Any, x), cast(Any, (state,)), reverse=True)
    assert len(calls) == 1
    node = cast(Any, rows).node
    assert isinstance(node, LoopResult)
    assert (node.shape, cast(Any, last[0]).shape) == ((3, 4), (4,))
    assert node.loop.reverse
    assert node.loop.outer == (sums.node,)
    assert node.args == (x.node, state.node, sums.node)
    assert not any(isinstance(each, nodes.Scalar) for each in node.loop.outer)


def test_state_of_another_shape_is_an_error() -> None:
    with pytest.raises(NotTraced, match="another shape"):
        scan(lambda row, states: (row[:2],), cast(Any, given(X)), cast(Any, (given(X[0]),)), False)
