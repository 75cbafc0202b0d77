"""Calibration data in `.npz` files, for models with any inputs."""

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException

from ....dialects.ncnn.function import input_name
from ....formats.errors import FormatError
from ....formats.numpy_arrays import read_numpy
from ....interpreters.inputs import is_embedding_index
from ..layer_weights import Array


def read_samples(func: FuncOp, paths: Sequence[str]) -> list[dict[str, Array]]:
    """Return the samples in `.npz` files: an array for each input by name, whose outermost axis
    counts samples. Indices of an Embed become int32, all else float32.

    Raises `PassFailedException`."""
    indices = {
        input_name(func, i): is_embedding_index(arg) for i, arg in enumerate(func.body.block.args)
    }
    return [sample for path in paths for sample in _read(path, indices)]


def _read(path: str, indices: dict[str, bool]) -> list[dict[str, Array]]:
    try:
        loaded = read_numpy(path, path)
        if isinstance(loaded, np.ndarray):
            raise ValueError("a .npz with an array for each input is expected")
        arrays = {
            name: _converted(name, loaded[name], integers)
            for name, integers in indices.items()
            if name in loaded
        }
        return _split(arrays)
    except OSError as e:
        raise PassFailedException(f"{path}: {e.strerror or e}") from e
    except FormatError as e:
        raise PassFailedException(str(e)) from e
    except ValueError as e:
        raise PassFailedException(f"{path}: {e}") from e


def _split(arrays: dict[str, Array]) -> list[dict[str, Array]]:
    """Divide arrays into samples along their outermost axis. Raises `ValueError`."""
    counts = {name: len(values) for name, values in arrays.items()}
    if not counts:
        raise ValueError("there is no array of the name of an input")
    (name, count), *others = counts.items()
    for other, its in others:
        if its != count:
            raise ValueError(f"array '{name}' has {count} samples, '{other}' {its}")
    if not count:
        raise ValueError("there are no samples")
    return [{name: values[i] for name, values in arrays.items()} for i in range(count)]


def _converted(name: str, values: Array, integers: bool) -> Array:
    if values.dtype.kind not in "fiub":
        raise ValueError(f"array '{name}' has elements of {values.dtype}, which are no numbers")
    if not values.ndim:
        raise ValueError(f"array '{name}' has no axis that counts samples")
    if np.isnan(values).any():
        raise ValueError(f"array '{name}' has NaN in it")
    if not integers:
        return values.astype("f4")
    if (values != np.rint(values)).any() or (np.abs(values) >= 2**31).any():
        raise ValueError(f"array '{name}' holds indices: integers of 32 bits")
    return values.astype("i4")
