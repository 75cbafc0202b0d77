"""The work of `ncnn-int8`, with the files and the messages of ncnn2int8.

A build script that calls ncnn2int8 keeps its arguments.
"""

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import ModuleOp

from ..formats.scale_table import read_scale_table
from ..frontends import ReadOptions
from ..quantization.int8_models import make_int8, store_floats
from ..targets import Output, targets
from ..targets.output_checks import check_unread
from ..transforms.quantization.records import LayerDecision
from .messages import print_requested
from .model_files import compile_model, read_model
from .progress import Progress


def write_int8(arguments: Sequence[str]) -> None:
    """Write the int8 model that the arguments of ncnn2int8 specify. Raises one of `USER_ERRORS`."""
    param, weights, out_param, out_bin, *tables = arguments
    source = read_model(param, ReadOptions("random" if weights == "null" else weights))
    for message in source.warnings:
        print_requested(f"warning: {message}")
    for target in (out_param, out_bin):
        check_unread(target, tables)

    def change(module: ModuleOp) -> None:
        table, path = None, "".join(tables)
        if tables:
            with open(path, "rb") as f:
                table = read_scale_table(f.read(), path)
        _print_steps(make_int8(module, table, path=path))
        store_floats(module, "fp16")

    output = Output(out_param, out_bin, source.origin, progress=Progress)
    compile_model(source, output, change, target=targets()["param"])


def _print_steps(records: Iterable[LayerDecision]) -> None:
    """Print a line for each step as ncnn2int8 does (`quantize_convolution conv1`), with the reason
    if a layer stays float."""
    for record in records:
        layers = record.remark.as_dict()["layers"]
        names = [layer["name"] or layer["type"] for layer in layers]
        if record.outcome == "fused":
            print_requested(" ".join(["fuse_requantize", *names]))
        elif record.outcome != "deferred":
            note = [f"({record.remark.note})"] if record.is_notable else []
            print_requested(" ".join([f"quantize_{layers[0]['type'].lower()}", *names, *note]))
