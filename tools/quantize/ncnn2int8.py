"""What `ncnn-int8` does."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from ...driver.errors import UsageError
from ...driver.files import compile_model, read_model
from ...driver.pipelines import quoted, run_pipeline
from ...frontends import ReadOptions
from ...targets import Output, targets
from ...targets.overwriting import check_unread
from ...transforms.quantization.int8 import NO_STATIC_INT8
from ...transforms.rewriting.remarks import Remark, listening
from ..messages import tell
from ..progress import Progress
from .writing import FUSE

STATIC, WEIGHTS = "insert-quantization", "quantize-weights"


def run(arguments: Sequence[str], usage: str) -> None:
    """Raises `UsageError` for other arguments than ncnn2int8's, and one of `USER_ERRORS`."""
    if not 4 <= len(arguments) <= 5:
        raise UsageError(f"4 or 5 arguments are needed, not {len(arguments)}\n{usage}")
    param, weights, out_param, out_bin, *tables = arguments
    source = read_model(param, ReadOptions("random" if weights == "null" else weights))
    for message in source.warnings:
        tell(f"warning: {message}")
    static = [f"{STATIC}{{table={quoted(table)}}}" for table in tables]
    passes = [*static, WEIGHTS, FUSE, "convert-storage{storage=fp16}"]
    for target in (out_param, out_bin):
        check_unread(target, tables)

    def run_passes(module: ModuleOp) -> None:
        with listening(tell_step):
            run_pipeline(module, ",".join(passes), source.path)

    output = Output(out_param, out_bin, source.origin, progress=Progress)
    compile_model(source, output, run_passes, target=targets()["param"])


def tell_step(remark: Remark) -> None:
    """A line as ncnn2int8 has it, `quantize_convolution conv1`; more where a layer stays float."""
    layers = remark.as_dict()["layers"]
    names = [layer["name"] or layer["type"] for layer in layers]
    if remark.rewrite == FUSE:
        tell(" ".join(["fuse_requantize", *names]))
    elif remark.rewrite in (STATIC, WEIGHTS):
        if NO_STATIC_INT8 in remark.note:
            return  # it is for the pass that follows
        note = [f"({remark.note})"] if "stays" in remark.note or "scale 1" in remark.note else []
        tell(" ".join([f"quantize_{layers[0]['type'].lower()}", *names, *note]))
