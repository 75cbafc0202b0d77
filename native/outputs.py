"""Compiled models as files: a kind by the ending of its name."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.weights import WeightAttr
from ..targets.files import OutputFiles, naming
from ..targets.overwriting import OutputError
from .artifact import ENDING, check_sources, save
from .compiling import Tick, text_of
from .library import save_library
from .lowering import Lowered, lower
from .options import Options
from .parameters import copied, parameters_of
from .program import compile_module
from .tuning import Hooks, Tuning, fastest


def _silent(text: str) -> None:
    pass


@dataclass(frozen=True)
class Request:
    """What is to be written."""

    module: ModuleOp
    """The model; it becomes that of the code."""
    path: str
    options: Options = Options()
    copy_weights: bool = False
    """Whether weights that no pass has made are copied, too."""
    tick: Tick | None = None
    note: Callable[[str], None] = field(default=_silent)
    """Is told what a user would not expect."""
    tell: Callable[[str], None] = field(default=_silent)
    """Is told what is being done."""
    tuning: Tuning | None = None
    """How the forms of convolutions that are fastest here are found, if they are to be."""


def write(request: Request) -> list[str]:
    """Compiles a model and writes it: all files or none. Returns their names. Raises `NativeError`,
    `OutputError`, `OSError`, and what reading weights raises."""
    return kind_of(request.path)(request)


Writer = Callable[[Request], list[str]]


def kind_of(path: str) -> Writer:
    """What writes a file of this name. Raises `OutputError` for one of no kind."""
    for ending, writer in KINDS.items():
        if path.endswith(ending):
            return writer
    *others, last = KINDS
    known = f"{', '.join(others)} or {last}"
    raise OutputError(f"what to write to '{path}' cannot be told from its name; {known}")


def _write_code(request: Request) -> list[str]:
    """The program of IREE, with what is to be known of it."""
    if request.tuning is not None:
        hooks = Hooks(request.tick or (lambda: None), request.tell, request.note)
        compiled = fastest(request.module, request.options, request.tuning, hooks)
    else:
        compiled = compile_module(request.module, request.options, request.tick)
    return save(compiled, request.path, request.copy_weights)


def _write_text(request: Request) -> list[str]:
    """The linalg that IREE would get. New weights go to `m.mlir.bin`."""
    path, weights = request.path, f"{request.path}.bin"
    lowered = lower(request.module, request.options)
    if lowered.tail is not None:
        request.note(f"'{path}' gives {_names(lowered)}; what runs on the host is left out")
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
        files.create(path, "w").write(text_of(lowered, folder))
    return [path, weights] if moved else [path]


def _names(lowered: Lowered) -> str:
    return ", ".join(f"'{port.name}'" for port in lowered.results)


def _write_library(request: Request) -> list[str]:
    """A shared library, and its header."""
    return save_library(request.module, request.path, request.options, request.tick)


KINDS: Mapping[str, Writer] = {ENDING: _write_code, ".mlir": _write_text, ".so": _write_library}
"""What writes a compiled model, by the ending of the name."""
