"""A header that CPython 3.11 refuses while another thread reads one is read again."""

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.formats.numpy_arrays import read_numpy

VALUES = np.arange(6, dtype="f4").reshape(2, 3)
MISMATCH = "AST constructor recursion depth mismatch (before=48, after=44)"


@pytest.fixture(params=["path", "stream"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    np.save(tmp_path / "x.npy", VALUES)
    path = tmp_path / "x.npy"
    return str(path) if request.param == "path" else BytesIO(path.read_bytes())


@pytest.mark.parametrize("failures", [1, 2])
def test_it_is_read_twice(source: Any, failures: int, monkeypatch: pytest.MonkeyPatch) -> None:
    left, load = failures, np.load

    def failing(file: Any, *arguments: Any, **options: Any) -> Any:
        nonlocal left
        found = load(file, *arguments, **options)  # a stream is read up to its end
        if left:
            left -= 1
            raise SystemError(MISMATCH)
        return found

    monkeypatch.setattr(np, "load", failing)
    if failures == 1:
        np.testing.assert_array_equal(read_numpy(source, "x.npy"), VALUES)  # pyright: ignore
        return
    with pytest.raises(FormatError, match="depth mismatch"):
        read_numpy(source, "x.npy")
