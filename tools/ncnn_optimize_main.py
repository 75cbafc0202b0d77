"""`ncnn-optimize`: `ncnn-opt -O` with the arguments of ncnn's own `ncnnoptimize`."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..driver.errors import UsageError
from ..formats.weight_storage import StorageOption
from ..frontends import ReadOptions
from .parsers import parse_custom_weights
from .process import print_version, run_drop_in, set_up

if TYPE_CHECKING:
    from ..driver.drop_in_optimizing import DropInRequest

USAGE = """\
usage: ncnn-optimize INPARAM INBIN OUTPARAM OUTBIN FLAG [CUTSTART] [CUTEND]

Optimizes an ncnn model, with the arguments of ncnn's own ncnnoptimize.

  INPARAM   .param or .param.bin        INBIN    its weights; null: random weights
  OUTPARAM  the .param to write         OUTBIN   its weights
  FLAG      65536 or 1: weights stored as float16; any other number: as float32
  CUTSTART  name of the first layer to keep; its input becomes an input of the model
  CUTEND    name of the last layer to keep; its output becomes an output of the model

Options, at any place:

  --custom-weights TYPE=COUNT[,COUNT…]
            number of floats of each weight of a custom layer type, plus one for a weight that is
            loaded with a tag; 0 if the type has no weights (may be given several times)
  --allow-trailing-weights
            ignore surplus bytes at the end of INBIN
  --tune x86|arm|none
            also apply rewrites that are faster only on this family of processors; none: apply all
            rewrites; without it, apply rewrites that are not slower on any family
  --for-ncnn RELEASE|latest
            the oldest release of ncnn that must run the result, as 20240820; without it, the
            oldest release that runs the model
  --fix-shapes INPUT=EXTENTS
            the static shape of an input, as data=3,224,224: the model is valid for this shape only,
            and rewrites may rely on it; ? for a dynamic extent (may be given several times)
  --max-shape INPUT=EXTENTS
            the shape that an input never exceeds (may be given several times)
  --log text|json
            json: each message on standard error is a JSON object in one line

Each rewrite is a line on standard error. See also `ncnn-opt --help`."""

FLOAT16_FLAGS = (1, 65536)
"""The flags for float16 storage."""

CUSTOM, TUNE, TRAILING = "--custom-weights", "--tune", "--allow-trailing-weights"

FOR_NCNN = "--for-ncnn"

FIX, MOST = "--fix-shapes", "--max-shape"


def request_of(arguments: Sequence[str]) -> "DropInRequest":
    """Parse the arguments. Raises `UsageError`."""
    from ..driver.pipelines import (
        known_release,
        limited,
        optimizing,
        parse_input_shapes,
        storage_step,
        with_options,
    )
    from ..transforms.infer_shapes import InferShapes

    words, values, trailing = _without_options(arguments)
    if not 5 <= len(words) <= 7:
        raise UsageError(f"5 to 7 arguments are needed, not {len(words)}\n{USAGE}")
    *paths, flag = words[:5]
    try:
        storage: StorageOption = "fp16" if int(flag) in FLOAT16_FLAGS else "fp32"
    except ValueError:
        raise UsageError(f"FLAG is a number, not '{flag}'") from None
    start, end = [*words[5:], None, None][:2]
    weights = "random" if paths[1] == "null" else _as_path(paths[1])
    custom = parse_custom_weights(values[CUSTOM])
    reading = ReadOptions(weights, trailing, custom)
    fixed, most = parse_input_shapes(values[FIX], FIX), parse_input_shapes(values[MOST], MOST)
    shapes = InferShapes(hints=not most)  # hints would be wrong for inputs of several shapes
    release, tune = ([None, *values[name]][-1] for name in (FOR_NCNN, TUNE))
    release = None if release is None else known_release(release)
    before = with_options(
        (), release=release, processor=tune, fixed=fixed, at_most=most, cut_from=start, cut_to=end
    )
    after = [*limited(optimizing(release), storage), shapes, *storage_step((), storage)]

    from ..driver.drop_in_optimizing import DropInRequest

    return DropInRequest(paths[0], paths[2], paths[3], reading, [*before, shapes], after, release)


def _without_options(arguments: Sequence[str]) -> tuple[list[str], dict[str, list[str]], bool]:
    """Return the positional arguments, the values of each option, and whether surplus bytes are
    ignored. All other words are files, layers or the flag, even if they begin with a dash."""
    words: list[str] = []
    values: dict[str, list[str]] = {name: [] for name in (CUSTOM, FIX, MOST, TUNE, FOR_NCNN)}
    rest, trailing = iter(arguments), False
    for word in rest:
        name, equals, value = word.partition("=")
        if name in values:
            values[name].append(value if equals else next(rest, ""))
        elif word == TRAILING:
            trailing = True
        else:
            words.append(word)
    return words, values, trailing


def _as_path(name: str) -> str:
    """Return a file name that is not mistaken for `none` or `random`."""
    return f"./{name}" if name in ("", "none") or name.startswith("random") else name


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if list(arguments) in (["-v"], ["--version"]):
        set_up()
        print_version("ncnn-optimize")
        return
    run_drop_in("ncnn-optimize", USAGE, arguments, optimize_model)


def optimize_model(arguments: Sequence[str]) -> None:
    """Optimize the model that the arguments name. Raises one of `USER_ERRORS`."""
    request = request_of(arguments)

    from ..driver.drop_in_optimizing import optimize

    optimize(request)
