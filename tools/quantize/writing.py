"""Writing a model that passes make int8, and saying what became of it."""

import argparse
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import ModuleOp

from ...dialects.ncnn.int8 import StaticInt8
from ...driver.files import Change, Source, compile_model, read_model
from ...driver.missing import repairs_of
from ...driver.pipelines import quoted, restoring, run_pipeline
from ...targets import Output
from ...targets.overwriting import check_unread
from ...transforms import OPTIMIZE
from ...transforms.finding import model_of
from ...transforms.infer_shapes import InferShapes
from ...transforms.quantization.insert import InsertQuantization
from ...transforms.quantization.int8 import KEPT
from ...transforms.remarks import Remark, listening
from ...transforms.shapes import set_input_shapes
from ..messages import say
from ..parsers import reading_options
from ..pass_options import input_shapes
from ..progress import Progress

FUSE = "fuse-requantize"
"""The pass that lets int8 layers hand int8 to each other."""


def read(args: argparse.Namespace) -> Source:
    """The model that is to be quantized."""
    source = read_model(args.model, reading_options(args, args.weights))
    for message in source.warnings:
        say(f"ncnn-quantize: warning: {message}")
    shapes = input_shapes(getattr(args, "input_shape", ()))
    if shapes:
        set_input_shapes(model_of(source.module), InferShapes(input_shape=shapes).input_shapes())
    return source


def optimized(module: ModuleOp, args: argparse.Namespace) -> ModuleOp:
    """The model after the passes of `-O`, if they are asked for."""
    if args.optimize:
        passes = [*repairs_of(module), *OPTIMIZE]
        run_pipeline(module, restoring(",".join(passes)), args.model)
    return module


def pipeline_of(table: str, keep: Sequence[str], storage: str | None) -> str:
    """The passes that make a model int8, and store other weights so."""
    options = f"table={quoted(table)}"
    if keep:
        options += f" keep={','.join(map(quoted, keep))}"
    return ",".join([f"{InsertQuantization.name}{{{options}}}", FUSE, *storing(storage)])


def storing(storage: str | None) -> list[str]:
    """The pass that stores float weights as an option says, if it does."""
    return [] if storage is None else [f"convert-storage{{storage={storage}}}"]


def write(
    source: Source,
    args: argparse.Namespace,
    pipeline: str,
    read_files: Sequence[str] = (),
    prepare: Callable[[ModuleOp], None] | None = None,
) -> None:
    """Runs passes and writes the model, then says how many layers are int8. Remarks on layers that
    stay float without having been asked to are printed, with `--remarks` all. Files that were read
    are not replaced."""
    check_unread(args.output, [args.model, *read_files])
    output = Output(args.output, args.output_weights, source.origin, progress=Progress)
    counts: list[tuple[int, int]] = []

    def tell(remark: Remark) -> None:
        stays = "stays" in remark.note and KEPT not in remark.note
        if args.remarks or stays or "scale 1" in remark.note:
            say(f"remark: {remark}")

    def run(module: ModuleOp) -> None:
        if prepare is not None:
            prepare(module)
        with listening(tell):
            run_pipeline(module, pipeline, source.path)
        layers = [op for op in model_of(module).body.block.ops if isinstance(op, StaticInt8)]
        counts.append((sum(op.int8_term() != 0 for op in layers), len(layers)))

    change = compile_model(source, output, run, summarized=True)
    quantized, every = counts[0]
    say_sum(f"{quantized} of {every} layers in int8", change)


def say_sum(what: str, change: Change) -> None:
    """The last line: what was done, and what the weights became by it."""
    say(", ".join([f"ncnn-quantize: {what}", *filter(None, [change.weights()])]))
