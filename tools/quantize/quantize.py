"""`ncnn-quantize MODEL`: calibrate, quantize, and prove what it costs."""

import argparse
import sys

from xdsl.dialects.builtin import ModuleOp

from ...driver.errors import UsageError
from ...formats.scale_table import ScaleTable, write_scale_table
from ...quantization.measuring import bench, quantized
from ...quantization.prepared import Prepared
from ...quantization.samples import Samples
from ...quantization.search import Search
from ...runtime.engines import check_runtime
from ...targets.overwriting import check_unread
from ...transforms.finding import find_layer, model_of
from ..progress import Progress
from .calibrate import check_candidates, count, table_of, write_bytes
from .parsers import check_given, names
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
    with Prepared(module) as prepared:
        check_candidates(prepared, args.model)
        table = make(module, prepared, samples, args)
        path = prepared.path("scales.table")
        write_bytes(path, write_scale_table(table))
        if most is not None or wants_proof(args):
            keep = prove(prepared, samples, measured, args, table, keep, most, classes)
        if args.output_table is not None:
            write_bytes(args.output_table, write_scale_table(table))
        write(source, args, pipeline_of(path, keep), data)


def make(
    module: ModuleOp, prepared: Prepared, samples: Samples, args: argparse.Namespace
) -> ScaleTable:
    """The scales: of the samples that are not held back."""
    total = len(samples.names()) - (args.held_back or 0)
    found = count(prepared, First(samples, total), args, args.output)
    return table_of(module, prepared, found, args)


def prove(
    prepared: Prepared,
    samples: Samples,
    measured: list[int],
    args: argparse.Namespace,
    table: ScaleTable,
    keep: list[str],
    most: float | None,
    classes: list[int] | None,
) -> list[str]:
    """Measures, and finds the layers that must stay float. Returns all that do."""
    labels = {c.name: c.label for c in prepared.candidates}
    with bench(prepared, samples, measured, args.jobs) as measuring:
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
            with Progress("measuring", len(measured)) as progress:
                costs = measuring.measure(module, progress.update)
            show(title_of(args), args, costs, agreement(measuring, module, args, classes))
    sys.stdout.flush()
    return keep
