"""The options that commands of `ncnn-quantize` share."""

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
    """Adds the model that is read."""
    parser.add_argument("model", metavar="MODEL", nargs="?", help="the model, of floats")
    add_reading_options(parser.add_argument_group("weights"))


def add_optimize(parser: Parser) -> None:
    """Adds what is done to the model first."""
    add_input_shape(
        parser,
        "the shape of an input where the model does not say it, or not that of the samples: "
        "data=3,224,224 (may be given several times)",
    )
    parser.add_argument(
        "-O",
        dest="optimize",
        action="store_true",
        help="run the passes of `ncnn-opt -O` first, which make BatchNorm a part of convolutions",
    )
    add_for_ncnn(parser)


def add_samples(parser: Parser) -> None:
    """Adds where samples come from."""
    group = parser.add_argument_group("samples")
    group.add_argument(
        "--images",
        metavar="FOLDER",
        action="append",
        default=[],
        help="all images in a folder and those below it, or an image (may be given several times)",
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
        help="a file with the name of an image or .npy a line, as ncnn2table takes it; for several "
        "inputs one each",
    )
    group.add_argument("--samples", metavar="N", type=positive, help="only the first N")
    add_image_options(group)
    group.add_argument(
        "--resize",
        action="store_true",
        help="resize images to the input, as ncnn does; without it other sizes are an error",
    )
    group.add_argument(
        "-j", "--jobs", metavar="N", type=positive, help="processes (default: one for each CPU)"
    )


def add_scheduler(parser: Parser) -> None:
    """Adds who counts."""
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="count over a dask.distributed scheduler, as tcp://10.0.0.1:8786, instead of here "
        "(pip install 'ncnn-opt[dask]')",
    )


METHODS = ("mse", "kl", "minmax", "percentile", "aciq")
"""The methods of quantization/thresholds.py, which is not imported for the help."""
WEIGHT_METHODS = ("minmax", "mse", "aciq")
"""The methods of quantization/scales.py."""
BEST = "best"
"""The method that tries all others."""


def add_methods(parser: Parser, can_try: bool = False) -> None:
    """Adds how scales are made of what was counted; with samples at hand methods can be tried."""
    group = parser.add_argument_group("scales")
    tried = "best, the one of all others by which the outputs are nearest (the default); "
    default = BEST if can_try else METHODS[0]
    group.add_argument(
        "--method",
        choices=(BEST, *METHODS) if can_try else METHODS,
        default=default,
        help="up to which magnitude a blob is told apart: "
        + (tried if can_try else "")
        + "mse, the squared difference is least; kl, the divergence of its histogram is, as "
        "ncnn2table has it; minmax, up to the largest; percentile, 99.99 %% of the elements; aciq, "
        f"as ncnn2table's ({default})",
    )
    group.add_argument(
        "--weight-method",
        choices=WEIGHT_METHODS,
        default=None if can_try else WEIGHT_METHODS[0],
        help="the same of weights, a channel at a time"
        + (" (by default the better one of minmax and mse)" if can_try else " (%(default)s)"),
    )


def part(text: str) -> tuple[int, int]:
    """The value of `--shard`."""
    k, slash, n = text.partition("/")
    if not (slash and k.isdecimal() and n.isdecimal() and 1 <= int(k) <= int(n)):
        raise argparse.ArgumentTypeError(f"K/N is expected, as 1/4, not '{text}'")
    return int(k), int(n)


def add_proof(parser: Parser) -> None:
    """Adds what is measured."""
    group = parser.add_argument_group("what it costs")
    group.add_argument(
        "--measure", action="store_true", help="a line for each layer: how far it is from float"
    )
    group.add_argument("--json", metavar="FILE", help="the same for a program")
    group.add_argument("--html", metavar="FILE", help="the same as a page, with a bar a layer")
    group.add_argument(
        "--classes",
        metavar="FILE",
        help="the number of the right class of each sample, a line each: how often the largest "
        "score is there",
    )
    group.add_argument(
        "--max-error",
        metavar="X",
        type=tolerance,
        help="at each output sum((int8 - float)^2) / sum(float^2), a ratio of energies: 0.01 is "
        "20 dB, and of amplitudes its root, 0.1",
    )
    group.add_argument("--min-snr", metavar="DB", type=decibels, help="the same in dB")
    group.add_argument(
        "--latency",
        action="store_true",
        help="how long both forms take in the runtime, as wholes and layer by layer, and which "
        "layers are slower in int8",
    )
    group.add_argument(
        "--repeat",
        metavar="N",
        type=positive,
        default=50,
        help="measure so many runs of each for that (%(default)s)",
    )
    group.add_argument(
        "--measured",
        metavar="N",
        type=positive,
        default=16,
        help="samples that models are measured by (%(default)s), from all over",
    )
    group.add_argument(
        "--held-back",
        metavar="N",
        type=positive,
        help="the last N samples are for measuring only, not for calibration",
    )


def decibels(text: str) -> float:
    """The value of `--min-snr`."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not -1000 < value < 1000:
        raise argparse.ArgumentTypeError(f"a number of dB is expected, not '{text}'")
    return value


def add_output(parser: Parser) -> Group:
    """Adds the model that is written, and what is done to it beside. Returns the group."""
    group = parser.add_argument_group("the model that is written")
    group.add_argument("-o", "--output", metavar="FILE", help=".param or .mlir to write")
    group.add_argument(
        "--output-weights", metavar="FILE", help="by default the .bin beside the output"
    )
    group.add_argument(
        "--keep",
        metavar="LAYER[,LAYER…]",
        action="append",
        default=[],
        help="layers that stay float (may be given several times)",
    )
    group.add_argument(
        "--storage",
        choices=("fp16", "fp32", "keep"),
        help="how weights are stored that stay float; fp16 is what ncnn2int8 does (as they are)",
    )
    group.add_argument(
        "--remarks", action="store_true", help="a line on standard error for each layer"
    )
    return group


def add_static_only(group: Group) -> None:
    """Adds whether layers stay float that need no scale of their input."""
    group.add_argument(
        "--static-only",
        action="store_true",
        help="only layers with a scale of their input: Gemm, MultiHeadAttention, SDPA, RNN, LSTM, "
        "GRU and Embed, which quantize it when they run, stay float",
    )
