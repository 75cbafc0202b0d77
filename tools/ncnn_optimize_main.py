"""`ncnn-optimize`: `ncnn-opt -O` with the arguments of ncnn's own `ncnnoptimize`."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..transforms import OPTIMIZE
from .errors import USER_ERRORS, UsageError, describe
from .process import expect_a_model, set_up

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..frontends.files import ImportOptions

USAGE = """\
usage: ncnn-optimize INPARAM INBIN OUTPARAM OUTBIN FLAG [CUTSTART] [CUTEND]

Optimizes an ncnn model, called as ncnn's own ncnnoptimize is.

  INPARAM   .param or .param.bin        INBIN    its weights; null: random ones
  OUTPARAM  the .param to write         OUTBIN   its weights
  FLAG      65536 or 1: weights stored as float16; any other number: as float32
  CUTSTART  name of the first layer to keep; what it reads becomes an input
  CUTEND    name of the last layer to keep; what it makes becomes an output

Beside them, anywhere:

  --custom-weights TYPE=COUNT[,COUNT…]
            floats of each weight of a custom layer type (may be given several times)
  --allow-trailing-weights
            ignore bytes left over at the end of INBIN

Each rewrite is a line on standard error. See `ncnn-opt --help` for more."""

FLOAT16_FLAGS = (1, 65536)
"""The flags that stand for float16 storage."""

SHAPES = "ncnn-infer-shapes"

CUSTOM, TRAILING = "--custom-weights", "--allow-trailing-weights"


@dataclass(frozen=True)
class Request:
    """What a command line asks for."""

    in_param: str
    in_bin: str
    out_param: str
    out_bin: str
    flag: int
    cut_start: str | None = None
    cut_end: str | None = None
    custom_weights: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    allow_trailing: bool = False

    @staticmethod
    def of(arguments: Sequence[str]) -> "Request":
        """Raises `UsageError` for other arguments than ncnnoptimize's."""
        from .arguments import parse_custom_weights

        words, custom, trailing = _without_options(arguments)
        if not 5 <= len(words) <= 7:
            raise UsageError(f"5 to 7 arguments are needed, not {len(words)}\n{USAGE}")
        *paths, flag = words[:5]
        try:
            number = int(flag)
        except ValueError:
            raise UsageError(f"FLAG is a number, not '{flag}'") from None
        start, end = [*words[5:], None, None][:2]
        counts = parse_custom_weights(custom)
        return Request(paths[0], paths[1], paths[2], paths[3], number, start, end, counts, trailing)

    def options(self) -> "ImportOptions":
        """How to read the model."""
        from ..frontends.files import ImportOptions

        weights = "random" if self.in_bin == "null" else _as_path(self.in_bin)
        return ImportOptions(weights, self.allow_trailing, self.custom_weights)

    def preparation(self) -> str:
        """The first passes: cut, shapes as far as they are known."""
        from .model_options import quoted

        bounds = {"from": self.cut_start, "to": self.cut_end}
        given = [f"{key}={quoted(name)}" for key, name in bounds.items() if name is not None]
        cut = [f"cut-model{{{' '.join(given)}}}"] if given else []
        return ",".join([*cut, SHAPES])

    def optimization(self) -> str:
        """The passes that follow: all of `-O`, storage."""
        storage = "fp16" if self.flag in FLOAT16_FLAGS else "fp32"
        return ",".join([*OPTIMIZE, SHAPES, f"convert-storage{{storage={storage}}}"])


def optimize(request: Request) -> None:
    """Reads, optimizes and writes the model. Raises one of `USER_ERRORS`."""
    from ..dialects.ncnn.weight_file import scratch_file
    from ..targets.ahead import copying_ahead
    from ..transforms.finding import model_of
    from ..transforms.remarks import listening
    from .models import read_model, write_param
    from .overwriting import Origin, check_outputs
    from .pipelines import run_pipeline
    from .steps import StepPrinter

    options = request.options()
    origin = Origin.of(request.in_param, options.weights)
    check_outputs(request.out_param, request.out_bin, origin)
    module, messages = read_model(request.in_param, options)
    for message in messages:
        print(f"warning: {message}", file=sys.stderr)
    with scratch_file() as scratch, copying_ahead(module, request.out_bin, scratch) as ahead:
        run_pipeline(module, request.preparation())
        steps = StepPrinter(model_of(module))
        with listening(steps):
            run_pipeline(module, request.optimization())
        steps.finish()
        print_estimate(module)
        names = request.out_param, request.out_bin
        write_param(module, *names, origin=origin, ahead=ahead)


def _without_options(arguments: Sequence[str]) -> tuple[list[str], list[str], bool]:
    """The arguments by place, the values of `--custom-weights`, and whether there is
    `--allow-trailing-weights`. All else is a file, a layer or the flag, however it begins."""
    words: list[str] = []
    custom: list[str] = []
    rest = iter(arguments)
    for word in rest:
        name, equals, value = word.partition("=")
        if name == CUSTOM:
            custom.append(value if equals else next(rest, ""))
        elif word != TRAILING:
            words.append(word)
    return words, custom, TRAILING in arguments


def _as_path(name: str) -> str:
    """A file name that is not taken for one of the words that stand for weights."""
    return f"./{name}" if name in ("", "none") or name.startswith("random") else name


def print_estimate(module: "ModuleOp") -> None:
    """The memory and the multiplications that the model takes, if all shapes are known."""
    from ..transforms.finding import model_of
    from .report.model import collect

    facts = collect(model_of(module), "")
    if facts.unknown_shapes():
        print("no estimates: some shapes are not known", file=sys.stderr)
        return
    peak, macs = facts.peak.known, facts.macs.known
    kib = f"{peak / 1024:.2f} KB = {peak / 1024**2:.2f} MB"
    print(f"estimated memory footprint = {kib}", file=sys.stderr)
    if macs:
        print(f"mac = {macs} = {macs / 1e6:.2f} M", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake."""
    arguments = sys.argv[1:] if arguments is None else arguments
    set_up()
    expect_a_model()
    if any(word in ("-h", "--help") for word in arguments):
        print(USAGE)
        return
    try:
        optimize(Request.of(arguments))
    except USER_ERRORS as e:
        path = arguments[0] if arguments else ""
        print(f"ncnn-optimize: error: {describe(e, path)}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
