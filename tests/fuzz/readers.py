"""What is fuzzed: each reader with `-O` behind it, from bytes to a model or one of our errors."""

import atexit
import json
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path
from zlib import crc32

from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.environment import available_passes, make_context
from ncnn_opt.driver.errors import USER_ERRORS
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.report.model import ModelFacts, collect
from ncnn_opt.report.model_comparison import compare
from ncnn_opt.report.page import comparison_page
from ncnn_opt.report.structured import comparison_json, model_json
from ncnn_opt.report.text import comparison_text, model_text
from ncnn_opt.targets.param.export import export_module
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
    """Where inputs are put for the readers. References to weights in IR are looked up here."""
    folder = Path(tempfile.mkdtemp(prefix="ncnn-opt-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "w.bin").write_bytes(bytes(range(256)) * 16)
    return folder


BRANCHES = (
    ("convert-ncnn-to-fused", "convert-fused-to-ncnn"),
    ("ncnn-infer-shapes",),
    ("report",),
    ("convert-storage{storage=fp16}", "ncnn-infer-shapes{hints=false}"),
)
"""What comes after `-O` for one input in sixteen each: passes, or reports before and after."""


@cache
def _pipeline(passes: tuple[str, ...]) -> tuple[PassPipeline, Context]:
    def verify(done: ModulePass | None, module: ModuleOp, following: ModulePass | None) -> None:
        if done is not None:
            module.verify()

    pipeline = PassPipeline.parse_spec(dict(available_passes()), ",".join(passes), verify)
    return pipeline, make_context()


def branch_of(data: bytes) -> tuple[str, ...]:
    """The branch that an input takes, always the same."""
    number = crc32(data) % 16
    return BRANCHES[number] if number < len(BRANCHES) else ()


def _optimize(module: ModuleOp, data: bytes) -> None:
    """Runs `-O`, and what may come after it."""
    branch = branch_of(data)
    reporting = branch == ("report",)
    before = _facts(module) if reporting else None
    pipeline, context = _pipeline((*OPTIMIZE, *(() if reporting else branch)))
    pipeline.apply(context, module)
    after = _facts(module) if reporting else None
    if before is not None and after is not None:
        comparison = compare(before, after)
        for text in (model_text(before, 100), comparison_text(comparison, None)):
            text.encode()
        json.dumps((model_json(before), comparison_json(comparison)), allow_nan=False)
        comparison_page(comparison).encode()


def _facts(module: ModuleOp) -> ModelFacts | None:
    """What `ncnn-report` collects about a model; `None` where IR holds something else."""
    try:
        func = model_of(module)
    except USER_ERRORS:
        return None
    return collect(func, "model")


def _put(name: str, data: bytes) -> str:
    path = _folder() / name
    path.write_bytes(data)
    return str(path)


def _through(path: str, data: bytes, options: ReadOptions) -> None:
    """Reads a model, optimizes it, and writes it; what was written must be readable."""
    module = read_model(path, options).module
    _optimize(module, data)
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
        read_model(again, ReadOptions(weights=kind, custom_weights=options.custom_weights))
    except USER_ERRORS as e:
        if "Custom" in text or "custom layers" in str(e):
            return  # weights of custom layers are not known to a second reader
        raise Wrong(f"what was written is refused: {e}\n{text}") from e


def read_param(data: bytes) -> None:
    """A `.param`, without weights."""
    _through(_put("model.param", data), data, ReadOptions(weights="none"))


def read_param_bin(data: bytes) -> None:
    """A `.param.bin`, without weights."""
    _through(_put("model.param.bin", data), data, ReadOptions(weights="none"))


def read_weights(data: bytes) -> None:
    """A `.param` and its `.bin`."""
    text, _, weights = data.partition(SEPARATOR)
    _put("model.bin", weights)
    _through(_put("model.param", text), data, ReadOptions(allow_trailing=True))


def read_mlir(data: bytes) -> None:
    """An `.mlir`."""
    _through(_put("model.mlir", data), data, ReadOptions())


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
