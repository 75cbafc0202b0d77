"""How far blobs are from what they should be."""

from math import inf

import numpy as np
import pytest
from ncnn_opt.quantization.blob_errors import BlobError, snr_of

A = np.array([[3.0, -4.0]], "f4")


def test_energies_of_noise_and_signal() -> None:
    found = BlobError.of(A, A + np.array([[0.5, 0.0]], "f4"))
    assert (found.signal, found.noise, found.power) == (25, 0.25, 3.5**2 + 16)
    assert found.product == 3 * 3.5 + 16
    assert (found.largest, found.top) == (0.5, 4)
    assert found.error == 0.01
    assert found.snr == pytest.approx(20)
    assert found.cosine == pytest.approx(26.5 / (5 * np.sqrt(28.25)))


def test_several_samples_add_up() -> None:
    parts = [BlobError.of(A, A - 1), BlobError.of(2 * A, 2 * A + 3)]
    both = parts[0] + parts[1]
    whole = BlobError.of(np.concatenate([A, 2 * A]), np.concatenate([A - 1, 2 * A + 3]))
    assert both == whole
    assert (both.largest, both.top) == (3, 8)
    assert (parts[1] + parts[0]) == both
    assert BlobError() + parts[0] == parts[0]


def test_nothing_is_different() -> None:
    for a in (A, np.zeros(3, "f4"), np.zeros(0, "f4"), np.array([np.nan, inf], "f4")):
        found = BlobError.of(a, a.copy())
        assert (found.error, found.snr, found.cosine, found.largest) == (0, inf, 1, 0)


def test_noise_without_a_signal() -> None:
    found = BlobError.of(np.zeros(2, "f4"), np.array([0.5, 0], "f4"))
    assert (found.error, found.snr, found.cosine) == (inf, -inf, 0)


@pytest.mark.parametrize(
    "other",
    [np.ones(3, "f4"), np.array([1, np.nan], "f4"), np.array([inf, 1], "f4"), np.ones(1, "f4")],
)
def test_other_shapes_and_what_is_not_finite_are_infinitely_far(other: np.ndarray) -> None:
    for found in (BlobError.of(A, other), BlobError.of(other, A)):
        assert (found.error, found.snr, found.cosine, found.largest) == (inf, -inf, 0, inf)
        assert (found + BlobError.of(A, A)).error == inf


def test_decibels() -> None:
    assert [snr_of(e) for e in (0, inf, 1, 0.1, 10)] == [inf, -inf, 0, 10, -10]
