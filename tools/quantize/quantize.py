"""`ncnn-quantize MODEL`: calibrate, quantize, and prove what it costs."""

import argparse
from contextlib import ExitStack

from xdsl.dialects.builtin import ModuleOp

from ...dialects.ncnn.lookup import find_layer, model_of
from ...driver.errors import UsageError
from ...driver.pipelines import run_pipeline
from ...formats.scale_table import write_scale_table
from ...quantization.evaluator import bench
from ...quantization.integers import quantized, scaled_by_themselves
from ...quantization.layer_timing import ROUNDS, tuned
from ...quantization.prepared import Prepared
from ...quantization.search import Search
from ...runtime.engines import check_runtime
from ...targets.param.export import summarize
from ..progress import Progress
from .calibrate import check_candidates, count, warn, write_bytes
from .nearer import CORRECT, FIT, Attempt, changes_of, choose, divide, equalized, nearer
from .option_groups import BEST, check_given
from .output_checks import check_outputs
from .proving import (
    chosen,
    clock,
    limit_of,
    prove,
    read_classes,
    tell_search,
    tell_tuned,
    wants_proof,
)
from .sample_files import First, read_samples
from .writing import kept, optimized, pipeline_of, read, storing, write


def run(args: argparse.Namespace) -> None:
    """Does what the command line says. Raises one of `USER_ERRORS`."""
    check_given(args, output="-o")
    changes = changes_of(args)
    most = limit_of(args)
    check_outputs(args)
    source = read(args)
    before = summarize(source.module)
    module = optimized(source.module, args)
    keep = kept(module, args)
    for name in keep:
        find_layer(model_of(module), name)
    samples = read_samples(model_of(module), args)
    total = len(samples.names())
    classes = read_classes(args.classes, total)
    measured = chosen(args, total)
    check_runtime()  # after all mistakes in the options, before all the work
    with ExitStack() as stack:
        wanted = most is not None or wants_proof(args) or args.tune
        measures = wanted or args.method == BEST or bool(changes)

        def attempt(module: ModuleOp) -> Attempt:
            prepared = stack.enter_context(Prepared(module))
            if set(scaled_by_themselves(module)) <= set(keep):
                check_candidates(prepared, args.model)
            counted = First(samples, total - (args.held_back or 0))
            found = count(prepared, counted, args, args.output)
            if module is source.module:
                warn(prepared, samples.names(), found)
            measuring = None
            if measures:
                made = bench(prepared, samples, measured, args.jobs)
                measuring = stack.enter_context(made)
            return choose(module, measuring, prepared, found, args, keep)

        best = attempt(module)
        if "equalize" in changes:
            best = equalized(best, attempt)
        result = best.module
        if best.measuring is not None:
            divided = divide(total - (args.held_back or 0), measured, args.measured)
            if args.tune:
                keep = tune(best, keep, args)
            if "gptq" in changes:
                result = nearer(best, result, keep, FIT, divided)
            if most is not None:
                keep, result = search(best, result, keep, most)
            if "correct_bias" in changes:
                result = nearer(best, result, keep, CORRECT, divided)
            if wants_proof(args):
                final = quantized(result, best.table, keep, "")
                for spec in storing(args.storage):
                    run_pipeline(final, spec, args.model)
                prove(best.measuring, args, final, classes)
        path = best.prepared.path("scales.table") if best.prepared.candidates else None
        for place in (path, args.output_table):
            if place is not None:
                write_bytes(place, write_scale_table(best.table))
        pipeline = pipeline_of(path, keep, args.storage)
        write(source._replace(module=result), args, pipeline, before)


def tune(best: Attempt, keep: list[str], args: argparse.Namespace) -> list[str]:
    """Finds the layers that are faster in float. Returns all that stay so."""
    assert best.measuring is not None
    with Progress("timing layers", ROUNDS) as progress:
        slower = tuned(
            clock(best.measuring, args),
            lambda names: quantized(best.module, best.table, [*keep, *names], ""),
            progress.update,
        )
    tell_tuned(slower, best.prepared.labels)
    return [*keep, *slower]


def search(
    best: Attempt, module: ModuleOp, keep: list[str], most: float
) -> tuple[list[str], ModuleOp]:
    """Finds the layers that must stay float. Returns all that do, and the model of which those in
    int8 are made."""
    measuring = best.measuring
    assert measuring is not None
    fitted = None if module is best.module else module
    with Progress("searching", 1) as progress:

        def tell(what: str, done: int, total: int) -> None:
            progress.what, progress.total = what, total
            progress.update(done)

        search = Search(measuring, best.table, "", keep, tell, fitted)
        found = search.run(most)
    if found.error > most:
        raise UsageError(f"the error is {found.error:.3g} even with all layers in float")
    tell_search(found, most, best.prepared.labels)
    layers = [each.layer for each in found.kept]
    return [*keep, *layers], search.floats(layers)
