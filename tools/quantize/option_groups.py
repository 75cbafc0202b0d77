"""Options that several commands of `ncnn-quantize` have."""

import argparse

from ..parsers import (
    Group,
    Parser,
    add_for_ncnn,
    add_image_options,
    add_input_shape,
    add_reading_options,
    positive,
    tolerance,
)


def add_model(parser: Parser) -> None:
    """Add the model that is read."""
    parser.add_argument("model", metavar="MODEL", nargs="?", help="the float model")
    add_reading_options(parser.add_argument_group("weights"))


def add_optimize(parser: Parser) -> None:
    """Add the options that change the model before quantization."""
    add_input_shape(
        parser,
        "the shape of an input that the model does not declare, or declares unlike the samples: "
        "data=3,224,224 (may be given several times)",
    )
    parser.add_argument(
        "-O",
        dest="optimize",
        action="store_true",
        help="run the passes of `ncnn-opt -O` first, which fold BatchNorm into convolutions",
    )
    add_for_ncnn(parser)


def add_samples(parser: Parser) -> None:
    """Add the sources of samples."""
    group = parser.add_argument_group("samples")
    group.add_argument(
        "--images",
        metavar="FOLDER",
        action="append",
        default=[],
        help="an image, or all images in a folder and its subfolders (may be given several times)",
    )
    group.add_argument(
        "--data",
        metavar="FILE",
        help="a .npy whose outermost axis counts samples; a .npz with such an array for each input",
    )
    group.add_argument(
        "--list",
        metavar="[NAME=]FILE",
        action="append",
        default=[],
        help="a file with the name of an image or .npy in each line, as for ncnn2table; one for "
        "each input",
    )
    group.add_argument("--samples", metavar="N", type=positive, help="use only the first N samples")
    add_image_options(group)
    group.add_argument(
        "--resize",
        action="store_true",
        help="resize images to the input, as ncnn does; by default other sizes are an error",
    )
    group.add_argument(
        "-j", "--jobs", metavar="N", type=positive, help="processes (default: one for each CPU)"
    )


def add_scheduler(parser: Parser) -> None:
    """Add the option for distributed calibration."""
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="calibrate over a dask.distributed scheduler, for example tcp://10.0.0.1:8786 "
        "(pip install 'ncnn-opt[dask]')",
    )


METHODS = ("mse", "kl", "minmax", "percentile", "aciq")
"""The methods of quantization/thresholds.py, which is not imported for the help."""
WEIGHT_METHODS = ("minmax", "mse", "aciq")
"""The methods of quantization/scales.py."""
BEST = "best"
"""The method that tries all others."""


def add_methods(parser: Parser, can_try: bool = False) -> None:
    """Add the methods that choose scales; a command with samples can try methods."""
    group = parser.add_argument_group("scales")
    tried = "best, the method with the smallest error at the outputs (the default); "
    default = BEST if can_try else METHODS[0]
    group.add_argument(
        "--method",
        choices=(BEST, *METHODS) if can_try else METHODS,
        default=default,
        help="the method that chooses the largest magnitude of a blob that is not clipped: "
        + (tried if can_try else "")
        + "mse, least square error; kl, least divergence of its histogram, as ncnn2table; minmax, "
        "the largest magnitude; percentile, 99.99 %% of the elements; aciq, as ncnn2table "
        f"({default})",
    )
    group.add_argument(
        "--weight-method",
        choices=WEIGHT_METHODS,
        default=None if can_try else WEIGHT_METHODS[0],
        help="the method for weights, for each channel"
        + (" (by default the better of minmax and mse)" if can_try else " (%(default)s)"),
    )


def part(text: str) -> tuple[int, int]:
    """Return the value of `--shard`."""
    k, slash, n = text.partition("/")
    if not (slash and k.isdecimal() and n.isdecimal() and 1 <= int(k) <= int(n)):
        raise argparse.ArgumentTypeError(f"K/N is expected, as 1/4, not '{text}'")
    return int(k), int(n)


def add_proof(parser: Parser) -> None:
    """Add the options of the evaluation."""
    group = parser.add_argument_group("evaluation")
    group.add_argument("--measure", action="store_true", help="print the error of each layer")
    group.add_argument("--json", metavar="FILE", help="write the evaluation as JSON")
    group.add_argument(
        "--html", metavar="FILE", help="write the evaluation as a page, with a bar for each layer"
    )
    group.add_argument(
        "--classes",
        metavar="FILE",
        help="a file with the right class of each sample, one in each line: count how often it has "
        "the largest score",
    )
    group.add_argument(
        "--max-error",
        metavar="X",
        type=tolerance,
        help="the largest error at each output, sum((int8 - float)^2) / sum(float^2), a ratio of "
        "energies: 0.01 is 20 dB, and 0.1 as a ratio of amplitudes",
    )
    group.add_argument("--min-snr", metavar="DB", type=decibels, help="the same limit in dB")
    group.add_argument(
        "--latency",
        action="store_true",
        help="measure the times of both models in the runtime, in whole and by layer, and name the "
        "layers that are slower in int8",
    )
    group.add_argument(
        "--repeat",
        metavar="N",
        type=positive,
        default=50,
        help="the number of timed runs of each model (%(default)s)",
    )
    group.add_argument(
        "--measured",
        metavar="N",
        type=positive,
        default=16,
        help="the number of samples for evaluation (%(default)s), spread over all samples",
    )
    group.add_argument(
        "--held-back",
        metavar="N",
        type=positive,
        help="use the last N samples for evaluation only, not for calibration",
    )


def decibels(text: str) -> float:
    """Return the value of `--min-snr`."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not -1000 < value < 1000:
        raise argparse.ArgumentTypeError(f"a number of dB is expected, not '{text}'")
    return value


def add_output(parser: Parser) -> Group:
    """Add the options of the model that is written. Return their group."""
    group = parser.add_argument_group("the model that is written")
    group.add_argument("-o", "--output", metavar="FILE", help=".param or .mlir to write")
    group.add_argument(
        "--output-weights", metavar="FILE", help="its weights (default: the .bin beside the output)"
    )
    group.add_argument(
        "--keep",
        metavar="LAYER[,LAYER…]",
        action="append",
        default=[],
        help="keep these layers in float (may be given several times)",
    )
    group.add_argument(
        "--storage",
        choices=("fp16", "fp32", "keep"),
        help="the type of weights that stay float (default: as they are); ncnn2int8 stores fp16",
    )
    group.add_argument(
        "--remarks", action="store_true", help="print a line for each layer on standard error"
    )
    return group


def add_static_only(group: Group) -> None:
    """Add the option that leaves layers without a static scale of their input in float."""
    group.add_argument(
        "--static-only",
        action="store_true",
        help="only layers with a scale of their input: Gemm, MultiHeadAttention, SDPA, RNN, LSTM, "
        "GRU and Embed, which quantize it at run time, stay float",
    )
