"""What the Python API gives and takes besides models, and its one error."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

Shapes = Mapping[str, Sequence[int | None]]
"""Shapes of inputs by name, outermost extent first, `None` for one of which nothing is said."""

Value = int | float | str | tuple[int, ...] | tuple[float, ...]
"""A layer parameter."""


class NcnnOptError(Exception):
    """An error in a model, a file, a pass, an option or another argument. The text is that of the
    command line, with file, line and column where there are such. `__cause__` is what raised it (a
    `FormatError`, an xDSL `ParseError` or `VerifyException`, an `OSError`, an exception in a pass
    of another package, …); `None` for an argument of a wrong type.

    The functions raise nothing else but Python's own `TypeError` for arguments that they do not
    have, `MemoryError` and `KeyboardInterrupt`."""


@dataclass(frozen=True)
class Blob:
    """An input or output of a model."""

    name: str
    shape: tuple[int | None, ...] | None
    """Extents, outermost first (`c, h, w`), as far as the model says; `None` for an unknown one,
    or for all if not even the number of dims is known."""

    def __str__(self) -> str:
        if self.shape is None:
            return f"{self.name} ?"
        return f"{self.name} {'x'.join('?' if n is None else str(n) for n in self.shape)}"


@dataclass(frozen=True)
class Layer:
    """A layer as a line of the `.param` has it."""

    type: str
    name: str
    inputs: tuple[str, ...]
    """The names of the blobs that it reads."""
    outputs: tuple[str, ...]
    """The names of the blobs that it makes."""
    params: Mapping[str | int, Value] = field(default_factory=dict[str | int, Value])
    """The parameters that are not their default, by name; by id where the type has none of it."""


@contextmanager
def reporting(path: str) -> Generator[None]:
    """Lets what a user's input can raise leave as `NcnnOptError`."""
    from ncnn_opt.driver.errors import USER_ERRORS, PassError, describe

    try:
        yield
    except (*USER_ERRORS, PassError) as e:
        raise NcnnOptError(describe(e, path)) from e
