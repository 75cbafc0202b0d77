"""Elements at generic indices, and passes without a proof for other extents than the model's."""

from typing import Any

import numpy as np
import pytest
from ncnn_opt.conversion.tracing import nodes
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.dialects.ncnn.weights import dense_weight
from ncnn_opt.dialects.shapes.terms import Atom, Extent
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.proofs.array import ExactArray, NotExact
from ncnn_opt.proofs.extents import traced, uniform_axes
from ncnn_opt.proofs.generic import GenericElements
from ncnn_opt.proofs.indices import axis, flat, level, places
from ncnn_opt.proofs.numbers import RandomElements, number
from ncnn_opt.proofs.proof import as_pass
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter

from .instances import context
from .test_extents import Change, H, W, residues_of, vector
from .test_unknown_shapes import EXCHANGE
from .test_unknown_shapes import model as two_inputs


def test_an_index_has_the_level_of_the_innermost_loop() -> None:
    made: dict[Atom, Extent] = {}
    (outer,), (inner,), (free,) = (list(places(H, name, made)) for name in (1, 2, "out"))
    assert [level(place) for place in ((), axis(2, 5), free, outer, inner)] == [0, 0, 0, 1, 2]
    assert level((*inner, *outer)) == 2
    assert level(axis(flat(outer) * W + flat(free), H * W)) == 1


def test_two_borders_are_one() -> None:
    x = vector("x")
    twice = np.pad(np.pad(x, [(1, 2)]), [(2, 1)])  # pyright: ignore
    once, mirrored, other = (
        np.pad(x, [(3, 3)]),  # pyright: ignore
        np.pad(x, [(1, 5)]),  # pyright: ignore
        np.pad(np.pad(x, [(1, 2)]), [(2, 1)], constant_values=1.0),  # pyright: ignore
    )
    squares = [(each * each * each).sum() for each in (twice, once, mirrored, other)]
    first, second, third, fourth = residues_of(*squares, inputs=[x])
    assert first == second
    assert len({second, third, fourth}) == 3


@pytest.mark.parametrize(("low", "missing"), [(-1, 0), (0, 3)])
def test_a_border_is_not_where_elements_were_cut_off(low: int, missing: int) -> None:
    """The inner border is negative: an element is missing, and the outer border is in its place."""
    dtype = np.dtype("f4")
    value = AnyOp(result_types=[TensorType(f32, [4])]).results[0]
    zero = nodes.Scalar((), dtype, 0.0)
    cut = nodes.Pad((3,), dtype, nodes.Input((4,), dtype, value), (low,), zero)
    whole = nodes.Pad((4,), dtype, cut, (-low,), zero)
    elements = GenericElements({value: 0}, {}, RandomElements(1))
    found = [number(elements.of(whole, (axis(i, 4),))).residue for i in range(4)]
    assert [i for i, residue in enumerate(found) if residue == 0] == [missing]


def test_known_numbers_have_known_indices() -> None:
    known = nodes.dense(np.array([[5, 6, 7], [8, 9, 10]], "i4"))
    elements = GenericElements({}, {}, RandomElements(1))
    assert elements.of(known, (axis(1, 2), axis(0, 3))) == 8
    (unknown,) = places(H, "test", {})
    with pytest.raises(NotExact, match="known numbers at an unknown index"):
        elements.of(known, (unknown, axis(0, 3)))


def test_integers_of_a_model_are_known_and_floats_are_weights() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi8>) {
      %f = ncnn.constant dense<[3.0, 5.0]> : tensor<2xf32>
      %i = ncnn.constant dense<[3, 5]> : tensor<2xi8>
      %y = ncnn.binaryop %x, %f {name = "y", op_type = mul}
        : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      func.return %y, %i : tensor<2xf32>, tensor<2xi8>
    }"""
    func = model_of(parse_ir(context(), text.encode(), "it.mlir"))
    (product, integers), weights = traced(func, [(2,)])
    every = list(nodes.in_order([product, integers]))
    read = {node.value for node in every if isinstance(node, nodes.Input)}
    weight, _ = weights
    assert read == {*func.body.block.args, weight}
    assert isinstance(integers, nodes.Dense)
    assert integers.values.tolist() == [3, 5]


def test_axes_of_one_extent_are_proven_together() -> None:
    """An addition takes blobs of all equal extents."""

    def swap(op: Any, rewriter: PatternRewriter) -> None:
        op.operands = op.operands[::-1]

    module = two_inputs(*EXCHANGE, shape="2x3")
    axes = uniform_axes(as_pass(Change("ncnn.binaryop", swap)), module)
    assert axes == ("h of x = h of z", "w of x = w of z")


def scale() -> ModuleOp:
    """A model with a layer that has weights."""
    text = """func.func @main(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
      %s = ncnn.constant dense<0.5> : tensor<4xf32>
      %y = ncnn.scale %x scale %s {name = "y"} : (tensor<4x5xf32>, tensor<4xf32>) -> tensor<4x5xf32>
      func.return %y : tensor<4x5xf32>
    }"""
    return parse_ir(context(), text.encode(), "it.mlir")


class Fails(ModulePass):
    """A pass that takes no symbols."""

    name = "fails"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise ValueError("no symbols")


class ChangesWeights(ModulePass):
    """Doubles the weights of a model; `at_static_extents`: of one whose extents are static."""

    name = "changes-weights"

    def __init__(self, at_static_extents: bool) -> None:
        self.at_static_extents = at_static_extents

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        type_ = model_of(op).body.block.args[0].type
        if self.at_static_extents and "?" in str(type_):
            return
        for each in op.walk():
            if isinstance(each, ConstantOp):
                doubled = 2 * each.read()
                exactly = isinstance(doubled, ExactArray)
                made = doubled.as_weight() if exactly else dense_weight(doubled, each.output.type)  # pyright: ignore
                each.value = made


def test_a_pass_that_takes_no_symbols_is_not_proven_for_other_extents() -> None:
    assert uniform_axes(Fails(), scale()) == ()


@pytest.mark.parametrize("at_static_extents", [True, False])
def test_a_change_of_weights_is_no_proof_for_other_extents(at_static_extents: bool) -> None:
    """Nor is a pass that does nothing there."""
    assert uniform_axes(ChangesWeights(at_static_extents), scale()) == ()
