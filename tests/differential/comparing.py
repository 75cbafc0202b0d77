"""Outputs of a model before and after, compared: what most tests against the runtime end with."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from ncnn_opt.transforms import OPTIMIZE

from .compiler import optimize
from .nets import Net, layer_types
from .runtime import Blobs, Failure, Runtime

TOLERANCE = 1e-4
"""Of the largest value of a blob."""


def is_evidence(blobs: Blobs | Failure) -> bool:
    """Whether a model runs and gives numbers; else nothing can be learnt from it."""
    return not isinstance(blobs, Failure) and all(np.isfinite(b).all() for b in blobs.values())


def assert_equal(before: Blobs | Failure, after: Blobs | Failure) -> None:
    """Asserts that both have the same outputs."""
    assert not isinstance(before, Failure), before
    assert not isinstance(after, Failure), after
    for name, expected in before.items():
        assert after[name].shape == expected.shape, name
        error = np.abs(after[name] - expected).max()
        # (Where all cancels out, what is left is the rounding of values around 1.)
        assert error <= TOLERANCE * max(np.abs(expected).max(), 1e-3), name


def types_after(
    runtime: Runtime, folder: Path, net: Net, passes: Sequence[str] = OPTIMIZE
) -> list[str]:
    """The layer types after some passes, once the outputs are known to be the same."""
    param = net.write(folder)
    result = optimize(param, folder / "optimized.param", passes)
    before = runtime.run(param, net.inputs, net.outputs)
    assert_equal(before, runtime.run(result, net.inputs, net.outputs))
    return layer_types(result)
