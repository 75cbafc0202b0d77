"""Reading and writing a model, whatever kind of file it is in: what the command line and the Python
API share."""

import os
from collections.abc import Collection, Generator
from contextlib import contextmanager

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.universe import Universe

from ..frontends.files import ImportOptions, import_param, looks_like_param, weights_beside
from ..targets.files import OutputFiles
from ..targets.mlir import MlirOptions, weights_lie_in, write_mlir
from ..targets.param import Export, export_module
from .errors import UsageError
from .ir_text import parse_ir, verify_ir
from .overwriting import check_unused, settle_weights, weights_beside_mlir
from .progress import Progress

KINDS = ("mlir", "param", "param.bin")
"""The endings of files that hold a model."""


def kind_of(path: str, data: bytes, known: Collection[str] = KINDS) -> str:
    """What kind of file this is, by its name. As with mlir-opt, what has another name is taken for
    IR, unless it begins as a `.param` does."""
    kind = "param.bin" if path.endswith(".param.bin") else path.rpartition(".")[2]
    if kind not in known:
        kind = "param" if looks_like_param(data) else "mlir"
    return kind


def make_context() -> Context:
    """A context that knows all dialects of this environment."""
    context = Context()
    for name, dialect in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, dialect)
    return context


def read_model(path: str, options: ImportOptions) -> tuple[ModuleOp, list[str]]:
    """The verified module in a `.param`, `.param.bin` or `.mlir`, and warnings about the file.

    Raises one of `USER_ERRORS`.
    """
    with open(path, "rb") as f:
        data = f.read()
    if kind_of(path, data) != "mlir":
        return import_param(data, path, options)  # which verifies each layer
    module = parse_ir(make_context(), data, path)
    verify_ir(module, path)
    return module, []


def check_kind_to_write(path: str) -> None:
    """Raises `UsageError` unless a file of this name is a `.param` or `.mlir`."""
    if path.endswith(".param.bin"):
        raise UsageError("ncnn's binary .param.bin is read, but not written; use .param")
    if not path.endswith((".param", ".mlir")):
        raise UsageError(f"what to write to '{path}' cannot be told from its name; .param or .mlir")


def write_model(
    module: ModuleOp,
    path: str,
    *,
    weights: str | None = None,
    options: MlirOptions | None = None,
    input_file: str | None = None,
    show_progress: bool = True,
    export: Export | None = None,
) -> None:
    """Writes a `.param` or `.mlir` with its weights: both files or neither.

    `weights` is the `.bin`, by default the one beside `path`; `input_file` is where the model came
    from, whose weights must not change if it is IR; `export` is the module's, if that was made
    already. The constants of IR refer to what was written afterwards. Raises one of `USER_ERRORS`.
    """
    if path.endswith(".param"):
        write_param(
            module,
            path,
            weights or weights_beside(path),
            input_file=input_file,
            show_progress=show_progress,
            export=export,
        )
        return
    _check_two_files(path, weights)
    with naming(path), OutputFiles() as files:
        beside = weights_beside_mlir(path)
        in_place = weights is None and weights_lie_in(module, beside)
        target = None if in_place else weights or beside
        settle = settle_weights if weights is None else None
        write_mlir(module, path, target, options or MlirOptions(), files, settle)
        if weights is not None:
            check_unused(files, path, weights, input_file)


def write_param(
    module: ModuleOp,
    path: str,
    weights: str,
    *,
    input_file: str | None = None,
    show_progress: bool = True,
    export: Export | None = None,
) -> None:
    """Writes a `.param` and its `.bin`, whatever their names: both or neither. Raises one of
    `USER_ERRORS`."""
    _check_two_files(path, weights)
    with naming(path), OutputFiles() as files:
        export = export or export_module(module)
        total = export.bin_size() if show_progress else 0
        with Progress(f"writing {weights}", total) as progress:
            export.write_bin(files.create(weights, "wb"), progress.update)
        files.create(path, "w").write(export.param_text())
        check_unused(files, path, weights, input_file)


def _check_two_files(path: str, weights: str | None) -> None:
    if weights is not None and os.path.realpath(weights) == os.path.realpath(path):
        raise UsageError(f"'{path}' cannot hold both the model and its weights")


@contextmanager
def naming(path: str) -> Generator[None]:
    """Gives errors of writing that name no file (a full disk) the name of the output."""
    try:
        yield
    except OSError as e:
        if e.filename is None:
            e.filename = path
        raise
