"""What is fuzzed: each reader with `-O` behind it, from bytes to a model or one of our errors."""

import os
import tempfile
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path

from ncnn_opt.formats.errors import FormatError
from ncnn_opt.frontends.files import ImportOptions
from ncnn_opt.targets.param import export_module
from ncnn_opt.tools.errors import USER_ERRORS
from ncnn_opt.tools.models import make_context, read_model
from ncnn_opt.tools.pipelines import available_passes
from ncnn_opt.transforms import OPTIMIZE
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline

SEPARATOR = b"\n%%\n"
"""Between the `.param` and the `.bin` of an input of the reader `weights`."""


class Wrong(Exception):
    """A result that must not be: what was accepted cannot be written and read again."""


@cache
def _folder() -> Path:
    """Where inputs are put for the readers, in memory if there is such a place. References to
    weights in IR are looked up here."""
    memory = Path("/dev/shm")
    place = memory if os.access(memory, os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="ncnn-opt-fuzz-", dir=place))
    (folder / "w.bin").write_bytes(bytes(range(256)) * 16)
    return folder


@cache
def _optimizing() -> tuple[PassPipeline, Context]:
    def verify(done: ModulePass | None, module: ModuleOp, following: ModulePass | None) -> None:
        module.verify()

    pipeline = PassPipeline.parse_spec(available_passes(), ",".join(OPTIMIZE), verify)
    return pipeline, make_context()


def _put(name: str, data: bytes) -> str:
    path = _folder() / name
    path.write_bytes(data)
    return str(path)


def _through(path: str, options: ImportOptions) -> None:
    """Reads a model, optimizes it, and writes it; what was written must be readable."""
    module, _ = read_model(path, options)
    pipeline, context = _optimizing()
    pipeline.apply(context, module)
    export = export_module(module)
    text = export.param_text()
    with_weights = options.weights is None or path.endswith(".mlir")
    complete = all(constant.has_values() for constant, _, _ in export.weights)
    weights = BytesIO()
    if with_weights and complete:
        with open(_folder() / "again.bin", "w+b") as out:
            export.write_bin(out)
            out.seek(0)
            weights = BytesIO(out.read())
    again = _put("again.param", text.encode())
    _put("again.bin", weights.getvalue())
    kind = None if with_weights and complete else "none"
    try:
        read_model(again, ImportOptions(weights=kind, custom_weights=options.custom_weights))
    except USER_ERRORS as e:
        if "Custom" in text or "custom layers" in str(e):
            return  # weights of custom layers are not known to a second reader
        raise Wrong(f"what was written is refused: {e}\n{text}") from e


def read_param(data: bytes) -> None:
    """A `.param`, without weights."""
    _through(_put("model.param", data), ImportOptions(weights="none"))


def read_param_bin(data: bytes) -> None:
    """A `.param.bin`, without weights."""
    _through(_put("model.param.bin", data), ImportOptions(weights="none"))


def read_weights(data: bytes) -> None:
    """A `.param` and its `.bin`."""
    text, _, weights = data.partition(SEPARATOR)
    _put("model.bin", weights)
    _through(_put("model.param", text), ImportOptions(allow_trailing=True))


def read_mlir(data: bytes) -> None:
    """An `.mlir`."""
    _through(_put("model.mlir", data), ImportOptions())


READERS: dict[str, Callable[[bytes], None]] = {
    "param": read_param,
    "param.bin": read_param_bin,
    "weights": read_weights,
    "mlir": read_mlir,
}
"""By the name of what they read."""


def accepted(reader: str, data: bytes) -> bool:
    """Whether the reader accepts the bytes and the model can be written. Lets out whatever is none
    of our errors."""
    try:
        READERS[reader](data)
    except FormatError as e:
        if isinstance(e.__cause__, Wrong):
            raise
        return False
    except USER_ERRORS as e:
        if isinstance(e, MemoryError) or getattr(e, "errno", None) == 12:
            raise Wrong(f"an allocation failed: {e}") from e
        return False
    return True
