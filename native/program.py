"""Models as programs: compiled in memory, called with NumPy arrays.

A program consists of IREE's code and of the tail that NumPy computes on the host. Callers see one
function.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.lookup import model_of
from ..dialects.xdsl_extras.spelling import nearest_or_all
from ..interpreters.run import ModelRunner
from .errors import NativeError
from .iree_compile import Tick, compile_code
from .loaded_program import Loaded
from .lowering import Fused, Lowered, Port, fuse, lower_fused
from .options import CompileOptions
from .parameters import Parameter, parameters_of

Array = NDArray[Any]


@dataclass(frozen=True)
class Compiled:
    """A compiled model: code, and the places of its weights."""

    code: bytes
    """The code for IREE's runtime (a `.vmfb`)."""
    target: str
    inputs: tuple[Port, ...]
    results: tuple[Port, ...]
    """The results of the code."""
    outputs: tuple[str, ...]
    """The outputs of the model; the tail may compute them."""
    parameters: tuple[Parameter, ...]
    tail: ModuleOp | None = None
    """The module that NumPy computes from the results and the inputs, if there is one."""


def compile_module(
    module: ModuleOp, options: CompileOptions = CompileOptions(), tick: Tick | None = None
) -> Compiled:
    """Compile a model. The module becomes the code's module. Raises `NativeError`, and the errors
    of reading weights."""
    return compile_fused(fuse(module, options), options, tick)


def compile_fused(model: Fused, options: CompileOptions, tick: Tick | None = None) -> Compiled:
    """Compile a model of fused operations. It becomes the code's model. Raises `NativeError`, and
    the errors of reading weights."""
    lowered = lower_fused(model, options)
    return assembled(lowered, compile_code(lowered, options, tick), options)


def assembled(lowered: Lowered, code: bytes, options: CompileOptions) -> Compiled:
    """Return a compiled model with its code. Raises the errors of reading weights."""
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
    """A compiled model that is loaded on the first call. `program(x)` and `program({"data": x})`
    return the outputs by name.

    Arrays are converted to the element types of the inputs.
    """

    def __init__(self, compiled: Compiled, driver: str | None = None) -> None:
        self.compiled = compiled
        self._driver = driver
        """A driver of IREE for the target instead of the default; `local-sync` computes on the
        calling thread."""

    @cached_property
    def _loaded(self) -> Loaded:
        return Loaded(self.compiled, self._driver)

    @cached_property
    def _tail(self) -> ModelRunner | None:
        """The part that runs on the host."""
        tail = self.compiled.tail
        return None if tail is None else ModelRunner(model_of(tail))

    @property
    def inputs(self) -> tuple[Port, ...]:
        """The inputs of the model."""
        return self.compiled.inputs

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs."""
        return self.compiled.outputs

    def __call__(self, *given: ArrayLike | Mapping[str, ArrayLike]) -> dict[str, Array]:
        """Return the outputs by name, for arrays by name or in the order of the inputs. Raises
        `NativeError` for wrong inputs, and if the program cannot be loaded."""
        values = self._named(given)
        ports = self.compiled.inputs
        arrays = [_as_input(port, np.asarray(values[port.name])) for port in ports]
        blobs = self._loaded.call(arrays)
        if self._tail is not None:
            blobs |= dict(zip((p.name for p in ports), arrays, strict=True))
            blobs = self._tail(blobs)
        return {name: blobs[name] for name in self.compiled.outputs}

    def _named(self, given: tuple[Any, ...]) -> Mapping[str, ArrayLike]:
        names = [port.name for port in self.compiled.inputs]
        if len(given) == 1 and isinstance(given[0], Mapping):
            values = cast(Mapping[str, ArrayLike], given[0])
        elif len(given) == len(names):
            values = dict(zip(names, given, strict=True))
        else:
            wanted = f"{len(names)} inputs are expected ({', '.join(map(repr, names))})"
            raise NativeError(f"{wanted}, not {len(given)}")
        for name in values:
            if name not in names:
                raise NativeError(
                    f"there is no input '{name}'{nearest_or_all(name, names, 'inputs')}"
                )
        for name in names:
            if name not in values:
                known = ", ".join(map(repr, names))
                raise NativeError(f"input '{name}' has no value; the inputs are {known}")
        return values

    def words(self) -> str:
        """Return a description of the target, the inputs and the outputs."""
        sizes = ", ".join(f"{p.name} {_extents(p.shape)}" for p in self.inputs)
        return f"{self.compiled.target}, {sizes} -> {', '.join(self.outputs)}"


def _as_input(port: Port, values: Array) -> Array:
    """Return the values in the type of an input. Raises `NativeError` for another shape, and for
    elements that are not numbers."""
    if values.dtype.kind not in "fiub":
        raise NativeError(
            f"input '{port.name}' has elements of {values.dtype}, which are not numbers"
        )
    same = len(values.shape) == len(port.shape) and all(
        wanted in (None, n) for wanted, n in zip(port.shape, values.shape, strict=True)
    )
    if not same:
        raise NativeError(
            f"input '{port.name}' is {_extents(port.shape)}, not {_extents(values.shape)}"
        )
    if port.is_index and values.dtype.kind != "f":
        return np.ascontiguousarray(values, "i4").view(port.dtype)
    return np.ascontiguousarray(values, port.dtype)


def _extents(shape: tuple[int | None, ...]) -> str:
    return "x".join("?" if n is None else str(n) for n in shape)
