"""The command lines of `ncnn-quantize`: parsers, and the recipe of the options."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from ...driver.errors import UsageError
from ..batch import add_batch_options
from ..parsers import Parser, add_for_ncnn, add_input_shape
from .option_groups import (
    add_methods,
    add_model,
    add_optimize,
    add_output,
    add_proof,
    add_samples,
    add_scheduler,
    add_static_only,
    part,
)

if TYPE_CHECKING:
    from ...quantization.recipe import Recipe

DESCRIPTION = """\
Quantizes ncnn models to int8.

  ncnn-quantize model.param --images calib/ --mean 127.5 --norm 0.0078 -o int8.param
  ncnn-quantize model.param --data calib.npz --max-error 0.01 -o int8.param

does all steps; --max-error leaves as few layers as possible in float. Step by step:

  ncnn-quantize calibrate model.param --images calib/ -o model.table
  ncnn-quantize apply model.param --table model.table -o int8.param
  ncnn-quantize measure model.param int8.param --images calib/ --measure

Only weights, for language models:

  ncnn-quantize llm.param --weights-only --bits 4 --block 64 -o q4.param

A model is a .param (with its .bin), .param.bin or .mlir. `ncnn-quantize COMMAND --help` lists
the options of a command.
"""

DEFAULT = "quantize"
"""The command if none is named."""


def calibrate_parser() -> Parser:
    """Return the parser of `calibrate`."""
    parser = Parser(
        "ncnn-quantize calibrate",
        "Run samples through a model and write a table of scales, or statistics (.npz).\n\n"
        "  ncnn-quantize calibrate model.param --images calib/ -o model.table\n\n"
        "After Ctrl-C the same command continues.",
    )
    add_model(parser)
    add_optimize(parser)
    add_samples(parser)
    add_methods(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the table; FILE.npz: the statistics, for `merge`",
    )
    parser.add_argument(
        "--shard",
        metavar="K/N",
        type=part,
        help="count only part K of N of the samples, to FILE.npz",
    )
    add_scheduler(parser)
    return parser


def merge_parser() -> Parser:
    """Return the parser of `merge`."""
    parser = Parser(
        "ncnn-quantize merge",
        "Add the parts of `calibrate --shard`. The result has the same bytes as one run.\n\n"
        "  ncnn-quantize merge model.param 1.npz 2.npz -o model.table",
    )
    add_model(parser)
    parser.add_argument("parts", metavar="PART", nargs="*", help="a file of `calibrate --shard`")
    add_optimize(parser)
    add_methods(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the table; FILE.npz: the statistics"
    )
    return parser


def quantize_parser() -> Parser:
    """Return the parser of the default command."""
    parser = Parser("ncnn-quantize", DESCRIPTION)
    add_model(parser)
    add_optimize(parser)
    add_samples(parser)
    add_methods(parser, can_try=True)
    nearer = parser.add_argument_group(
        "changes of weights",
        "A change is kept only if the measured error falls. Without any of these options --gptq is "
        "tried, unless --method or --output-table is given.",
    )
    nearer.add_argument(
        "--equalize",
        action="store_true",
        help="equalize the ranges of channels between convolutions, which helps with depthwise "
        "convolutions",
    )
    nearer.add_argument(
        "--gptq",
        action="store_true",
        help="fit the integers and biases of each layer to its float outputs on samples by GPTQ, "
        "instead of rounding weights to the nearest",
    )
    nearer.add_argument(
        "--correct-bias",
        action="store_true",
        help="subtract the mean error of each channel from biases",
    )
    nearer.add_argument(
        "--quick", action="store_true", help="change no weights, in a quarter to a half of the time"
    )
    parser.add_argument(
        "--tune",
        action="store_true",
        help="leave layers in float that are slower in int8 on this processor, if that makes the "
        "whole model faster",
    )
    parser.add_argument(
        "--on",
        dest="devices",
        metavar="ADDRESS",
        action="append",
        default=[],
        help="measure for --tune and --latency on this device: ssh://[USER@]HOST[:PORT], "
        "adb://SERIAL or local (may be given several times; see ncnn-device)",
    )
    add_scheduler(parser)
    group = add_output(parser)
    add_static_only(group)
    group.add_argument("--output-table", metavar="FILE", help="also write the scales as a table")
    add_proof(parser)
    add_batch_options(parser, parallel=False)
    return parser


def measure_parser() -> Parser:
    """Return the parser of `measure`."""
    parser = Parser(
        "ncnn-quantize measure",
        "Compare an int8 model, made by any tool, with its float model.\n\n"
        "  ncnn-quantize measure model.param int8.param --images calib/ --measure\n\n"
        "Exits with status 1 if the error exceeds --max-error.",
    )
    add_model(parser)
    add_input_shape(parser, "the shape of an input that the model does not declare")
    parser.add_argument("int8", metavar="INT8", nargs="?", help="the int8 model")
    add_samples(parser)
    add_proof(parser)
    return parser


def apply_parser() -> Parser:
    """Return the parser of `apply`."""
    parser = Parser(
        "ncnn-quantize apply",
        "Make layers int8 with the scales of a table of ncnn2table or `calibrate`.",
    )
    add_model(parser)
    parser.add_argument("--table", metavar="FILE", help="the table of scales")
    add_for_ncnn(parser)
    add_static_only(add_output(parser))
    return parser


def weights_parser() -> Parser:
    """Return the parser of `weights`."""
    parser = Parser(
        "ncnn-quantize --weights-only",
        "Store weights as integers of 8, 6 or 4 bits where no scale of the input is needed.\n\n"
        "  ncnn-quantize llm.param --weights-only --bits 4 --block 64 -o q4.param\n\n"
        "Layers: Gemm and MultiHeadAttention, with --block row also RNN, LSTM, GRU and Embed.",
    )
    add_model(parser)
    add_for_ncnn(parser)
    group = parser.add_argument_group("integers")
    group.add_argument("--weights-only", action="store_true", help="select this command")
    group.add_argument("--bits", type=int, choices=(4, 6, 8), help="bits of a weight (default: 8)")
    group.add_argument(
        "--block",
        choices=("32", "64", "128", "row"),
        help="the number of weights of a row with one scale (default: 64)",
    )
    group.add_argument(
        "--method",
        choices=("minmax", "mse", "awq", "gptq"),
        help="the method (default: minmax, with --data gptq)",
    )
    group.add_argument(
        "--data",
        metavar="FILE|FOLDER",
        nargs="+",
        default=[],
        help="for awq and gptq: .npz files, or folders of them, with an array of samples for each "
        "input",
    )
    group.add_argument(
        "--table",
        metavar="FILE",
        help="instead of these options: scales of ncnn's ncnnllm2table",
    )
    add_output(parser).add_argument(
        "--output-table", metavar="FILE", help="also write the scales, in the format of ncnnllm2int"
    )
    add_batch_options(parser, parallel=False)
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


def make_help() -> str:
    """Return the help of the command without a subcommand."""
    lines = [DESCRIPTION, "commands:"]
    for name, make in PARSERS.items():
        text = (make().description or "").strip().splitlines()[0]
        lines.append(f"  {name:<10} {text}")
    return "\n".join(lines)


def names(values: Sequence[str]) -> list[str]:
    """Return the names in values of an option, each with commas between its names."""
    return [name for value in values for name in value.split(",") if name]


def recipe_of(args: argparse.Namespace) -> "Recipe":
    """Return the recipe that options specify. Raises `UsageError` and `RecipeError`."""
    from ...quantization.recipe import WEIGHT_CHANGES, Recipe  # not for the help

    options = {f.name: getattr(args, f.name) for f in fields(Recipe) if hasattr(args, f.name)}
    options["keep"] = names(getattr(args, "keep", ()))
    options["classes"] = _read_classes(args.classes)
    options["measure"] = bool(args.measure or args.json or args.html)
    if getattr(args, "output_table", None) is not None:
        if named := [name for name in WEIGHT_CHANGES if options[name]]:
            flag = "--" + named[0].replace("_", "-")
            raise UsageError(
                f"{flag} changes weights, so a table would not fit the model: leave out "
                f"{flag} or --output-table"
            )
        options["quick"] = True
    return Recipe(**options)


def _read_classes(path: str | None) -> list[int] | None:
    """Return the right class of each sample. Raises `UsageError`."""
    if path is None:
        return None
    with open(path, "rb") as f:
        words = f.read().decode(errors="replace").split()
    if odd := next((word for word in words if not word.isdecimal()), None):
        raise UsageError(f"{path}: '{odd}' is no number of a class")
    return [int(word) for word in words]
