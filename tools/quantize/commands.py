"""The commands of `ncnn-quantize`: from their parsed options to calls of `quantization/`.

`ncnn_quantize_main.py` imports this module after it has parsed the command line, so that `--help`
is fast.
"""

import argparse
from collections.abc import Callable, Mapping
from os.path import getsize, isfile

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...analysis.required_release import requirement_of
from ...dialects.ncnn.lookup import model_of
from ...driver.api_pipelines import optimize_for_int8
from ...driver.errors import UsageError
from ...driver.messages import print_note
from ...driver.model_files import read_model
from ...formats.errors import FormatError
from ...formats.file_names import weights_beside
from ...formats.scale_table import read_scale_table, write_scale_table
from ...quantization.collection import PARTIAL, collect_statistics, few_samples_for, warn_of_samples
from ...quantization.int8_models import make_int8, scaled_at_run_time, store_floats
from ...quantization.prepared import RuntimeModel
from ...quantization.quantize import measure, quantize
from ...quantization.scales import make_table
from ...quantization.statistics import Statistics, merged
from ...runtime.engines import check_runtime
from ...samples.images import Preprocessing
from ...samples.reader import SampleFiles, read_samples
from ...samples.sources import Samples
from ...targets.atomic_files import write_file
from ...targets.param.export import summarize
from ..parsers import names, parse_custom_layers, reading_options
from .command_parsers import recipe_of
from .quantized_files import check_given, check_outputs, read, write
from .result_printer import Printer, print_evaluation, print_records
from .weights import quantize_weights_only


def run_calibrate(args: argparse.Namespace) -> None:
    """Write the scale table or the statistics of samples. Raises one of `USER_ERRORS`."""
    check_given(args, output="-o")
    if args.shard is not None and not args.output.endswith(".npz"):
        raise UsageError("--shard counts a part of the samples: -o PART.npz, for `merge`")
    check_outputs(args)
    module = read(args).module
    if args.optimize:
        optimize_for_int8(module, args.for_ncnn, args.model)
    samples = _samples(model_of(module), args)
    total = len(samples.names())
    k, n = args.shard or (1, 1)
    part = None if args.shard is None else range(k - 1, total, n)
    if part is not None and not part:
        raise UsageError(f"--shard {k}/{n}: there are {total} samples")
    check_runtime()  # after all mistakes in the options, before all the work
    custom = parse_custom_layers(args.custom_layer)
    with RuntimeModel(module, custom) as prepared, Printer() as printer:
        prepared.check_candidates(args.model)
        found = collect_statistics(
            prepared,
            samples,
            printer,
            jobs=args.jobs,
            part=part,
            scheduler=args.scheduler,
            partial=args.output + PARTIAL,
        )
        _write_result(prepared, found, args)


def run_merge(args: argparse.Namespace) -> None:
    """Add the parts of `calibrate --shard`. Raises one of `USER_ERRORS`."""
    check_given(args, output="-o")
    if not args.parts:
        raise UsageError("there is no part to merge; see --help")
    check_outputs(args)
    parts: list[tuple[str, Statistics]] = []
    for path in args.parts:
        with open(path, "rb") as f:
            parts.append((path, Statistics.from_bytes(f.read(), path)))
    found = merged(parts)
    module = read(args).module
    if args.optimize:
        optimize_for_int8(module, args.for_ncnn, args.model)
    with RuntimeModel(module) as prepared, Printer() as printer:
        if found.model != prepared.fingerprint:
            message = f"these are statistics of another model than {args.model}"
            raise FormatError(args.parts[0], message)
        if left := found.total - len(found.done):
            printer.on_warning(f"{left} of {found.total} samples are in no part")
        names = [f"sample {i}" for i in range(found.total)]
        warn_of_samples(prepared, names, found, printer)
        _write_result(prepared, found, args)


def run_apply(args: argparse.Namespace) -> None:
    """Make layers int8 with the scales of a table. Raises one of `USER_ERRORS`."""
    check_given(args, table="--table", output="-o")
    check_outputs(args)
    source = read(args)
    with open(args.table, "rb") as f:
        table = read_scale_table(f.read(), args.table)
    keep = [*names(args.keep), *(scaled_at_run_time(source.module) if args.static_only else ())]

    def change(module: ModuleOp) -> None:
        print_records(make_int8(module, table, keep, args.table), args.remarks)
        print_records(store_floats(module, args.storage), args.remarks)

    write(source, args, requirement_of(source.module), change=change)


def run_measure(args: argparse.Namespace) -> bool:
    """Evaluate an int8 model, however it was made. Return `False` if its error exceeds the limit.
    Raises one of `USER_ERRORS`."""
    if args.int8 is None:
        raise UsageError("there is no int8 model; see --help")
    check_outputs(args)
    recipe = recipe_of(args)
    module = read(args).module
    other = read_model(args.int8, reading_options(args, None)).module
    samples = _samples(model_of(module), args)
    with Printer() as printer:
        evaluation = measure(module, other, samples, recipe, args.model, printer)
    print_evaluation(evaluation, args, recipe.limit)
    return recipe.limit is None or evaluation.error <= recipe.limit


def run_quantize(args: argparse.Namespace) -> None:
    """Calibrate, quantize and evaluate a model. Raises one of `USER_ERRORS`."""
    check_given(args, output="-o")
    check_outputs(args)
    recipe = recipe_of(args)
    source = read(args)
    before = summarize(source.module)
    if args.optimize:
        optimize_for_int8(source.module, args.for_ncnn, args.model)
    required = requirement_of(source.module)
    samples = _samples(model_of(source.module), args)
    with Printer() as printer:
        result = quantize(
            source.module,
            samples,
            recipe,
            path=args.model,
            partial=args.output + PARTIAL,
            observer=printer,
        )
    if result.evaluation is not None:
        print_evaluation(result.evaluation, args, recipe.limit)
    if args.output_table is not None:
        write_file(args.output_table, write_scale_table(result.table))
    print_records(result.layers, args.remarks)
    write(source._replace(module=result.module), args, required, before=before)


def _samples(func: FuncOp, args: argparse.Namespace) -> Samples:
    """Return the samples that options specify. Raises `UsageError` and `OSError`."""
    how = Preprocessing(args.mean, args.norm, args.to_rgb)
    files = SampleFiles(args.images, args.data, args.list, args.samples, how, args.resize)
    return read_samples(func, files, lambda text: print_note(f"ncnn-quantize: {text}"))


def _write_result(prepared: RuntimeModel, found: Statistics, args: argparse.Namespace) -> None:
    """Write statistics, or the scale table that follows from them."""
    if args.output.endswith(".npz"):
        write_file(args.output, found.to_bytes())
        return
    table = make_table(prepared, found, args.method, args.weight_method)
    write_file(args.output, write_scale_table(table))
    if words := few_samples_for(args.method, len(found.done)):
        print_note(f"ncnn-quantize: warning: {words}")
    figures = {"layers": len(table.blobs), "samples": len(found.done)}
    print_note(
        f"ncnn-quantize: scales of {len(table.blobs)} layers, of {len(found.done)} samples", figures
    )


COMMANDS: Mapping[str, Callable[[argparse.Namespace], bool | None]] = {
    "quantize": run_quantize,
    "calibrate": run_calibrate,
    "merge": run_merge,
    "apply": run_apply,
    "measure": run_measure,
    "weights": quantize_weights_only,
}
"""The function of each command. `False`: the error exceeds the limit."""


def run_one(name: str, args: argparse.Namespace) -> Mapping[str, int]:
    """Run a command for one of many models. Raises one of `USER_ERRORS`."""
    if COMMANDS[name](args) is False:
        raise UsageError(f"{args.model}: the error exceeds the limit")
    return {"bytes": sum(map(getsize, filter(isfile, (args.output, weights_beside(args.output)))))}
