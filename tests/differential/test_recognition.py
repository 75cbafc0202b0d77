"""A layer that several others spell out is recognized, however they do it, and computes the same in
the real runtime; what comes close to it, but is not, stays."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ncnn_opt.transforms import OPTIMIZE

from . import spellings
from .amount import REPEATABLE, examples
from .compiler import optimize
from .nets import Shape, layer_types
from .runtime import Blobs, Failure, Runtime
from .spellings import Spelled, Speller, shapes, spelled

TOLERANCE = 5e-6
"""Of the largest value of input and output: some roundings of float32, and of numbers with 7
digits. (Of the input too: `1 + erf(x)` is off by what a 1 is rounded by, however small the sum.)"""

EXAMPLES = examples(40)
"""Models of each spelling."""

FRAME = ("Input", "Split", "MemoryData", "AbsVal", "ELU", "Reshape")
"""Layers that are not part of a spelling."""


@dataclass(frozen=True)
class Kind:
    """A layer that can be spelled out."""

    type: str
    spell: Callable[[Speller], str]
    shapes: st.SearchStrategy[Shape]
    certain: bool = False

    @property
    def name(self) -> str:
        """The pass that recognizes it."""
        return f"fuse-{self.type.lower()}"


def along(
    spell: Callable[[Speller, tuple[int, ...]], str], first: int, last: int | None = None
) -> Callable[[Speller], str]:
    """A spelling along some axes, counted as a slice of them all."""
    return lambda s: spell(s, tuple(range(len(s.shape)))[first:last])


ELEMENTWISE = {
    "swish": Kind("Swish", spellings.swish, shapes()),
    "hardsigmoid": Kind("HardSigmoid", spellings.hard_sigmoid, shapes()),
    "hardswish": Kind("HardSwish", spellings.hard_swish, shapes()),
    "mish": Kind("Mish", spellings.mish, shapes()),
    "gelu": Kind("GELU", spellings.gelu, shapes()),
    "fast_gelu": Kind("GELU", spellings.fast_gelu, shapes()),
}
NORMALIZATIONS = {
    "layernorm": Kind("LayerNorm", along(spellings.norm, -1), shapes(1, 2)),
    "layernorm_w": Kind("LayerNorm", along(spellings.norm, -1), shapes(3, 4), certain=True),
    "layernorm_hw": Kind("LayerNorm", along(spellings.norm, -2), shapes(4, 4), certain=True),
    "rmsnorm": Kind("RMSNorm", along(spellings.rms_norm, -1), shapes(1, 2)),
    "rmsnorm_w": Kind("RMSNorm", along(spellings.rms_norm, -1), shapes(3, 4), certain=True),
    "rmsnorm_hw": Kind("RMSNorm", along(spellings.rms_norm, -2), shapes(3, 4), certain=True),
    "instancenorm": Kind("InstanceNorm", along(spellings.norm, 1), shapes(3, 4)),
    "groupnorm": Kind("GroupNorm", along(spellings.norm, 0), shapes(2, 4), certain=True),
    "normalize": Kind("Normalize", along(spellings.normalize, 0), shapes(1, 1)),
    "normalize_all": Kind("Normalize", along(spellings.normalize, 0), shapes(3, 4)),
    "normalize_channels": Kind("Normalize", along(spellings.normalize, 0, 1), shapes(3, 4)),
    "normalize_positions": Kind("Normalize", along(spellings.normalize, 1), shapes(3, 4)),
    "softmax_first": Kind("Softmax", along(spellings.softmax, 0, 1), shapes()),
    "softmax_last": Kind("Softmax", along(spellings.softmax, -1), shapes()),
}
KINDS = ELEMENTWISE | NORMALIZATIONS


def assert_equal(before: Blobs, after: Blobs | Failure, inputs: Blobs) -> None:
    assert not isinstance(after, Failure), after
    largest = max(float(np.abs(values).max()) for values in inputs.values())
    for name, expected in before.items():
        assert after[name].shape == expected.shape, name
        error = np.abs(after[name] - expected).max()
        assert error <= TOLERANCE * max(largest, np.abs(expected).max()), name


def spelling_of(param: Path) -> list[str]:
    return [kind for kind in layer_types(param) if kind not in FRAME]


@pytest.mark.parametrize("key", KINDS)
def test_spelled_out_layer_is_recognized(key: str, runtime: Runtime, tmp_path: Path) -> None:
    kind = KINDS[key]
    seen: Counter[str] = Counter()

    @settings(REPEATABLE, max_examples=EXAMPLES)
    @given(kind.shapes.flatmap(lambda shape: spelled(kind.spell, shape, kind.certain)))
    def check(model: Spelled) -> None:
        net = model.sketch.build()
        param = net.write(tmp_path)
        before = runtime.run(param, net.inputs, net.outputs)
        assert not isinstance(before, Failure), param.read_text()
        result = optimize(param, tmp_path / "recognized.param", [kind.name])
        assert_equal(before, runtime.run(result, net.inputs, net.outputs), net.inputs)
        recognized = spelling_of(result) == [kind.type]
        assert recognized == (not model.miss), (model.miss, param.read_text())
        seen["near-miss" if model.miss else "recognized"] += 1
        seen[model.miss] += 1

        result = optimize(param, tmp_path / "optimized.param", OPTIMIZE)
        assert_equal(before, runtime.run(result, net.inputs, net.outputs), net.inputs)
        assert model.miss or kind.type in layer_types(result), result.read_text()

    check()
    assert seen["recognized"] > EXAMPLES / 5, seen
    assert seen["near-miss"] > EXAMPLES / 20, seen


@pytest.mark.parametrize("key", ["swish", "hardsigmoid", "gelu", "fast_gelu"])
def test_nothing_takes_pieces_away_before(key: str, runtime: Runtime, tmp_path: Path) -> None:
    """A convolution would take a factor or a summand, and a Clip for its activation."""
    kind = KINDS[key]
    seen: Counter[str] = Counter()

    @settings(REPEATABLE, max_examples=EXAMPLES)
    @given(shapes(3, 3).flatmap(lambda s: spelled(kind.spell, s, behind_convolution=True)))
    def check(model: Spelled) -> None:
        net = model.sketch.build()
        param = net.write(tmp_path)
        before = runtime.run(param, net.inputs, net.outputs)
        assert not isinstance(before, Failure), param.read_text()
        result = optimize(param, tmp_path / "optimized.param", OPTIMIZE)
        after = runtime.run(result, net.inputs, net.outputs)
        larger = {"": np.full(1, max(np.abs(b).max() for b in before.values()))}
        assert_equal(before, after, {**net.inputs, **larger})
        assert model.miss or kind.type in layer_types(result), result.read_text()
        again = optimize(result, tmp_path / "again.param", OPTIMIZE)
        assert again.read_text() == result.read_text()
        seen["near-miss" if model.miss else "recognized"] += 1

    check()
    assert seen["recognized"] > EXAMPLES / 5, seen
