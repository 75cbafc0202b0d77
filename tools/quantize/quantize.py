"""`ncnn-quantize MODEL`: calibrate, quantize, and prove what it costs."""

import argparse
import sys
from contextlib import ExitStack

from xdsl.dialects.builtin import ModuleOp

from ...driver.errors import UsageError
from ...formats.scale_table import ScaleTable, write_scale_table
from ...quantization.choosing import best_table
from ...quantization.differences import snr_of
from ...quantization.measuring import Bench, bench, quantized
from ...quantization.prepared import Prepared
from ...quantization.search import Search
from ...quantization.statistics import Statistics
from ...runtime.engines import check_runtime
from ...targets.overwriting import check_unread
from ...transforms.finding import find_layer, model_of
from ..progress import Progress
from .calibrate import check_candidates, count, table_of, write_bytes
from .parsers import BEST, WEIGHT_METHODS, check_given, names
from .proving import (
    agreement,
    chosen,
    limit_of,
    read_classes,
    show,
    tell_search,
    title_of,
    wants_proof,
)
from .samples import First, read_samples
from .writing import optimized, pipeline_of, read, write


def run(args: argparse.Namespace) -> None:
    """Does what the command line says. Raises one of `USER_ERRORS`."""
    check_given(args, output="-o")
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
    with Prepared(module) as prepared, ExitStack() as stack:
        check_candidates(prepared, args.model)
        found = count(prepared, First(samples, total - (args.held_back or 0)), args, args.output)
        measuring: Bench | None = None
        if most is not None or wants_proof(args) or args.method == BEST:
            measuring = stack.enter_context(bench(prepared, samples, measured, args.jobs))
        table = choose(module, measuring, prepared, found, args, keep)
        if measuring is not None:
            keep = prove(measuring, args, table, keep, most, classes)
        path = prepared.path("scales.table")
        for place in [path, *([args.output_table] if args.output_table else [])]:
            write_bytes(place, write_scale_table(table))
        write(source, args, pipeline_of(path, keep), data)


def choose(
    module: ModuleOp,
    measuring: Bench | None,
    prepared: Prepared,
    found: Statistics,
    args: argparse.Namespace,
    keep: list[str],
) -> ScaleTable:
    """The scales, by the method that is asked for or the best one."""
    if args.method != BEST or measuring is None:
        args.weight_method = args.weight_method or WEIGHT_METHODS[0]
        return table_of(module, prepared, found, args)

    def tell(method: str, weights: str, error: float) -> None:
        error_text = f"{error:.3g} ({snr_of(error):.1f} dB)"
        print(f"ncnn-quantize: {method}, weights {weights}: error {error_text}", file=sys.stderr)

    return best_table(model_of(module), measuring, found, args.weight_method, keep, tell)


def prove(
    measuring: Bench,
    args: argparse.Namespace,
    table: ScaleTable,
    keep: list[str],
    most: float | None,
    classes: list[int] | None,
) -> list[str]:
    """Measures, and finds the layers that must stay float. Returns all that do."""
    prepared = measuring.prepared
    labels = {c.name: c.label for c in prepared.candidates}
    if most is not None:
        with Progress("searching", 1) as progress:

            def tell(what: str, done: int, total: int) -> None:
                progress.what, progress.total = what, total
                progress.update(done)

            found = Search(measuring, table, "", keep, tell).run(most)
        if found.error > most:
            raise UsageError(f"the error is {found.error:.3g} even with all layers in float")
        tell_search(found, most, labels)
        keep = [*keep, *(kept.layer for kept in found.kept)]
    if wants_proof(args):
        module = quantized(prepared.module, table, keep, "")
        with Progress("measuring", len(measuring.chosen)) as progress:
            costs = measuring.measure(module, progress.update)
        show(title_of(args), args, costs, agreement(measuring, module, args, classes))
    return keep
