"""`ncnn-quantize --weights-only`: weights as integers, the input of layers as it comes."""

import argparse
import os
from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from ...driver.errors import UsageError
from ...driver.files import compile_model
from ...driver.pipelines import quoted, run_pipeline
from ...targets import Output
from ...targets.overwriting import check_unread
from ...transforms.quantization.quantize_weights import QuantizeWeights
from ...transforms.remarks import Remark, listening
from ..messages import say
from ..progress import Progress
from .options import check_given, names
from .writing import read, say_sum, storing


def run(args: argparse.Namespace) -> None:
    """Does what the command line says. Raises one of `USER_ERRORS`."""
    check_given(args, output="-o")
    data = _samples(args.data)
    pipeline = _pipeline(args, data)
    source = read(args)
    check_unread(args.output, [args.model, *data])
    output = Output(args.output, args.output_weights, source.origin, progress=Progress)
    left: list[Remark] = []
    done: list[Remark] = []

    def tell(remark: Remark) -> None:
        stays = "stays" in remark.note
        if remark.rewrite == QuantizeWeights.name:
            (left if stays else done).append(remark)
        if args.remarks:
            say(f"remark: {remark}")

    def quantize(module: ModuleOp) -> None:
        with listening(tell):
            run_pipeline(module, pipeline, source.path)
        if not done:
            why = f"{left[0].layers[0]} {left[0].note}" if left else "it has no layer for it"
            raise UsageError(f"{args.model}: nothing was quantized: {why}")
        for remark in () if args.remarks else left:
            say(f"remark: {remark}")

    change = compile_model(source, output, quantize, summarized=True)
    count = len(done) + len(left)
    say_sum(f"{len(done)} of {count} layers quantized", change)


def _pipeline(args: argparse.Namespace, data: Sequence[str]) -> str:
    """The passes that do it. Raises `UsageError` for options that do not go together."""
    method = args.method or ("gptq" if data else "minmax")
    options = {"bits": str(args.bits), "method": method}
    block = 0 if args.block == "row" else int(args.block)
    if block:
        options["block"] = str(block)
    if data:
        options["data"] = ",".join(map(quoted, data))
    if keep := names(args.keep):
        options["keep"] = ",".join(map(quoted, keep))
    try:
        QuantizeWeights(args.bits, block, method, data=tuple(data))
    except ValueError as e:
        raise UsageError(str(e)) from e
    written = " ".join(f"{name}={value}" for name, value in options.items())
    return ",".join([f"{QuantizeWeights.name}{{{written}}}", *storing(args.storage)])


def _samples(given: Sequence[str]) -> list[str]:
    """The files of calibration data: those named, and those in folders, by name. Raises
    `UsageError` for a folder without any."""
    files: list[str] = []
    for path in given:
        if not os.path.isdir(path):
            files.append(path)
            continue
        inside = sorted(name for name in os.listdir(path) if name.endswith(".npz"))
        if not inside:
            raise UsageError(f"{path}: there is no .npz in it")
        files += [os.path.join(path, name) for name in inside]
    return files
