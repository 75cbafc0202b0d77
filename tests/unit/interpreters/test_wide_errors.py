"""Errors for inputs from wide ranges, which count only if rounding does not explain them."""

from collections.abc import Sequence

import numpy as np
from ncnn_opt.runtime.process import Blobs, Failure
from ncnn_opt.runtime.wide_inputs import finite_error, wide_errors

EXPECTED = {name: np.array([1, 2, np.inf], "f4") for name in "abc"}
FOUND = {
    "a": np.array([1, 2.5, 0], "f4"),
    "b": np.array([1, 2.5, np.inf], "f4"),
    "c": np.array([1, 2.1, np.nan], "f4"),
}


def test_what_a_rounding_explains_is_right() -> None:
    def rerun(names: Sequence[str]) -> Blobs:
        assert names == ["a", "b"]
        return {"a": np.array([1, 2.1, 0], "f4"), "b": np.array([1, 2.01, 0], "f4")}

    found = wide_errors(EXPECTED, FOUND, 0.1, rerun)
    assert found == {"a": 0, "b": 0.25, "c": np.float32(2.1) / np.float32(2) - 1}


def test_without_a_second_run_errors_stay() -> None:
    assert wide_errors(EXPECTED, FOUND, 0.1, lambda _: Failure("no"))["a"] == 0.25
    assert set(wide_errors(EXPECTED, EXPECTED, 0.1, lambda _: Failure("no")).values()) == {0}


def test_other_shapes_are_wrong() -> None:
    assert finite_error(np.ones(2, "f4"), np.ones((2, 1), "f4")) == np.inf
