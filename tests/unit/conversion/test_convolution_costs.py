"""The estimated cost of each form of a convolution, against numbers computed by hand. The rates:

95 multiply-adds, 8 copied elements, 5.5 transformed elements, 8 weights read from memory a
nanosecond; 2^18 weights in the cache.
"""

from dataclasses import replace

import numpy as np
import pytest
from ncnn_opt.conversion.to_linalg.builder import Builder, dim
from ncnn_opt.conversion.to_linalg.channels_last import sliced_elements
from ncnn_opt.conversion.to_linalg.extents import ExtentValues
from ncnn_opt.conversion.to_linalg.forms import costs_of as costs_on
from ncnn_opt.conversion.to_linalg.processors import PROCESSORS
from ncnn_opt.conversion.to_linalg.winograd import INTEGERS, integer_matrices
from ncnn_opt.conversion.tracing import nodes
from ncnn_opt.dialects.shapes.terms import symbol
from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineExpr

F4 = np.dtype("f4")


def costs_of(node: nodes.Convolve, processor: str = "avx512") -> dict[str, float]:
    """The costs of the forms of a convolution on a processor."""
    return costs_on(node, PROCESSORS[processor])


def convolution(
    channels: tuple[int, int],
    kernel: tuple[int, int],
    places: tuple[int, int],
    groups: int = 1,
    stride: int = 1,
) -> nodes.Convolve:
    """A convolution with so many input and output channels, at so many places."""
    inputs, outputs = channels
    extents = ((n - 1) * stride + k for n, k in zip(places, kernel, strict=True))
    x = nodes.Empty((inputs, *extents), F4)
    weight = nodes.Empty((outputs, inputs // groups, *kernel), F4)
    return nodes.Convolve((outputs, *places), F4, x, weight, (stride, stride), (1, 1), groups)


@pytest.mark.parametrize(
    ("width", "pixels"), [(5, 5), (10, 5), (11, 1), (13, 1), (14, 7), (16, 8), (26, 2), (40, 8)]
)
def test_places_in_tiles_of_pixels_that_divide_a_row(width: int, pixels: int) -> None:
    node = convolution((64, 128), (1, 1), (10, width))
    share = pixels / (pixels + 2.5)
    assert costs_of(node)["conv1x1_nhwc"] == pytest.approx(64 * 128 * 10 * width / (95 * share))


@pytest.mark.parametrize(("outputs", "share"), [(48, 1), (24, 0.5), (116, 0.25)])
def test_places_fill_vectors_of_outputs(outputs: int, share: float) -> None:
    node = convolution((64, outputs), (1, 1), (10, 8))
    assert costs_of(node)["conv1x1_nhwc"] == pytest.approx(
        64 * outputs * 80 / (95 * share * 8 / (8 + 2.5))
    )


def test_flat_has_whole_tiles_and_lays_out_both_blobs() -> None:
    """13 x 13 pixels count as 176, 120 outputs as 128."""
    node = convolution((64, 120), (1, 1), (13, 13))
    products = 64 * 128 * 176
    assert costs_of(node)["conv1x1_gemm"] == pytest.approx(products / 95 + 169 * (64 + 120) / 8)


def slices(whole: tuple[int, ...], shape: tuple[int, ...], count: int) -> SSAValue:
    """A channels-last copy of 4x4 pixels, computed from slices of a tensor."""
    block = Block(arg_types=[TensorType(f32, whole)])

    def place(op: Operation) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    builder, ones = Builder(place, ExtentValues(block)), (1,) * len(shape)
    where = [(i, *(0,) * (len(shape) - 1)) for i in range(count)]
    seen = [builder.slice(block.args[0], each, shape, ones) for each in where]
    own = [dim(i) for i in range(3)] if len(shape) == 3 else [AffineExpr.constant(0), dim(2)]
    out = builder.empty((4, 4, shape[-1]), F4)
    dims = [dim(i) for i in range(3)]
    return builder.generic([(each, own) for each in seen], out, dims, 3, lambda args, _: args[0])


def test_flat_copies_the_slices_of_the_windows_that_compute_the_input() -> None:
    node = convolution((64, 16), (1, 1), (4, 4))
    window = slices((12, 4, 32), (4, 4, 32), 9)
    x = nodes.Input((64, 4, 4), F4, window)
    after = nodes.Convolve(node.shape, F4, x, node.weight, (1, 1), (1, 1), 1)
    more = costs_of(after)["conv1x1_gemm"] - costs_of(node)["conv1x1_gemm"]
    assert more == pytest.approx(16 * 9 * 4 * 4 * 32 / 8)
    assert costs_of(after)["conv1x1_nhwc"] == costs_of(node)["conv1x1_nhwc"]


def test_slices_of_weights_have_no_pixels() -> None:
    rows = slices((9, 64), (1, 64), 9)
    assert sliced_elements(nodes.Input((64, 4, 4), F4, rows)) == 0


@pytest.mark.parametrize(("inputs", "is_few"), [(2, True), (3, True), (4, False)])
def test_groups_with_one_output_and_few_products_are_depthwise(inputs: int, is_few: bool) -> None:
    """Windows of 3 x 3, at most 32 products."""
    node = convolution((4 * inputs, 4), (3, 3), (5, 5), groups=4)
    assert ("depthwise_unrolled" in costs_of(node)) == is_few


@pytest.mark.parametrize(
    ("processor", "width", "rate"),
    [("avx512", 12, 16), ("avx512", 13, 16), ("avx2", 12, 16), ("avx2", 13, 1), ("neon", 13, 1)],
)
def test_depthwise(processor: str, width: int, rate: float) -> None:
    """Without masks, loop nests over rows of an odd number of pixels are slow."""
    node = convolution((32, 32), (3, 3), (10, width), groups=32)
    products = 32 * 9 * 10 * width
    assert costs_of(node, processor) == {
        "depthwise_loop": pytest.approx(products / rate),
        "depthwise_unrolled": pytest.approx(products / 8),
    }


def test_taps_of_several_inputs_are_no_windows() -> None:
    assert "depthwise_loop" not in costs_of(convolution((64, 32), (3, 3), (10, 12), groups=32))


@pytest.mark.parametrize(
    ("processor", "inputs", "slower"),
    [
        ("avx512", 64, 1),
        ("avx2", 3, 1.5),
        ("avx2", 4, 1.5),
        ("avx2", 5, 6),  # 5 to 16 inputs are one sum each
        ("avx2", 64, 6),
        ("avx2", 34, 1.5),  # in pairs
        ("neon", 3, 1),
        ("neon", 16, 4),
        ("neon", 17, 1),
    ],
)
def test_direct_sums_few_inputs_at_once(processor: str, inputs: int, slower: float) -> None:
    """Without masks, many inputs are summed in small tiles; beside products in tiles of registers,
    all direct convolutions are slow."""
    node = convolution((inputs, 16), (3, 3), (4, 28))
    expected = slower * inputs * 16 * 9 * 4 * 28 / PROCESSORS[processor].products
    assert costs_of(node, processor)["direct"] == pytest.approx(expected)


def test_tiles_of_registers() -> None:
    """116 outputs are 15 vectors of 8, and pixels are not laid out."""
    node = convolution((64, 116), (1, 1), (13, 13))
    assert costs_of(node, "avx2")["conv1x1_gemm"] == pytest.approx(64 * 120 * 169 / 80)
    share = 1 / (1 + 2.5)
    assert costs_of(node, "avx2")["conv1x1_nhwc"] == pytest.approx(
        64 * 116 * 169 * 2 / (80 * share)
    )


def test_starting_kernels_takes_time_beside_tiles_of_registers() -> None:
    node = convolution((16, 32), (3, 3), (8, 8))
    columns = 64 * 9 * 16 * 32 / 80 + 64 * 9 * 16 / 8 + 6 * 1000
    assert costs_of(node, "avx2")["columns"] == pytest.approx(columns)
    products = 36 * 4 * 16 * 32 / (80 * 16 / (16 + 12))
    before, after = 6 * 2 * (2 * 4 + 2) + 36 * 2 * 2, 2 * 4 * 2 * (6 + 4)
    made = (before * 16 + after * 32) / 5.5
    assert costs_of(node, "avx2")["winograd4"] == pytest.approx(products + made + 5 * 1000)


def test_int8_has_no_tiles_of_registers() -> None:
    node = replace(convolution((64, 120), (1, 1), (13, 13)), dtype=np.dtype("i4"))
    flat = 64 * 120 * 176 / 80 + 169 * (64 + 120) / 8
    assert costs_of(node, "avx2")["conv1x1_gemm"] == pytest.approx(flat)


@pytest.mark.parametrize(("width", "share"), [(14, 0.6), (21, 0.8), (28, 1), (29, 1), (56, 1)])
def test_direct_is_slow_for_short_rows(width: int, share: float) -> None:
    node = convolution((8, 16), (3, 5), (10, width))
    assert costs_of(node)["direct"] == pytest.approx(8 * 16 * 15 * 10 * width / (95 * share))


@pytest.mark.parametrize(("places", "rows"), [((10, 10), 112), ((8, 8), 64), ((3, 11), 48)])
def test_columns_are_products_of_16_rows(places: tuple[int, int], rows: int) -> None:
    node = convolution((8, 16), (3, 5), places)
    laid = places[0] * places[1] * 15 * 8
    assert costs_of(node)["columns"] == pytest.approx(rows * 15 * 8 * 16 / 95 + laid / 8)


def test_winograd_transforms_tiles() -> None:
    """4 tiles of 4x4, of 36 products each, at half the speed as there are 32 inputs. Transformed
    are 6 x 2 rows of 10, then 36 x 4 elements an input, and 8 x 2 x (6 + 4) an output."""
    node = convolution((32, 48), (3, 3), (8, 8))
    products = 36 * 4 * 32 * 48 / (95 / 2)
    made = (6 * 2 * 10 + 36 * 4) * 32 + 8 * 2 * 10 * 48
    assert costs_of(node)["winograd4"] == pytest.approx(products + made / 5.5)
    # 16 tiles of 2x2, of 16 products: 4 x 4 rows of 10, 16 x 16 elements; 8 x 4 x (4 + 2).
    products = 16 * 16 * 32 * 48 / (95 / 2)
    made = (4 * 4 * 10 + 16 * 16) * 32 + 8 * 4 * 6 * 48
    assert costs_of(node)["winograd2"] == pytest.approx(products + made / 5.5)


def test_winograd_has_whole_tiles_in_groups_of_four() -> None:
    """3 x 2 tiles count as 8."""
    node = convolution((32, 32), (3, 3), (9, 6))
    products = 36 * 8 * 32 * 32 / (95 / 2)
    made = (6 * 3 * 10 + 36 * 6) * 32 + 12 * 2 * 10 * 32
    assert costs_of(node)["winograd4"] == pytest.approx(products + made / 5.5)


@pytest.mark.parametrize(
    ("channels", "types", "forms"),
    [
        (227, "i1 i1", "winograd2 winograd4"),
        (228, "i1 i1", "winograd2"),
        (3640, "i1 i1", "winograd2"),
        (3641, "i1 i1", ""),
        (8, "i4 i1", ""),
        (8, "i1 i4", ""),
    ],
)
def test_winograd_of_int8_is_exact(channels: int, types: str, forms: str) -> None:
    """9 x 2^14 times the channels, times 4 or 64, stays below 2^31."""
    x, weight = (np.dtype(each) for each in types.split())
    node = nodes.Convolve(
        (8, 6, 6),
        np.dtype("i4"),
        nodes.Empty((channels, 8, 8), x),
        nodes.Empty((8, channels, 3, 3), weight),
        (1, 1),
        (1, 1),
        1,
    )
    assert {each for each in costs_of(node) if "winograd" in each} == set(forms.split())


@pytest.mark.parametrize("tile", INTEGERS)
def test_winograd_of_int8_fits_16_bits(tile: int) -> None:
    data, filters, back, scale = integer_matrices(tile)
    for matrix in (data, filters):
        assert 128 * np.abs(matrix.astype("i8")).sum(1).max() ** 2 < 2**15
    x, kernel = (np.full((n, n), -128, "i2") for n in (tile + 2, 3))
    made = (filters @ kernel @ filters.T).astype("i4") * (data @ x @ data.T)
    assert (back @ made @ back.T == scale**2 * 9 * 128**2).all()


def test_winograd_reads_many_weights() -> None:
    """One tile: 36 x 256 x 256 weights take longer to read than to multiply."""
    node = convolution((256, 256), (3, 3), (4, 4))
    made = (6 * 6 + 36) * 256 + 4 * 10 * 256
    assert costs_of(node)["winograd4"] == pytest.approx(36 * 256 * 256 / 8 + made / 5.5)


@pytest.mark.parametrize(
    ("processor", "outputs", "whole", "rate"),
    [
        ("avx512", 64, 64, 95 / 3),  # 16 outputs in each group: a third of the speed
        ("avx512", 16, 64, 95 * 4 / 36),  # 4 outputs are a vector of 16
        ("avx2", 64, 64, 80),
        ("avx2", 16, 32, 80),
    ],
)
def test_groups(processor: str, outputs: int, whole: int, rate: float) -> None:
    """Four groups of 8 inputs; IREE's thin products are slow."""
    kernels = 1000 if processor == "avx2" else 0
    node = convolution((32, outputs), (3, 3), (8, 8), groups=4)
    costs = costs_of(node, processor)
    columns = whole * 8 * 9 * 64 / rate + 64 * 9 * 32 / 8 + 6 * kernels
    assert costs["columns"] == pytest.approx(columns)
    shallow = 12 if processor == "avx2" else 32
    products = 36 * 4 * 8 * whole / (rate * 8 / (8 + shallow))
    made = ((6 * 2 * 10 + 36 * 4) * 32 + 8 * 2 * 10 * outputs) / 5.5
    assert costs["winograd4"] == pytest.approx(products + made + 5 * kernels)
    flat = costs_of(convolution((32, outputs), (1, 1), (8, 8), groups=4), processor)["conv1x1_gemm"]
    copied = 0 if processor == "avx2" else 64 * (32 + outputs) / 8
    assert flat == pytest.approx(64 * whole * 8 / rate + copied)


def test_groups_are_neither_direct_nor_places() -> None:
    windows = costs_of(convolution((32, 64), (3, 3), (8, 28), groups=4))
    assert sorted(windows) == ["columns", "winograd2", "winograd4"]
    assert list(costs_of(convolution((32, 64), (1, 1), (8, 8), groups=4))) == ["conv1x1_gemm"]


@pytest.mark.parametrize(
    ("weight", "groups", "forms"),
    [
        ((8, 8, 3, 3), 1, {"columns"}),  # not direct, and not Winograd's
        ((8, 8, 1, 1), 1, {"conv1x1_gemm"}),  # not conv1x1_nhwc
        ((8, 1, 3, 3), 8, {"depthwise_loop"}),
        ((8, 4, 3, 3), 2, {"columns"}),
    ],
)
def test_forms_for_dynamic_extents(weight: tuple[int, ...], groups: int, forms: set[str]) -> None:
    """A dynamic extent counts as 32 pixels."""
    height, width = symbol("height", least=3), 32 + weight[3] - 1
    factors = nodes.Empty(weight, F4)
    x, y = (8, height, width), (8, height - (weight[2] - 1), 32)
    dynamic = nodes.Convolve(y, F4, nodes.Empty(x, F4), factors, (1, 1), (1, 1), groups)
    costs = costs_of(dynamic)
    assert costs.keys() == forms
    static = costs_of(convolution((8, 8), (weight[2], weight[3]), (32, 32), groups))
    for form in forms:
        assert costs[form] == static[form]


def test_a_dynamic_number_of_channels_allows_no_form() -> None:
    channels = symbol("channels", least=1)
    x, weight = nodes.Empty((channels, 6, 6), F4), nodes.Empty((8, 8, 3, 3), F4)
    assert costs_of(nodes.Convolve((8, 4, 4), F4, x, weight, (1, 1), (1, 1), 1)) == {}
