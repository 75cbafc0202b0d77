"""`ncnn-quantize MODEL`: calibrate, quantize, and prove what it costs."""

import argparse
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from ...driver.errors import UsageError
from ...driver.pipelines import run_pipeline
from ...formats.scale_table import ScaleTable, write_scale_table
from ...quantization.choosing import best_table
from ...quantization.correcting import correct_biases
from ...quantization.differences import snr_of
from ...quantization.equalizing import equalize
from ...quantization.fitting import fit_weights
from ...quantization.measuring import Bench, bench, quantized, spread
from ...quantization.prepared import Prepared
from ...quantization.search import Search
from ...quantization.statistics import Statistics
from ...quantization.timing import ROUNDS, tuned
from ...runtime.engines import check_runtime
from ...targets.overwriting import check_unread
from ...transforms.finding import find_layer, model_of
from ..messages import say
from ..progress import Progress
from .calibrate import check_candidates, count, table_of, write_bytes
from .options import BEST, WEIGHT_METHODS, check_given, names
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
from .samples import First, read_samples
from .writing import optimized, pipeline_of, read, storing, write


def run(args: argparse.Namespace) -> None:
    """Does what the command line says. Raises one of `USER_ERRORS`."""
    check_given(args, output="-o")
    changes = [f for f in ("equalize", "gptq", "correct_bias") if getattr(args, f)]
    if changes and args.output_table is not None:
        flag = "--" + changes[0].replace("_", "-")
        raise UsageError(f"{flag} changes weights: a table would be of no use elsewhere")
    most = limit_of(args)
    data = [args.data] if args.data else []
    read_files = [args.model, *args.images, *data, *([args.table] if args.table else [])]
    for path in (args.output, args.json, args.html, args.output_table):
        if path is not None:
            check_unread(path, read_files)
    check_runtime()
    source = read(args)
    module = optimized(source.module, args)
    keep = names(args.keep)
    for name in keep:
        find_layer(model_of(module), name)
    samples = read_samples(model_of(module), args)
    total = len(samples.names())
    classes = read_classes(args.classes, total)
    measured = chosen(args, total)
    with ExitStack() as stack:
        wanted = most is not None or wants_proof(args) or args.tune
        measures = wanted or args.method == BEST or bool(changes)

        def attempt(module: ModuleOp) -> Attempt:
            prepared = stack.enter_context(Prepared(module))
            check_candidates(prepared, args.model)
            counted = First(samples, total - (args.held_back or 0))
            found = count(prepared, counted, args, args.output)
            measuring = None
            if measures:
                made = bench(prepared, samples, measured, args.jobs)
                measuring = stack.enter_context(made)
            return choose(module, measuring, prepared, found, args, keep)

        best = attempt(module)
        if args.equalize:
            best = equalized(best, attempt)
        result = best.module
        if best.measuring is not None:
            calibrated = range(total - (args.held_back or 0))
            seen = spread(len(calibrated), args.measured)
            if args.tune:
                keep = tune(best, keep, args)
            if args.gptq:
                result = nearer(best, result, keep, "fitted weights", fit_weights, seen)
            if most is not None:
                keep, result = search(best, result, keep, most)
            if args.correct_bias:
                result = nearer(best, result, keep, "corrected biases", correct_biases, seen)
            if wants_proof(args):
                final = quantized(result, best.table, keep, "")
                for spec in storing(args.storage):
                    run_pipeline(final, spec, args.model)
                prove(best.measuring, args, final, classes)
        path = best.prepared.path("scales.table")
        for place in [path, *([args.output_table] if args.output_table else [])]:
            write_bytes(place, write_scale_table(best.table))
        write(source._replace(module=result), args, pipeline_of(path, keep, args.storage), data)


Change = Callable[
    [Bench, ModuleOp, ScaleTable, Collection[str], Sequence[int], Callable[[int, int], None]],
    ModuleOp,
]
"""What changes weights by samples, and tells how far it is."""


@dataclass(frozen=True)
class Attempt:
    """A model with scales."""

    module: ModuleOp
    prepared: Prepared
    measuring: Bench | None
    table: ScaleTable
    error: float


def choose(
    module: ModuleOp,
    measuring: Bench | None,
    prepared: Prepared,
    found: Statistics,
    args: argparse.Namespace,
    keep: list[str],
) -> Attempt:
    """The scales, by the method that is asked for or the best one."""

    def tell(method: str, weights: str, error: float) -> None:
        error_text = f"{error:.3g} ({snr_of(error):.1f} dB)"
        say(f"ncnn-quantize: {method}, weights {weights}: error {error_text}")

    if args.method == BEST and measuring is not None:
        func = model_of(module)
        table, error = best_table(func, measuring, found, args.weight_method, keep, tell)
        return Attempt(module, prepared, measuring, table, error)
    args.weight_method = args.weight_method or WEIGHT_METHODS[0]
    table, error = table_of(module, prepared, found, args), 0.0
    if measuring is not None and args.equalize:
        error = measuring.error(quantized(module, table, keep, ""))
        tell(args.method, args.weight_method, error)
    return Attempt(module, prepared, measuring, table, error)


def equalized(plain: Attempt, attempt: Callable[[ModuleOp], Attempt]) -> Attempt:
    """The model with equalized channels, if its error is less; else the one as it was."""
    assert plain.measuring is not None
    module = plain.module.clone()
    pairs = equalize(model_of(module), plain.measuring.ranges())
    if not pairs:
        say("ncnn-quantize: there are no layers to equalize")
        return plain
    say(f"ncnn-quantize: equalized {pairs} pairs of layers")
    other = attempt(module)
    if other.error < plain.error:
        return other
    say("ncnn-quantize: it is not nearer than as it was, and stays so")
    return plain


def nearer(
    best: Attempt, module: ModuleOp, keep: list[str], what: str, change: Change, seen: Sequence[int]
) -> ModuleOp:
    """The float model with other weights, by these samples, if the error is less in int8; else the
    one as it was."""
    assert best.measuring is not None
    with Progress(what, 1) as progress:

        def tell(done: int, total: int) -> None:
            progress.total = total
            progress.update(done)

        other = change(best.measuring, module, best.table, keep, seen, tell)
    before, after = (
        best.measuring.error(quantized(each, best.table, keep, "")) for each in (module, other)
    )
    errors = f"{before:.3g} ({snr_of(before):.1f} dB) -> {after:.3g} ({snr_of(after):.1f} dB)"
    if after < before:
        say(f"ncnn-quantize: {what}: error {errors}")
        return other
    say(f"ncnn-quantize: with {what} it is not nearer, error {errors}: it stays as it was")
    return module


def tune(best: Attempt, keep: list[str], args: argparse.Namespace) -> list[str]:
    """Finds the layers that are faster in float. Returns all that stay so."""
    assert best.measuring is not None
    with Progress("timing layers", ROUNDS) as progress:
        kept = tuned(
            clock(best.measuring, args),
            lambda names: quantized(best.module, best.table, [*keep, *names], ""),
            progress.update,
        )
    tell_tuned(kept, {c.name: c.label for c in best.prepared.candidates})
    return [*keep, *kept]


def search(
    best: Attempt, module: ModuleOp, keep: list[str], most: float
) -> tuple[list[str], ModuleOp]:
    """Finds the layers that must stay float. Returns all that do, and the model of which those in
    int8 are made."""
    measuring = best.measuring
    assert measuring is not None
    labels = {c.name: c.label for c in best.prepared.candidates}
    fitted = None if module is best.module else module
    with Progress("searching", 1) as progress:

        def tell(what: str, done: int, total: int) -> None:
            progress.what, progress.total = what, total
            progress.update(done)

        search = Search(measuring, best.table, "", keep, tell, fitted)
        found = search.run(most)
    if found.error > most:
        raise UsageError(f"the error is {found.error:.3g} even with all layers in float")
    tell_search(found, most, labels)
    kept = [kept.layer for kept in found.kept]
    return [*keep, *kept], search.floats(kept)
