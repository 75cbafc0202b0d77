"""Named extents of dynamic axes: `in0:h=n`, `in1:w=p+n`."""

import pytest
from ncnn_opt.driver.errors import UsageError
from ncnn_opt.driver.pipelines import parse_axes
from ncnn_opt.transforms.dynamic_shapes.dynamic_axes import (
    DynamicAxis,
    parse_dynamic_axes,
    solve_names,
)


def axes(*texts: str) -> list[DynamicAxis]:
    return parse_dynamic_axes(texts)


def test_parsing() -> None:
    assert parse_axes(["in0=h:n", "in1=h:n,w:p+2*n+1"]) == ["in0:h=n", "in1:h=n", "in1:w=p+2*n+1"]
    first, second, third = axes("in0:h=n", "in1:w=p+2*n+1", "in2:32*w")
    assert first == DynamicAxis("in0", "h", 1, (("n", 1),))
    assert second == DynamicAxis("in1", "w", 1, (("p", 1), ("n", 2)), 1)
    assert third == DynamicAxis("in2", "w", 32)
    assert second.extent({"p": 3, "n": 5}) == 14


@pytest.mark.parametrize("text", ["h:", "h:n-1", "h:0*n", "h:3", "z:n", "h:n+", "2*h:n"])
def test_mistakes(text: str) -> None:
    with pytest.raises(UsageError, match="--dynamic takes INPUT=AXES"):
        parse_axes([f"in0={text}"])


def test_values_of_names() -> None:
    mask, hidden, twice = axes("m:w=p+n", "x:h=n", "y:h=2*n+1")
    assert solve_names([(mask, 8), (hidden, 8), (twice, 17)]) == {"n": 8, "p": 0}
    assert solve_names([(mask, 11), (hidden, 8)]) == {"n": 8, "p": 3}


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((8, 9), "exported for 9 along axis h of 'y', which other axes contradict: n is 8"),
        ((7, 7), None),
    ],
)
def test_contradictions(sizes: tuple[int, int], message: str | None) -> None:
    given = list(zip(axes("x:h=n", "y:h=n"), sizes, strict=True))
    if message is None:
        assert solve_names(given) == {"n": 7}
        return
    with pytest.raises(ValueError, match=message):
        solve_names(given)


def test_undetermined_names() -> None:
    with pytest.raises(ValueError, match="exported values of n and p are not known"):
        solve_names([(axes("m:w=p+n")[0], 8)])
    with pytest.raises(ValueError, match="it is no such multiple"):
        solve_names([(axes("m:w=2*n")[0], 7)])
