"""Proofs for all extents: of right patterns, and of patterns that are right at some only."""

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from ncnn_opt.conversion.tracing import nodes
from ncnn_opt.conversion.tracing.arrays import Traced
from ncnn_opt.dialects.shapes.terms import UNKNOWN, Atom, Extent, ExtentTerm, symbol
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.proofs import Proof, Status, prove
from ncnn_opt.proofs.array import NotExact
from ncnn_opt.proofs.comparisons import exceptions, recorded, substituted
from ncnn_opt.proofs.exact_evaluation import outputs
from ncnn_opt.proofs.extents import traced, uniform_axes
from ncnn_opt.proofs.generic import GenericElements
from ncnn_opt.proofs.indices import axis, flat, is_natural, places, regrouped
from ncnn_opt.proofs.numbers import FLT_MAX, RandomElements, number
from ncnn_opt.proofs.proof import as_pass
from ncnn_opt.proofs.random_instances import input_shapes, random_exact, replace_weights
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    ModuleOp,
    TensorType,
    UnitAttr,
    f32,
)
from xdsl.dialects.func import FuncOp
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from .instances import context, instances


class Change(RewritePattern):
    """Changes the layers of a type once."""

    def __init__(self, name: str, change: Callable[[Any, PatternRewriter], None]) -> None:
        self.name, self.change = name, change

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if op.name == self.name and "changed" not in op.attributes:
            op.attributes["changed"] = UnitAttr()
            self.change(op, rewriter)


def erase(op: Any, rewriter: PatternRewriter) -> None:
    rewriter.replace(op, (), [op.operands[0]])


def params(**values: Any) -> Callable[[Any, PatternRewriter], None]:
    def change(op: Any, rewriter: PatternRewriter) -> None:
        op.set_params(**values)

    return change


def model(line: str, shape: str, result: str) -> ModuleOp:
    """A function of `%x` with one layer."""
    types = f"tensor<{shape}xf32>", f"tensor<{result}xf32>"
    text = f"""func.func @main(%x: {types[0]}) -> {types[1]} {{
      %y = {line} : ({types[0]}) -> {types[1]}
      func.return %y : {types[1]}
    }}"""
    return parse_ir(context(), text.encode(), "it.mlir")


NEAR_MISSES = {
    "divisor": (
        "ncnn.reduction",
        params(operation=0, coeff=1 / 3),
        'ncnn.reduction %x {name = "y", operation = mean, reduce_all = 0, axes = [1], '
        "keepdims = 1, fixbug0 = 1}",
        ("2x3", "2x1"),
        "w of x",
    ),
    "sum of one": (
        "ncnn.reduction",
        erase,
        'ncnn.reduction %x {name = "y", reduce_all = 0, axes = [1], keepdims = 1, fixbug0 = 1}',
        ("2x1", "2x1"),
        "w of x",
    ),
    "reversal of one": (
        "ncnn.flip",
        erase,
        'ncnn.flip %x {name = "y", axes = [1]}',
        ("2x1", "2x1"),
        "w of x",
    ),
    "cumulative sum of one": (
        "ncnn.cumulativesum",
        erase,
        'ncnn.cumulativesum %x {name = "y", axis = 1}',
        ("2x1", "2x1"),
        "w of x",
    ),
    "softmax along the other axis": (
        "ncnn.softmax",
        params(axis=0),
        'ncnn.softmax %x {name = "y", axis = 1, fixbug0 = 1}',
        ("1x1", "1x1"),
        "",
    ),
    "transposition of one row": (
        "ncnn.permute",
        erase,
        'ncnn.permute %x {name = "y", order_type = 1}',
        ("1x1", "1x1"),
        "",
    ),
    "crop of all": (
        "ncnn.crop",
        erase,
        'ncnn.crop %x {name = "y", starts = [0], ends = [3], axes = [1]}',
        ("2x3", "2x3"),
        "w of x",
    ),
    "slices of four": (
        "ncnn.layernorm",
        params(affine_size=7),
        'ncnn.layernorm %x {name = "y", affine_size = 4}',
        ("2x2x3", "2x2x3"),
        "w of x",
    ),
    "padding of the last window": (
        "ncnn.pooling1d",
        params(pad_right=0),
        'ncnn.pooling1d %x {name = "y", kernel_w = 3, stride_w = 2, pad_right = 1, pad_mode = 1}',
        ("2x3", "2x1"),
        "w of x",
    ),
}
"""Layer, change, line, shapes of input and output, and the axis for which the change is wrong."""


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_right_at_the_instance_only(name: str) -> None:
    layer, change, line, shapes, axis_ = NEAR_MISSES[name]
    module, pattern = model(line, *shapes), Change(layer, change)
    assert prove(pattern, module).status is Status.REFUTED  # at another extent
    (func,) = module.ops
    assert isinstance(func, FuncOp)
    promised = {"ncnn.promised": UnitAttr()}
    func.arg_attrs = ArrayAttr([DictionaryAttr(promised)])
    assert prove(pattern, module, extents=True) == Proof(Status.PROVEN)  # at its own extents
    func.arg_attrs = None
    axes = uniform_axes(as_pass(pattern), module)
    if axis_:
        assert axes  # the other axes
        assert axis_ not in " ".join(axes)
    else:
        assert axes == ()


def test_outputs_of_other_extents_are_no_proof() -> None:
    module = model('ncnn.padding %x {name = "y"}', "2x3", "2x3")
    longer = Change("ncnn.padding", params(right=1))  # where both are defined, they are equal
    assert uniform_axes(as_pass(longer), module) == ()
    other_border = Change("ncnn.padding", params(value=1.0))
    assert uniform_axes(as_pass(other_border), module) == ("h of x", "w of x")


def test_an_exception_that_is_not_found_is_no_proof() -> None:
    module = model('ncnn.layernorm %x {name = "y", affine_size = 200}', "2x2x3", "2x2x3")
    proof = prove(Change("ncnn.layernorm", params(affine_size=201)), module, extents=True)
    assert proof == Proof(Status.PROVEN, axes=("c of x",))


@pytest.mark.parametrize(
    ("name", "function", "axes"),
    [
        ("fuse-swish", "product", ("h of x", "w of x")),
        ("fuse-conv-bn", "depthwise", ("h of x", "w of x")),
        ("fuse-padding-conv", "added", ("h of x", "w of x")),
        ("replace-reduction-with-global-pooling", "two_axes", ("h of x", "w of x", "c of x")),
        ("merge-concats", "nested", ("h of x", "w of x", "h of y", "w of y")),
    ],
)
def test_all_extents(name: str, function: str, axes: tuple[str, ...]) -> None:
    instance = next(x for x in instances(name) if x.function == function)
    assert prove(name, instance.module).axes == ()  # only on request
    assert prove(name, instance.module, extents=True).axes == axes


EVALUATED = (
    "fuse-conv-bn", "fuse-deconvolution-add", "fuse-padding-conv", "fuse-padding-pooling",
    "fuse-multiheadattention", "fuse-groupnorm", "merge-reductions", "merge-concats",
    "fuse-rotaryembed", "merge-permutes", "fuse-pixelshuffle", "replace-gemm-with-convolution",
    "fuse-parallel-branches dilated", "replace-deconvolution-with-convolution",
)  # fmt: skip


@pytest.mark.parametrize("name", EVALUATED)
def test_elements_are_those_of_the_reference(name: str) -> None:
    name, _, function = name.partition(" ")
    instance = next(x for x in instances(name) if function in x.function)
    module, random = instance.module.clone(), Random(3)
    replace_weights(module, random, True)
    (func,) = [op for op in module.ops if isinstance(op, FuncOp)]
    for shapes in input_shapes(func, random):
        inputs = [random_exact(shape, random) for shape in shapes]
        try:
            expected = outputs(func, inputs)
        except NotExact:
            continue
        found, weights = traced(func, shapes)
        known = {**weights, **dict(zip(func.body.block.args, inputs, strict=True))}
        elements = GenericElements({}, known, RandomElements(0))
        for node, whole in zip(found, expected, strict=True):
            assert node.shape == whole.shape
            for at in product(*map(range, whole.shape)):
                index = tuple(axis(i, n) for i, n in zip(at, whole.shape, strict=True))
                element = number(elements.of(node, index))
                assert element.residue == whole.residues[at]
                assert np.isclose(element.value, whole.values[at])
        return
    raise AssertionError("no inputs are found")


H, W = (symbol("test", name) for name in "hw")
(H_ATOM,), (W_ATOM,) = ((atom for (atom,) in term.parts) for term in (H, W))


H_NUMBER = Traced(nodes.Scalar((), np.dtype("f4"), H))


def cases(difference: Extent) -> list[dict[Atom, Extent]] | None:
    assert isinstance(difference, ExtentTerm)
    found = exceptions(difference)
    return None if found is None else [dict(case) for case in found]


def test_exceptions_of_comparisons() -> None:
    assert cases(H - 4) == [{H_ATOM: 4}]
    assert cases(H + 3) == []
    assert cases(2 * H - 5) == []
    assert cases(H * W - H) == [{W_ATOM: 1}]
    assert cases(H // 2 - 1) == [{H_ATOM: 2}, {H_ATOM: 3}]
    assert cases(H - 100) is None  # beyond the search
    assert cases(H - W) == [{W_ATOM: H}]
    assert cases(H - 2 * W) is None
    at = symbol("index", 1, H, 0, least=0)
    assert cases(H * at - H) != []


def test_cases_cover_the_exceptions() -> None:
    difference = H * W - 6
    found = cases(difference)
    assert found is not None
    for h, w in product(range(1, 9), repeat=2):
        if substituted(difference, {H_ATOM: h, W_ATOM: w}) == 0:
            assert any(case in ({H_ATOM: h}, {W_ATOM: w}) for case in found)


def test_comparisons_are_recorded() -> None:
    with recorded() as found:
        assert H != 1
        assert (2, H) != (2, W)
        assert bool(H - 1)
        assert H + 0 == H
        assert H + 1 != H  # never equal, whatever it is
    assert found == {H - 1, H - W}
    with recorded() as found:
        pass
    assert H != 1
    assert not found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ((2, 3, 4), (6, 4)),
        ((6, 4), (2, 3, 4)),
        ((4, 3), (6, 2)),
        ((2, 1, 3), (3, 2)),
        ((8,), (2, 4)),
    ],
)
def test_reshapes_of_indices(old: tuple[int, ...], new: tuple[int, ...]) -> None:
    for position in range(prod(old)):
        place = np.unravel_index(position, new)
        index = tuple(axis(int(i), n) for i, n in zip(place, new, strict=True))
        wanted = tuple(map(int, np.unravel_index(position, old)))
        assert tuple(map(flat, regrouped(index, old))) == wanted


def test_reshapes_of_unknown_indices() -> None:
    made: dict[Atom, Extent] = {}
    (h,), (w,) = (list(places(n, "test", made)) for n in (H, W))
    merged = regrouped((h, w, axis(1, 4)), (H * W, 4))
    assert merged == ((*h, *w), axis(1, 4))
    assert regrouped(merged, (H, 4 * W))[0] == h
    assert flat(merged[0]) == flat(h) * W + flat(w)
    with pytest.raises(NotExact):
        regrouped((h, w), (W, H))
    with pytest.raises(NotExact):
        regrouped((axis(1, 4), h), (2 * H, 2))


def test_an_index_is_below_its_extent() -> None:
    made: dict[Atom, Extent] = {}
    (h,) = places(H, "test", made)
    at = flat(h)
    assert is_natural(at) is True
    assert is_natural(H - 1 - at) is True
    assert is_natural(H - 2 - at) is None
    assert is_natural(at - 1) is None
    assert is_natural(W - 1 - at) is None
    assert is_natural(-at - 1) is False
    with pytest.raises(NotExact):
        is_natural(H * symbol("test", "z") // symbol("test", "y") + UNKNOWN)


def vector(name: str) -> Traced:
    """A traced vector of an unknown extent."""
    op = AnyOp(result_types=[TensorType(f32, [DYNAMIC_INDEX])])
    op.results[0].name_hint = name
    return Traced(nodes.Input((H,), np.dtype("f4"), op.results[0]))


def residues_of(*results: Traced, inputs: Sequence[Traced]) -> list[int]:
    """The residues of scalars that are computed from inputs."""
    values = {cast(nodes.Input, x.node).value: i for i, x in enumerate(inputs)}
    draws = RandomElements(1)
    elements = [GenericElements(values, {}, draws) for _ in results]
    return [
        number(each.of(result.node, ())).residue
        for each, result in zip(elements, results, strict=True)
    ]


def test_nested_sums_have_their_own_indices() -> None:
    x, y = vector("x"), vector("y")
    rows, columns = x.reshape(H, 1), y.reshape(1, H)
    products: Any = rows * columns
    swapped: Any = y.reshape(H, 1) * x.reshape(1, H)
    equal_indices = cast(Any, np.broadcast_to((x * y).reshape(H, 1), (H, H)))  # pyright: ignore
    first, second, third = residues_of(
        products.sum(1).sum(0),
        equal_indices.sum(1).sum(0),
        swapped.sum(0).sum(0),
        inputs=[x, y],
    )
    assert first != second
    assert first == third


def test_sums_of_other_bodies_or_first_values_differ() -> None:
    x = vector("x")
    largest = np.maximum.reduce
    results = [
        x.sum(),
        (x * x).sum(),
        x.max(),
        largest(x, initial=5.0),
        largest(x, initial=6.0),
        x.sum() / H_NUMBER,
    ]
    found = residues_of(*results, inputs=[x])
    assert len(set(found)) == len(found)
    same = residues_of(x.max(), np.fmax.reduce(x, initial=-FLT_MAX), inputs=[x])
    assert same[0] == same[1]


def test_a_border_is_where_it_is() -> None:
    x = vector("x")
    padded = {
        "left": np.pad(x, [(1, 0)]),  # pyright: ignore
        "right": np.pad(x, [(0, 1)]),  # pyright: ignore
        "one": np.pad(x, [(1, 0)], constant_values=1.0),  # pyright: ignore
        "in two steps": np.pad(np.pad(x, [(0, 0)]), [(1, 0)]),  # pyright: ignore
    }
    left, right, one, steps = residues_of(*(p.sum() for p in padded.values()), inputs=[x])
    assert len({left, right, one}) == 3
    assert left == steps
