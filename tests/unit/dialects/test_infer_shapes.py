"""What the shape of a result is where something about the inputs is not known, or does not fit: as
much as follows, and no more."""

from collections.abc import Sequence
from typing import Any

import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.dialects.ncnn.blob import UNRANKED, static_shape_of
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.cropping import CropOp
from ncnn_opt.dialects.ncnn.expressions import evaluate
from ncnn_opt.dialects.ncnn.joining import SliceOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.shapes.analysis import Shapes
from ncnn_opt.dialects.shapes.terms import UNKNOWN, Extents, symbol
from ncnn_opt.transforms.canonicalization.data_movement import composed_order, part_along
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, f32
from xdsl.ir import SSAValue
from xdsl.utils.test_value import create_ssa_value

N = symbol("n")


def make(
    type_: str, inputs: int = 1, outputs: int = 1, weight: Sequence[int] = (), **params: Any
) -> LayerOp:
    """A layer that reads and makes blobs of nothing known, perhaps with a weight."""
    values = [create_ssa_value(UNRANKED) for _ in range(inputs)]
    weights: dict[str, SSAValue] = {}
    if weight:
        type_of_weight = TensorType(f32, weight)
        zeros = DenseIntOrFPElementsAttr.from_list(type_of_weight, [0.0])
        weights["weight"] = ConstantOp.of(zeros, type_of_weight).results[0]
    op = BY_TYPE[type_].make(values, weights, [UNRANKED] * outputs, {})
    op.init_params(params)
    return op


@pytest.mark.parametrize(
    ("op", "shapes", "expected"),
    [
        # A Convolution of 1 x 1 takes a vector as an InnerProduct does, so that it may give one.
        (make("Convolution", weight=(4, 3, 1, 1), num_output=4, kernel_w=1), [None], None),
        (make("Convolution", weight=(4, 3, 1, 1), num_output=4, kernel_w=1), [(3,)], (4,)),
        (make("Convolution", weight=(4, 3, 1, 1), num_output=4, kernel_w=1), [(2,)], None),
        # Rows or one matrix: the innermost extent tells.
        (make("InnerProduct", weight=(4, 3), num_output=4), [(5, N)], None),
        (make("InnerProduct", weight=(4, 3), num_output=4), [(N, 3)], (N, 4)),
        (make("InnerProduct", weight=(4, 3), num_output=4), [(5, 6)], (4,)),
        (make("StatisticsPooling"), [(6, 5, 4)], (6,)),
        (make("StatisticsPooling", include_stddev=1), [(6, 5, 4)], (12,)),
        (make("StatisticsPooling"), [(6, 5)], (1,)),
        (make("StatisticsPooling"), [(6,)], (1,)),
        (make("StatisticsPooling"), [None], (UNKNOWN,)),
        (make("Reorg", stride=2), [(6, 4)], None),
        (make("Reorg", stride=2), [(3, 4, 6)], (12, 2, 3)),
        (make("GLU", axis=0), [(4, 6)], (2, 6)),
        (make("GLU", axis=-1), [(4, 6)], (4, 3)),
        (make("GLU", axis=2), [(4, 6)], None),
        (make("GLU", axis=0), [None], None),
        (make("MatMul", 2), [(3, 4), None], None),
        (make("MatMul", 2), [None, (4, 5)], None),
        (make("MatMul", 2), [(3, 4), (4, 5)], (3, 5)),
        (make("Reduction", reduce_all=1, keepdims=0), [None], (1,)),
        (make("Reduction", reduce_all=1, keepdims=1), [None], None),
        (make("Reduction", reduce_all=0, keepdims=0, axes=(0,)), [None], None),
        (make("Fold", kernel_w=2, output_w=4), [(8, 9)], (2, 4, 4)),
        (make("Fold", kernel_w=2, output_w=4, pad_left=-1), [(8, 9)], None),
        (make("Fold", kernel_w=2, output_w=4), [(8, 9, 2)], None),
        # An expression that the runtime cannot evaluate, and one of too many numbers.
        (make("Interp", size_expr="+"), [(3, 4, 5)], (3, UNKNOWN, UNKNOWN)),
        (make("Interp", size_expr="1,2,3"), [(3, 4, 5)], (3, UNKNOWN, UNKNOWN)),
        (make("Interp", size_expr="8,6"), [(3, 4, 5)], (3, 6, 8)),
        # An extent is no negative start, which would count from the end; a difference may be.
        (make("Crop", starts_expr="0w", ends_expr="-233", axes_expr="0"), [(9, N)], (9 - N, N)),
        (
            make("Crop", starts_expr="-(0w,5)", ends_expr="-233", axes_expr="0"),
            [(9, N)],
            (UNKNOWN, N),
        ),
        # A dim of 1 is said, not copied.
        (make("Reshape", w=1, h=-1), [(6, 5, 4)], (120, 1)),
        (make("Reshape", w=0, h=-1), [(6, 5, 4)], (30, 4)),
    ],
    ids=str,
)
def test_shapes(op: LayerOp, shapes: list[Extents | None], expected: Extents | None) -> None:
    found = op.infer_shapes([*shapes, *map(static_shape_of, op.operands[len(shapes) :])])
    assert (found and list(found)) == (None if expected is None else [expected])


def test_an_expression_of_nothing_has_no_value() -> None:
    assert evaluate("", []) is None
    assert evaluate(",", []) is None
    assert evaluate("7", []) == [7]


def test_the_last_part_behind_indices_goes_to_the_end() -> None:
    """Whatever the extent is; parts of given extents may leave something."""

    def covers_all(outputs: int, **params: Any) -> bool:
        op = make("Slice", 1, outputs, **params)
        assert isinstance(op, SliceOp)
        return op.covers_all(Shapes())

    assert covers_all(2, indices=(3,))
    assert covers_all(2, slices=(3, -233))
    assert not covers_all(2, slices=(3, 3))


@pytest.mark.parametrize(
    ("params", "kept"),
    [
        ({"starts": (0,), "ends": (-233,), "axes": (0,)}, True),
        ({"starts": (-233,), "ends": (2147483647,), "axes": (1,)}, True),
        ({"starts": (1,), "ends": (-233,), "axes": (0,)}, False),
        ({"starts": (0,), "ends": (3,), "axes": (0,)}, False),
        # Without axes these are starts along all of them, and there may be too few.
        ({"starts": (0,), "ends": (-233,)}, False),
    ],
)
def test_crops_that_keep_any_shape(params: dict[str, Any], kept: bool) -> None:
    op = make("Crop", **params)
    assert isinstance(op, CropOp)
    assert op.keeps_shape() is kept


@pytest.mark.parametrize("expression", ["starts_expr", "ends_expr", "axes_expr"])
def test_a_crop_by_expressions_is_no_known_part(expression: str) -> None:
    params: dict[str, Any] = {expression: "0"}
    plain = make("Crop", starts=(1,), ends=(3,), axes=(0,))
    other = make("Crop", starts=(1,), ends=(3,), axes=(0,), **params)
    assert isinstance(plain, CropOp)
    assert isinstance(other, CropOp)
    assert part_along(plain, 0, 2, 4) == (1, 3)
    assert part_along(other, 0, 2, 4) is None


@pytest.mark.parametrize(
    ("first", "second", "rank", "expected"),
    [
        (1, 1, 2, 0),
        (1, 2, 2, None),
        (2, 1, 2, None),
        (4, 3, 3, 0),
        (9, 1, 3, None),
        (0, 0, None, 0),
    ],
)
def test_permutes_of_permutes(first: int, second: int, rank: int | None, expected: int) -> None:
    one, two = make("Permute", order_type=first), make("Permute", order_type=second)
    assert composed_order(one, two, rank) == expected  # pyright: ignore[reportArgumentType]
