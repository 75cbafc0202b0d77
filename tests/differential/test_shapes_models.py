"""The inferred shapes of all blobs of whole models, against the runtime's: of the examples, of a
decoder of language, and of nets that grow a layer at a time."""

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import deepcopy
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ncnn_opt.analysis.shape_inference import infer as infer_types
from ncnn_opt.dialects.ncnn.assembly import names_of
from ncnn_opt.dialects.ncnn.blob import agree, shape_of, static_shape_of
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.function import input_name
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.transforms.infer_shapes import InferShapes
from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.dialects.func import FuncOp

from .amount import REPEATABLE, examples
from .compiler import load, save
from .decoders import cache_names, decoder, decoder_inputs
from .growing import Draw, grow, small
from .nets import Array, Net, Shape
from .runtime import Failure, Runtime

ncnn: Any = pytest.importorskip("ncnn")

EXAMPLES = Path(__file__).parents[2] / "examples"

Shapes = Mapping[str, Shape | None]

OTHER_INPUTS = {
    "small_cnn": [{"data": (3, 40, 24)}, {"data": (3, 15, 17)}],
    "residual": [{"data": (8, 5, 9)}, {"data": (8, 32, 16)}],
    "sequence": [{"frames": (8, 7)}, {"frames": (8, 40)}],
}
"""Inputs that the examples take as well as those that their files say."""


def infer(
    module: ModuleOp, inputs: Mapping[str, Shape] | None = None, fitting: bool = True
) -> Shapes:
    """The shape of each blob of a model, by name; `inputs` are shapes that inputs get. Those that
    weights contradict are an error, unless they need not be `fitting`."""
    func = next(op for op in module.ops if isinstance(op, FuncOp))
    if fitting:
        texts = tuple(f"{name}:{'x'.join(map(extent, s))}" for name, s in (inputs or {}).items())
        InferShapes(texts).apply(Context(), module)
    else:
        given = {input_name(func, i): arg for i, arg in enumerate(func.args)}
        infer_types(func, {given[name]: shape for name, shape in (inputs or {}).items()})
    module.verify()
    shapes = {input_name(func, i): shape_of(arg) for i, arg in enumerate(func.args)}
    for op in func.body.block.ops:
        if isinstance(op, LayerOp) and not (isinstance(op, ConstantOp) and op.layer_name is None):
            for name, result in zip(names_of(op), op.results, strict=True):
                assert name is not None
                shapes[name] = shape_of(result)
    return shapes


def extent(n: int) -> str:
    return "?" if n == DYNAMIC_INDEX else str(n)


def run(runtime: Runtime, param: Path, inputs: Mapping[str, Array], blobs: Sequence[str]) -> Shapes:
    """The shapes that these blobs have in the runtime; none if not all of them come out."""
    values = runtime.run(param, inputs, blobs, light_mode=False)
    if isinstance(values, Failure) or not all(a.size for a in values.values()):
        return {}
    return {name: a.shape for name, a in values.items()}


def random_inputs(shapes: Mapping[str, Shape]) -> dict[str, Array]:
    rng = np.random.default_rng(0)
    return {name: rng.standard_normal(shape).astype("f4") for name, shape in shapes.items()}


def read_hints(param: Path) -> Shapes:
    """The shape hints that the runtime has read from a `.param`; `None` where there are none."""
    net = ncnn.Net()
    assert net.load_param(str(param)) == 0
    hints: dict[str, Shape | None] = {}
    for blob in net.blobs():
        w, h, d, c = (getattr(blob.shape, axis) for axis in "whdc")
        hints[blob.name] = [None, (w,), (h, w), (c, h, w), (c, d, h, w)][blob.shape.dims]
    return hints


@pytest.mark.parametrize("name", OTHER_INPUTS)
def test_all_blobs_of_an_example(name: str, runtime: Runtime, tmp_path: Path) -> None:
    param = EXAMPLES / f"{name}.param"
    module = load(param)
    func = next(op for op in module.ops if isinstance(op, FuncOp))
    own = {input_name(func, i): static_shape_of(a) or () for i, a in enumerate(func.args)}
    for inputs in (own, *OTHER_INPUTS[name]):
        inferred = infer(module, inputs)
        actual = run(runtime, param, random_inputs(inputs), list(inferred))
        assert actual
        assert inferred == actual
        # The file says so too, and that is what the runtime reads.
        saved = save(module, tmp_path / f"{name}.param")
        assert read_hints(saved) == actual
        assert infer(load(saved)) == actual


@pytest.mark.parametrize("name", OTHER_INPUTS)
def test_what_is_known_of_an_example_without_some_extents(name: str, runtime: Runtime) -> None:
    param = EXAMPLES / f"{name}.param"
    for inputs in OTHER_INPUTS[name]:
        (blob, shape), *_ = inputs.items()
        for axis in range(1, len(shape)):
            vague = tuple(DYNAMIC_INDEX if i == axis else n for i, n in enumerate(shape))
            inferred = infer(load(param), {blob: vague})
            actual = run(runtime, param, random_inputs(inputs), list(inferred))
            assert None not in inferred.values()
            assert_agreement(inferred, actual)


def assert_agreement(inferred: Shapes, actual: Shapes) -> None:
    assert inferred.keys() == actual.keys()
    for name, shape in inferred.items():
        assert agree(shape, actual[name]), (name, shape, actual[name])


# -- a decoder of language


@pytest.mark.parametrize(("past", "steps"), [(0, 5), (0, 2), (7, 3), (12, 1)])
def test_decoder_of_any_length(past: int, steps: int, runtime: Runtime, tmp_path: Path) -> None:
    layers, caches = 2, cache_names(2)
    param = decoder(layers).write(tmp_path)
    inputs = decoder_inputs(past, steps, layers if past else 0)  # at first there is no cache
    vague = infer(load(param), decoder_inputs(DYNAMIC_INDEX, DYNAMIC_INDEX, layers))
    blobs = [name for name in vague if past or name not in caches]
    actual = run(runtime, param, random_inputs(inputs), blobs)
    assert_agreement({name: vague[name] for name in blobs}, actual)
    if past:
        assert infer(load(param), inputs) == actual
    # All but the number of steps is known of each blob.
    for name, shape in vague.items():
        assert shape is not None
        assert shape.count(DYNAMIC_INDEX) == (2 if name.startswith("mask") else 1), name


# -- nets that grow


def build(draw: Draw, runtime: Runtime, folder: Path) -> Net:
    """A net of layers that the runtime runs: each is kept if it does."""
    net = Net(draw(small(0, 999)))
    shape = draw(st.lists(small(1, 9), min_size=1, max_size=4).map(tuple))
    open_blobs = {net.input("x", shape, declared=draw(st.booleans())): shape}
    for _ in range(draw(small(2, 6))):
        x = draw(st.sampled_from(sorted(open_blobs)))
        larger = deepcopy(net)
        blobs = grow(draw, larger, x, open_blobs[x])
        shapes = run(runtime, larger.write(folder), larger.inputs, blobs)
        if shapes and all(s is not None and prod(s) < 5000 for s in shapes.values()):
            net = larger
            del open_blobs[x]
            open_blobs |= {name: s for name, s in shapes.items() if s is not None}
    return net


def test_all_blobs_of_nets_that_grow(runtime: Runtime, expendable: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    @settings(REPEATABLE, max_examples=examples(100))
    @given(st.data())
    def check(data: st.DataObject) -> None:
        net = build(data.draw, runtime, tmp_path)
        param = net.write(tmp_path)
        shape = net.inputs["x"].shape
        inferred = infer(load(param), {"x": shape})
        assert inferred == run(runtime, param, net.inputs, list(inferred))
        seen["blobs"] += len(inferred)
        seen["nets"] += 1

        # Extents that are not known, and then turn out to be others.
        hidden = data.draw(st.lists(st.booleans(), min_size=len(shape), max_size=len(shape)))
        vague = [DYNAMIC_INDEX if h else n for n, h in zip(shape, hidden, strict=True)]
        others = data.draw(st.lists(small(1, 9), min_size=len(shape), max_size=len(shape)))
        other = tuple(m if n == DYNAMIC_INDEX else n for m, n in zip(others, vague, strict=True))
        module = load(param)
        inferred = infer(module, {"x": tuple(vague)})
        assert_agreement(inferred, run(runtime, param, net.inputs, list(inferred)))
        if other == shape:
            return
        actual = run(expendable, param, random_inputs({"x": other}), list(inferred))
        if actual:
            assert_agreement(inferred, actual)
            assert_agreement(infer(module, {"x": other}, fitting=False), actual)
            seen["at other extents"] += 1

    check()
    assert seen["blobs"] > 5 * seen["nets"], seen
    assert seen["at other extents"] > 0.1 * seen["nets"], seen
