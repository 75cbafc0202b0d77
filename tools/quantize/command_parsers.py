"""The command lines of `ncnn-quantize`: a parser for each of its commands. What a command does is
in the module of its name, which is imported when it is called."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from ...driver.errors import UsageError
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


def quantize_parser() -> Parser:
    """The parser of what has no command's name before it."""
    parser = Parser("ncnn-quantize", DESCRIPTION)
    add_model(parser)
    add_optimize(parser)
    add_samples(parser)
    add_methods(parser, can_try=True)
    nearer = parser.add_argument_group(
        "nearer to float",
        "Other weights, kept only if the measured error falls. Without any of these options "
        "--gptq is tried, unless --method or --output-table is given.",
    )
    nearer.add_argument(
        "--equalize",
        action="store_true",
        help="the channels between convolutions scaled to much the same range, which helps where "
        "some are depthwise",
    )
    nearer.add_argument(
        "--gptq",
        action="store_true",
        help="the integers and biases of each layer fitted to what it makes of the samples in "
        "float, by GPTQ, instead of weights rounded to the nearest",
    )
    nearer.add_argument(
        "--correct-bias",
        action="store_true",
        help="the mean error of each channel taken off biases",
    )
    nearer.add_argument(
        "--quick", action="store_true", help="none of this: a quarter to a half of the time"
    )
    parser.add_argument(
        "--tune",
        action="store_true",
        help="leave layers in float that take longer in int8 on this processor, if the model as a "
        "whole is faster so",
    )
    add_scheduler(parser)
    group = add_output(parser)
    add_static_only(group)
    group.add_argument("--output-table", metavar="FILE", help="the scales as well, as a table")
    add_proof(parser)
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


def apply_parser() -> Parser:
    """The parser of `apply`."""
    parser = Parser(
        "ncnn-quantize apply",
        "Makes layers int8 with the scales of a table, as ncnn2table or `calibrate` writes it.",
    )
    add_model(parser)
    parser.add_argument("--table", metavar="FILE", help="the table of scales")
    add_for_ncnn(parser)
    add_static_only(add_output(parser))
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
    add_for_ncnn(parser)
    group = parser.add_argument_group("integers")
    group.add_argument("--weights-only", action="store_true", help="what this is")
    group.add_argument("--bits", type=int, choices=(4, 6, 8), help="bits a weight (default: 8)")
    group.add_argument(
        "--block",
        choices=("32", "64", "128", "row"),
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
    group.add_argument(
        "--table",
        metavar="FILE",
        help="instead of all this: scales as ncnn's ncnnllm2table writes them",
    )
    add_output(parser).add_argument(
        "--output-table", metavar="FILE", help="the scales as well, as ncnnllm2int reads them"
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


def make_help() -> str:
    """What there is to know of the command without another word."""
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
