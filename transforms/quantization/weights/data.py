"""Calibration data of models with any inputs."""

from collections.abc import Sequence
from typing import Any
from zipfile import BadZipFile

import numpy as np
from xdsl.utils.exceptions import PassFailedException

from .rounding import Array


def read_samples(paths: Sequence[str]) -> list[dict[str, Array]]:
    """A sample a file: a `.npz` with an array for each input, by name. Integers are int32, all else
    float32. Raises `PassFailedException`."""
    return [_read(path) for path in paths]


def _read(path: str) -> dict[str, Array]:
    try:
        with open(path, "rb") as file:
            loaded: Any = np.load(file, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                raise ValueError("a .npz with an array for each input is expected")
            sample = {str(name): _converted(loaded[name]) for name in loaded.files}
    except (OSError, ValueError, EOFError, BadZipFile) as e:
        raise PassFailedException(f"{path}: {_reason(e)}") from e
    for name, values in sample.items():
        if values.dtype == np.float32 and not np.isfinite(values).all():
            # (An attention mask may have -inf for what is not to be seen, and NaN never.)
            if np.isnan(values).any():
                raise PassFailedException(f"{path}: array '{name}' has NaN in it")
    return sample


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error) or "no NumPy file"


def _converted(values: Array) -> Array:
    if values.dtype.kind in "iub":
        return values.astype("i4")
    if values.dtype.kind != "f":
        raise ValueError(f"an array of {values.dtype} is no blob")
    return values.astype("f4")
