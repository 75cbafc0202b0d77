"""MACs: against counting each multiplication."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.activation import ClipOp, HardSwishOp, MishOp, SigmoidOp
from ncnn_opt.dialects.ncnn.interfaces import ACTIVATION_FLOPS, ACTIVATIONS
from ncnn_opt.dialects.ncnn.layer import LayerOp

Shape = tuple[int, ...]
LayerOf = Callable[..., LayerOp]


class Number:
    """A number that counts what it is multiplied by."""

    products = 0

    def __mul__(self, other: "Number | int") -> "Number":
        Number.products += isinstance(other, Number)
        return self

    __rmul__ = __mul__

    def __add__(self, other: "Number | int") -> "Number":
        return self

    __radd__ = __add__


@pytest.fixture(autouse=True)
def counting() -> None:
    """Counts from 0."""
    Number.products = 0


def numbers(*shape: int) -> Any:
    """An array of them."""
    array = np.empty(shape, object)
    for place in product(*(range(n) for n in shape)):
        array[place] = Number()
    return array


def positions(*extents: int) -> Iterator[Shape]:
    """All indices of an array of these extents."""
    return product(*(range(n) for n in extents))


# -- convolutions

CONVOLUTIONS = [
    # line, input, outputs a group and inputs a group, groups, kernel, output extents
    ("Convolution 1 0=4 1=3 6=216", (6, 9, 8), (4, 6), 1, (3, 3), (7, 6)),
    ("Convolution 1 0=4 1=3 11=2 3=2 4=1 14=0 6=144", (6, 9, 8), (4, 6), 1, (2, 3), (4, 4)),
    ("Convolution 1 0=5 1=1 5=1 6=40", (8,), (5, 8), 1, (1, 1), ()),
    ("ConvolutionDepthWise 1 0=6 1=3 4=1 6=54 7=6", (6, 5, 4), (1, 1), 6, (3, 3), (5, 4)),
    ("ConvolutionDepthWise 1 0=8 1=3 6=144 7=4", (8, 6, 5), (2, 2), 4, (3, 3), (4, 3)),
    ("Convolution1D 1 0=4 1=3 6=36", (3, 10), (4, 3), 1, (3,), (8,)),
    ("ConvolutionDepthWise1D 1 0=4 1=2 6=8 7=4", (4, 7), (1, 1), 4, (2,), (6,)),
    ("Convolution3D 1 0=2 1=2 6=48", (3, 4, 5, 6), (2, 3), 1, (2, 2, 2), (3, 4, 5)),
    ("ConvolutionDepthWise3D 1 0=3 1=2 6=24 7=3", (3, 3, 3, 3), (1, 1), 3, (2, 2, 2), (2, 2, 2)),
]


@pytest.mark.parametrize("case", CONVOLUTIONS, ids=lambda case: case[0])
def test_macs_of_a_convolution(case: Any, layer_of: LayerOf) -> None:
    line, shape, (outputs, inputs), groups, kernel, extents = case
    counted = 0
    for _group, _out in positions(groups, outputs):
        for _place in positions(*extents):
            counted += sum(1 for _ in positions(inputs, *kernel))
    op = layer_of(line, shape)
    assert op.macs() == counted
    bias = outputs * groups * prod(extents) if " 5=1" in line else 0
    assert op.flops() == 2 * counted + bias


DECONVOLUTIONS = [
    ("Deconvolution 1 0=4 1=3 3=2 6=216", (6, 5, 4), (4, 6), 1, (3, 3)),
    ("Deconvolution 1 0=4 1=3 3=2 4=1 6=216", (6, 5, 4), (4, 6), 1, (3, 3)),
    ("DeconvolutionDepthWise 1 0=6 1=2 6=24 7=6", (6, 5, 4), (1, 1), 6, (2, 2)),
    ("Deconvolution1D 1 0=4 1=3 6=36", (3, 10), (4, 3), 1, (3,)),
    ("Deconvolution3D 1 0=2 1=2 6=48", (3, 2, 3, 4), (2, 3), 1, (2, 2, 2)),
]


@pytest.mark.parametrize("case", DECONVOLUTIONS, ids=lambda case: case[0])
def test_macs_of_a_deconvolution(case: Any, layer_of: LayerOf) -> None:
    line, shape, (outputs, inputs), groups, kernel = case
    counted = 0
    for _group, _input in positions(groups, inputs):
        for _place in positions(*shape[1:]):
            counted += sum(1 for _ in positions(outputs, *kernel))
    assert layer_of(line, shape).macs() == counted


def test_macs_of_a_deformable_convolution(layer_of: LayerOf) -> None:
    op = layer_of("DeformableConv2D 1 0=4 1=3 6=216", (6, 9, 8), (18, 7, 6), (9, 7, 6))
    assert op.macs() == 4 * 7 * 6 * 6 * 9
    # Each sample is a weighted sum of 4 (4 products, 3 sums), times the mask, times the weight: the
    # product with the mask and with the four corner weights are no MACs.
    assert op.other_flops() == 6 * 9 * 7 * 6 * 9


def test_activation_of_a_convolution(layer_of: LayerOf) -> None:
    line = "Convolution 1 0=4 1=3 5=1 6=216 9="
    flops = [layer_of(f"{line}{i} -23310=2,0.1,0.5", (6, 9, 8)).flops() for i in range(7)]
    own = [0, 1, 2, ClipOp, SigmoidOp, MishOp, HardSwishOp]
    for i, each in enumerate(own):
        expected = each if isinstance(each, int) else each.FLOPS_PER_ELEMENT
        assert ACTIVATION_FLOPS[i] == expected, ACTIVATIONS[i]
        assert flops[i] == 2 * 4 * 42 * 54 + (1 + expected) * 4 * 42
    relu, leaky = (layer_of(f"ReLU 1 {slope}", (4, 7, 6)) for slope in ("", "0=0.1"))
    assert (relu.flops(), leaky.flops()) == (4 * 42, 2 * 4 * 42)


# -- matrix products


@pytest.mark.parametrize(("shape", "rows"), [((3, 4, 5), 1), ((60,), 1), ((7, 60), 7)])
def test_macs_of_an_inner_product(shape: Shape, rows: int, layer_of: LayerOf) -> None:
    np.matmul(numbers(rows, 60), numbers(60, 9))
    op = layer_of("InnerProduct 1 0=9 1=1 2=540", shape)
    assert op.macs() == Number.products == rows * 540
    assert op.flops() == 2 * rows * 540 + rows * 9


@pytest.mark.parametrize(
    ("line", "a", "b"),
    [
        ("MatMul 1", (4, 5), (5, 6)),
        ("MatMul 1", (3, 4, 5), (5, 6)),
        ("MatMul 1", (3, 4, 5), (3, 5, 6)),
        ("MatMul 1", (2, 3, 4, 5), (1, 3, 5, 6)),
        ("MatMul 1", (5,), (5,)),
        ("MatMul 1", (5,), (5, 6)),
        ("MatMul 1", (4, 5), (5,)),
        ("MatMul 1 0=1", (3, 4, 5), (3, 6, 5)),
    ],
)
def test_macs_of_a_matmul(line: str, a: Shape, b: Shape, layer_of: LayerOf) -> None:
    right = numbers(*b)
    np.matmul(numbers(*a), np.swapaxes(right, -1, -2) if line.endswith("0=1") else right)
    assert layer_of(line, a, b).macs() == Number.products


@pytest.mark.parametrize(
    ("params", "inputs", "flops"),
    [
        ("", ((4, 5), (5, 6)), 0),
        ("2=1 3=1", ((5, 4), (6, 5)), 0),
        ("5=1 8=6 9=5", ((4, 5),), 0),
        ("4=1 7=4 9=5", ((5, 6),), 0),
        ("5=1 6=1 8=6 9=5 10=4", ((4, 5),), 24),
        ("5=1 8=6 9=5 14=1 0=0.5", ((4, 5),), 24),
        ("1=0.5", ((4, 5), (5, 6), (6,)), 48),
    ],
)
def test_macs_of_a_gemm(
    params: str, inputs: Sequence[Shape], flops: int, layer_of: LayerOf
) -> None:
    np.matmul(numbers(4, 5), numbers(5, 6))
    op = layer_of(f"Gemm 1 {params}", *inputs)
    assert op.macs() == Number.products == 120
    assert op.other_flops() == flops


@pytest.mark.parametrize(
    ("equation", "inputs"),
    [("ik,kj->ij", ((4, 5), (5, 6))), ("ijk,k->ij", ((2, 3, 4), (4,))), ("i,i,i->i", ((3,),) * 3)],
)
def test_macs_of_an_einsum(equation: str, inputs: Sequence[Shape], layer_of: LayerOf) -> None:
    extents: dict[str, int] = {}
    for token, shape in zip(equation.partition("->")[0].split(","), inputs, strict=True):
        extents |= dict(zip(token, shape, strict=True))
    counted = sum(len(inputs) - 1 for _ in positions(*extents.values()))
    codes = ",".join(str(ord(c)) for c in equation)
    assert layer_of(f"Einsum 1 -23300={len(equation)},{codes}", *inputs).macs() == counted


def attend(query: Any, key: Any, value: Any) -> Any:
    """The two products of attention, a head at a time."""
    scores = query @ np.swapaxes(key, -1, -2)
    return scores @ value


@pytest.mark.parametrize(
    ("query", "key", "value"),
    [((3, 8), None, None), ((3, 8), (5, 6), (5, 4)), ((3, 8), (5, 6), None)],
)
def test_macs_of_a_multi_head_attention(
    query: Shape, key: Shape | None, value: Shape | None, layer_of: LayerOf
) -> None:
    embed, heads, kdim = 12, 4, 8 if key is None else 6
    vdim = kdim if value is None else 4
    given = [shape for shape in (query, key, value) if shape is not None]
    line = f"MultiHeadAttention 1 0={embed} 1={heads} 2={embed * 8} 3={kdim} 4={vdim}"
    op = layer_of(line, *given)

    key = key or query
    value = value or key
    q, k, v = (
        (numbers(*shape) @ numbers(shape[1], embed)).reshape(shape[0], heads, -1).swapaxes(0, 1)
        for shape in (query, key, value)
    )
    np.matmul(attend(q, k, v).swapaxes(0, 1).reshape(query[0], embed), numbers(embed, 8))
    assert op.macs() == Number.products


def test_macs_of_a_multi_head_attention_with_past_keys(layer_of: LayerOf) -> None:
    # 3 steps after 7: products with the weights for 3 rows, with all 10 keys and values.
    past = (4, 7, 3)
    op = layer_of("MultiHeadAttention 3 0=12 1=4 2=96 3=8 4=8 7=1", (3, 8), past, past)
    rows = numbers(3, 8)
    for _ in "qkv":
        np.matmul(rows, numbers(8, 12))
    attend(numbers(4, 3, 3), numbers(4, 10, 3), numbers(4, 10, 3))
    np.matmul(numbers(3, 12), numbers(12, 8))
    assert op.macs() == Number.products


@pytest.mark.parametrize("past", [0, 5])
def test_macs_of_sdpa(past: int, layer_of: LayerOf) -> None:
    query, key, value = (4, 3, 8), (2, 6, 8), (2, 6, 5)
    if past:
        cache = (2, past, 8), (2, past, 5)
        op = layer_of("SDPA 3 7=1", query, key, value, *cache)
    else:
        op = layer_of("SDPA 1", query, key, value)
    for _head in range(4):
        attend(numbers(3, 8), numbers(6 + past, 8), numbers(6 + past, 5))
    assert op.macs() == Number.products


# -- recurrences


@pytest.mark.parametrize(("kind", "gates"), [("RNN", 1), ("GRU", 3), ("LSTM", 4)])
@pytest.mark.parametrize("direction", [0, 2])
def test_macs_of_a_recurrence(kind: str, gates: int, direction: int, layer_of: LayerOf) -> None:
    steps, width, cells = 5, 6, 4
    ways = 2 if direction == 2 else 1
    size = ways * gates * cells * width
    for _step, _way in positions(steps, ways):
        np.matmul(numbers(gates * cells, width), numbers(width))
        np.matmul(numbers(gates * cells, cells), numbers(cells))
    op = layer_of(f"{kind} 1 0={cells} 1={size} 2={direction}", (steps, width))
    assert op.macs() == Number.products


def test_macs_of_a_projected_lstm(layer_of: LayerOf) -> None:
    # 5 steps of 4 * 7 rows times 6 inputs and 3 outputs, then 3 rows times 7 cells.
    op = layer_of("LSTM 1 0=3 1=168 3=7", (5, 6))
    assert op.macs() == 5 * (4 * 7 * 6 + 4 * 7 * 3 + 3 * 7)
