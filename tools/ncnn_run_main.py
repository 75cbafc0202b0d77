"""`ncnn-run`: what a model computes, in NumPy or in the ncnn runtime, and where the two differ."""

import argparse
import math
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.function import output_names
from ..frontends.files import ImportOptions
from ..interpreters.run import blobs_of
from ..targets.files import OutputFiles
from ..transforms.finding import model_of, nearest
from ..transforms.infer_shapes import InferShapes, set_input_shapes
from .arguments import parse_custom_weights
from .errors import USER_ERRORS, UsageError, describe
from .models import read_model
from .run.comparison import compare, table
from .run.engines import ENGINES, check_runtime, run_ncnn, run_numpy
from .run.inputs import read_inputs
from .run.pixels import Preprocessing
from .run.results import read_labels, summary, top_classes, write_npz
from .shape_options import input_shapes

Blobs = Mapping[str, NDArray[Any]]

TOLERANCE = 1e-3

DESCRIPTION = """\
Runs a model on given or random inputs.

  ncnn-run model.param --input data=x.npy --output out.npz
  ncnn-run model.param --input data=cat.jpg --mean 104,117,123 --top 5 --labels names.txt
  ncnn-run model.param --input random --compare ncnn

A model is a .param (with its .bin), .param.bin or .mlir.
"""


class _Parser(argparse.ArgumentParser):
    """Mistakes are `UsageError`s."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def make_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = _Parser(
        prog="ncnn-run",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("model", metavar="MODEL", nargs="?", help="the model")
    parser.add_argument("-v", "--version", action="store_true", help="print versions and exit")

    inputs = parser.add_argument_group("inputs")
    inputs.add_argument(
        "--input",
        metavar="NAME=SOURCE",
        action="append",
        default=[],
        help="a .npy, a .npz with an array of that name, an image, or random; without a name for "
        "the only input, a .npz or random for all that are not named (may be given several times)",
    )
    inputs.add_argument("--seed", type=int, default=0, help="of random inputs (0)")
    inputs.add_argument(
        "--input-shape",
        metavar="INPUT=EXTENTS",
        action="append",
        default=[],
        help="the shape of an input where the model does not say it, outermost extent first: "
        "data=3,224,224 (may be given several times)",
    )
    inputs.add_argument(
        "--mean",
        metavar="V[,V…]",
        type=_floats,
        default=(),
        help="subtracted from images, a value a channel or one for all",
    )
    inputs.add_argument(
        "--norm", metavar="V[,V…]", type=_floats, default=(), help="what the difference is times"
    )
    inputs.add_argument(
        "--to-rgb", action="store_true", help="red is the first channel of an image, not blue"
    )

    weights = parser.add_argument_group("weights")
    weights.add_argument(
        "--weights",
        metavar="FILE|random[:SEED]",
        help="the weights of a .param: by default the .bin beside it",
    )
    weights.add_argument(
        "--custom-weights",
        metavar="TYPE=COUNT[,COUNT…]",
        action="append",
        default=[],
        help="floats of each weight of a custom layer type (may be given several times)",
    )
    weights.add_argument(
        "--allow-trailing-weights",
        action="store_true",
        help="ignore bytes left over at the end of a .bin",
    )

    running = parser.add_argument_group("running")
    running.add_argument("--engine", choices=ENGINES, default=ENGINES[0], help="what computes")
    running.add_argument(
        "--compare",
        metavar="ENGINE",
        choices=("ncnn",),
        help="ncnn: compare all blobs with those of the ncnn runtime",
    )
    running.add_argument(
        "--tolerance",
        metavar="ERROR",
        type=_tolerance,
        default=TOLERANCE,
        help=f"the largest error relative to a blob's largest value ({TOLERANCE:g})",
    )

    running.add_argument(
        "--no-packing",
        action="store_true",
        help="no packed layouts in the ncnn runtime: its depthwise int8 layers are exact then",
    )

    results = parser.add_argument_group("results")
    results.add_argument(
        "-o", "--output", metavar="FILE", help=".npz to write the outputs to, by name"
    )
    results.add_argument(
        "--blob",
        metavar="NAME[,NAME…]",
        action="append",
        default=[],
        help="these blobs instead of the outputs (may be given several times)",
    )
    results.add_argument("--all-blobs", action="store_true", help="all blobs, inputs as well")
    results.add_argument(
        "--top", metavar="N", type=_positive, help="the N largest scores of each output"
    )
    results.add_argument("--labels", metavar="FILE", help="a label a line, for --top")
    return parser


def _floats(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"numbers are expected, not '{text}'") from None


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not value >= 0:
        raise argparse.ArgumentTypeError(f"a number of at least 0 is expected, not '{text}'")
    return value


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a positive number is expected, not '{text}'")
    return int(text)


class _Run:
    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        if args.model is None:
            raise UsageError("there is no model; see --help")
        self.path: str = args.model
        self.custom = parse_custom_weights(args.custom_weights)
        self.shapes = InferShapes(input_shape=input_shapes(args.input_shape)).input_shapes()
        self.labels = [] if args.labels is None else read_labels(args.labels)
        if args.labels is not None and args.top is None:
            raise UsageError("--labels is for --top")
        if args.compare is not None and args.engine != ENGINES[0]:
            raise UsageError(f"--compare {args.compare} is for --engine {ENGINES[0]}")
        if args.output is not None and not args.output.endswith(".npz"):
            raise UsageError(f"--output writes .npz, not '{args.output}'")
        if "ncnn" in (args.compare, args.engine):
            check_runtime()

    def run(self) -> bool:
        """Does all that is asked for; `False` if a comparison found errors."""
        module, messages = self.load()
        for message in messages:
            print(f"ncnn-run: warning: {message}", file=sys.stderr)
        func = model_of(module)
        if self.shapes:
            set_input_shapes(func, self.shapes)
        how = Preprocessing(self.args.mean, self.args.norm, self.args.to_rgb)
        inputs = read_inputs(func, self.args.input, how, self.args.seed)
        wanted = self.wanted(func)
        every = list(blobs_of(func)) if self.args.compare else wanted
        compute = self.run_ncnn if self.args.engine == "ncnn" else self.run_numpy
        blobs = compute(module, inputs, every)
        agree = self.compare(module, func, inputs, blobs) if self.args.compare else True
        self.show({name: blobs[name] for name in wanted})
        return agree

    def load(self) -> tuple[ModuleOp, list[str]]:
        args = self.args
        options = ImportOptions(args.weights, args.allow_trailing_weights, self.custom)
        return read_model(self.path, options)

    def wanted(self, func: FuncOp) -> list[str]:
        """The names of the blobs that are asked for."""
        known = list(blobs_of(func))
        if self.args.all_blobs:
            return known
        names = [name for spec in self.args.blob for name in spec.split(",") if name]
        for name in names:
            if name not in known:
                raise UsageError(f"there is no blob '{name}'{nearest(name, known)}")
        return list(dict.fromkeys(names)) or output_names(func)

    def run_numpy(self, module: ModuleOp, inputs: Blobs, names: Sequence[str]) -> Blobs:
        return run_numpy(module, inputs, names, self.path)

    def run_ncnn(self, module: ModuleOp, inputs: Blobs, names: Sequence[str]) -> Blobs:
        args = self.args
        return run_ncnn(module, inputs, names, self.path, args.weights, not args.no_packing)

    def compare(self, module: ModuleOp, func: FuncOp, inputs: Blobs, blobs: Blobs) -> bool:
        """Prints where the runtime makes other blobs; whether all are within the tolerance."""
        expected = self.run_ncnn(module, inputs, list(blobs))
        rows = list(compare(func, expected, blobs))
        print(table(rows, self.args.tolerance))
        worst = max(rows, key=lambda row: row.error or 0)
        error, limit = worst.error or 0, self.args.tolerance
        print(f"largest error: {error:.3g} at '{worst.blob}', limit {limit:g}")
        return not any(row.exceeds(limit) for row in rows)

    def show(self, blobs: Blobs) -> None:
        """Writes or prints the results."""
        args = self.args
        if args.output is not None:
            with OutputFiles() as files:
                write_npz(files.create(args.output, "wb"), blobs)
        if args.top is not None:
            for name, value in blobs.items():
                print(top_classes(name, value, args.top, self.labels))
        elif args.output is None and args.compare is None:
            print(summary(blobs))
        sys.stdout.flush()


def print_version() -> None:
    """Our version and that of xDSL."""
    from importlib.metadata import version

    print(f"ncnn-run {version('ncnn-opt')} (xdsl {version('xdsl')})")


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake, and where a
    comparison finds errors."""
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    run: _Run | None = None
    agree = True
    try:
        args = make_parser().parse_args(arguments)
        if args.version:
            print_version()
            return
        run = _Run(args)
        agree = run.run()
    except BrokenPipeError:
        # The reader of our output has gone; nothing is left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except USER_ERRORS as e:
        print(f"ncnn-run: error: {describe(e, '' if run is None else run.path)}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    if not agree:
        sys.exit(1)
