"""`ncnn-optimize`: `ncnn-opt -O` with the arguments of ncnn's own `ncnnoptimize`."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..driver.errors import UsageError
from ..frontends import ReadOptions
from .parsers import parse_custom_weights
from .process import print_version, run_drop_in, set_up

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
            loaded with a tag (may be given several times)
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

Each rewrite is a line on standard error. See also `ncnn-opt --help`."""

FLOAT16_FLAGS = (1, 65536)
"""The flags for float16 storage."""

SHAPES = "ncnn-infer-shapes"

NO_HINTS = f"{SHAPES}{{hints=false}}"
"""The pass for inputs of several shapes, for which hints would be wrong."""

CUSTOM, TUNE, TRAILING = "--custom-weights", "--tune", "--allow-trailing-weights"

FOR_NCNN = "--for-ncnn"

FIX, MOST = "--fix-shapes", "--max-shape"


@dataclass(frozen=True)
class Request:
    """A parsed command line."""

    in_param: str
    out_param: str
    out_bin: str
    reading: ReadOptions
    preparation: Sequence[str]
    """The first passes: release, tuning, specialization, cutting, shapes."""
    optimization: Sequence[str]
    """The passes of `-O`, shapes and storage."""
    release: str | None = None
    """The release that must run the result, if one is given."""

    @staticmethod
    def of(arguments: Sequence[str]) -> "Request":
        """Parse the arguments. Raises `UsageError`."""
        from ..driver.pipeline_options import cutting, specializing, tuning
        from ..driver.pipelines import for_release, known_release, limited, optimizing
        from .pass_options import parse_input_shapes

        words, options = _without_options(arguments)
        if not 5 <= len(words) <= 7:
            raise UsageError(f"5 to 7 arguments are needed, not {len(words)}\n{USAGE}")
        *paths, flag = words[:5]
        try:
            storage = "fp16" if int(flag) in FLOAT16_FLAGS else "fp32"
        except ValueError:
            raise UsageError(f"FLAG is a number, not '{flag}'") from None
        start, end = [*words[5:], None, None][:2]
        weights = "random" if paths[1] == "null" else _as_path(paths[1])
        reading = ReadOptions(weights, options.trailing, parse_custom_weights(options.custom))
        storing = f"convert-storage{{storage={storage}}}"
        fixed, most = (
            parse_input_shapes(options.fixed, FIX),
            parse_input_shapes(options.most, MOST),
        )
        shapes = NO_HINTS if most else SHAPES
        release = None if options.release is None else known_release(options.release)
        before = [*for_release(release), *tuning(options.tune), *specializing(fixed, most)]
        before += [*cutting(start, end), shapes]
        after = [*limited(optimizing(release), storage), shapes, storing]
        return Request(paths[0], paths[2], paths[3], reading, before, after, release)


@dataclass
class _Options:
    """The values of options."""

    custom: list[str] = field(default_factory=list[str])
    fixed: list[str] = field(default_factory=list[str])
    most: list[str] = field(default_factory=list[str])
    tune: str | None = None
    release: str | None = None
    trailing: bool = False


def _without_options(arguments: Sequence[str]) -> tuple[list[str], _Options]:
    """Return the positional arguments and the options. All other words are files, layers or the
    flag, even if they begin with a dash."""
    words: list[str] = []
    options = _Options()
    rest = iter(arguments)
    for word in rest:
        name, equals, value = word.partition("=")
        if name == TUNE:
            options.tune = value if equals else next(rest, "")
        elif name == FOR_NCNN:
            options.release = value if equals else next(rest, "")
        elif name in (CUSTOM, FIX, MOST):
            listed = {CUSTOM: options.custom, FIX: options.fixed, MOST: options.most}
            listed[name].append(value if equals else next(rest, ""))
        elif word == TRAILING:
            options.trailing = True
        else:
            words.append(word)
    return words, options


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
    request = Request.of(arguments)

    from .optimizing import optimize

    optimize(request)
