"""Float16 weights that are rounded again after a fold of a scale and shift of their inputs: the
error that each makes is that of its own rounding, of what it was multiplied with."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from ncnn_opt.transforms import OPTIMIZE
from numpy.lib.stride_tricks import sliding_window_view

from .amount import REPEATABLE, examples
from .compiler import optimize
from .nets import Net, layer_types
from .runtime import Array, Failure, Runtime

SIDE, KERNEL = 7, 3

HALF, LEAST, SINGLE = 2.0**-11, 2.0**-25, 2.0**-19
"""Errors: of float16, relative, and of its small values; of sums in float32, relative."""


PASSES = (*OPTIMIZE, "convert-storage{storage=original}")


@dataclass(frozen=True)
class Case:
    """Scales and shifts of channels, a convolution, and a factor behind it."""

    steps: tuple[tuple[float, float], ...]
    behind: float
    channels: int
    groups: int
    pads: bool
    varied: bool
    """Whether each channel is shifted by something else."""
    seed: int

    def build(self) -> tuple[Net, Array, Array]:
        """The model, what it would compute without any rounding, and how far from that each
        element may be."""
        net = Net(self.seed)
        net.input("in0", (self.channels, SIDE, SIDE))
        steps = [self._of_channels(*step) for step in self.steps]
        x = net.inputs["in0"].astype("f8")  # what the convolution is to read, about
        for scale, shift in reversed(steps):
            x = (x - shift[:, None, None]) / scale[:, None, None]
        net.inputs["in0"] = x.astype("f4")
        exact, name = net.inputs["in0"].astype("f8"), "in0"
        whole, scales = np.abs(exact), np.ones(self.channels)
        for i, (scale, shift) in enumerate(steps):
            net.plain(scale)
            net.plain(shift)
            name = net.layer("Scale", name, f"moved{i}", {0: self.channels, 1: 1})
            scale, shift = (v.astype("f8")[:, None, None] for v in (scale, shift))
            exact, whole = exact * scale + shift, whole * np.abs(scale) + np.abs(shift)
            scales = scales * scale.reshape(-1)
        weight = net.normal(self.channels, self.channels // self.groups, KERNEL, KERNEL)
        weight, bias = weight.astype("f2").astype("f4"), net.normal(self.channels)
        net.tagged(weight, "half")
        net.plain(bias)
        sizes = {0: self.channels, 1: KERNEL, 4: int(self.pads), 5: 1, 6: weight.size}
        kind = "Convolution" if self.groups == 1 else "ConvolutionDepthWise"
        groups = {} if self.groups == 1 else {7: self.groups}
        name = net.layer(kind, name, "convolved", {**sizes, **groups})
        net.layer("BinaryOp", name, "out", {0: 2, 1: 1, 2: self.behind})
        factor, bias = float(np.float32(self.behind)), bias.astype("f8")[:, None, None]
        own = HALF * np.abs(weight) * factor + LEAST / np.abs(scales).min()
        sums = self._convolve(whole, np.abs(weight), whole.max()) + np.abs(bias)
        allowed = self._convolve(np.abs(exact), own) + SINGLE * factor * sums
        return net, (self._convolve(exact, weight) + bias) * factor, allowed

    def _of_channels(self, scale: float, shift: float) -> tuple[Array, Array]:
        by = np.linspace(0.5, 1, self.channels) if self.varied else np.ones(self.channels)
        return np.full(self.channels, scale, "f4"), (shift * by).astype("f4")

    def _convolve(self, x: Array, weight: Array, around: float = 0.0) -> Array:
        """In float64."""
        pad = int(self.pads)
        x = np.pad(x, ((0, 0), (pad, pad), (pad, pad)), constant_values=around)
        windows = sliding_window_view(x, (KERNEL, KERNEL), (1, 2))
        inputs = windows.reshape(self.groups, -1, *windows.shape[1:])
        kernels = weight.astype("f8").reshape(self.groups, -1, *weight.shape[1:])
        return np.einsum("gihwkl,goikl->gohw", inputs, kernels).reshape(-1, *windows.shape[1:3])


@st.composite
def cases(draw: st.DrawFn) -> Case:
    scale, shift = st.sampled_from((0.3, 1.0, 1.7, -2.3)), st.sampled_from((0.0, 40.0, -100.0))
    channels = draw(st.sampled_from((4, 6)))
    return Case(
        tuple(draw(st.lists(st.tuples(scale, shift), min_size=1, max_size=2))),
        draw(st.sampled_from((1.0, 0.7, 3.1))),
        channels,
        draw(st.sampled_from((1, 2, channels))),
        draw(st.booleans()),
        draw(st.booleans()),
        draw(st.integers(0, 999)),
    )


def test_the_error_of_a_weight_is_that_of_its_own_rounding(
    runtime: Runtime, tmp_path: Path
) -> None:
    seen: Counter[str] = Counter()

    @settings(REPEATABLE, max_examples=examples(30))
    @given(cases())
    def check(case: Case) -> None:
        net, exact, allowed = case.build()
        param = net.write(tmp_path)
        result = optimize(param, tmp_path / "optimized.param", PASSES)
        seen["folded"] += len(layer_types(result)) == 2
        bins = [each.with_suffix(".bin").stat().st_size for each in (param, result)]
        seen["float16"] += bins[1] <= bins[0]
        for each in (param, result):
            found = runtime.run(each, net.inputs, net.outputs)
            assert not isinstance(found, Failure), found
            (values,) = found.values()
            worst = (np.abs(values - exact) / allowed).max()
            assert worst <= 1, (each.name, worst)

    check()
    assert min(seen["folded"], seen["float16"]) >= examples(30) / 3, seen
