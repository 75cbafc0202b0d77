"""Types and errors of the Python API.

They import neither xDSL nor NumPy. Errors have the messages of the commands, with Python's
arguments in place of options.
"""

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from numpy.typing import NDArray

Shapes = Mapping[str, Sequence[int | None]]
"""Shapes of inputs by name, outermost extent first, `None` for a dynamic extent."""

Engine = Literal["numpy", "ncnn", "iree"]
"""The ways of running a model."""
Target = Literal["cpu", "vulkan", "cuda", "rocm", "metal"]
"""The devices of compiled models."""
Tune = Literal["x86", "arm", "vulkan", "none"]
"""The families of processors for `optimize`."""


class OptimizeOptions(TypedDict, total=False):
    """The options of `optimize`."""

    tune: Tune | None
    keep_precision: bool
    fix_shapes: Shapes | None
    max_shape: Shapes | None
    shapes: Shapes | None
    round_weights: bool
    for_ncnn: str | None


Value = int | float | str | tuple[int, ...] | tuple[float, ...]
"""A layer parameter."""


class NcnnOptError(Exception):
    """An error in a model, a file, a pass, an option or another argument. The text is the message
    of the command line, with file, line and column if they are known. `__cause__` is the original
    exception (a `FormatError`, an xDSL `ParseError` or `VerifyException`, an `OSError`, an
    exception in a pass of another package, …); `None` for an argument of a wrong type.

    The only other exceptions are Python's own `TypeError` for unknown arguments, `MemoryError` and
    `KeyboardInterrupt`."""


@dataclass(frozen=True)
class Blob:
    """An input or output of a model."""

    name: str
    shape: tuple[int | None, ...] | None
    """Extents, outermost first (`c, h, w`); `None` for a dynamic extent, or for an unknown number
    of dims."""

    def __str__(self) -> str:
        if self.shape is None:
            return f"{self.name} ?"
        return f"{self.name} {'x'.join('?' if n is None else str(n) for n in self.shape)}"


@dataclass(frozen=True)
class Layer:
    """A line of the `.param`."""

    type: str
    name: str
    inputs: tuple[str, ...]
    """The names of the input blobs."""
    outputs: tuple[str, ...]
    """The names of the output blobs."""
    params: Mapping[str | int, Value] = field(default_factory=dict[str | int, Value])
    """The parameters other than their defaults, by name; by id for an id that the type lacks."""
    read: "Callable[[], Mapping[str, NDArray[Any]]] | None" = field(
        default=None, repr=False, compare=False
    )
    """The function that reads `weights`."""
    shapes: tuple[tuple[int | None, ...] | None, ...] = ()
    """The shapes of the output blobs, outermost extent first; `None` for a dynamic extent, or for
    an unknown number of dims. They follow from the shapes that the file declares for its inputs."""

    @property
    def weights(self) -> "Mapping[str, NDArray[Any]]":
        """The weights as arrays by name, read from their file at each access. They cannot be
        assigned to: `Model.set_weight` changes a weight. Raises `NcnnOptError` if the file is
        missing or truncated."""
        return Weights(self.name, {} if self.read is None else self.read())


class Weights(Mapping[str, "NDArray[Any]"]):
    """The weights of a layer by name. A weight that is assigned to raises `TypeError`."""

    def __init__(self, layer: str, arrays: "Mapping[str, NDArray[Any]]") -> None:
        self._layer = layer
        self._arrays = dict(arrays)

    def __getitem__(self, name: str) -> "NDArray[Any]":
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return repr(self._arrays)

    def __setitem__(self, name: str, values: object) -> None:
        """Raises `TypeError` with the call that changes a weight."""
        raise TypeError(
            "the weights are a copy and cannot be assigned to: use "
            f"model.set_weight({self._layer!r}, {name!r}, values)"
        )


@contextmanager
def reporting(path: str) -> Generator[None]:
    """Convert errors that a user's input can raise into `NcnnOptError`."""
    from ncnn_opt.driver.errors import USER_ERRORS, PassError, describe

    try:
        yield
    except (*USER_ERRORS, PassError) as e:
        raise NcnnOptError(in_python(describe(e, path))) from e


_SHAPE = r"--input-shape \S+=[\d?…]+(,[\d?…]+)*"
_SHAPES = re.compile(f"{_SHAPE}( {_SHAPE})*")
_VALUE = r"none|random(?::\w+)?|[A-Z]{2,}"
"""The values of options that messages propose: a keyword or a placeholder."""

_ARGUMENTS = (
    ("--input-shape", "shapes"),
    *((f"--{name}", name) for name in ("data", "pnnx", "seed", "weights")),
)
_FLAGS = ("--allow-trailing-weights", "--keep-precision", "--round-weights")


def in_python(text: str) -> str:
    """Return a message of the commands with Python's arguments in place of options:
    `shapes={'x': (3, None)}` for `--input-shape x=3,?`, `weights='random'` for
    `--weights random`."""

    def shapes(found: re.Match[str]) -> str:
        pairs = (spec.partition("=") for spec in found[0].split() if spec != "--input-shape")
        return f"shapes={{{', '.join(f'{name!r}: {_shape(value)}' for name, _, value in pairs)}}}"

    def sizes(found: re.Match[str]) -> str:
        return f"custom_weights={{{found[1]!r}: [{found[2].replace(',', ', ')}]}}"

    text = _SHAPES.sub(shapes, text)
    text = re.sub(r"--custom-weights ([\w.]+)=(\d+(?:,\d+)*|[A-Z]+)", sizes, text)
    for option, argument in _ARGUMENTS:

        def value(found: re.Match[str], argument: str = argument) -> str:
            given = found[1] or ""
            return f"{argument}={given!r}" if given[:1].islower() else f"{argument}={given}"

        text = re.sub(rf"{option}(?![\w-])(?: ({_VALUE})(?![\w-]))?", value, text)
    for flag in _FLAGS:
        text = re.sub(rf"{flag}(?![\w-])", f"{flag[2:].replace('-', '_')}=True", text)
    return text


def _shape(value: str) -> str:
    """Return a shape of the command line as Python writes it."""
    if value == "…":
        return value
    extents = ["None" if each == "?" else each for each in value.split(",")]
    return f"({extents[0]},)" if len(extents) == 1 else f"({', '.join(extents)})"
