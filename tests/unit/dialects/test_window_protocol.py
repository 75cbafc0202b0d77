"""Convolutions, deconvolutions and poolings of 1, 2 and 3 dims say their windows in one way, as
layers and as fused operations."""

from typing import Any

import pytest
from ncnn_opt.dialects.fused import FUSED
from ncnn_opt.dialects.ncnn import NCNN
from ncnn_opt.dialects.shapes.terms import UNKNOWN, symbol
from ncnn_opt.dialects.shapes.windows import HasWindow, NoWindow
from ncnn_opt.transforms import get_all_passes
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.dialects.math import Math
from xdsl.parser import Parser

SPATIAL = {1: (9,), 2: (8, 9), 3: (7, 8, 9)}
PADS = {1: "", 2: ", pad_top = 1, pad_bottom = 0", 3: ", pad_top = 1, pad_front = 0"}
SUFFIX = {1: "1d", 2: "", 3: "3d"}


def parse(text: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, Func, Arith, Math, NCNN, FUSED):
        context.load_dialect(dialect)
    return Parser(context, text).parse_module()


def windows_in(module: ModuleOp) -> list[HasWindow]:
    return [op for op in module.walk() if isinstance(op, HasWindow)]


def layer(kind: str, rank: int, params: str) -> str:
    """A model of one layer with a kernel of 3 along each axis, and 2 groups if it has any."""
    x = f"tensor<4x{'x'.join(map(str, SPATIAL[rank]))}xf32>"
    name = f"ncnn.{kind}{SUFFIX[rank]}"
    if kind == "pooling":
        return (
            f"func.func @f(%x: {x}) -> tensor<*xf32> {{\n"
            f"%y = {name} %x {{{params}}} : ({x}) -> tensor<*xf32>\n"
            "func.return %y : tensor<*xf32>\n}"
        )
    groups = 2 if "depthwise" in kind else 1
    weight = f"tensor<6x{4 // groups}x{'x'.join('3' * rank)}xf32>"
    group = ", group = 2" if groups == 2 else ""
    return (
        f"func.func @f(%x: {x}) -> tensor<*xf32> {{\n"
        f"%w = ncnn.constant #ncnn.elided : {weight}\n"
        f"%y = {name} %x weight %w {{num_output = 6{group}, {params}}} "
        f": ({x}, {weight}) -> tensor<*xf32>\nfunc.return %y : tensor<*xf32>\n}}"
    )


KINDS = ("convolution", "convolutiondepthwise", "deconvolution", "deconvolutiondepthwise")


@pytest.mark.parametrize("rank", SPATIAL)
@pytest.mark.parametrize("kind", [*KINDS, "pooling"])
@pytest.mark.parametrize("pads", ["pad_left = 1, pad_right = 2", "SAME"])
def test_a_layer_and_its_fused_operation_have_one_window(kind: str, rank: int, pads: str) -> None:
    params = f"kernel_w = 3, stride_w = 2, {pads}{PADS[rank]}"
    if pads == "SAME":
        same = "pad_mode = same_lower" if kind == "pooling" else "pad_left = -234"
        params = f"kernel_w = 3, stride_w = 2, {same}"
    module = parse(layer(kind, rank, params))
    (op,) = windows_in(module)
    window = op.window_on(SPATIAL[rank])
    assert window.kernel == (3,) * rank
    assert window.strides == (2,) * rank
    assert window.groups == (2 if "depthwise" in kind else 1)
    assert len(window.pads) == rank
    get_all_passes()["convert-ncnn-to-fused"]()().apply(Context(), module)
    module.verify()
    (fused,) = windows_in(module)
    assert type(fused) is not type(op)
    assert fused.window_on(SPATIAL[rank]) == window


def of(kind: str, params: str) -> Any:
    (op,) = windows_in(parse(layer(kind, 2, params)))
    return op


def test_pads_that_say_same() -> None:
    upper = of("convolution", "kernel_w = 3, stride_w = 2, pad_left = -233")
    lower = of("convolution", "kernel_w = 3, stride_w = 2, pad_left = -234")
    assert upper.window_on((8, 9)).pads == ((0, 1), (1, 1))
    assert lower.window_on((8, 9)).pads == ((1, 0), (1, 1))
    assert lower.window_on((1, 1)).pads == ((1, 1), (1, 1))
    with pytest.raises(NoWindow, match="dynamic extents"):
        upper.window_on((DYNAMIC_INDEX, 9))


def test_a_positive_pad_makes_the_others_count() -> None:
    op = of("convolution", "kernel_w = 3, pad_left = 1, pad_right = -233")
    assert op.window((UNKNOWN, 9)).pads == ((1, 1), (1, -233))
    with pytest.raises(NoWindow, match="-233"):
        op.window_on((DYNAMIC_INDEX, 9))


def test_same_pads_of_less_than_nothing_are_not_defined() -> None:
    op = of("convolution", "kernel_w = 1, kernel_h = 3, stride_w = 2, pad_left = -233")
    with pytest.raises(NoWindow, match="-1"):
        op.window_on((8, 8))
    assert of("convolution", "kernel_w = 1, stride_w = 2, pad_left = -233").window_on(
        (8, 8)
    ).pads == (
        (0, 0),
        (0, 0),
    )


def test_what_the_last_window_of_a_pooling_lacks() -> None:
    op = of("pooling", "kernel_w = 2, stride_w = 2, pad_mode = full")
    assert op.window_on((8, 9)).pads == ((0, 0), (0, 1))
    with pytest.raises(NoWindow):
        op.window_on((8, DYNAMIC_INDEX))
    dense = of("pooling", "kernel_w = 2, pad_mode = full, pad_left = 1")
    assert dense.window_on((DYNAMIC_INDEX, DYNAMIC_INDEX)).pads == ((1, 1), (1, 1))


def test_the_window_of_a_fold_slides_over_its_output() -> None:
    (op,) = windows_in(
        parse(
            "func.func @f(%x: tensor<12x20xf32>) -> tensor<2x8x9xf32> {\n"
            "%y = ncnn.fold %x {kernel_w = 2, kernel_h = 3, stride_w = 2, pad_left = 1, "
            "pad_right = 0, pad_top = 0, pad_bottom = 1, output_w = 9, output_h = 8} "
            ": (tensor<12x20xf32>) -> tensor<2x8x9xf32>\n"
            "func.return %y : tensor<2x8x9xf32>\n}"
        )
    )
    window = op.window_on((8, 9))
    assert (window.kernel, window.strides) == ((3, 2), (2, 2))
    assert window.pads == ((0, 1), (1, 0))
    assert window.places((8, 9)) == (4, 5)


def test_what_a_deconvolution_cuts_off() -> None:
    def cut(mode: int, wanted: int) -> Any:
        params = f"kernel_w = 3, stride_w = 2, pad_left = {mode}, output_w = {wanted}"
        return of("deconvolution", params).window_on((4, 4)).pads

    assert cut(-233, 9) == ((0, 0), (0, 0))
    assert cut(-233, 8) == ((0, 1), (0, 1))
    assert cut(-234, 8) == ((1, 0), (1, 0))
    assert cut(-233, 10) == ((0, 0), (0, 0))
    with pytest.raises(NoWindow, match="-1"):
        cut(-234, 10)
    with pytest.raises(NoWindow, match="SAME"):
        cut(0, 8)


def test_a_deconvolution_cuts_off_no_less_than_nothing() -> None:
    params = "kernel_w = 3, pad_left = 2, pad_right = -1, pad_top = 1"
    assert of("deconvolution", params).window_on((8, 8)).pads == ((1, 1), (2, 0))
    params = "kernel_w = 3, pad_left = -1, pad_right = 2, pad_top = 1"
    with pytest.raises(NoWindow, match="-1"):
        of("deconvolution", params).window_on((8, 8))


@pytest.mark.parametrize("extent", range(3, 12))
@pytest.mark.parametrize("mode", [-233, -234])
@pytest.mark.parametrize("stride", [1, 2, 3])
def test_what_is_said_of_an_unknown_extent_holds_for_each(
    extent: int, mode: int, stride: int
) -> None:
    """Terms for pads are those of the numbers, and so is what follows from them."""
    op = of("convolution", f"kernel_w = 3, stride_w = {stride}, pad_left = {mode}")
    unknown = symbol("a test", stride)
    window = op.window((unknown, unknown))
    assert window.places((unknown, unknown)) == ((unknown - 1) // stride + 1,) * 2
    numbers = op.window_on((extent, extent))
    assert numbers.places((extent, extent)) == ((extent - 1) // stride + 1,) * 2
    if stride == 1:
        assert window.pads == numbers.pads == ((1, 1), (1, 1))


def test_the_last_window_of_a_pooling_on_an_unknown_extent() -> None:
    op = of("pooling", "kernel_w = 2, stride_w = 2, pad_mode = full")
    unknown = symbol("a test", least=2)
    window = op.window((unknown, unknown))
    assert window.places((unknown, unknown)) == ((unknown - 1) // 2 + 1,) * 2


def test_a_wanted_extent_of_an_unknown_one() -> None:
    params = "kernel_w = 3, stride_w = 2, pad_left = -234, output_w = 7"
    op = of("deconvolution", params)
    large, small = symbol("a test", 0, least=3), symbol("a test", 1)
    window = op.window((large, small))
    reached = window.reach((large, small))
    assert reached[0] == 7
    assert reached[1] is UNKNOWN
