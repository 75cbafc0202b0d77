"""Folds in the runtime's default options, in which it has some weights in float16: what comes out
must be as near to the exact result as it was before."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .amount import REPEATABLE, examples
from .compiler import optimize
from .nets import Net, layer_types
from .runtime import Array, Blobs, Failure, Runtime

INPUTS, OUTPUTS = 32, 64
"""With few outputs the largest one may be small, and rounding alone then exceeds `AS_WELL`."""

AS_WELL = 2.0
"""The largest ratio of the errors after and before: float16 rounds other numbers than before."""

ROUNDING = 2.0**-11
"""That of float16, of the largest value."""

FACTORS = (1e-30, 1e-13, 1e-8, 1e-5, 1e-3, 0.02, 0.5, 1.0, 3.0, 1e3, 1e6, 1e20)


@dataclass(frozen=True)
class Case:
    """An InnerProduct, and a scale and shift before or behind it."""

    size: float
    """Of the weights."""
    factors: tuple[float, ...]
    """One for all, or one for each channel."""
    shift: float
    ahead: bool
    mean: float
    """Of the elements that the InnerProduct reads."""
    seed: int

    def build(self) -> tuple[Net, Array]:
        """The model, and what it would compute without any rounding."""
        net = Net(self.seed)
        net.input("in0", (INPUTS,))
        weight, bias = net.normal(OUTPUTS, INPUTS) * np.float32(self.size), net.normal(OUTPUTS)
        channels = INPUTS if self.ahead else OUTPUTS
        scale = np.resize(np.array(self.factors, "f4"), channels)
        shift = np.full(channels, self.shift, "f4")
        x = net.inputs["in0"] + np.float32(self.mean)
        if self.ahead:  # elements of the usual size are what the InnerProduct was trained for
            x = ((x - shift) / np.where(scale == 0, np.float32(1), scale)).astype("f4")
        net.inputs["in0"] = x
        exact = x.astype("f8")
        if self.ahead:
            exact = exact * scale + shift
            self._scale(net, "in0", "y", scale, shift)
        net.tagged(weight)
        net.plain(bias)
        sizes = {0: OUTPUTS, 1: 1, 2: OUTPUTS * INPUTS}
        net.layer("InnerProduct", "y" if self.ahead else "in0", "linear", sizes)
        exact = weight.astype("f8") @ exact + bias
        if not self.ahead:
            exact = exact * scale + shift
            self._scale(net, "linear", "z", scale, shift)
        return net, exact

    def _scale(self, net: Net, x: str, y: str, scale: Array, shift: Array) -> None:
        if len(self.factors) == 1:
            x = net.layer("BinaryOp", x, f"{y}_times", {0: 2, 1: 1, 2: self.factors[0]})
            net.layer("BinaryOp", x, y, {0: 0, 1: 1, 2: self.shift})
            return
        net.plain(scale)
        net.plain(shift)
        net.layer("Scale", x, y, {0: len(scale), 1: 1})


@st.composite
def cases(draw: st.DrawFn) -> Case:
    factor = st.sampled_from(FACTORS)
    several = draw(st.booleans())
    factors = draw(st.lists(factor, min_size=2, max_size=4)) if several else [draw(factor)]
    return Case(
        draw(st.sampled_from((1e-6, 1e-3, 0.1, 10.0, 1e3))),
        tuple(factors),
        draw(st.sampled_from((0.0, 0.0, 1.0, -30.0))),
        draw(st.booleans()),
        draw(st.sampled_from((0.0, 2.0))),
        draw(st.integers(0, 999)),
    )


def errors(found: Blobs | Failure, exact: Array, each: bool) -> Array:
    """The error of each output, of its own value or of the largest one."""
    assert not isinstance(found, Failure), found
    (values,) = found.values()
    size = np.abs(exact) if each else np.abs(exact).max()
    return np.abs(values - exact) / np.maximum(size, 1e-30)


def test_no_fold_makes_float16_weights_worse(runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    @settings(REPEATABLE, max_examples=examples(200))
    @given(cases())
    def check(case: Case) -> None:
        net, exact = case.build()
        param = net.write(tmp_path)
        before = runtime.run(param, net.inputs, net.outputs, precision="default")
        assert not isinstance(before, Failure), before
        if not all(np.isfinite(b).all() for b in before.values()) or np.abs(exact).max() > 1e30:
            return
        result = optimize(param, tmp_path / "optimized.param")
        folded = len(layer_types(result)) < len(layer_types(param))
        seen[f"folded: {folded}"] += 1
        after = runtime.run(result, net.inputs, net.outputs, precision="default")
        was, now = (errors(blobs, exact, each=False).max() for blobs in (before, after))
        assert now <= AS_WELL * max(was, ROUNDING), (was, now)

    check()
    assert min(seen["folded: True"], seen["folded: False"]) > 0.1 * seen.total(), seen


@pytest.mark.parametrize("factor", [1e-5, 1e6])
def test_factors_that_float16_cannot_hold(factor: float, runtime: Runtime, tmp_path: Path) -> None:
    net, exact = Case(0.2, (factor,), 0.0, ahead=False, mean=0.0, seed=1).build()
    result = optimize(net.write(tmp_path), tmp_path / "optimized.param")
    assert "BinaryOp" in layer_types(result)
    found = runtime.run(result, net.inputs, net.outputs, precision="default")
    assert errors(found, exact, each=False).max() < ROUNDING


@pytest.mark.parametrize("mean", [10.0, 1000.0])
def test_a_shift_that_makes_large_elements_small(
    mean: float, runtime: Runtime, tmp_path: Path
) -> None:
    net, exact = Case(0.2, (1.0,), -mean, ahead=True, mean=0.0, seed=1).build()
    result = optimize(net.write(tmp_path), tmp_path / "optimized.param")
    assert "BinaryOp" in layer_types(result)
    found = runtime.run(result, net.inputs, net.outputs, precision="default")
    assert errors(found, exact, each=False).max() < ROUNDING


def test_one_output_among_larger_ones(runtime: Runtime, tmp_path: Path) -> None:
    net, exact = Case(0.2, (1.0, 1e-6), 0.0, ahead=False, mean=0.0, seed=1).build()
    result = optimize(net.write(tmp_path), tmp_path / "optimized.param")
    found = runtime.run(result, net.inputs, net.outputs, precision="default")
    # Each by itself: it might be divided by its own size next.
    assert np.median(errors(found, exact, each=True)) < ROUNDING


def test_weights_too_small_for_an_inner_product(runtime: Runtime, tmp_path: Path) -> None:
    for size, replaced in ((1.0, True), (1e-6, False)):
        net = Net()
        x = net.input("in0", (3, 2, 4))
        net.tagged(net.normal(INPUTS, 3, 1, 1))
        x = net.layer("Convolution", x, "image", {0: INPUTS, 1: 1, 6: INPUTS * 3})
        x = net.layer("Pooling", x, "certain", {0: 1, 4: 1})
        net.tagged(net.normal(OUTPUTS, INPUTS, 1, 1) * np.float32(size))
        net.layer("Convolution", x, "y", {0: OUTPUTS, 1: 1, 6: OUTPUTS * INPUTS})
        param = net.write(tmp_path)
        result = optimize(param, tmp_path / "optimized.param")
        assert ("InnerProduct" in layer_types(result)) == replaced
        before = runtime.run(param, net.inputs, net.outputs, precision="default")
        after = runtime.run(result, net.inputs, net.outputs, precision="default")
        assert not isinstance(before, Failure)
        assert not isinstance(after, Failure)
        error = np.abs(after["y"] - before["y"]).max()
        assert error < ROUNDING * np.abs(before["y"]).max()
