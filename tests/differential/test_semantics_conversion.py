"""What the layers of `dialects/ncnn/conversion.py` compute, against the runtime."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn import conversion

from .layer_cases import Case
from .nets import Net
from .runtime import Failure, Runtime
from .semantics import cases_of, compare, interpret


@pytest.mark.parametrize("case", cases_of(conversion), ids=str)
def test_layer_computes_what_the_runtime_computes(
    case: Case, runtime: Runtime, tmp_path: Path
) -> None:
    compare(case, runtime, tmp_path)


def test_bfloat16_is_rounded_as_the_runtime_rounds_it(runtime: Runtime, tmp_path: Path) -> None:
    # By way of bfloat16 and back, since the runtime's package shows it as float16.
    net = Net()
    net.input("x", (6,), declared=False)
    net.inputs["x"] = np.array([1.00390625, 1.01171875, -1.00390625, 3e38, 0.1, 0], "f4")
    net.layer("Cast", "x", "half", {0: 1, 1: 4})
    net.layer("Cast", "half", "back", {0: 4, 1: 1})
    param = net.write(tmp_path)
    expected = runtime.run(param, net.inputs, ["back"])
    assert not isinstance(expected, Failure)
    (actual,) = interpret(param, net.inputs)
    assert not np.array_equal(actual, net.inputs["x"])
    assert np.array_equal(actual, expected["back"])
