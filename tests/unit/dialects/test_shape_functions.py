"""Shape functions of custom layers: their values, and texts that are none."""

from collections.abc import Mapping, Sequence

import pytest
from ncnn_opt.dialects.ncnn.shape_functions import InvalidShape, check_function, infer_function
from ncnn_opt.dialects.shapes.terms import Extents, ExtentTerm, symbol
from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, f32, i32
from xdsl.ir import Attribute

EXTRA: Mapping[str, Attribute] = {
    "0": IntegerAttr(2, i32),
    "1": FloatAttr(3.0, f32),
    "2": FloatAttr(0.5, f32),
    "3": DenseArrayBase.from_list(i32, [1, 2]),
    "12": IntegerAttr(7, i32),
}
N = symbol("n", 0)


@pytest.mark.parametrize(
    ("text", "shapes", "expected"),
    [
        ("in0", [(3, 6, 8)], [(3, 6, 8)]),
        ("in1", [(3,), (5, N)], [(5, N)]),
        ("0w,0h,0c", [(3, 6, 8)], [(3, 6, 8)]),
        ("0c,0w,0d,0h", [(3, 2, 6, 8)], [(6, 2, 8, 3)]),
        ("*(0w,p0),-(0h,1),p12", [(3, 6, 8)], [(7, 5, 16)]),
        ("*(0w,p1)", [(N,)], [(3 * N,)]),
        ("*(0w,p2)", [(9,)], [(4,)]),
        ("+(0w,1w),0h", [(4, N), (4, 5)], [(4, N + 5)]),
        ("in0;1,0w;in1", [(7,), None], [(7,), (7, 1), None]),
        ("in0", [None], [None]),
        ("//(0w,2)", [(7,)], [(3,)]),
    ],
)
def test_values(
    text: str, shapes: Sequence[Extents | None], expected: list[Extents | None]
) -> None:
    assert infer_function(text, shapes, len(expected), EXTRA) == expected


def test_an_unknown_input_gives_the_rank() -> None:
    (shape,) = infer_function("0w,0h,5", [None], 1, EXTRA)
    assert shape is not None
    assert len(shape) == 3
    assert shape[0] == 5
    assert isinstance(shape[1], ExtentTerm)


@pytest.mark.parametrize(
    ("text", "shapes", "outputs", "words"),
    [
        ("0w,0h", [(8,)], 1, "has no 0h"),
        ("0d", [(3, 6, 8)], 1, "input 0 is 3-D"),
        ("1w", [(8,)], 1, "has no input 1"),
        ("in1", [(8,)], 1, "has no input 1"),
        ("in0", [(8,)], 2, "another number of outputs, 2, than 'in0', 1"),
        ("in0;in0", [(8,)], 1, "another number of outputs, 1"),
        ("p4", [(8,)], 1, "no number as parameter 4"),
        ("p3", [(8,)], 1, "no number as parameter 3"),
        ("-(0w,8)", [(8,)], 1, "without elements"),
        ("0", [(8,)], 1, "without elements"),
        ("-1", [(8,)], 1, "without elements"),
    ],
)
def test_functions_that_do_not_fit(
    text: str, shapes: Sequence[Extents | None], outputs: int, words: str
) -> None:
    check_function(text)
    with pytest.raises(InvalidShape, match=words):
        infer_function(text, shapes, outputs, EXTRA)


@pytest.mark.parametrize(
    "text",
    [
        *("", "0w,", ",0w", "in0;", "in10", "in0,0w", "0n", "w", "w*2", "p", "x(0w)", "(0w"),
        *("0w)", "*(0w)", "*(0w,1,2)", "*", "1,1,1,1,1", "0w 0h", "-(in0,1)"),
    ],
)
def test_texts_that_are_none(text: str) -> None:
    with pytest.raises(InvalidShape, match="is no|has 5 extents"):
        check_function(text)
