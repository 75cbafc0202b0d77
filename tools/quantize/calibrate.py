"""`ncnn-quantize calibrate`: the scales of a model, counted on samples."""

import argparse
import os
from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from ...dialects.ncnn.lookup import model_of
from ...driver.errors import UsageError
from ...formats.errors import FormatError
from ...formats.scale_table import ScaleTable, write_scale_table
from ...quantization.calibration_data import Samples, shard
from ...quantization.counting import begin, calibrate
from ...quantization.degenerate import warnings_of
from ...quantization.integers import integers_of
from ...quantization.prepared import Prepared
from ...quantization.scales import make_table
from ...quantization.scheduled import calibrate_over
from ...quantization.statistics import Statistics
from ...runtime.engines import check_runtime
from ...targets.files import OutputFiles
from ..messages import say
from ..progress import Progress
from .option_groups import check_given
from .output_checks import check_outputs
from .sample_files import read_samples
from .writing import optimized, read

PARTIAL = ".partial"
"""What the name of a file ends with that has what was counted until it was interrupted."""


def run(args: argparse.Namespace) -> None:
    """Does what the command line says. Raises one of `USER_ERRORS`."""
    check_given(args, output="-o")
    if args.shard is not None and not is_statistics(args.output):
        raise UsageError("--shard counts a part of the samples: -o PART.npz, for `merge`")
    check_outputs(args)
    module = optimized(read(args).module, args)
    samples = read_samples(model_of(module), args)
    check_runtime()  # after all mistakes in the options, before all the work
    with Prepared(module) as prepared:
        check_candidates(prepared, args.model)
        found = count(prepared, samples, args, args.output)
        if args.shard is None:
            warn(prepared, samples.names(), found)
        write_result(module, prepared, found, args)


def check_candidates(prepared: Prepared, path: str) -> None:
    """Raises `UsageError` for a model in which nothing can be int8."""
    if not prepared.candidates and (already := integers_of(prepared.module)):
        label = prepared.labels[next(iter(already))]
        raise UsageError(f"{path}: it is quantized already: {label} computes in integers")
    if not prepared.candidates:
        raise UsageError(f"{path}: there is no layer that could become int8")


def warn(prepared: Prepared, names: Sequence[str], found: Statistics) -> None:
    """Warn of samples and blobs from which no good scales follow."""
    for message in warnings_of(prepared, names, found):
        say(f"ncnn-quantize: warning: {message}")


def is_statistics(path: str) -> bool:
    """Whether a file of this name has statistics, not a table."""
    return path.endswith(".npz")


def count(
    prepared: Prepared, samples: Samples, args: argparse.Namespace, output: str
) -> Statistics:
    """The statistics of the samples that the options say, or what is left of them to count. They
    are kept beside the output meanwhile, where the next run of the same finds them."""
    total = len(samples.names())
    k, n = (1, 1) if args.shard is None else args.shard
    wanted = shard(total, k, n)
    if not wanted:
        raise UsageError(f"--shard {k}/{n}: there are {total} samples")
    partial = output + PARTIAL
    found = resumed(partial, begin(prepared, samples), wanted)

    def keep(found: Statistics) -> None:
        write_bytes(partial, found.to_bytes(compress=False))  # that would take as long as samples

    with Progress(f"calibrating on {len(wanted)} samples", len(wanted)) as progress:
        if args.scheduler is None:
            tell = progress.update
            calibrate(prepared, samples, found, wanted, jobs=args.jobs, tell=tell, keep=keep)
        else:
            over = args.scheduler
            calibrate_over(over, prepared, samples, found, wanted, tell=progress.update, keep=keep)
    if os.path.exists(partial):
        os.remove(partial)
    return found


def resumed(partial: str, fresh: Statistics, wanted: Sequence[int]) -> Statistics:
    """What an interrupted run has counted, if it was the same one."""
    try:
        with open(partial, "rb") as f:
            found = Statistics.from_bytes(f.read(), partial)
    except (FileNotFoundError, FormatError):
        return fresh
    if not found.of_same_run(fresh) or not found.done <= set(wanted):
        return fresh
    say(f"ncnn-quantize: {len(found.done)} samples are counted in {partial}")
    return found


def write_result(
    module: ModuleOp, prepared: Prepared, found: Statistics, args: argparse.Namespace
) -> None:
    """Writes the statistics, or the table that follows from them."""
    if is_statistics(args.output):
        write_bytes(args.output, found.to_bytes())
        return
    table = table_of(module, prepared, found, args)
    write_bytes(args.output, write_scale_table(table))
    say(f"ncnn-quantize: scales of {len(table.blobs)} layers, of {len(found.done)} samples")


def table_of(
    module: ModuleOp, prepared: Prepared, found: Statistics, args: argparse.Namespace
) -> ScaleTable:
    """The table that follows from statistics by the methods of the command line."""
    return make_table(model_of(module), prepared, found, args.method, args.weight_method)


def write_bytes(path: str, data: bytes) -> None:
    """Writes a file: all of it, or nothing."""
    with OutputFiles() as files:
        files.create(path, "wb").write(data)
