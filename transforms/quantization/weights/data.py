"""Calibration data of models with any inputs."""

from collections.abc import Sequence
from typing import Any
from zipfile import BadZipFile

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException

from ....dialects.ncnn.function import input_name
from ....interpreters.inputs import is_looked_up
from .rounding import Array


def read_samples(func: FuncOp, paths: Sequence[str]) -> list[dict[str, Array]]:
    """A sample a file: a `.npz` with an array for each input, by name. What an Embed looks up is
    int32, all else float32. Raises `PassFailedException`."""
    indices = {input_name(func, i): is_looked_up(arg) for i, arg in enumerate(func.body.block.args)}
    return [_read(path, indices) for path in paths]


def _read(path: str, indices: dict[str, bool]) -> dict[str, Array]:
    try:
        with open(path, "rb") as file:
            loaded: Any = np.load(file, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                raise ValueError("a .npz with an array for each input is expected")
            return {
                name: _converted(name, loaded[name], integers)
                for name, integers in indices.items()
                if name in loaded.files
            }
    except (OSError, ValueError, EOFError, BadZipFile) as e:
        reason = (isinstance(e, OSError) and e.strerror) or str(e) or "no NumPy file"
        raise PassFailedException(f"{path}: {reason}") from e


def _converted(name: str, values: Array, integers: bool) -> Array:
    if values.dtype.kind not in "fiub":
        raise ValueError(f"array '{name}' has elements of {values.dtype}, which are no numbers")
    if np.isnan(values).any():
        raise ValueError(f"array '{name}' has NaN in it")
    if not integers:
        return values.astype("f4")
    if (values != np.rint(values)).any() or (np.abs(values) >= 2**31).any():
        raise ValueError(f"array '{name}' holds indices: integers of 32 bits")
    return values.astype("i4")
