"""What layers with comparisons compute on wide inputs, against the runtime: numbers beyond and on
the thresholds, equal, zero and denormal ones. (The cases' own inputs are normal numbers.)"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.analysis.wide_values import float_sample, thresholds_of
from ncnn_opt.dialects.ncnn.lookup import model_of

from .compiler import load
from .layer_cases import Case, net_of
from .runtime import Failure, Runtime
from .semantics import DIFFERENT, NOT_COMPARED, UNDEFINED, all_cases, error, interpret

TYPES = (
    "AbsVal",
    "CELU",
    "Clip",
    "Eltwise",
    "ELU",
    "HardSigmoid",
    "HardSwish",
    "Mish",
    "Pooling",
    "PReLU",
    "ReLU",
    "Reduction",
    "SELU",
    "Shrink",
    "Sigmoid",
    "Swish",
    "Threshold",
)

REACH = 64.0

TOLERANCE = 1e-5


def cases_of_type(layer_type: str) -> list[Case]:
    left_out = {*DIFFERENT, *UNDEFINED}
    every = (case for family in all_cases().values() for case in family)
    return [
        case
        for case in every
        if case.type == layer_type and case.line not in left_out and not case.values
    ][:8]


@pytest.mark.parametrize("layer_type", TYPES)
def test_wide_inputs(layer_type: str, runtime: Runtime, tmp_path: Path) -> None:
    assert layer_type not in NOT_COMPARED
    cases = cases_of_type(layer_type)
    assert cases
    for seed, case in enumerate(cases):
        net = net_of(case)
        param = net.write(tmp_path)
        random = np.random.default_rng(seed)
        thresholds = thresholds_of(model_of(load(param)).body.block.ops)
        inputs = {
            name: float_sample(value.shape, random, thresholds, REACH)
            for name, value in net.inputs.items()
        }
        net = replace(net, inputs=inputs)
        expected = runtime.run(param, inputs, net.outputs)
        assert not isinstance(expected, Failure), (case, expected)
        for name, actual in zip(net.outputs, interpret(param, inputs), strict=True):
            assert error(actual, expected[name]) <= TOLERANCE, (str(case), inputs)
