"""Deconvolutions whose windows lie side by side become Convolutions: small models, before and
after, in the real runtime."""

from pathlib import Path

from hypothesis import strategies as st

from .amount import examples
from .near_misses import NearMiss, Rewriting, check, misses
from .nets import Net, Number
from .runtime import Runtime
from .sketches import Sketch

EXAMPLES = examples(75)

PASS = "replace-deconvolution-with-convolution"

OVERLAP, GAPS, DILATED, CUT, ADDED = MISSES = ("overlap", "gaps", "dilated", "cut", "added")
"""What keeps a Deconvolution: windows that overlap, or leave gaps between them or between their own
elements, and an output that is smaller or larger than all windows."""


@st.composite
def side_by_side(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """An image through one Deconvolution or two."""
    sketch = Sketch(draw(st.integers(0, 999)))
    miss = draw(misses(MISSES)) if miss is None else miss
    channels = draw(st.integers(1, 9))
    x = sketch.input((channels, draw(st.integers(2, 5)), draw(st.integers(2, 5))))
    for _ in range(1 if miss else draw(st.integers(1, 2))):
        outputs = draw(st.integers(1, 9))
        x = _layer(draw, sketch, x, channels, outputs, miss)
        channels = outputs
    return NearMiss(sketch, miss)


def _layer(draw: st.DrawFn, sketch: Sketch, x: str, channels: int, outputs: int, miss: str) -> str:
    stride = draw(st.integers(2, 3))
    kernel = stride + {OVERLAP: 1, GAPS: -1}.get(miss, 0)
    size = channels * outputs * kernel**2
    params: dict[int, Number] = {0: outputs, 1: kernel, 3: stride, 6: size}
    also: dict[str, dict[int, Number]] = {DILATED: {2: 2}, CUT: {4: 1}, ADDED: {18: 1}}
    params |= also.get(miss, {})
    if draw(st.booleans()):
        params |= {9: draw(st.sampled_from([1, 4, 5]))}
    has_bias = draw(st.booleans())
    params |= {5: int(has_bias)}

    def weigh(net: Net) -> None:
        net.tagged(net.normal(size, scale=0.5))
        if has_bias:
            net.plain(net.normal(outputs))

    return sketch.layer("Deconvolution", x, params, weigh)


REWRITING = Rewriting(
    passes=(PASS,),
    is_made=lambda model, checked: "Deconvolution" not in checked.types,
    misses=MISSES,
    least=0.67,
    alone=True,
)


def test_windows_side_by_side_become_channels(runtime: Runtime, tmp_path: Path) -> None:
    check(side_by_side, EXAMPLES, REWRITING, runtime, tmp_path)
