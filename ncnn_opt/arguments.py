"""Checks of the argument types of public functions. A wrong type is a `NcnnOptError` that names the
argument."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from inspect import signature
from math import isfinite
from operator import index
from reprlib import repr as shortened
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    ParamSpec,
    TypeVar,
    cast,
    get_args,
    get_origin,
)

from .signatures import plain_signature
from .values import NcnnOptError
from .values import Shapes as PlainShapes

if TYPE_CHECKING:
    from ncnn_opt.driver.run_model import Array, Given
    from ncnn_opt.formats.scale_table import ScaleTable
    from ncnn_opt.runtime.custom_layers import CustomLayers
    from ncnn_opt.samples.reader import Data

P = ParamSpec("P")
R = TypeVar("R")


class Expected(NamedTuple):
    """The values that an argument may have."""

    words: str
    """A description that completes `must be`."""
    accepts: Callable[[object], bool]


def validate_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Check the arguments of a function by their annotations (see `expected_by`) before it runs.
    (Unknown and missing arguments are Python's `TypeError`.)"""
    parameters = signature(function)
    expected = {name: expected_by(each) for name, each in function.__annotations__.items()}

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        given = parameters.bind(*args, **kwargs).arguments
        for name, kind in expected.items():
            if kind is not None and name in given and not kind.accepts(given[name]):
                raise NcnnOptError(
                    f"{function.__name__}: {name} must be {kind.words}, "
                    f"not {_described(given[name])}"
                )
        return function(*args, **kwargs)

    call.__dict__["__signature__"] = plain_signature(function)  # `inspect` reads it
    return call


def expected_by(annotation: object) -> Expected | None:
    """Return the values that an annotation allows: an `Expected` in an `Annotated`, `bool`, `str`,
    a `Literal`, a class of this package, or one of these and `None`. Other annotations, and those
    in quotes, allow any value."""
    marks = [each for each in getattr(annotation, "__metadata__", ()) if isinstance(each, Expected)]
    options = get_args(annotation)
    if marks:
        return marks[0]
    if annotation is bool or annotation is str:
        return FLAG if annotation is bool else TEXT
    if get_origin(annotation) is Literal:
        return one_of(*options)
    if NoneType in options:
        kind = expected_by(options[0]) if len(options) == 2 else None
        return None if kind is None else optional(kind)
    if isinstance(annotation, type) and annotation.__module__.startswith("ncnn_opt."):
        return Expected(f"a {annotation.__name__}", _is_a(annotation))
    return None


def _is_a(*kinds: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kinds)


def one_of(*words: str) -> Expected:
    """One of several texts."""

    def accepts(value: object) -> bool:
        return isinstance(value, str) and value in words

    return Expected(f"one of {', '.join(words)}", accepts)


def optional(kind: Expected) -> Expected:
    """Return the values of `kind` and `None`."""

    def accepts(value: object) -> bool:
        return value is None or kind.accepts(value)

    return Expected(f"{kind.words}, or None", accepts)


def _described(value: object) -> str:
    """Return the text of a value in a message: a shortened value, or its type."""
    kind = type(value)
    if kind in (NoneType, bool, int, float, str, list, tuple, dict):
        with suppress(ValueError):  # an integer of too many digits
            return shortened(value)
    return f"a value of type {kind.__name__}"


def _is_path(value: object) -> bool:
    try:
        path = cast(object, os.fspath(cast(Any, value)))
        return isinstance(path, str) and path != "" and b"\0" not in os.fsencode(path)
    except (TypeError, ValueError):
        return False


def _is_file(value: object) -> bool:
    return isinstance(value, bytes) or _is_path(value)


def _is_whole(least: int) -> Callable[[object], bool]:
    def accepts(value: object) -> bool:
        try:
            return index(cast(Any, value)) >= least
        except TypeError:
            return False

    return accepts


def _is_real(value: object) -> bool:
    try:
        number = float(cast(Any, value))
        return not isinstance(value, str | bytes) and isfinite(number) and number >= 0
    except (TypeError, ValueError, OverflowError):
        return False


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and isfinite(value)


def _is_list_of(accepts: Callable[[object], bool]) -> Callable[[object], bool]:
    def accepts_list(value: object) -> bool:
        if not isinstance(value, Collection) or isinstance(value, str | bytes | Mapping):
            return False
        try:
            return all(map(accepts, cast(Collection[object], value)))
        except TypeError:  # an array without axes
            return False

    return accepts_list


def _is_mapping_to(accepts: Callable[[object], bool]) -> Callable[[object], bool]:
    def accepts_mapping(value: object) -> bool:
        items = cast(Mapping[object, object], value).items() if isinstance(value, Mapping) else ()
        named = all(isinstance(key, str) and accepts(each) for key, each in items)
        return isinstance(value, Mapping) and named

    return accepts_mapping


def _is_any(value: object) -> bool:
    return True


def _is_given(value: object) -> bool:
    return not isinstance(value, Mapping) or _is_mapping_to(_is_any)(cast(object, value))


def _is_sampled(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


PATH = Expected("the name of a file", _is_path)
TEXT = Expected("a str", _is_a(str))
FLAG = Expected("True or False", _is_a(bool, int))
ARRAYS = Expected("an array, or a mapping of inputs to arrays", _is_given)

File = Annotated[str | os.PathLike[str], PATH]
FileOrBytes = Annotated[
    str | os.PathLike[str] | bytes,
    Expected("the name of a file, or its content as bytes", _is_file),
]
Seed = Annotated[int, Expected("an integer of at least 0", _is_whole(0))]
Positive = Annotated[int, Expected("an integer of at least 1", _is_whole(1))]
Tolerance = Annotated[float, Expected("a number of at least 0", _is_real)]
Seconds = Annotated[float, Expected("a number of at least 0", _is_real)]
RealNumber = Annotated[float, Expected("a number", _is_number)]
Classes = Annotated[
    Sequence[int], Expected("a list of integers of at least 0", _is_list_of(_is_whole(0)))
]
Names = Annotated[Sequence[str], Expected("a list of names", _is_list_of(_is_a(str)))]
Shapes = Annotated[
    PlainShapes,
    Expected(
        "a mapping of inputs to their extents, as {'data': (3, 224, 224)}",
        _is_mapping_to(_is_any),  # extents are checked where they are used
    ),
]
Sizes = Annotated[
    Mapping[str, Sequence[int]],
    Expected(
        "a mapping of layer types to numbers of floats, as {'MyLayer': [64, 64]}",
        _is_mapping_to(_is_list_of(_is_whole(0))),
    ),
]
Layers = Annotated[
    Mapping[str, type | str],
    Expected(
        "a mapping of layer types to classes, as {'MyLayer': MyLayer}",
        _is_mapping_to(_is_a(type, str)),
    ),
]
Axes = Annotated[
    Mapping[str, str],
    Expected("a mapping of inputs to their axes, as {'data': 'h,w'}", _is_mapping_to(_is_a(str))),
]
Arrays = Annotated["Given", ARRAYS]
Samples = Annotated[
    "Data",
    Expected(
        "an array of samples, a mapping of inputs to such arrays, or a sequence of samples",
        _is_sampled,
    ),
]


def as_array(value: object, name: str) -> "Array":
    """Return a value as an array. Raises `NcnnOptError` for a value that is not an array."""
    import numpy as np

    try:
        return np.asarray(value)
    except Exception as e:  # whatever the value's own conversion raises
        raise NcnnOptError(f"{name} is no array: {e}") from e


def named_arrays(given: "Given") -> "Given":
    """Return values of inputs as arrays. Raises `NcnnOptError` for other values."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        return as_array(given, "the input")
    values = cast(Mapping[str, object], given)
    return {name: as_array(value, f"input '{name}'") for name, value in values.items()}


def as_numbers(value: object, name: str) -> "Array":
    """Return a value as an array of numbers. Raises `NcnnOptError` for other values."""
    array = as_array(value, name)
    if array.dtype.kind not in "fiub":
        raise NcnnOptError(f"{name} must be an array of numbers, not {_described(value)}")
    return array


def sampled_arrays(data: "Data") -> "Data":
    """Return samples as arrays. Raises `NcnnOptError` for other values."""
    if isinstance(data, Mapping):
        values = cast(Mapping[str, object], data)
        arrays = {name: as_numbers(value, f"input '{name}'") for name, value in values.items()}
        if scalars := [name for name, array in arrays.items() if not array.ndim]:
            raise NcnnOptError(f"input '{scalars[0]}' must have an axis that counts samples")
        return arrays
    samples: list[Any] = []
    for i, each in enumerate(cast(Iterable[object], data)):
        values = cast(Mapping[str, object], each) if isinstance(each, Mapping) else None
        if values is None:
            samples.append(as_numbers(cast(object, each), f"sample {i}"))
        else:
            place = f"of sample {i}"
            samples.append({n: as_numbers(v, f"input '{n}' {place}") for n, v in values.items()})
    return samples


def located(layers: Mapping[str, type | str] | None) -> "CustomLayers":
    """Return the locations of the classes of custom layers. Raises `RunError`."""
    from ncnn_opt.runtime.custom_layers import locate

    return {type_: locate(type_, layer) for type_, layer in (layers or {}).items()}


def _is_table(value: object) -> bool:
    from ncnn_opt.formats.scale_table import ScaleTable

    return isinstance(value, ScaleTable) or PATH.accepts(value)


Table = Annotated[
    "ScaleTable | str | os.PathLike[str]",
    Expected("a ScaleTable or the name of its file", _is_table),
]
