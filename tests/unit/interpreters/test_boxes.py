"""Non-maximum suppression: the fast comparison of ordered boxes against the general one."""

import numpy as np
import pytest
from ncnn_opt.interpreters.ncnn import boxes
from ncnn_opt.interpreters.ncnn.boxes import by_product, by_quotient, non_maximum_suppression

NAN, HUGE = float("nan"), 1e30


def random_boxes(count: int) -> np.ndarray:
    """Boxes of several sizes; some touch, and some are equal or have no area."""
    rng = np.random.default_rng(0)
    corners = rng.integers(0, 40, (count, 2)).astype("f4") / 8
    return np.concatenate([corners, corners + rng.integers(0, 9, (count, 2)) / 8], 1, dtype="f4")


@pytest.mark.parametrize("overlaps", [by_product(0.3), by_quotient(0.3)])
def test_both_comparisons_agree(
    overlaps: boxes.OverlapTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    each = random_boxes(150)
    with np.errstate(invalid="ignore"):
        fast = non_maximum_suppression(each, overlaps)
        monkeypatch.setattr(boxes, "_intersections_of_ordered", None)
        monkeypatch.setattr(boxes, "LARGE", 0)
        assert fast.tolist() == non_maximum_suppression(each, overlaps).tolist()
    assert 0 < len(fast) < len(each)


@pytest.mark.parametrize(
    "unordered", [[1, 0, 0.5, 1], [0, 1, 1, 0.5], [0, 0, NAN, 1], [0, 0, HUGE, HUGE]]
)
def test_other_boxes_are_compared_in_general(
    unordered: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A negative side, an undefined coordinate, or an area that overflows."""
    monkeypatch.setattr(boxes, "_intersections_of_ordered", None)
    with np.errstate(all="ignore"):
        non_maximum_suppression(np.array([unordered, [0, 0, 1, 1]], "f4"), by_product(0.5))


def test_inverted_box_between_others_covers_a_negative_area() -> None:
    """Its sizes are negative although the comparisons call it inside."""
    each = np.array([[0, 0, 4, 4], [3, 3, 1, 1]], "f4")
    assert non_maximum_suppression(each, by_product(0.2)).tolist() == [0]
