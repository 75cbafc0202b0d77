"""What becomes of a model by `--storage`, `--cut-from`, `--cut-to` and `--keep-blob`, in the real
runtime: small models of all kinds, and those of the examples."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ncnn_opt

from .amount import REPEATABLE, examples
from .comparing import assert_equal, is_evidence
from .followers import LINEAR, Model, models
from .graphs import Graph, Node, graphs
from .nets import Net
from .param_files import Case, Line, read_lines
from .runtime import Blobs, Failure, Runtime
from .test_roundtrip import ALL_STORAGES, CASES, add_case

HALF_TOLERANCE = 1e-2
"""How far float16 weights may move a blob of a few layers, of its largest value: each weight moves
by up to 2^-11 = 5e-4 of itself."""

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.param"))


def convert(param: Path, result: str, *passes: str) -> Path:
    """A model after these passes, beside it."""
    model = ncnn_opt.load(param)
    ncnn_opt.optimize(model, passes)
    path = param.with_name(f"{result}.param")
    ncnn_opt.save(model, path)
    return path


def to_half(param: Path) -> Path:
    return convert(param, "half", "convert-storage{storage=fp16}")


def to_float(param: Path, result: str = "float") -> Path:
    return convert(param, result, "convert-storage{storage=fp32}")


def bin_of(param: Path) -> bytes:
    return param.with_suffix(".bin").read_bytes()


def assert_same(before: Blobs | Failure, after: Blobs | Failure) -> None:
    assert not isinstance(before, Failure), before
    assert not isinstance(after, Failure), after
    for name, expected in before.items():
        np.testing.assert_array_equal(after[name], expected, err_msg=name)


def assert_near(before: Blobs, after: Blobs | Failure) -> None:
    assert not isinstance(after, Failure), after
    for name, expected in before.items():
        assert np.abs(after[name] - expected).max() <= HALF_TOLERANCE * np.abs(expected).max(), name


# -- storage


@pytest.mark.parametrize("case", CASES, ids=str)
def test_storage_of_every_layer_type(case: Case, runtime: Runtime, tmp_path: Path) -> None:
    net = Net(seed=3)
    add_case(net, case, storages=ALL_STORAGES)
    param = net.write(tmp_path)
    blobs = runtime.run(param, net.inputs, net.outputs)

    exact = to_float(param)
    assert bin_of(to_float(exact, "again")) == bin_of(exact)
    half = to_half(param)
    assert len(bin_of(half)) <= len(bin_of(exact))
    assert bin_of(to_half(half)) == bin_of(half)
    if not isinstance(blobs, Failure):
        assert_same(blobs, runtime.run(exact, net.inputs, net.outputs))
        rounded = runtime.run(half, net.inputs, net.outputs)
        assert_same(rounded, runtime.run(to_float(half), net.inputs, net.outputs))
        if is_evidence(blobs):
            assert_near(blobs, rounded)


@settings(REPEATABLE, max_examples=examples(100))
@given(
    st.sampled_from(LINEAR).flatmap(models),
)
def test_storage_after_fusions(
    runtime: Runtime, tmp_path_factory: pytest.TempPathFactory, model: Model
) -> None:
    net = model.build()
    param = net.write(tmp_path_factory.getbasetemp(), "storage")
    before = runtime.run(param, net.inputs, net.outputs)
    if not is_evidence(before) or isinstance(before, Failure):
        return
    fused = convert(param, "fused", "eliminate-split", "canonicalize")
    full = runtime.run(fused, net.inputs, net.outputs)
    assert_same(full, runtime.run(to_float(fused), net.inputs, net.outputs))
    assert_near(before, runtime.run(to_half(fused), net.inputs, net.outputs))


def test_storage_rounds_as_the_runtime_reads(runtime: Runtime, tmp_path: Path) -> None:
    """All kinds of float16: normal, subnormal, the largest, zeros, ties; and a bfloat16 that is
    none."""
    values = np.array(
        [1.0, -1.1, 65504.0, -65519.9, 6.1035156e-05, 6.0e-05, 5.9604645e-08, 3e-08, 2.9e-08]
        + [1e-30, -0.0, 2049.0, 2051.0, 0.33325195, 1e-3, -7.7e-06],
        "f4",
    )
    net = Net()
    net.inputs["x"] = np.ones(1, "f4")
    net.layer("Input", (), "x", {0: 1})
    net.tagged(values)
    net.layer("InnerProduct", "x", "y", {0: len(values), 2: len(values)})
    param = net.write(tmp_path)
    after = runtime.run(to_half(param), net.inputs, ["y"])
    assert_same({"y": values.astype("f2").astype("f4")}, after)


def test_storage_of_memory_data(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    net.input("x", (6,))
    net.tagged(net.normal(6), "bfloat")
    net.layer("MemoryData", (), "m", {0: 6, 21: 0})
    net.layer("Split", "m", ["m0", "m1"])
    net.layer("BinaryOp", ["x", "m0"], "y", {0: 2})
    net.plain(net.normal(6))
    net.layer("MemoryData", (), "plain", {0: 6})
    net.layer("BinaryOp", ["m1", "plain"], "z", {0: 2})
    param = net.write(tmp_path)
    before = runtime.run(param, net.inputs, net.outputs)
    exact, half = to_float(param), to_half(param)
    assert_same(before, runtime.run(exact, net.inputs, net.outputs))
    assert_same(before, runtime.run(half, net.inputs, net.outputs))  # bfloat16 has fewer bits
    assert len(bin_of(exact)) == len(bin_of(half)) + 12


# -- cutting

TO_BE_SEEN = ("apart", "inputs", "one input", "part of several", "split", "constant")
"""What the models must show often enough for the test to say something."""


def read(param: Path) -> tuple[list[Line], list[str], list[str]]:
    """The layers of a file but for inputs and Splits, its inputs, and what no layer reads."""
    lines = read_lines(param)
    inputs = [top for line in lines if line.kind == "Input" for top in line.tops]
    used = {bottom for line in lines for bottom in line.bottoms}
    outputs = [
        top for line in lines if line.kind != "Input" for top in line.tops if top not in used
    ]
    layers = [line for line in lines if line.kind not in ("Input", "Split")]
    return layers, inputs, outputs


def run_whole(runtime: Runtime, param: Path, inputs: Blobs) -> Blobs:
    """All blobs of a model."""
    names = [top for line in read_lines(param) for top in line.tops]
    blobs = runtime.run(param, inputs, names, light_mode=False)
    assert not isinstance(blobs, Failure), blobs
    return blobs


def check_part(runtime: Runtime, cut: Path, blobs: Blobs) -> None:
    """The part, given the blobs of the whole, gives those of the whole."""
    _, inputs, outputs = read(cut)
    assert outputs
    light = not any(n > 1 for n in Counter(b for x in read_lines(cut) for b in x.bottoms).values())
    given_blobs = {name: blobs[name] for name in inputs}
    part = runtime.run(cut, given_blobs, outputs, light_mode=light)
    assert_same({name: blobs[name] for name in outputs}, part)


@pytest.mark.parametrize("splits", [True, False], ids=["splits", "no_splits"])
def test_cut_gives_what_the_whole_gave(splits: bool, runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    @settings(REPEATABLE, max_examples=examples(150))
    @given(graphs(), st.data())
    def check(graph: Graph, data: st.DataObject) -> None:
        start = data.draw(st.none() | st.sampled_from(graph.nodes), label="from")
        ends = [node for node in graph.nodes if node.kind != "Input"]
        end = data.draw(
            st.sampled_from(ends) if start is None else st.none() | st.sampled_from(ends)
        )
        net = graph.build()
        param = net.write(tmp_path)
        blobs = run_whole(runtime, param, net.inputs)
        bounds = {"from": start, "to": end}
        spec = " ".join(f"{key}={node.name}" for key, node in bounds.items() if node is not None)
        passes = [] if splits else ["eliminate-split"]

        own = kept_layers(graph, start, end)
        if own is None:
            seen["apart"] += 1
            with pytest.raises(ncnn_opt.NcnnOptError, match="does not depend on"):
                convert(param, "cut", f"cut-model{{{spec}}}")
            return
        if all(node.kind == "Input" for node in own):
            with pytest.raises(ncnn_opt.NcnnOptError, match="no layer depends on input"):
                convert(param, "cut", f"cut-model{{{spec}}}")
            return
        cut = convert(param, "cut", *passes, f"cut-model{{{spec}}}")
        layers, inputs, outputs = read(cut)
        kept = with_constants(graph, own)
        assert {line.name for line in layers} == {n.name for n in kept if n.kind != "Input"}
        made = {blob for node in kept for blob in node.makes}
        wanted = {blob for node in kept for blob in node.reads} - made
        wanted |= {node.makes[0] for node in kept if node.kind == "Input"}
        assert set(inputs) == {f"blob{i}" for i in wanted}
        if end is not None:
            assert set(outputs) >= {f"blob{i}" for i in end.makes}
        assert all(name.startswith("blob") and "_" not in name for name in outputs)
        check_part(runtime, cut, blobs)
        seen["inputs" if len(inputs) > 1 else "one input"] += 1
        seen["part of several"] += 3 <= len(layers) < len(graph.nodes) - 3
        kinds = {line.kind for line in read_lines(cut)}
        seen["split"] += "Split" in kinds
        seen["constant"] += "MemoryData" in kinds

    check()
    assert all(seen[key] > 5 for key in TO_BE_SEEN), seen


def kept_layers(graph: Graph, start: Node | None, end: Node | None) -> list[Node] | None:
    """The layers between two; `None` if no way leads from one to the other."""
    names = {node.name for node in graph.nodes}
    if start is not None:
        names &= graph.after(start)
    if end is not None:
        names &= graph.before(end)
        if end.name not in names:
            return None
    return [node for node in graph.nodes if node.name in names]


def with_constants(graph: Graph, own: list[Node]) -> list[Node]:
    """The layers with the constants that they read."""
    constants, names = graph.constants(), {node.name for node in own}
    blobs = {blob for node in own for blob in node.reads}
    for node in reversed(graph.nodes):
        if node.name in constants and blobs & set(node.makes):
            names.add(node.name)
            blobs.update(node.reads)
    inputs = [n for n in graph.nodes if n.kind == "Input" and not blobs & set(n.makes)]
    return [node for node in graph.nodes if node.name in names and node not in inputs]


@pytest.mark.parametrize("option", ["from", "to"])
@pytest.mark.parametrize("param", EXAMPLES, ids=lambda path: path.stem)
def test_cut_of_the_examples(param: Path, option: str, runtime: Runtime, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    model = ncnn_opt.load(param)
    shapes = {blob.name: tuple(n or 1 for n in blob.shape or ()) for blob in model.inputs}
    inputs = {name: rng.standard_normal(shape).astype("f4") for name, shape in shapes.items()}
    blobs = run_whole(runtime, param, inputs)
    layers = [layer.name for layer in model.layers if layer.type not in ("Input", "Split")]
    assert len(layers) > 4
    for name in layers:
        part = ncnn_opt.load(param)
        ncnn_opt.optimize(part, [f'cut-model{{{option}="{name}"}}'])
        ncnn_opt.save(part, tmp_path / "cut.param")
        check_part(runtime, tmp_path / "cut.param", blobs)


# -- keeping blobs


@settings(REPEATABLE, max_examples=examples(150))
@given(graphs(), st.data())
def test_kept_blobs_are_what_they_were(
    runtime: Runtime, tmp_path_factory: pytest.TempPathFactory, graph: Graph, data: st.DataObject
) -> None:
    net = graph.build()
    folder = tmp_path_factory.getbasetemp()
    param = net.write(folder, "whole")
    blobs = run_whole(runtime, param, net.inputs)
    names = [top for line in read_lines(param) if line.kind != "Input" for top in line.tops]
    kept = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    result = convert(
        param, "kept", f"keep-blobs{{names={','.join(kept)}}}", "eliminate-split", "canonicalize"
    )
    _, _, outputs = read(result)
    assert set(outputs) == {*kept, *net.outputs} - set(net.inputs)
    expected = {name: blobs[name] for name in outputs}
    assert_equal(expected, runtime.run(result, net.inputs, outputs))


def test_kept_blobs_do_not_hold_up_the_rest(runtime: Runtime, tmp_path: Path) -> None:
    """Only what would take the blob away is left undone."""
    example = next(path for path in EXAMPLES if path.stem == "small_cnn")
    model, plain = ncnn_opt.load(example), ncnn_opt.load(example)
    ncnn_opt.optimize(plain)
    ncnn_opt.optimize(model, ["keep-blobs{names=bn3}", "eliminate-split", "canonicalize"])
    types = [layer.type for layer in plain.layers]
    more = [layer.type for layer in model.layers]
    assert Counter(more) - Counter(types) == {"ReLU": 1, "Split": 1}
    ncnn_opt.save(model, tmp_path / "kept.param")
    inputs = {"data": np.random.default_rng(0).standard_normal((3, 32, 32)).astype("f4")}
    before = runtime.run(example, inputs, ["bn3", "prob"], light_mode=False)
    assert_equal(before, runtime.run(tmp_path / "kept.param", inputs, ["bn3", "prob"]))
