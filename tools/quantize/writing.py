"""Writing a model that passes make int8, and saying what became of it."""

import argparse
from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from ...analysis.shape_inference import set_input_shapes
from ...dialects.ncnn.int8 import StaticInt8
from ...dialects.ncnn.lookup import model_of
from ...dialects.ncnn.quantization import DynamicInt8
from ...driver.companions import read_repaired
from ...driver.files import Change, Source, compile_model
from ...driver.missing import repairs_of
from ...driver.pipelines import for_release, known_release, optimizing, quoted, run_pipeline
from ...driver.pipelines import storing as with_storage
from ...driver.releases import Releases, watching_releases
from ...quantization.integers import integers_of, scaled_by_themselves
from ...targets import Output, Summary
from ...transforms.infer_shapes import InferShapes
from ...transforms.quantization.insert import InsertQuantization
from ...transforms.quantization.int8 import KEPT, NO_STATIC_INT8
from ...transforms.quantization.quantize_weights import QuantizeWeights
from ...transforms.rewriting.remarks import Remark, listening
from ..messages import say
from ..parsers import reading_options
from ..pass_options import input_shapes
from ..progress import Progress
from ..releases import tell_releases
from .option_groups import names

FUSE = "fuse-requantize"
"""The pass that lets int8 layers hand int8 to each other."""
FOR_INT8 = "replace-deconvolution-with-convolution"
"""The pass that makes layers that can be int8 of such as cannot."""


def read(args: argparse.Namespace) -> Source:
    """The model that is to be quantized."""
    source = read_repaired(args.model, reading_options(args, args.weights), args.pnnx)
    for message in source.warnings:
        say(f"ncnn-quantize: warning: {message}")
    if (release := getattr(args, "for_ncnn", None)) is not None:
        args.for_ncnn = known_release(release)
        run_pipeline(source.module, for_release(args.for_ncnn), args.model)
    shapes = input_shapes(getattr(args, "input_shape", ()))
    if shapes:
        set_input_shapes(model_of(source.module), InferShapes(input_shape=shapes).input_shapes())
    return source


def optimized(module: ModuleOp, args: argparse.Namespace) -> ModuleOp:
    """The model after the passes of `-O` and `FOR_INT8`, if they are asked for."""
    if args.optimize:
        passes = [*repairs_of(module), *optimizing(args.for_ncnn), FOR_INT8]
        run_pipeline(module, with_storage(",".join(passes)), args.model)
    return module


def kept(module: ModuleOp, args: argparse.Namespace) -> list[str]:
    """The layers that stay float because somebody said so."""
    return [*names(args.keep), *(scaled_by_themselves(module) if args.static_only else ())]


def pipeline_of(table: str | None, keep: Sequence[str], storage: str | None) -> str:
    """The passes that make a model int8, by the scales of a table if there is one, and store other
    weights so."""
    kept = [f"keep={','.join(map(quoted, keep))}"] if keep else []
    given = [] if table is None else [(InsertQuantization.name, [f"table={quoted(table)}", *kept])]
    steps = [*given, (QuantizeWeights.name, kept)]
    written = [f"{name}{{{' '.join(options)}}}" if options else name for name, options in steps]
    return ",".join([*written, FUSE, *storing(storage)])


def storing(storage: str | None) -> list[str]:
    """The pass that stores float weights as an option says, if it does."""
    return [] if storage is None else [f"convert-storage{{storage={storage}}}"]


def write(
    source: Source,
    args: argparse.Namespace,
    pipeline: str,
    before: Summary | None = None,
) -> None:
    """Runs passes and writes the model, then says how many layers are int8. Remarks on layers that
    stay float without having been asked to are printed, with `--remarks` all. `before` is how large
    the model was when it was read, where it has changed since."""
    output = Output(args.output, args.output_weights, source.origin, progress=Progress)
    counts: list[tuple[int, int]] = []
    seen: list[Releases] = []

    def tell(remark: Remark) -> None:
        if remark.rewrite == InsertQuantization.name and NO_STATIC_INT8 in remark.note:
            return  # it is for the pass that follows
        stays = "stays" in remark.note and KEPT not in remark.note
        if args.remarks or stays or "scale 1" in remark.note:
            say(f"remark: {remark}")

    def run(module: ModuleOp) -> None:
        releases = watching_releases(module, source.path, args.for_ncnn)
        with listening(tell), releases as found:
            run_pipeline(module, pipeline, source.path)
        ops = model_of(module).body.block.ops
        every = sum(isinstance(op, StaticInt8 | DynamicInt8) for op in ops)
        counts.append((len(integers_of(module)), every))
        seen.append(found)

    change = compile_model(source, output, run, summarized=True, before=before)
    quantized, every = counts[0]
    say_sum(f"{quantized} of {every} layers in int8", change)
    tell_releases(seen[0], "ncnn-quantize: ")


def say_sum(what: str, change: Change) -> None:
    """The last line: what was done, and what the weights became by it."""
    say(", ".join([f"ncnn-quantize: {what}", *filter(None, [change.weights()])]))
