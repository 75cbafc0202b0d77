"""Groups of an output with other ranges: boxes and scores."""

import numpy as np
import pytest
from ncnn_opt.quantization.blob_errors import BlobError
from ncnn_opt.quantization.output_groups import groups_of
from numpy.typing import NDArray


def detections(scores: int = 6, seed: int = 0) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    boxes = rng.uniform(0, 320, (4, 50))
    return np.concatenate([boxes, rng.uniform(0, 0.9, (scores, 50))]).astype("f4")


@pytest.mark.parametrize("scores", [1, 6, 80])
@pytest.mark.parametrize("transposed", [False, True])
def test_boxes_and_scores(scores: int, transposed: bool) -> None:
    blobs = [detections(scores, seed) for seed in range(3)]
    blobs = [blob.T for blob in blobs] if transposed else blobs
    boxes, classes = groups_of(blobs)
    assert boxes.axis == classes.axis == int(transposed)
    assert boxes.indices == (0, 1, 2, 3)
    assert classes.indices == tuple(range(4, 4 + scores))
    assert not boxes.are_scores
    assert classes.are_scores == (scores > 1)
    assert boxes.label() == ("[:, 0:4]" if transposed else "[0:4, :]")


def test_points_between_scores() -> None:
    blob = detections()[[0, 4, 1, 5, 2, 6]]
    assert [each.label() for each in groups_of([blob])] == [
        "[0:1+2:3+4:5, :]",
        "[1:2+3:4+5:6, :]",
    ]


def test_near_misses() -> None:
    rng = np.random.default_rng(1)
    softmax = rng.dirichlet(np.geomspace(1e-3, 30, 12), 40).astype("f4")
    scales = np.exp(rng.normal(0, 1, 64))[:, None, None]
    dead = detections()
    dead[4:] = 0
    outlier = rng.normal(0, 1, (64, 50))
    outlier[7] *= 500
    border = rng.normal(0, 20, (4, 9, 9))
    border[:, :, 0] /= 20
    cases = {
        "one range": rng.normal(0, 20, (10, 50)),
        "a row": rng.uniform(0, 300, 10),
        "softmax": softmax,
        "channels of other ranges": rng.normal(0, 1, (64, 8, 8)) * scales,
        "dead channels": dead,
        "an outlier": outlier,
        "a border of an image": border,
        "a gap of 7": np.concatenate([np.full((4, 9), 7.0), np.full((6, 9), 1.0)]),
        "infinite": np.where(detections() > 300, np.inf, detections()),
        "empty": np.zeros((0, 4)),
    }
    for name, blob in cases.items():
        assert groups_of([blob]) == (), name
    assert groups_of([np.concatenate([np.full((4, 9), 9.0), np.full((6, 9), 1.0)])])
    assert groups_of([np.zeros(3), np.zeros((2, 2))]) == ()
    assert [each.axis for each in groups_of([border[:1]])] == [2, 2]
    assert [each.axis for each in groups_of([border.swapaxes(0, 2)])] == [0, 0]


def test_differences_of_groups() -> None:
    expected = detections()
    actual = expected.copy()
    actual[4:] = np.roll(actual[4:], 1, 0)
    boxes, scores = groups_of([expected])
    assert BlobError.of(expected, actual).snr > 30
    assert boxes.difference(expected, actual).error == 0
    found = scores.difference(expected, actual)
    assert found.snr < 10
    assert (found.ranked, found.same) == (50, 0)
    assert scores.difference(expected, expected).same == 50
    assert scores.difference(expected, actual[1:]).error == np.inf
    assert scores.difference(expected, actual.reshape(-1)) == found
