"""The command lines of `ncnn-quantize`: parsers, and the recipe of the options."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any, cast

from ...driver.errors import UsageError
from ...formats.weight_storage import BLOCK_BITS, BLOCK_SIZES
from ...quantization.recipe import WEIGHT_CHANGES, Recipe
from ..batch import add_batch_options
from ..parsers import FOR_NCNN, Parser, add_options, names, parse_custom_layers
from .option_groups import (
    APPLIED,
    BEST_METHODS,
    BEST_SCALES,
    BLOCK_TABLE,
    CALIBRATE,
    CHANGES,
    DETAILS,
    EVALUATION,
    INTEGERS,
    MERGED,
    OPTIMIZE,
    OUTPUT,
    OUTPUT_TABLE,
    SAMPLES,
    SCALE_METHODS,
    SCALES,
    SCHEDULER,
    STATIC_ONLY,
    TUNE,
    UNDECLARED,
    WEIGHTS,
)

DESCRIPTION = """\
Quantizes ncnn models to int8.

  ncnn-quantize model.param --images calib/ --mean 127.5 --norm 0.0078 -o int8.param
  ncnn-quantize model.param --data calib.npz --max-nsr 0.01 -o int8.param

does all steps; --max-nsr leaves as few layers as possible in float. Step by step:

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


def _parser(
    name: str,
    description: str,
    *tables: str,
    further: Mapping[str, str] | None = None,
    many: bool = False,
    **details: Any,
) -> Parser:
    """Return the parser of a command with these tables of options. `further` is an argument after
    the model; `many`: whether the command processes many models."""
    parser = Parser(name, description)
    parser.add_argument("model", metavar="MODEL", nargs="?", help="the float model")
    add_options(parser, "".join([WEIGHTS, *tables]), **{**DETAILS, **details})
    if further is not None:
        parser.add_argument(**cast(Any, further))
    if many:
        add_batch_options(parser, parallel=False)
    return parser


PARSERS: Mapping[str, Callable[[], Parser]] = {
    DEFAULT: partial(
        _parser,
        "ncnn-quantize",
        DESCRIPTION,
        *(OPTIMIZE, SAMPLES, BEST_SCALES, CHANGES, TUNE, SCHEDULER),
        *(OUTPUT, STATIC_ONLY, OUTPUT_TABLE, EVALUATION),
        many=True,
        **BEST_METHODS,
    ),
    "calibrate": partial(
        _parser,
        "ncnn-quantize calibrate",
        "Run samples through a model and write a table of scales, or statistics (.npz).\n\n"
        "  ncnn-quantize calibrate model.param --images calib/ -o model.table\n\n"
        "After Ctrl-C the same command continues.",
        *(OPTIMIZE, SAMPLES, SCALES, CALIBRATE, SCHEDULER),
        **SCALE_METHODS,
    ),
    "merge": partial(
        _parser,
        "ncnn-quantize merge",
        "Add the parts of `calibrate --shard`. The result has the same bytes as one run.\n\n"
        "  ncnn-quantize merge model.param 1.npz 2.npz -o model.table",
        *(OPTIMIZE, SCALES, MERGED),
        further={
            "dest": "parts",
            "metavar": "PART",
            "nargs": "*",
            "help": "a file of `calibrate --shard`",
        },
        **SCALE_METHODS,
    ),
    "apply": partial(
        _parser,
        "ncnn-quantize apply",
        "Make layers int8 with the scales of a table of ncnn2table or `calibrate`.",
        *(APPLIED, OUTPUT, STATIC_ONLY),
    ),
    "measure": partial(
        _parser,
        "ncnn-quantize measure",
        "Compare an int8 model, made by any tool, with its float model.\n\n"
        "  ncnn-quantize measure model.param int8.param --images calib/ --measure\n\n"
        "Exits with status 1 if the error exceeds --max-nsr.",
        *(UNDECLARED, SAMPLES, EVALUATION),
        further={"dest": "int8", "metavar": "INT8", "nargs": "?", "help": "the int8 model"},
    ),
    "weights": partial(
        _parser,
        "ncnn-quantize --weights-only",
        "Store weights as integers of 8, 6 or 4 bits where no scale of the input is needed.\n\n"
        "  ncnn-quantize llm.param --weights-only --bits 4 --block 64 -o q4.param\n\n"
        "Layers: Gemm and MultiHeadAttention, with --block row also RNN, LSTM, GRU and Embed.",
        *("options:", FOR_NCNN, INTEGERS, OUTPUT, BLOCK_TABLE),
        many=True,
        bits={"type": int, "choices": BLOCK_BITS},
        block=(*map(str, BLOCK_SIZES), "row"),
        method=("minmax", "mse", "awq", "gptq"),
        data={"nargs": "+", "default": []},
    ),
}
"""The parser of each command."""


def make_help() -> str:
    """Return the help of the command without a subcommand."""
    lines = [DESCRIPTION, "commands:"]
    for name, make in PARSERS.items():
        text = (make().description or "").strip().splitlines()[0]
        lines.append(f"  {name:<10} {text}")
    return "\n".join(lines)


def recipe_of(args: argparse.Namespace) -> Recipe:
    """Return the recipe that options specify. Raises `UsageError` and `RecipeError`."""
    options = {f.name: getattr(args, f.name) for f in fields(Recipe) if hasattr(args, f.name)}
    options["keep"] = names(getattr(args, "keep", ()))
    options["custom_layers"] = parse_custom_layers(args.custom_layer)
    if args.classes is not None:
        from ...driver.output_values import read_classes  # not for the help

        options["classes"] = read_classes(args.classes)
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
