"""Order of equal scores; non-maximum suppression: the fast comparison of ordered boxes against the
general one."""

import numpy as np
import pytest
from ncnn_opt.interpreters.ncnn import boxes
from ncnn_opt.interpreters.ncnn.boxes import (
    by_product,
    by_quotient,
    by_score,
    non_maximum_suppression,
)

NAN, HUGE = float("nan"), 1e30


def quicksorted(scores: np.ndarray) -> list[int]:
    """Return the indices in the order of the runtime's quicksort, step by step."""
    values, order = scores.tolist(), list(range(len(scores)))

    def sort(left: int, right: int) -> None:
        i, j, pivot = left, right, values[(left + right) // 2]
        while i <= j:
            while values[i] > pivot:
                i += 1
            while values[j] < pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                order[i], order[j] = order[j], order[i]
                i, j = i + 1, j - 1
        if left < j:
            sort(left, j)
        if i < right:
            sort(i, right)

    if values:
        sort(0, len(values) - 1)
    return order


@pytest.mark.parametrize("different", [1, 2, 3, 40, 1000])
def test_equal_scores_are_ordered_as_by_the_runtime(different: int) -> None:
    rng = np.random.default_rng(different)
    for count in (0, 1, 2, 3, 4, 7, 64, 101, 300):
        scores = (rng.integers(0, different, count) / different).astype("f4")
        assert by_score(scores).tolist() == quicksorted(scores)


def test_undefined_scores_are_sorted_step_by_step() -> None:
    scores = np.array([0.5, NAN, 0.25, 0.5, 1, NAN, 0.75, 0.125], "f4")
    assert by_score(scores).tolist() == quicksorted(scores)


def test_the_kept_order_of_equal_scores_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        by_score(np.ones(5, "f4"))[0] = 9


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
