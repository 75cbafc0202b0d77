"""What the layers of `dialects/ncnn/attention.py` compute, against the runtime."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn import attention

from .layer_cases import Case
from .nets import Net
from .runtime import Failure, Runtime
from .semantics import assert_equal, cases_of, compare, interpret


@pytest.mark.parametrize("case", cases_of(attention), ids=str)
def test_layer_computes_what_the_runtime_computes(
    case: Case, runtime: Runtime, tmp_path: Path
) -> None:
    compare(case, runtime, tmp_path)


def test_cache_of_sdpa(runtime: Runtime, tmp_path: Path) -> None:
    # The runtime keeps the cache in a format that only it knows, so it must have made it itself:
    # from nothing in one layer, to be appended to in the next.
    net = Net()
    past = [net.input("past_k", (2, 1, 8)), net.input("past_v", (2, 1, 6))]
    for i, steps in enumerate((5, 3, 1)):
        query = net.input(f"q{i}", (4, steps, 8))
        new = [net.input(f"k{i}", (2, steps, 8)), net.input(f"v{i}", (2, steps, 6))]
        made = [f"out{i}", f"all_k{i}", f"all_v{i}"]
        net.layer("SDPA", [query, *new, *past], made, {7: 1})
        past = made[1:]
    param = net.write(tmp_path)
    inputs = net.inputs | {"past_k": np.zeros((2, 0, 8), "f4"), "past_v": np.zeros((2, 0, 6), "f4")}
    expected = runtime.run(param, inputs, ["out0", "out1", "out2"])
    assert not isinstance(expected, Failure), expected
    first, second, third, keys, values = interpret(param, inputs)
    for name, actual in zip(("out0", "out1", "out2"), (first, second, third), strict=True):
        assert_equal(actual, expected[name])
    assert_equal(keys, np.concatenate([inputs[f"k{i}"] for i in range(3)], axis=1))
    assert_equal(values, np.concatenate([inputs[f"v{i}"] for i in range(3)], axis=1))
