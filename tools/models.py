"""Reading and writing a model, whatever kind of file it is in: what the command line and the Python
API share."""

from collections.abc import Collection, Generator
from contextlib import contextmanager

from xdsl.dialects.builtin import ModuleOp

from ..formats.pnnx_param import looks_like_pnnx
from ..frontends.files import (
    ImportOptions,
    import_param,
    looks_like_param,
    unreplaced,
    weights_beside,
)
from ..targets.ahead import CopyAhead
from ..targets.files import OutputFiles
from ..targets.mlir import MlirOptions, references, weights_lie_in, write_mlir
from ..targets.param import Export, export_module
from .environment import make_context
from .ir_text import parse_ir, verify_ir
from .kinds import KINDS
from .overwriting import (
    Origin,
    check_outputs,
    check_unused,
    settle_weights,
    weights_beside_mlir,
)
from .progress import Progress


def kind_of(path: str, data: bytes, known: Collection[str] = KINDS) -> str:
    """What kind of file this is, by its name. As with mlir-opt, what has another name is taken for
    IR, unless it begins as a `.param` does."""
    endings = (".param.bin", ".pnnx.param")
    kind = next((e[1:] for e in endings if path.endswith(e)), path.rpartition(".")[2])
    if kind not in known:
        kind = "param" if looks_like_param(data) else "mlir"
        kind = "pnnx.param" if looks_like_pnnx(data) else kind
    return kind


def read_model(path: str, options: ImportOptions) -> tuple[ModuleOp, list[str]]:
    """The verified module in a `.param`, `.param.bin` or `.mlir`, and warnings about the file.

    Raises one of `USER_ERRORS`.
    """
    with open(path, "rb") as f:
        data = f.read()
    with unreplaced(path, data):
        kind = kind_of(path, data)
        if kind == "pnnx.param":
            from ..frontends.pnnx import import_pnnx

            return import_pnnx(data, path, options.weights)
        if kind != "mlir":
            return import_param(data, path, options)  # which verifies each layer
        module = parse_ir(make_context(), data, path)
    verify_ir(module, path)
    return module, []


def write_model(
    module: ModuleOp,
    path: str,
    *,
    weights: str | None = None,
    options: MlirOptions | None = None,
    origin: Origin = Origin(),
    show_progress: bool = True,
    export: Export | None = None,
    ahead: CopyAhead | None = None,
) -> None:
    """Writes a `.param` or `.mlir` with its weights: both files or neither.

    `weights` is the `.bin`, by default the one beside `path`; `origin` is where the model came
    from, which must stay whole unless it is replaced; `export` is the module's, if that was made
    already, and `ahead` the `.bin` of a `.param`, if that was begun. The constants of IR refer to
    what was written afterwards. Raises one of `USER_ERRORS`.
    """
    if path.endswith(".pnnx.param") or (path.endswith(".mlir") and _is_pnnx(module)):
        from ..targets.pnnx import archive_of, write_pnnx, write_pnnx_mlir

        archive = weights or archive_of(path)
        check_outputs(path, archive, origin)
        with naming(path):
            if path.endswith(".param"):
                write_pnnx(module, path, archive)
            else:
                write_pnnx_mlir(module, path, archive, options or MlirOptions())
        return
    if path.endswith(".param"):
        write_param(
            module,
            path,
            weights or weights_beside(path),
            origin=origin,
            show_progress=show_progress,
            export=export,
            ahead=ahead,
        )
        return
    options = options or MlirOptions()
    beside = weights_beside_mlir(path)
    in_place = weights is None and weights_lie_in(module, beside)
    target = None if in_place else weights or beside
    if weights is not None or references(module, options):
        check_outputs(path, target or beside, origin)
    with naming(path), OutputFiles() as files:
        given = [target]

        def settle(files: OutputFiles, bin_path: str) -> str:
            given[0] = settle_weights(files, bin_path)
            return given[0]

        how = settle if weights is None else None
        write_mlir(module, path, target, options, files, how)
        final = given[0]
        if final is not None:
            files.before_replacing(lambda: check_unused(files, path, final, origin))


def _is_pnnx(module: ModuleOp) -> bool:
    """Whether a module holds a PNNX graph and nothing else."""
    return [op.name for op in module.ops] == ["pnnx.graph"]


def write_param(
    module: ModuleOp,
    path: str,
    weights: str,
    *,
    origin: Origin = Origin(),
    show_progress: bool = True,
    export: Export | None = None,
    ahead: CopyAhead | None = None,
) -> None:
    """Writes a `.param` and its `.bin`, whatever their names: both or neither. Raises one of
    `USER_ERRORS`."""
    check_outputs(path, weights, origin)
    with naming(path), OutputFiles() if ahead is None else ahead.files as files:
        export = export or export_module(module)
        total = export.bin_size() if show_progress else 0
        out = files.create(weights, "wb") if ahead is None else ahead.out
        with Progress(f"writing {weights}", total) as progress:
            export.write_bin(out, progress.update, ahead)
        files.create(path, "w").write(export.param_text())
        files.before_replacing(lambda: check_unused(files, path, weights, origin))


@contextmanager
def naming(path: str) -> Generator[None]:
    """Gives errors of writing that name no file (a full disk) the name of the output."""
    try:
        yield
    except OSError as e:
        if e.filename is None:
            e.filename = path
        raise
