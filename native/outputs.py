"""Compiled models as files. The ending of the name determines the kind."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.weights import WeightAttr
from ..targets.atomic_files import OutputFiles, naming
from ..targets.mlir.ir_printer import print_module
from ..targets.options import MlirOptions
from ..targets.output_checks import OutputError
from .artifact import ENDING, check_sources, save
from .form_tuning import Hooks, Tuning, fastest
from .iree_compile import Tick
from .library import save_library
from .lowering import lower
from .options import CompileOptions
from .parameters import copied, parameters_of
from .program import compile_module


@dataclass(frozen=True)
class OutputRequest:
    """A file to be written."""

    module: ModuleOp
    """The model. It becomes the code's module."""
    path: str
    options: CompileOptions = CompileOptions()
    copy_weights: bool = False
    """Whether weights that no pass created are copied too."""
    tick: Tick | None = None
    note: Callable[[str], None] = lambda text: None
    """Receives facts that a user would not expect."""
    tell: Callable[[str], None] = lambda text: None
    """Receives the current step."""
    tuning: Tuning | None = None
    """How to measure the fastest forms of convolutions; `None` to use the cost model."""


def write(request: OutputRequest) -> list[str]:
    """Compile a model and write it: all files or none. Returns the file names. Raises
    `NativeError`, `OutputError`, `OSError`, and the errors of reading weights."""
    return kind_of(request.path)(request)


Writer = Callable[[OutputRequest], list[str]]


def kind_of(path: str) -> Writer:
    """Return the writer of a file with this name. Raises `OutputError` for an unknown ending."""
    for ending, writer in KINDS.items():
        if path.endswith(ending):
            return writer
    *others, last = KINDS
    known = f"{', '.join(others)} or {last}"
    raise OutputError(f"'{path}': the ending selects the kind of output; use {known}")


def _write_code(request: OutputRequest) -> list[str]:
    """Write a program of IREE with its description."""
    if request.tuning is not None:
        hooks = Hooks(request.tick or (lambda: None), request.tell, request.note)
        compiled = fastest(request.module, request.options, request.tuning, hooks)
    else:
        compiled = compile_module(request.module, request.options, request.tick)
    return save(compiled, request.path, request.copy_weights)


def _write_text(request: OutputRequest) -> list[str]:
    """Write linalg: with weights as parameters, the linalg that IREE would compile, and new weights
    go to `m.mlir.bin`; otherwise linalg for tools that know only MLIR's own dialects."""
    path, weights = request.path, f"{request.path}.bin"
    options = request.options
    has_parameters = options.weights == "parameters"
    lowered = lower(request.module, options if has_parameters else options.for_upstream())
    if lowered.tail is not None:
        names = ", ".join(f"'{port.name}'" for port in lowered.results)
        request.note(f"'{path}' gives {names}; what runs on the host is left out")
    variables = lowered.parameters()
    parameters = parameters_of(variables)
    check_sources(parameters, (path, weights))
    moved = {p.key: p for p in parameters if request.copy_weights or p.is_new}
    with naming(path), OutputFiles() as files:
        if moved:
            stream = files.create(weights, "wb")
            moved = {
                p.key: p for p in copied(list(moved.values()), stream, os.path.abspath(weights))
            }
            for variable in variables:
                if (place := moved.get(variable.sym_name.data)) is not None:
                    variable.weight = WeightAttr(place.place)
        folder = os.path.dirname(os.path.abspath(path))
        files.create(path, "w").write(print_module(lowered.module, MlirOptions(), folder))
    return [path, weights] if moved else [path]


def _write_library(request: OutputRequest) -> list[str]:
    return save_library(request.module, request.path, request.options, request.tick)


KINDS: Mapping[str, Writer] = {ENDING: _write_code, ".mlir": _write_text, ".so": _write_library}
"""The writers by the ending of the file name."""
