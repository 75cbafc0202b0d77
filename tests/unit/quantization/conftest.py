"""Small models of convolutions, written to files and read."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from ncnn_opt.interpreters.run import run
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

Array = NDArray[Any]
Load = Callable[..., ModuleOp]


def outputs(module: ModuleOp, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """The outputs of a model in the reference."""
    return run(model_of(module), inputs)


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Read a model: lines of a `.param`, and weights, of which those with more than one dim have a
    tag."""

    def load(lines: str, *weights: Array) -> ModuleOp:
        rows = [line.split() for line in lines.strip().splitlines()]
        blobs = sum(int(row[3]) for row in rows)
        param = tmp_path / "model.param"
        param.write_text(f"7767517\n{len(rows)} {blobs}\n{lines.strip()}\n")
        data = b"".join(
            bytes(4 if array.ndim > 1 else 0) + array.astype("<f4").tobytes() for array in weights
        )
        param.with_suffix(".bin").write_bytes(data)
        module, _ = import_param(param.read_bytes(), str(param), ReadOptions())
        module.verify()
        return module

    return load


def drawn(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype("f4")
