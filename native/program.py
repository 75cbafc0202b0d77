"""Models as programs: compiled in memory, called on NumPy arrays."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects.xdsl_extras.spelling import nearest
from ..interpreters.run import run
from .compiling import Tick, compile_code
from .errors import NativeError
from .loading import Loaded
from .lowering import Fused, Lowered, Port, fuse, lower_fused
from .options import Options
from .parameters import Parameter, parameters_of

Array = NDArray[Any]


@dataclass(frozen=True)
class Compiled:
    """A compiled model: code, and where its weights are."""

    code: bytes
    """What IREE's runtime loads (a `.vmfb`)."""
    target: str
    inputs: tuple[Port, ...]
    results: tuple[Port, ...]
    """What the code makes."""
    outputs: tuple[str, ...]
    """The outputs of the model, which the tail may make."""
    parameters: tuple[Parameter, ...]
    tail: ModuleOp | None = None
    """What NumPy computes from the results and the inputs, if anything."""


def compile_module(
    module: ModuleOp, options: Options = Options(), tick: Tick | None = None
) -> Compiled:
    """Compiles a model, whose module becomes that of its code. Raises `NativeError`, and what
    reading weights raises."""
    return compile_fused(fuse(module, options), options, tick)


def compile_fused(model: Fused, options: Options, tick: Tick | None = None) -> Compiled:
    """Compiles a model of fused operations, which becomes that of its code. Raises `NativeError`,
    and what reading weights raises."""
    lowered = lower_fused(model, options)
    return assembled(lowered, compile_code(lowered, options, tick), options)


def assembled(lowered: Lowered, code: bytes, options: Options) -> Compiled:
    """What was compiled, with the code of it. Raises what reading weights raises."""
    return Compiled(
        code,
        options.target,
        lowered.inputs,
        lowered.results,
        lowered.outputs,
        tuple(parameters_of(lowered.parameters())),
        lowered.tail,
    )


class Program:
    """A compiled model, loaded: `program(x)`, `program({"data": x})` gives the outputs by name.

    Arrays are converted to the elements of the inputs. It is loaded when it is called first.
    """

    def __init__(self, compiled: Compiled, driver: str | None = None) -> None:
        self.compiled = compiled
        self._driver = driver
        """Of IREE's drivers one for that target instead of the usual: `local-sync` computes on the
        thread that calls."""

    @cached_property
    def _loaded(self) -> Loaded:
        return Loaded(self.compiled, self._driver)

    @property
    def inputs(self) -> tuple[Port, ...]:
        """The inputs of the model."""
        return self.compiled.inputs

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs."""
        return self.compiled.outputs

    def __call__(self, *given: ArrayLike | Mapping[str, ArrayLike]) -> dict[str, Array]:
        """The outputs by name, of arrays by name, or in the order of the inputs. Raises
        `NativeError` for inputs that are not those of the model, and where it cannot be loaded."""
        values = self._named(given)
        ports = self.compiled.inputs
        arrays = [_as_input(port, np.asarray(values[port.name])) for port in ports]
        blobs = self._loaded.call(arrays)
        if self.compiled.tail is not None:
            blobs |= dict(zip((p.name for p in ports), arrays, strict=True))
            blobs = run(_function(self.compiled.tail), blobs)
        return {name: blobs[name] for name in self.compiled.outputs}

    def _named(self, given: tuple[Any, ...]) -> Mapping[str, ArrayLike]:
        names = [port.name for port in self.compiled.inputs]
        known = ", ".join(f"'{name}'" for name in names)
        if len(given) == 1 and isinstance(given[0], Mapping):
            values = cast(Mapping[str, ArrayLike], given[0])
        elif len(given) == len(names):
            values = dict(zip(names, given, strict=True))
        else:
            raise NativeError(f"{len(names)} inputs are expected ({known}), not {len(given)}")
        for name in values:
            if name not in names:
                raise NativeError(f"there is no input '{name}'{nearest(name, names)}")
        if missing := [name for name in names if name not in values]:
            raise NativeError(f"there is no value for input '{missing[0]}'; the inputs are {known}")
        return values

    def words(self) -> str:
        """What it is for, takes and gives."""
        sizes = ", ".join(f"{p.name} {_extents(p.shape)}" for p in self.inputs)
        return f"{self.compiled.target}, {sizes} -> {', '.join(self.outputs)}"


def _as_input(port: Port, values: Array) -> Array:
    """The values in the type of an input. Raises `NativeError` for another shape, and for what is
    no numbers."""
    if values.dtype.kind not in "fiub":
        raise NativeError(
            f"input '{port.name}' has elements of {values.dtype}, which are no numbers"
        )
    same = len(values.shape) == len(port.shape) and all(
        wanted in (None, n) for wanted, n in zip(port.shape, values.shape, strict=True)
    )
    if not same:
        raise NativeError(
            f"input '{port.name}' is {_extents(port.shape)}, not {_extents(values.shape)}"
        )
    return np.ascontiguousarray(values, port.dtype)


def _extents(shape: tuple[int | None, ...]) -> str:
    return "x".join("?" if n is None else str(n) for n in shape)


def _function(tail: ModuleOp) -> FuncOp:
    for op in tail.ops:
        if isinstance(op, FuncOp):
            return op
    raise NativeError("the tail of the model has no function")
