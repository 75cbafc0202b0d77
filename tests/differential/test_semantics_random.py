"""Linear layers of all kinds with random windows, pads, groups, activations and storage: what the
reference semantics and the runtime make of them."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from .amount import REPEATABLE, examples
from .nets import Net
from .producers import FORWARD, INNER_PRODUCTS, TRANSPOSED, Producer, producers
from .runtime import Failure, Runtime
from .semantics import TOLERANCE, interpret

EXAMPLES = examples(30)
"""Models of each kind."""


@pytest.mark.parametrize("kind", [*FORWARD, *TRANSPOSED, *INNER_PRODUCTS])
def test_layer_computes_what_the_runtime_computes(
    kind: str, runtime: Runtime, tmp_path: Path
) -> None:
    numbers = itertools.count()
    compared = 0

    @settings(REPEATABLE, max_examples=EXAMPLES)
    @given(producers(kind))
    def check(producer: Producer) -> None:
        nonlocal compared
        net = Net(next(numbers))
        top = producer.add_to(net)
        param = net.write(tmp_path)
        expected = runtime.run(param, net.inputs, [top])
        if isinstance(expected, Failure) or not np.isfinite(expected[top]).all():
            return  # nothing can be learnt from it
        (actual,) = interpret(param, net.inputs)
        # Few numbers that nearly cancel out are no measure of what rounding may do.
        largest = max(1.0, float(np.abs(expected[top]).max()))
        np.testing.assert_allclose(actual, expected[top], rtol=0, atol=TOLERANCE * largest)
        compared += 1

    check()
    assert compared > EXAMPLES / 2
