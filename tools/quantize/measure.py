"""`ncnn-quantize measure`: what an int8 model costs, whoever made it."""

import argparse

from ...dialects.ncnn.lookup import model_of
from ...driver.errors import UsageError
from ...driver.files import read_model
from ...quantization.evaluator import bench
from ...quantization.prepared import Prepared
from ...runtime.engines import check_runtime
from ..parsers import reading_options
from .calibrate import check_candidates
from .output_checks import check_outputs
from .proving import chosen, limit_of, prove, read_classes
from .sample_files import read_samples
from .writing import read


def run(args: argparse.Namespace) -> bool:
    """Does what the command line says; `False` if the error is larger than it may be. Raises one of
    `USER_ERRORS`."""
    if args.int8 is None:
        raise UsageError("there is no int8 model; see --help")
    check_outputs(args)
    most = limit_of(args)
    module = read(args).module
    other = read_model(args.int8, reading_options(args, None)).module
    samples = read_samples(model_of(module), args)
    total = len(samples.names())
    classes, measured = read_classes(args.classes, total), chosen(args, total)
    check_runtime()  # after all mistakes in the options, before all the work
    with Prepared(module) as prepared:
        if not prepared.watched(other):
            check_candidates(prepared, args.model)
        with bench(prepared, samples, measured, args.jobs) as measuring:
            found = prove(measuring, args, other, classes)
    return most is None or found.costs.error <= most
