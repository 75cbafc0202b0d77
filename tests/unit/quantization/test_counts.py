"""What is counted of magnitudes, and the thresholds that follow."""

import io
import math
from typing import Any

import numpy as np
import pytest
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.quantization.histograms import (
    Array,
    Counts,
    NotFinite,
    fingerprint,
    largest_of,
    thinned,
)
from ncnn_opt.quantization.scales import BINS, METHODS, kl, mse, percentile
from ncnn_opt.quantization.statistics import VARIES, Seen, Statistics, merged


def drawn(seed: int, count: int = 20_000) -> Array:
    rng = np.random.default_rng(seed)
    values = np.maximum(rng.standard_normal(count) * 3, 0).astype("f4")
    values[:5] = [40, -0.0, 1e-30, -7, 3e-45]
    return values


def counted(*blobs: Array) -> Counts:
    counts = Counts()
    for blob in blobs:
        counts.add(blob)
    return counts


def test_zeros_and_the_largest() -> None:
    values = drawn(0)
    counts = counted(values.reshape(4, 50, 100), np.zeros(0, "f4"))
    assert counts.zeros == (values == 0).sum() > 5000
    assert counts.largest == 40
    assert counts.total == values.size


def test_a_histogram_is_that_of_the_values() -> None:
    values = np.abs(drawn(1))
    values = values[values > 1e-20]
    found = counted(values).histogram(256)
    expected, _ = np.histogram(values, 256, (0, 40))
    assert math.isclose(found.sum(), values.size)
    # What lies in one of the narrow places at a border is divided.
    assert np.abs(found - expected).max() <= 4
    assert np.abs(np.cumsum(found) - np.cumsum(expected)).max() <= 4


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite(odd: float) -> None:
    with pytest.raises(NotFinite):
        counted(np.array([1, odd], "f4"))
    with pytest.raises(NotFinite):
        largest_of(np.array([1, odd], "f4"))


def test_a_part_of_the_elements() -> None:
    values = np.arange(24 * 14 * 16, dtype="f4").reshape(24, 14, 16)
    assert np.array_equal(thinned(values, 3, values.size), values.reshape(-1))
    parts = [thinned(values, index, 300) for index in range(19)]
    assert all(275 < part.size <= 300 for part in parts)
    assert np.array_equal(np.sort(np.concatenate(parts)), values.reshape(-1))
    for extent, axis in ((24, 14 * 16), (14, 16), (16, 1)):
        assert set(parts[0] // axis % extent) == set(range(extent))
    assert largest_of(-values) == values.size - 1
    assert largest_of(np.zeros(0, "f4")) == 0


def divergence(histogram: Array, threshold: int) -> float:
    """By its definition, a bin and a level at a time."""
    shares = histogram / histogram.sum()
    clipped = [shares[i] for i in range(threshold)]
    clipped[-1] += shares[threshold:].sum()
    width = threshold / 128
    expanded = np.zeros(threshold)
    for level in range(128):
        start, end = level * width, (level + 1) * width
        parts = {
            i: overlap
            for i in range(int(start), min(int(end) + 1, threshold))
            if (overlap := min(end, i + 1) - max(start, i)) > 0
        }
        mean = sum(part * shares[i] for i, part in parts.items()) / width
        for i, part in parts.items():
            expanded[i] += part * mean
    return sum(
        (p + 1e-4) * math.log((p + 1e-4) / (q + 1e-4))
        for p, q in zip(clipped, expanded, strict=True)
    )


def test_kl_is_where_the_divergence_is_least() -> None:
    counts = counted(drawn(2, 3000))
    histogram = counts.histogram(BINS)
    threshold = round(kl(counts) * BINS / counts.largest - 0.5)
    assert 128 < threshold < 1500
    least = divergence(histogram, threshold)
    others = [
        128,
        200,
        threshold - 40,
        threshold - 1,
        threshold + 1,
        threshold + 40,
        1900,
        BINS - 1,
    ]
    assert all(least <= divergence(histogram, other) + 1e-9 for other in others)


def test_mse_is_where_the_squares_are_least() -> None:
    values = np.concatenate([drawn(3), drawn(4, 200_000)])

    def error(threshold: float) -> float:
        step = threshold / 127
        rounded = np.clip(np.round(values / step), -127, 127) * step
        return float(((values - rounded).astype("f8") ** 2).sum())

    best = mse(counted(values))
    assert best < 40
    assert all(error(best) <= 1.001 * error(best * part) for part in (0.8, 0.95, 1.05, 1.2))


def test_percentile_clips_so_many() -> None:
    values = np.abs(drawn(5, 100_000))
    threshold = percentile(counted(values), 99)
    assert 0.985 < (values <= threshold).mean() < 0.9905


@pytest.mark.parametrize("method", METHODS)
def test_thresholds_are_within_the_values(method: str) -> None:
    for values in (drawn(6), np.full(7, 0.25, "f4"), np.array([0, 1e-35], "f4")):
        counts = counted(values)
        assert 0 < METHODS[method](counts, values.size) <= counts.largest * (1 + 1e-6)


def statistics(blobs: dict[int, Array], data: str = "d") -> Statistics:
    found = Statistics("m", data, 4)
    for index, blob in blobs.items():
        found.add({"x": counted(blob)})
        found.note(index, Seen(str(blob.size), {"x": blob.size}, {"x": fingerprint(blob)}))
        found.done.add(index)
    return found


def test_parts_add_up_to_the_bytes_of_one_run() -> None:
    blobs = {i: drawn(i, 100 * (i + 1)) for i in range(4)}
    whole = statistics(blobs).to_bytes()
    parts = [statistics({i: blobs[i] for i in ids}) for ids in ((3, 1), (0,), (2,))]
    files = [part.to_bytes() for part in parts]
    read = [(f"{i}", Statistics.from_bytes(data, f"{i}")) for i, data in enumerate(files)]
    assert merged(read).to_bytes() == merged(read[::-1]).to_bytes() == whole
    assert len(merged(read).done) == merged(read).total
    assert len(merged(read[:2]).done) < merged(read).total
    assert merged(read).inputs == {i: str(100 * (i + 1)) for i in range(4)}


def test_fingerprints_of_blobs() -> None:
    """That of all samples, until one has another."""
    blob = drawn(1).reshape(20, 1000)
    assert fingerprint(blob) == fingerprint(blob.copy())
    assert fingerprint(blob) != fingerprint(drawn(2))
    largest = blob.copy()
    largest[0, 0] = 41  # is among no others that are looked at
    assert fingerprint(blob) != fingerprint(largest)
    assert fingerprint(np.full(7, 0.25, "f4")) == "=0.25"
    assert fingerprint(np.zeros(0, "f4")) == "="
    same = statistics({i: blob for i in range(3)})
    assert same.prints["x"] == fingerprint(blob)
    read = Statistics.from_bytes(same.to_bytes(), "")
    assert read.prints == same.prints
    other = statistics({3: largest})
    for parts in ((same, other), (other, same)):
        assert merged([("", each) for each in parts]).prints["x"] == VARIES


def test_parts_that_do_not_belong_together() -> None:
    a, b = statistics({0: drawn(0)}), statistics({1: drawn(0)}, data="e")
    with pytest.raises(FormatError, match="b: these are statistics of other samples than a"):
        merged([("a", a), ("b", b)])
    with pytest.raises(FormatError, match="b: 1 of its samples are in another part as well"):
        merged([("a", a), ("b", a)])
    with pytest.raises(FormatError, match="x: this is not a file of statistics"):
        Statistics.from_bytes(b"PK\3\4", "x")


@pytest.mark.parametrize(
    "changes",
    [
        {"counts0": np.ones((2, 3), "<i8")},
        {"counts0": np.ones(3)},
        {"counts0": -np.ones(3, "<i8")},
        {"done": np.zeros((1, 1), "<i8")},
        {"done": np.array([9])},
    ],
    ids=repr,
)
def test_parts_of_other_shapes(changes: dict[str, Any]) -> None:
    content = np.load(io.BytesIO(statistics({0: drawn(0)}).to_bytes()))
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **{**content, **changes})  # pyright: ignore
    with pytest.raises(FormatError, match="x: this is not a file of statistics of ncnn-quantize: "):
        Statistics.from_bytes(stream.getvalue(), "x")
