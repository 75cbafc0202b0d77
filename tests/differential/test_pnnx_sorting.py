"""Sorting in parts: matrices of pairs that are too large are computed part by part."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.conversion.pnnx_to_ncnn import selection
from ncnn_opt.conversion.pnnx_to_ncnn.conversion import Unconverted, convert_graph
from ncnn_opt.conversion.pnnx_to_ncnn.conversion_pass import reader_of
from ncnn_opt.formats.pnnx_param import read_pnnx_param
from ncnn_opt.frontends.pnnx.importer import import_graph

from .compiler import save
from .runtime import Failure, Runtime

TEXT = """7767517
3 3
pnnx.Input in 0 1 0 #0=({rows},{n})f32
torch.topk top 1 2 0 1 2 k={k} dim=-1 largest={largest} sorted=True #1=({rows},{k})f32 #2=({rows},{k})i64
pnnx.Output out 2 0 1 2
"""  # noqa: E501


def graph_of(rows: int, n: int, k: int, largest: bool = True) -> str:
    return TEXT.format(rows=rows, n=n, k=k, largest=largest)


def converted(text: str, folder: Path) -> Path:
    graph = import_graph(read_pnnx_param(text.encode(), "case"), "case", None)
    module = convert_graph(graph, reader_of(graph))
    module.verify()
    return save(module, folder / "m.param")


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize(
    ("rows", "n", "k", "matrix", "ties"),
    [
        (1, 40, 40, 2**24, 2**16),
        (1, 40, 40, 2**24, 99),
        (1, 40, 17, 280, 99),
        (3, 40, 40, 500, 1600),
    ],
)
def test_equal_elements_keep_their_order(
    rows: int,
    n: int,
    k: int,
    matrix: int,
    ties: int,
    largest: bool,
    tmp_path: Path,
    runtime: Runtime,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selection, "MAX_MATRIX", matrix)
    monkeypatch.setattr(selection, "MAX_TIES", ties)
    param = converted(graph_of(rows, n, k, largest), tmp_path)
    x = np.random.default_rng(rows).integers(-9, 9, (rows, n)).astype("f4") * 1e3
    blob = x[0] if rows == 1 else x
    got = runtime.run(param, {"in0": blob}, ["out0", "out1"])
    assert not isinstance(got, Failure), got
    order = np.argsort(-x if largest else x, axis=1, kind="stable")[:, :k]
    assert np.array_equal(got["out1"].reshape(rows, k), order)
    assert np.array_equal(got["out0"].reshape(rows, k), np.take_along_axis(x, order, 1))


def test_the_parts_of_a_detector(tmp_path: Path) -> None:
    """RT-DETR takes 300 of the 8,400 places of an image of 640 by 640: no constant is large."""
    param = converted(graph_of(1, 8400, 300), tmp_path)
    assert param.with_suffix(".bin").stat().st_size < 2**20
    assert param.read_text().count("\nCrop ") == 5


def test_too_many_pairs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Unconverted, match="it sorts 1 rows of 20000 elements: 400,000,000 pairs"):
        converted(graph_of(1, 20000, 10), tmp_path)
