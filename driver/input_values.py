"""The values of a model's inputs: files of `--input`, or random values."""

import os
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..analysis.random_inputs import random_input
from ..dialects.ncnn.function import inputs_of
from ..dialects.xdsl_extras.spelling import nearest, nearest_or_all
from ..formats.numpy_arrays import read_numpy
from ..samples.images import Preprocessing, image_blob, image_extents, read_image
from ..samples.reader import arrays_in
from ..samples.sources import as_blob
from .errors import UsageError

Array = NDArray[Any]

RANDOM = "random"
"""The source of random values in `--input`."""


def read_inputs(
    func: FuncOp, specs: Sequence[str], how: Preprocessing, seed: int
) -> dict[str, Array]:
    """Return the values of the inputs by name.

    A spec is `NAME=SOURCE`, or `SOURCE` alone for the only input. A source is a `.npy`, a `.npz`
    with an array of the input's name, an image, or `random`. A `.npz` or `random` alone is for all
    inputs without another source. Raises `UsageError`, `FormatError` and `OSError`.
    """
    arguments = inputs_of(func)
    sources = _sources(list(arguments), specs)
    check_preprocessing(how, list(sources.values()))
    return {
        name: _read(name, arguments[name], source, how, seed) for name, source in sources.items()
    }


def are_random(func: FuncOp, specs: Sequence[str]) -> bool:
    """Whether the specs are for random values of all inputs. Raises the errors of `read_inputs`."""
    names = list(inputs_of(func))
    sources = _sources(names, specs)
    return len(sources) == len(names) and set(sources.values()) == {RANDOM}


def _sources(names: Sequence[str], specs: Sequence[str]) -> Mapping[str, str]:
    """Return the sources of inputs by name."""
    sources: dict[str, str] = {}
    for_all: dict[str, str] = {}
    for spec in specs:
        # Names of inputs and files may contain `=`.
        own = [name for name in names if spec.startswith(f"{name}=")]
        if own:
            name = max(own, key=len)
            source = spec.removeprefix(f"{name}=")
        elif spec == RANDOM:
            for_all = {name: RANDOM for name in names} | for_all
            continue
        elif spec.endswith(".npz"):
            for_all |= {name: spec for name in arrays_in(spec) if name in names}
            continue
        elif len(names) == 1 and ("=" not in spec or os.path.exists(spec)):
            name, source = names[0], spec
        else:
            raise _no_such_input(spec, names)
        if name in sources:
            raise UsageError(f"--input is given twice for '{name}'")
        if not source:
            raise UsageError(f"--input {spec}: there is no source")
        sources[name] = source
    return for_all | sources


def check_preprocessing(how: Preprocessing, sources: Sequence[str]) -> None:
    """Raise `UsageError` for preprocessing of images without an image."""
    if not all(source == RANDOM or source.endswith((".npy", ".npz")) for source in sources):
        return
    given = {"--mean": how.mean, "--norm": how.norm, "--to-rgb": how.to_rgb}
    for option, value in given.items():
        if value:
            raise UsageError(f"{option} is for images; arrays are taken as they are")


def _no_such_input(spec: str, names: Sequence[str]) -> UsageError:
    name, equals, _ = spec.partition("=")
    known = ", ".join(f"'{n}'" for n in names[:6])
    if not equals:
        return UsageError(f"--input takes NAME=SOURCE, not '{spec}'; the inputs are {known}")
    return UsageError(f"there is no input '{name}'{nearest_or_all(name, names, 'inputs')}")


def _read(name: str, arg: SSAValue, source: str, how: Preprocessing, seed: int) -> Array:
    if source == RANDOM:
        return random_input(name, arg, np.random.default_rng((seed, crc32(name.encode()))))
    if source.endswith((".npy", ".npz")):
        return as_blob(name, arg, _read_array(name, source))
    return image_blob(read_image(source), image_extents(arg), how, name)


def _read_array(name: str, path: str) -> Array:
    loaded = read_numpy(path, path)
    if isinstance(loaded, np.ndarray):
        return loaded
    if name not in loaded:
        raise UsageError(f"{path}: there is no array '{name}'{nearest(name, list(loaded))}")
    return loaded[name]
