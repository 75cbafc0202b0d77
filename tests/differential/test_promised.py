"""What passes do with a model for inputs of one shape, or of no larger one, in the real runtime:
models of all kinds that other tests draw, with that promise."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import strategies as st
from ncnn_opt.transforms import OPTIMIZE

from .amount import examples, for_each
from .driver import Trial
from .hunting.sources import FAMILIES, Buildable
from .nets import PLAIN, Number
from .promises import promised, trial
from .runtime import Runtime
from .sketches import Sketch

MODELS = ("mixed", "moves", "graphs", "pixels", "products", "one dim", "attention", "layouts")


@pytest.mark.drawn(3)
@pytest.mark.parametrize("option", ["fixed", "at_most"])
@pytest.mark.parametrize("family", MODELS)
def test_what_is_promised(family: str, option: str, runtime: Runtime, tmp_path: Path) -> None:
    count, seen = examples(40), Counter[str]()

    def each(model: Buildable) -> None:
        net = model.build(PLAIN)
        tried = trial(net, runtime, tmp_path, option)
        seen["models"] += 1
        if tried.is_evidence:
            seen["evidence"] += 1
            assert tried.after(promised(net, OPTIMIZE, option)).is_stable()

    for_each(st.one_of(*FAMILIES[family].values()), count, each)
    assert seen["evidence"] > 0.5 * seen["models"], seen


FREE = {
    "*(1w,1h),1c": True,
    "-1,1c": True,
    "-1,*(0h,0c)": True,
    "*(0w,*(0h,0c))": True,
    "*(1w,1h),-1,1": True,
    "1w,1h,1c": False,
    "1w,*(1h,1c)": False,
    "1w,-1,1c": False,
}
"""Shapes by the extents of two blobs, and whether they can be said without for any size."""


@pytest.mark.parametrize("text", FREE)
def test_reshapes_by_reference(text: str, runtime: Runtime, tmp_path: Path) -> None:
    seen = Counter[str]()

    def has_references(param: Path) -> bool:
        return ' 6="' in param.read_text()

    def each(drawn: tuple[int, int, int]) -> None:
        channels, height, width = drawn
        sketch, size = Sketch(channels), 3 * channels
        image = sketch.input((3, height, width))
        kernel: dict[int, Number] = {0: channels, 1: 1, 6: size}
        x = sketch.layer("Convolution", image, kernel, lambda net: net.tagged(net.normal(size)))
        rows = sketch.layer("TanH", sketch.layer("Permute", x, {0: 3}))
        reads = [rows, x] if "1w" in text or "1h" in text or "1c" in text else [rows]
        y = sketch.layer("Reshape", reads, f'6="{text}"')
        sketch.layer("Softmax", y, {0: 0, 1: 1})
        sketch.layer("AbsVal", x)
        net = sketch.build()
        tried = trial(net, runtime, tmp_path)
        if not tried.is_evidence:
            return
        checked = tried.after(promised(net))
        assert checked.is_stable()
        assert not has_references(checked.param)
        plain = Trial(net, runtime, tmp_path).after()
        assert has_references(plain.param) == (not FREE[text])
        seen["evidence"] += 1

    extents = st.integers(2, 6)
    for_each(st.tuples(st.sampled_from([2, 4, 8, 3]), extents, extents), examples(10), each)
    assert seen["evidence"] > 3, seen


def test_windows_of_whole_images(runtime: Runtime, tmp_path: Path) -> None:
    """Only where the kernel has the promised extents, and no pads, or the Pooling is adaptive."""
    seen = Counter[str]()

    def each(drawn: tuple[int, int, int, str, int, int]) -> None:
        height, width, kind, what, behind, stride = drawn
        sketch = Sketch(height)
        x = sketch.layer("TanH", sketch.input((8, height, width)))
        params: dict[int, Number] = {0: kind, 1: width, 11: height, 2: stride, 5: stride % 2}
        params |= {"pad": {3: 1}, "less": {11: height - 1}, "adaptive": {7: 1, 8: 1, 18: 1}}.get(
            what, {}
        )
        y = sketch.layer("Pooling", x, params)
        if behind == 0 and what in ("", "adaptive"):  # (it reads as much as its weights are for)
            y = sketch.layer("InnerProduct", y, {0: 3, 2: 24}, lambda n: n.tagged(n.normal(24)))
        elif behind < 2:
            y = sketch.layer("Flatten", y)
        else:
            y = sketch.layer("Reshape", y, {0: 4, 1: -1})
        sketch.layer("Softmax", y, {0: 0, 1: 1})
        net = sketch.build()
        tried = trial(net, runtime, tmp_path)
        if not tried.is_evidence:
            return
        wholly = what == "adaptive" or (what == "" and stride < 3)
        for passes, made in ((promised(net), wholly), (OPTIMIZE, what == "adaptive")):
            checked = (tried if made == wholly else Trial(net, runtime, tmp_path)).after(passes)
            assert checked.is_stable()
            assert (" 4=1" in checked.param.read_text()) == made, checked.param.read_text()
        seen[what] += 1

    sizes = st.integers(2, 5)
    kinds = st.sampled_from(["", "", "adaptive", "pad", "less"])
    drawn = st.tuples(sizes, sizes, st.integers(0, 1), kinds, st.integers(0, 2), st.integers(1, 2))
    for_each(drawn, examples(40), each)
    assert min(seen[what] for what in ("", "adaptive", "pad", "less")) > 2, seen
