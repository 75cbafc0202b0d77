"""Rows of a comparison whose blobs have other types."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.runtime.agreement import agreement
from ncnn_opt.runtime.blob_comparison import BlobDifference, compare, excerpt, omitted

NET = "7767517\n3 3\nInput x 0 1 x 0=3\nReLU a 1 1 x a\nReLU b 1 1 a b\n"


@pytest.mark.parametrize(("blob", "is_compared"), [("a", False), ("b", True)])
def test_integers_are_not_compared_with_floats_but_at_outputs(
    blob: str, is_compared: bool, tmp_path: Path
) -> None:
    path = tmp_path / "m.param"
    path.write_text(NET)
    func = model_of(read_model(str(path), ReadOptions("none")).module)
    floats = {name: np.ones(3, "f4") for name in ("a", "b")}
    quantized = floats | {blob: np.full(3, 127, "i1")}
    for pair in ((floats, quantized), (quantized, floats)):
        rows = {row.blob: row for row in compare(func, *pair)}
        assert (rows[blob].error is not None) == is_compared
        assert rows["b" if blob == "a" else "a"].error == 0
    both = {row.blob: row.error for row in compare(func, quantized, quantized)}
    assert both == {"a": 0, "b": 0}


@pytest.mark.parametrize("agrees", [True, False])
def test_a_blob_of_another_shape_counts_only_if_outputs_differ(
    agrees: bool, tmp_path: Path
) -> None:
    """A pass may pad channels."""
    path = tmp_path / "m.param"
    path.write_text(NET)
    func = model_of(read_model(str(path), ReadOptions("none")).module)
    floats = {name: np.ones(3, "f4") for name in ("a", "b")}
    found = agreement(func, floats, {"a": np.ones(4, "f4"), "b": np.ones(3, "f4") * agrees}, 0.1)
    note = "1 blob has another shape in the second model: not compared"
    assert bool(found) == agrees
    assert found.rows[0].error == (None if agrees else float("inf"))
    assert (note in str(found)) == agrees
    assert ("<--" in str(found)) != agrees
    output = agreement(func, floats, floats | {"b": np.ones(4, "f4")}, 0.1)
    assert not output
    assert note not in str(output)


def row(at: int, error: float | None, overflows: bool = False) -> BlobDifference:
    return BlobDifference(f"b{at}", f"ReLU 'b{at}'", "3", 1.0, error or 0.0, error, overflows)


def shown(rows: Sequence[BlobDifference], names: Sequence[str] = ()) -> list[int]:
    return [rows.index(each) for each in excerpt(rows, 0.1, names)]


def test_a_few_rows_are_shown_whole() -> None:
    rows = [row(i, 0.0) for i in range(13)]
    assert shown(rows[:12]) == list(range(12))
    assert len(shown(rows)) == 5


def test_an_excerpt_has_the_worst_rows_in_the_order_of_the_model() -> None:
    rows = [row(i, i / 1000) for i in range(30)]
    assert shown(rows) == [25, 26, 27, 28, 29]
    assert shown(list(reversed(rows))) == [0, 1, 2, 3, 4]
    assert shown(rows, ["b2", "b26"]) == [2, 25, 26, 27, 28, 29]


def test_an_excerpt_has_the_first_row_that_differs_and_the_first_that_overflows() -> None:
    rows = [row(i, i if i > 9 else 0.05) for i in range(30)]
    assert shown(rows) == [10, 25, 26, 27, 28, 29]
    rows[3], rows[4] = row(3, None, overflows=True), row(4, 0.0, overflows=True)
    assert shown(rows) == [3, 10, 25, 26, 27, 28, 29]


def test_rows_without_an_error_are_not_the_worst_and_those_without_a_number_are() -> None:
    rows = [*(row(i, None) for i in range(10)), *(row(i, 0.01) for i in range(10, 20))]
    rows[15] = row(15, float("nan"))
    assert 15 in shown(rows)
    assert not set(shown(rows)) & set(range(10))


def test_omitted_rows_are_counted() -> None:
    rows = [row(i, 0.0) for i in range(13)]
    assert omitted(rows, rows, "--all") == []
    assert omitted(rows, rows[:2], "--all") == [
        "2 of 13 blobs, among them the worst; --all shows all"
    ]
