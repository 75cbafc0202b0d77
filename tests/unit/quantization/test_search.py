"""Which layers stay float: as few as it takes, by the errors that each makes alone."""

from collections.abc import Collection, Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.int8 import StaticInt8
from ncnn_opt.dialects.ncnn.lookup import find_layer, model_of
from ncnn_opt.formats.scale_table import ScaleTable
from ncnn_opt.quantization.evaluator import Evaluator
from ncnn_opt.quantization.fitted_layers import restored
from ncnn_opt.quantization.int8_models import integers_of
from ncnn_opt.quantization.layer_timing import LayerTimes, Timing
from ncnn_opt.quantization.layerwise import change_layers
from ncnn_opt.quantization.prepared import Candidate, RuntimeModel
from ncnn_opt.quantization.recipe import spread
from ncnn_opt.quantization.search import Found, Search
from ncnn_opt.runtime.latency import Latency
from ncnn_opt.transforms.quantization.layer_weights import replace_weights
from xdsl.dialects.builtin import ModuleOp

from .conftest import Load, drawn
from .test_equalization import weight_of

NAMES = "abcdefgh"


@pytest.fixture
def module(load: Load) -> ModuleOp:
    """Eight convolutions in a row, the first of which has a bias."""
    lines = ["Input in 0 1 in 0=4 1=4 2=2"]
    for i, name in enumerate(NAMES):
        source, bias = (NAMES[i - 1], "") if i else ("in", " 5=1")
        lines.append(f"Convolution {name} 1 1 {source} {name} 0=2 1=1 6=4{bias}")
    weights = [drawn(2, 2, 1, 1, seed=i) for i in range(8)]
    return load("\n".join(lines), weights[0], drawn(2, seed=9), *weights[1:])


TABLE = ScaleTable()
for each in NAMES:
    TABLE.weights[each, 0] = (50.0, 60.0)
    TABLE.blobs[each] = (30.0,)


class FakeEvaluator:
    """Errors of layers that are int8 add up."""

    def __init__(self, module: ModuleOp, errors: dict[str, float]) -> None:
        self.prepared = cast(Any, SimpleNamespace(module=module, float_macs=self.float_macs))
        self.errors = errors
        self.models: list[Collection[str]] = []

    def float_macs(self, integers: Collection[str]) -> float:
        return 1 - len(integers) / 8

    def error(self, module: ModuleOp) -> float:
        self.models.append(frozenset(integers_of(module)))
        return sum(self.errors[name] for name in integers_of(module))


def search(
    module: ModuleOp, errors: Sequence[float], most: float, keep: Sequence[str] = ()
) -> tuple[Found, FakeEvaluator]:
    bench = FakeEvaluator(module, dict(zip(NAMES, errors, strict=True)))
    return Search(cast(Evaluator, bench), TABLE, keep).find(most), bench


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (255, ""),
        (254, "h"),
        (127, "h"),
        (100, "hg"),
        (63, "hg"),
        (31, "hgf"),
        (7, "hgfed"),
        (2, "hgfedcb"),
        (1, "hgfedcb"),
        (0.5, "hgfedcba"),
    ],
)
def test_as_few_as_it_takes(most: float, kept: str, module: ModuleOp) -> None:
    """Errors are powers of 2."""
    found, bench = search(module, [2**i for i in range(8)], most)
    assert "".join(each.layer for each in found.kept) == kept
    assert found.all_int8 == 255
    assert found.error == 255 - sum(2 ** NAMES.index(name) for name in kept) <= most
    assert [each.alone for each in found.kept] == [2 ** NAMES.index(name) for name in kept]
    assert found.float_macs == len(kept) / 8
    assert found.measured == len(bench.models) == len(set(bench.models))


def test_layers_that_are_kept_anyway_are_not_tried(module: ModuleOp) -> None:
    found, bench = search(module, [2**i for i in range(8)], 20, keep="h")
    assert "".join(each.layer for each in found.kept) == "gfe"
    assert found.error == 15
    assert not any("h" in model for model in bench.models)


def test_layers_that_others_make_up_for_are_int8_again(module: ModuleOp) -> None:
    found, _ = search(module, [10, 10, 10, 1, 1, 1, 1, 1], 12)
    assert "".join(each.layer for each in found.kept) == "abc"
    found, _ = search(module, [5, 6, 7, 8, 0, 0, 0, 0], 12)
    # d and c alone leave 11.
    assert "".join(each.layer for each in found.kept) == "dc"


def test_samples_from_all_over() -> None:
    assert spread(10, 20) == spread(10, 10) == list(range(10))
    assert spread(10, 5) == [0, 2, 4, 6, 8]
    assert spread(11, 3) == [0, 3, 7]


def test_only_layers_that_become_int8_change(module: ModuleOp) -> None:
    candidates = [Candidate(name, name, "", name, 1) for name in NAMES]
    bench = SimpleNamespace(prepared=SimpleNamespace(candidates=candidates))
    table = ScaleTable()
    for name in "abdg":
        table.weights[name, 0], table.blobs[name] = (50.0, 60.0), (30.0,)
    table.blobs["g"] = (float("inf"),)
    seen, told = list[str](), list[tuple[int, int]]()

    def change(integers: ModuleOp, layer: Candidate, ours: StaticInt8, in_int8: StaticInt8) -> None:
        assert not ours.computes_int8()
        assert in_int8.computes_int8()
        seen.append(layer.name)

    changed = change_layers(
        cast(Evaluator, bench),
        module,
        table,
        ["b"],
        change,
        lambda done, total: told.append((done, total)),
    )
    assert seen == ["a", "d"]
    assert told == [(i, 4) for i in range(4)]
    assert str(changed) == str(module)


def test_layers_get_their_weights_back(module: ModuleOp) -> None:
    fitted = module.clone()
    for name in "ab":
        op = find_layer(model_of(fitted), name)
        assert isinstance(op, StaticInt8)
        weights = {"weight": drawn(2, 2, 1, 1, seed=20), "bias": drawn(2, seed=21)}
        replace_weights(op, weights)
    back = restored(fitted, module, ["a", "b"])
    for name in "ab":
        assert np.array_equal(weight_of(back, name), weight_of(module, name))
        assert not np.array_equal(weight_of(fitted, name), weight_of(module, name))
    assert np.array_equal(weight_of(back, "a", "bias"), weight_of(module, "a", "bias"))
    assert not weight_of(back, "b", "bias").any()
    assert np.array_equal(weight_of(restored(fitted, module, ["b"]), "a"), weight_of(fitted, "a"))


def test_a_fingerprint_is_of_the_structure_and_of_the_weights(load: Load) -> None:
    line = "Input in 0 1 in 0=4 1=4 2=2\nConvolution c 1 1 in c 0=2 1=1 6=4"

    def fingerprint(lines: str, seed: int) -> str:
        with RuntimeModel(load(lines, drawn(2, 2, 1, 1, seed=seed))) as prepared:
            return prepared.fingerprint

    first = fingerprint(line, 1)
    assert first == fingerprint(line, 1)
    assert first != fingerprint(line, 2)
    assert first != fingerprint(line + " 9=1", 1)


def test_shares_of_multiplications(module: ModuleOp) -> None:
    with RuntimeModel(module) as prepared:
        assert [c.name for c in prepared.candidates] == list(NAMES)
        assert [c.bottom for c in prepared.candidates] == ["in", *NAMES[:-1]]
        assert prepared.float_macs([]) == 1
        assert prepared.float_macs("abcd") == 0.5
        assert prepared.float_macs(NAMES) == 0
        assert prepared.in_order(["c", "in", "a", "c"]) == ["in", "a", "c"]


def test_layers_that_lose_most_come_first() -> None:
    times = {"a": LayerTimes(1, 2, True), "b": LayerTimes(1, 9, True), "c": LayerTimes(1, 4, False)}
    times["d"] = LayerTimes(5, 9, True)
    assert Timing(cast(Latency, None), times).slower == ["b", "d", "a"]
