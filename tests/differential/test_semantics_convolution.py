"""What the layers of `dialects/ncnn/convolution.py` compute, against the runtime."""

from math import prod
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn import convolution

from .layer_cases import Case
from .nets import Net
from .runtime import Failure, Runtime
from .semantics import assert_equal, cases_of, compare, interpret


@pytest.mark.parametrize("case", cases_of(convolution), ids=str)
def test_layer_computes_what_the_runtime_computes(
    case: Case, runtime: Runtime, tmp_path: Path
) -> None:
    compare(case, runtime, tmp_path)


@pytest.mark.parametrize("kind", ["Convolution", "ConvolutionDepthWise", "InnerProduct"])
def test_float_weights_are_quantized_when_they_are_loaded(
    kind: str, runtime: Runtime, tmp_path: Path
) -> None:
    net, group = Net(), 3 if kind == "ConvolutionDepthWise" else 1
    shape = (30,) if kind == "InnerProduct" else (6, 7, 8)
    weight = (5, 30) if kind == "InnerProduct" else (6, 6 // group, 3, 3)
    net.tagged(net.normal(*weight))
    net.plain(net.normal(weight[0]))
    net.plain(net.positive(3 if group > 1 else weight[0]) * 40)
    net.plain(np.array([30], "f4"))
    params = {0: 5, 1: 1, 2: 150, 8: 2}
    if kind != "InnerProduct":
        params = {0: 6, 1: 3, 5: 1, 6: prod(weight), 7: group, 8: 1}
    net.layer(kind, net.input("data", shape), "out", params)
    param = net.write(tmp_path)
    expected = runtime.run(param, net.inputs, ["out"])
    assert not isinstance(expected, Failure), expected
    (actual,) = interpret(param, net.inputs)
    assert_equal(actual, expected["out"])
