"""Rows of a comparison whose blobs have other types."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.files import read_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.runtime.comparison import compare

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
