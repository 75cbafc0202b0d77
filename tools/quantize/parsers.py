"""The command lines of `ncnn-quantize`: a parser for each of its commands. What a command does is
in the module of its name, which is imported when it is called."""

import argparse
import os
from collections.abc import Callable, Mapping

from ..parsers import (
    Group,
    Parser,
    add_image_options,
    add_input_shape,
    add_reading_options,
    positive,
    tolerance,
)

DESCRIPTION = """\
Quantizes ncnn models to int8.

  ncnn-quantize model.param --images calib/ --mean 127.5 --norm 0.0078 -o int8.param
  ncnn-quantize model.param --data calib.npz --max-error 0.01 -o int8.param

does all of it; --max-error leaves layers in float that it must. Step by step:

  ncnn-quantize calibrate model.param --images calib/ -o model.table
  ncnn-quantize apply model.param --table model.table -o int8.param
  ncnn-quantize measure model.param int8.param --images calib/ --measure

Weights alone, for language models:

  ncnn-quantize llm.param --weights-only --bits 4 --block 64 -o q4.param

A model is a .param (with its .bin), .param.bin or .mlir. `ncnn-quantize COMMAND --help` says the
options of each command.
"""

DEFAULT = "quantize"
"""The command where none is named."""


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
        "-j", "--jobs", metavar="N", type=positive, default=cpus(), help="processes (%(default)s)"
    )


def add_scheduler(parser: Parser) -> None:
    """Adds who counts."""
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="count over a dask.distributed scheduler, as tcp://10.0.0.1:8786, instead of here "
        "(pip install 'ncnn-opt[dask]')",
    )


def cpus() -> int:
    """How many processors there are for us."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


METHODS = ("mse", "kl", "minmax", "percentile", "aciq")
"""What there is in quantization/methods.py, which is not imported for the help."""
WEIGHT_METHODS = ("minmax", "mse", "aciq")
"""Likewise, of quantization/scales.py."""
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


def calibrate_parser() -> Parser:
    """The parser of `calibrate`."""
    parser = Parser(
        "ncnn-quantize calibrate",
        "Runs samples through a model and writes a table of scales, or what was counted (.npz).\n\n"
        "  ncnn-quantize calibrate model.param --images calib/ -o model.table\n\n"
        "After Ctrl-C the same command goes on where it was.",
    )
    add_model(parser)
    add_optimize(parser)
    add_samples(parser)
    add_methods(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the table; FILE.npz: what was counted, for `merge`",
    )
    parser.add_argument(
        "--shard", metavar="K/N", type=part, help="only part K of N of the samples, to FILE.npz"
    )
    add_scheduler(parser)
    return parser


def merge_parser() -> Parser:
    """The parser of `merge`."""
    parser = Parser(
        "ncnn-quantize merge",
        "Adds up the parts that `calibrate --shard` wrote: the same bytes as of one run.\n\n"
        "  ncnn-quantize merge model.param 1.npz 2.npz -o model.table",
    )
    add_model(parser)
    parser.add_argument("parts", metavar="PART", nargs="*", help="what `calibrate` wrote")
    add_optimize(parser)
    add_methods(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the table; FILE.npz: what was counted"
    )
    return parser


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
        help="at the outputs, the energy of the difference relative to that of the signal: 0.01 is "
        "20 dB",
    )
    group.add_argument("--min-snr", metavar="DB", type=decibels, help="the same in dB")
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


def quantize_parser() -> Parser:
    """The parser of what has no command's name before it."""
    parser = Parser("ncnn-quantize", DESCRIPTION)
    add_model(parser)
    add_optimize(parser)
    add_samples(parser)
    add_methods(parser, can_try=True)
    parser.add_argument(
        "--equalize",
        action="store_true",
        help="also try with the channels between convolutions scaled to much the same range, which "
        "helps where some are depthwise; only if the error falls",
    )
    parser.add_argument(
        "--correct-bias",
        action="store_true",
        help="also try with the mean error of each channel taken off biases; only if the error "
        "falls",
    )
    add_scheduler(parser)
    group = add_output(parser)
    group.add_argument("--output-table", metavar="FILE", help="the scales as well, as a table")
    add_proof(parser)
    parser.set_defaults(shard=None, table=None)
    return parser


def measure_parser() -> Parser:
    """The parser of `measure`."""
    parser = Parser(
        "ncnn-quantize measure",
        "Measures an int8 model against the float one it was made of, whoever made it.\n\n"
        "  ncnn-quantize measure model.param int8.param --images calib/ --measure\n\n"
        "Exits with status 1 if the error is larger than --max-error.",
    )
    add_model(parser)
    add_input_shape(parser, "the shape of an input where the model does not say it")
    parser.add_argument("int8", metavar="INT8", nargs="?", help="the int8 model")
    add_samples(parser)
    add_proof(parser)
    return parser


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
        "--remarks", action="store_true", help="a line on standard error for each layer"
    )
    return group


def apply_parser() -> Parser:
    """The parser of `apply`."""
    parser = Parser(
        "ncnn-quantize apply",
        "Makes layers int8 with the scales of a table, as ncnn2table or `calibrate` writes it.",
    )
    add_model(parser)
    parser.add_argument("--table", metavar="FILE", help="the table of scales")
    add_output(parser)
    return parser


def weights_parser() -> Parser:
    """The parser of `weights`."""
    parser = Parser(
        "ncnn-quantize --weights-only",
        "Stores weights as integers of 8, 6 or 4 bits where no scale of the input is needed.\n\n"
        "  ncnn-quantize llm.param --weights-only --bits 4 --block 64 -o q4.param\n\n"
        "That is in Gemm and MultiHeadAttention, with --block row in RNN, LSTM, GRU, Embed, too.",
    )
    add_model(parser)
    group = parser.add_argument_group("integers")
    group.add_argument("--weights-only", action="store_true", help="what this is")
    group.add_argument(
        "--bits", type=int, choices=(4, 6, 8), default=8, help="bits a weight (default: 8)"
    )
    group.add_argument(
        "--block",
        choices=("32", "64", "128", "row"),
        default="64",
        help="how many weights of a row share a scale (default: 64)",
    )
    group.add_argument(
        "--method",
        choices=("minmax", "mse", "awq", "gptq"),
        help="how integers are found (default: minmax, with --data gptq)",
    )
    group.add_argument(
        "--data",
        metavar="FILE|FOLDER",
        nargs="+",
        default=[],
        help="for awq and gptq: a .npz with an array for each input, whose outermost axis counts "
        "samples; several of them, or folders of such",
    )
    output = add_output(parser)
    output.add_argument(
        "--storage", choices=("fp16", "fp32", "keep"), help="how the other weights are stored"
    )
    return parser


PARSERS: Mapping[str, Callable[[], Parser]] = {
    DEFAULT: quantize_parser,
    "calibrate": calibrate_parser,
    "merge": merge_parser,
    "apply": apply_parser,
    "measure": measure_parser,
    "weights": weights_parser,
}
"""The parser of each command."""


def names(values: list[str]) -> list[str]:
    """What options list that have names with commas between them."""
    return [name for value in values for name in value.split(",") if name]


def make_help() -> str:
    """What there is to know of the command without another word."""
    lines = [DESCRIPTION, "commands:"]
    for name, make in PARSERS.items():
        text = (make().description or "").strip().splitlines()[0]
        lines.append(f"  {name:<10} {text}")
    return "\n".join(lines)


def check_given(args: argparse.Namespace, **options: str) -> None:
    """Raises `UsageError` for an option that is needed and not there: the flag of each, by the name
    that its value has."""
    from ...driver.errors import UsageError

    for name, flag in options.items():
        if getattr(args, name) is None:
            raise UsageError(f"{flag} is missing; see --help")
