"""Doing what a command line of `ncnn-run` says."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.function import output_names
from ..driver.errors import UsageError
from ..driver.files import Source, read_model
from ..formats.columns import printable
from ..interpreters.errors import RunError
from ..interpreters.run import blobs_of
from ..runtime.comparison import compare, table
from ..runtime.engines import check_runtime, run_ncnn, run_numpy
from ..targets.files import OutputFiles
from ..targets.overwriting import check_unread
from ..transforms.finding import model_of
from ..transforms.infer_shapes import InferShapes
from ..transforms.shapes import set_input_shapes
from ..xdsl_extras.spelling import nearest
from .messages import say
from .parsers import reading_options
from .pass_options import input_shapes
from .process import Command
from .progress import Progress
from .run import ENGINES, TOLERANCE
from .run.inputs import read_inputs
from .run.pixels import Preprocessing
from .run.results import read_labels, summary, top_classes, write_npz

Blobs = Mapping[str, NDArray[Any]]


def check_meant(args: argparse.Namespace) -> None:
    """Raises `UsageError` for what would say nothing, and fills in what is not said."""
    if args.tolerance is not None and args.compare is None:
        raise UsageError("--tolerance is for --compare")
    if args.no_packing and args.compare is None and args.engine != "ncnn":
        raise UsageError("--no-packing is for the ncnn runtime: --engine ncnn or --compare")
    args.tolerance = TOLERANCE if args.tolerance is None else args.tolerance


class Run:
    """What a command line of `ncnn-run` asks for. Raises `UsageError` for what cannot be meant."""

    def __init__(self, args: argparse.Namespace, process: Command) -> None:
        self.args = args
        if args.model is None:
            raise UsageError("there is no model; see --help")
        self.path: str = args.model
        process.input = self.path
        self.reading = reading_options(args, args.weights)
        self.shapes = InferShapes(input_shape=input_shapes(args.input_shape)).input_shapes()
        self.labels = [] if args.labels is None else read_labels(args.labels)
        if args.labels is not None and args.top is None:
            raise UsageError("--labels is for --top")
        if args.compare is not None and args.engine != ENGINES[0]:
            raise UsageError(f"--compare {args.compare} is for --engine {ENGINES[0]}")
        check_meant(args)
        if args.output is not None and not args.output.endswith(".npz"):
            raise UsageError(f"--output writes .npz, not '{args.output}'")
        if args.output is not None:
            # An input is `NAME=FILE` or a file.
            sources = [s for spec in args.input for s in (spec, spec.partition("=")[2])]
            check_unread(args.output, [self.path, args.weights or self.path, *sources])
        if "ncnn" in (args.compare, args.engine):
            check_runtime()

    def run(self) -> bool:
        """Does all that is asked for; `False` if a comparison found errors."""
        source = read_model(self.path, self.reading)
        for message in source.warnings:
            say(f"ncnn-run: warning: {message}")
        func = model_of(source.module)
        if self.shapes:
            set_input_shapes(func, self.shapes)
        how = Preprocessing(self.args.mean, self.args.norm, self.args.to_rgb)
        inputs = read_inputs(func, self.args.input, how, self.args.seed)
        wanted = self.wanted(func)
        every = list(blobs_of(func)) if self.args.compare else wanted
        blobs = self.compute(self.args.engine, source, inputs, every)
        agree = self.compare(source, func, inputs, blobs) if self.args.compare else True
        self.show({name: blobs[name] for name in wanted})
        return agree

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

    def compute(self, engine: str, source: Source, inputs: Blobs, names: Sequence[str]) -> Blobs:
        """These blobs, by one of `ENGINES`. Raises one of `USER_ERRORS`."""
        try:
            if engine == "ncnn":
                files = self.files_of(source)
                return run_ncnn(source.module, inputs, names, files, not self.args.no_packing)
            count = len(model_of(source.module).body.block.ops)
            with Progress(f"running {self.path}", count) as progress:
                return run_numpy(source.module, inputs, names, progress.update)
        except RunError as e:
            raise RunError(f"{self.path}: {e}") from e

    def files_of(self, source: Source) -> tuple[str, str] | None:
        """The files of the model, if the runtime loads them."""
        weights = source.origin.weights
        if weights is None or not os.path.isfile(weights) or source.kind != "param":
            return None
        return self.path, weights

    def compare(self, source: Source, func: FuncOp, inputs: Blobs, blobs: Blobs) -> bool:
        """Prints where the runtime makes other blobs; whether all are within the tolerance."""
        expected = self.compute("ncnn", source, inputs, list(blobs))
        rows = list(compare(func, expected, blobs))
        print(table(rows, self.args.tolerance))
        worst = max(rows, key=lambda row: row.error or 0)
        error, limit = worst.error or 0, self.args.tolerance
        print(printable(f"largest error: {error:.3g} at '{worst.blob}', limit {limit:g}"))
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
