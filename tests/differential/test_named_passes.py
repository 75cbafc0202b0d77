"""Passes by themselves, each seen to happen: the fusions of one kind of layer, on random models of
it; and those for layers that nothing uses, on random graphs of which only a part is wanted."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ncnn_opt.dialects.ncnn.function import output_names, outputs_of, set_outputs
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.transforms.rewriting.passes.fusions import FUSIONS

from .amount import REPEATABLE, examples, for_each
from .comparing import assert_equal
from .compiler import load, run_passes, save
from .driver import Trial
from .followers import ADD, IDENTITY, OTHER, SUB, Follower, Model, followers, linear_layers
from .graphs import Graph, graphs
from .param_files import read_lines
from .producers import FORWARD, INNER_PRODUCTS, TRANSPOSED
from .runtime import Runtime

EXAMPLES = 12
"""Models for each pass."""

MORE_EXAMPLES = 60
"""Where few of them give it something to do: of few blobs it is certain that they are no rows."""

INTO: dict[str, Sequence[str]] = {
    "conv": [*FORWARD, *TRANSPOSED],
    "convolution": ["Convolution"],
    "convolutiondepthwise": ["ConvolutionDepthWise"],
    "deconvolution": ["Deconvolution"],
    "deconvolutiondepthwise": ["DeconvolutionDepthWise"],
    "innerproduct": INNER_PRODUCTS,
}
"""The kinds of linear layers that the middle word of a pass stands for."""

WHAT: dict[str, set[str]] = {
    "bn": {"BatchNorm"},
    "batchnorm": {"BatchNorm"},
    "mul": {"Scale", "BinaryOp", "Power"},
    "add": {"Bias", "BinaryOp"},
    "dropout": {"Dropout"},
    "activation": {"ReLU", "Clip", "Sigmoid", "Mish", "HardSwish"},
}
"""The layers that the last word of a pass stands for, or that may be such."""

SUMS = {ADD, SUB}

WORDS = {row.name: row.name.split("-") for row in FUSIONS}
NAMED = [name for name, (_, into, *what) in WORDS.items() if into in INTO and what[-1] in WHAT]


def fits(follower: Follower, what: str) -> bool:
    """Whether a layer is what the last word of a pass stands for."""
    if follower.kind not in WHAT[what] or follower.effect in (IDENTITY, OTHER):
        return False
    return follower.kind != "BinaryOp" or (follower.params[0] in SUMS) == (what == "add")


@st.composite
def models(draw: st.DrawFn, name: str) -> Model:
    """A model in which a pass may have something to do."""
    _, into, what = name.split("-")
    first = draw(linear_layers(draw(st.sampled_from(INTO[into]))))
    shape = first.output
    chain: list[Follower] = []
    for _ in range(draw(st.integers(1, 2))):
        follower, result = draw(followers(shape, first=False))
        for _ in range(12):
            if fits(follower, what):
                break
            follower, result = draw(followers(shape, first=False))
        chain.append(follower)
        shape = result
    place = draw(st.none() | st.none() | st.none() | st.integers(0, len(chain) - 1))
    return Model(first, tuple(chain), place, draw(st.booleans()), draw(st.integers(0, 999)))


@pytest.mark.parametrize("name", NAMED)
def test_fusion_of_one_kind(name: str, runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    count = MORE_EXAMPLES if "innerproduct" in name else EXAMPLES

    def check(model: Model) -> None:
        trial = Trial(model.build(), runtime, tmp_path)
        if not trial.is_evidence:
            return
        checked = trial.after([name])
        assert checked.is_stable()
        fired = set(checked.rewrites) - {"storage"}
        assert fired <= {name}
        seen["fired" if fired else "left alone"] += 1

    for_each(models(name), examples(count), check)
    assert seen["fired"] > 0, seen
    assert seen["left alone"] > 0, seen


@pytest.mark.parametrize("name", ["eliminate-dead-layers", "eliminate-orphaned-memorydata"])
def test_what_nothing_uses_goes(name: str, runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    @settings(REPEATABLE, max_examples=examples(EXAMPLES))
    @given(graphs(), st.data())
    def check(graph: Graph, data: st.DataObject) -> None:
        net = graph.build()
        param = net.write(tmp_path)
        module = load(param)
        run_passes(module, ["eliminate-split"])
        func = model_of(module)
        outputs = dict(zip(output_names(func), outputs_of(func), strict=True))
        wanted = data.draw(st.sets(st.sampled_from(sorted(outputs)), min_size=1), label="wanted")
        set_outputs(func, [output for blob, output in outputs.items() if blob in wanted])
        run_passes(module, [name])
        result = save(module, tmp_path / "part.param")

        before = runtime.run(param, net.inputs, sorted(wanted))
        assert_equal(before, runtime.run(result, net.inputs, sorted(wanted)))
        left = {line.name for line in read_lines(result) if line.kind not in ("Input", "Split")}
        kinds = {node.name: node.kind for node in graph.nodes if node.kind != "Input"}
        ends = [n for n in graph.nodes if any(f"blob{i}" in wanted for i in n.makes)]
        needed = {name for end in ends for name in graph.before(end)} & kinds.keys()
        if name == "eliminate-dead-layers":
            assert left == needed
        else:  # only those of which not even another layer is made
            read = {blob for node in graph.nodes for blob in node.reads}
            unread = {n.name for n in graph.nodes if not read & set(n.makes)} - needed
            orphans = {each for each in unread if kinds.get(each) == "MemoryData"}
            assert left == kinds.keys() - orphans
        seen["went"] += left != kinds.keys()

    check()
    assert seen["went"] > 0, seen
