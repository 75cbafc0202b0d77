"""What `ncnn-optimize` writes loads in the runtime and gives what the original gives: whole models
and parts of them, as float32 and as float16."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ncnn_opt.tools.ncnn_optimize_main import main

from .amount import REPEATABLE, examples
from .graphs import Graph, graphs
from .nets import Net
from .param_files import read_lines
from .runtime import Blobs, Failure, Runtime
from .test_storage_cut import read, run_whole

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.param"))

FLOAT32, FLOAT16 = 0, 65536
TOLERANCE = {FLOAT32: 1e-4, FLOAT16: 1e-2}
"""Of the largest value of a blob."""

of_all_examples = pytest.mark.parametrize("param", EXAMPLES, ids=lambda path: path.stem)


def run_tool(param: Path, result: Path, flag: int = FLOAT32, cut: Sequence[str] = ()) -> Path:
    """The tool in this process."""
    files = [path.with_suffix(end) for path in (param, result) for end in (".param", ".bin")]
    main([*map(str, files), str(flag), *cut])
    return result


def inputs_of(param: Path) -> Blobs:
    """Random values for the inputs whose extents a `.param` tells."""
    rng = np.random.default_rng(0)
    shapes = {
        line.tops[0]: [int(str(line.params[id])) for id in (2, 1, 0) if id in line.params]
        for line in read_lines(param)
        if line.kind == "Input"
    }
    return {name: rng.standard_normal(shape).astype("f4") for name, shape in shapes.items()}


def assert_near(blobs: Blobs, result: Path, runtime: Runtime, flag: int = FLOAT32) -> None:
    """Asserts that a model, given these blobs for its inputs, gives those that are its outputs."""
    _, inputs, outputs = read(result)
    assert outputs
    after = runtime.run(result, {name: blobs[name] for name in inputs}, outputs)
    assert not isinstance(after, Failure), after
    for name, value in after.items():
        assert value.shape == blobs[name].shape, name
        error = np.abs(value - blobs[name]).max()
        assert error <= TOLERANCE[flag] * np.abs(blobs[name]).max(), name


@pytest.mark.parametrize("flag", TOLERANCE)
@of_all_examples
def test_examples(param: Path, flag: int, runtime: Runtime, tmp_path: Path) -> None:
    blobs = run_whole(runtime, param, inputs_of(param))
    result = run_tool(param, tmp_path / "result.param", flag)
    assert_near(blobs, result, runtime, flag)
    assert [read(path)[1:] for path in (result, param)] == [read(param)[1:]] * 2
    assert len(read_lines(result)) < len(read_lines(param))
    size = result.with_suffix(".bin").stat().st_size / param.with_suffix(".bin").stat().st_size
    assert size < (0.6 if flag == FLOAT16 else 1)


@of_all_examples
def test_every_cut_of_the_examples(param: Path, runtime: Runtime, tmp_path: Path) -> None:
    blobs = run_whole(runtime, param, inputs_of(param))
    names = [line.name for line in read(param)[0] if line.bottoms]
    assert len(names) > 4
    for cut in [[name] for name in names] + [[names[0], name] for name in names]:
        result = run_tool(param, tmp_path / "cut.param", cut=cut)
        assert_near(blobs, result, runtime)
    result = run_tool(param, tmp_path / "cut.param", FLOAT16, [names[1], names[-2]])
    assert_near(blobs, result, runtime, FLOAT16)


@settings(REPEATABLE, max_examples=examples(50))
@given(graphs(), st.data())
def test_cuts_of_random_graphs(
    runtime: Runtime, tmp_path_factory: pytest.TempPathFactory, graph: Graph, data: st.DataObject
) -> None:
    start = data.draw(st.sampled_from(graph.nodes), label="from")
    ends = [n for n in graph.nodes if n.name in graph.after(start) and n.kind != "Input"]
    end = data.draw(st.sampled_from([None, *ends]), label="to")
    folder = tmp_path_factory.getbasetemp()
    net = graph.build()
    param = net.write(folder, "whole")
    blobs = run_whole(runtime, param, net.inputs)
    if start.kind == "Input" and end is None and not ends:
        return  # nothing depends on it
    cut = [start.name, *([] if end is None else [end.name])]
    result = run_tool(param, folder / "part.param", cut=cut)
    assert_near(blobs, result, runtime)


def test_model_without_sizes(
    runtime: Runtime, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    net = Net(seed=2)
    net.tagged(net.normal(4, 3, 3, 3, scale=0.3))
    x = net.input("data", (3, 8, 9), declared=False)
    x = net.layer("Convolution", x, "conv", {0: 4, 1: 3, 6: 108})
    net.layer("ReLU", x, "out")
    param = net.write(tmp_path)
    blobs = run_whole(runtime, param, net.inputs)
    result = run_tool(param, tmp_path / "result.param")
    assert capsys.readouterr().err.splitlines() == [
        "fuse_convolution_activation conv out",
        "no estimate of memory and MACs: the shape of input 'data' is not known; if the model has "
        "one size, give it with --fix-shapes data=…",
    ]
    assert_near(blobs, result, runtime)


@of_all_examples
def test_random_weights_load(param: Path, runtime: Runtime, tmp_path: Path) -> None:
    main([str(param), "null", str(tmp_path / "r.param"), str(tmp_path / "r.bin"), "0"])
    _, _, outputs = read(tmp_path / "r.param")
    blobs = runtime.run(tmp_path / "r.param", inputs_of(param), outputs)
    assert not isinstance(blobs, Failure), blobs
    assert all(np.isfinite(blob).all() for blob in blobs.values())
