"""The work of `ncnn-report`."""

import argparse
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.func import FuncOp

from ..analysis.shape_inference import infer, set_input_shapes
from ..analysis.target_info.releases import LATEST
from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.lookup import model_of
from ..driver.companions import read_repaired
from ..driver.errors import UsageError
from ..driver.files import Source
from ..driver.pipelines import known_release
from ..formats.file_names import weights_beside
from ..frontends import ReadOptions, names_weights
from ..report.comparison import compare
from ..report.device import place
from ..report.model import ModelFacts, collect
from ..report.noise import read_noise
from ..report.saving import rendered
from ..report.wording import plural, shape_advice
from ..targets.files import OutputFiles, check_writable, naming
from ..targets.overwriting import check_unread, weights_beside_mlir
from .messages import print_result, quiet, say
from .parsers import reading_options
from .pass_options import parse_input_shapes
from .process import Command


class Report:
    """A checked command line of `ncnn-report`. Raises `UsageError`."""

    def __init__(self, args: argparse.Namespace, process: Command) -> None:
        self.args = args
        _take_kind_from_name(args)
        self.process = process
        reading, several = reading_options(args, None), args.other is not None
        if args.ranges != (args.data is not None):
            raise UsageError("--ranges needs samples: --ranges --data FILE")
        if args.ranges and several:
            raise UsageError("--ranges is for one model")
        structure_only = not args.ranges
        self.reading = replace(
            reading, structure_only=structure_only, custom_types_optional=several
        )
        self.shapes = parse_input_shapes(args.input_shape)
        if args.model is None:
            raise UsageError("there is no model; see --help")
        self.paths = [p for p in (args.model, args.other) if p is not None]
        for target in (args.output_file, args.html):
            if target is not None and any(_is_same(target, path) for path in self.paths):
                raise UsageError(f"'{target}' is a model: the report would replace it")
            if target is not None:
                beside = [f(p) for p in self.paths for f in (weights_beside, weights_beside_mlir)]
                others = filter(None, [args.errors, args.pnnx])
                check_unread(target, [*beside, *args.weights, *others])
                check_writable(target)
        real = os.path.realpath
        if None not in (args.html, args.output_file) and real(args.html) == real(args.output_file):
            raise UsageError(f"'{args.html}' cannot be both the page and the text")
        if args.for_ncnn is not None and args.device is None:
            raise UsageError("--for-ncnn is for --device")
        self.release = known_release(args.for_ncnn or LATEST)
        if args.errors is not None and args.html is None:
            raise UsageError("--errors is for the page, --html FILE")
        if len(args.weights) > len(self.paths):
            raise UsageError(f"--weights is given {len(args.weights)} times for one model")

    def write(self) -> ModelFacts:
        """Write or print the report. Return the facts of the first model. Raises one of
        `USER_ERRORS`."""
        functions = [self.load(i, path) for i, path in enumerate(self.paths)]
        self.set_shapes([func for func, _ in functions])
        facts = [
            self.collect(func, path, notes)
            for path, (func, notes) in zip(self.paths, functions, strict=True)
        ]
        if self.args.ranges:
            self.add_ranges(functions[0][0], facts[0])
        if self.args.on:
            facts[-1].notes += self.measure()
        if self.args.errors is not None:
            facts[-1].noise = self.read_errors(self.args.errors, facts[-1])
        result = compare(*facts) if len(facts) == 2 else facts[0]
        self.process.input = ""
        outputs: dict[str, str] = {}
        html, path = self.args.html, self.args.output_file
        if html is not None:
            outputs[html] = rendered("page", result)
        if html is None or self.args.json or path is not None:
            fits = path in (None, "-") and sys.stdout.isatty()
            width = shutil.get_terminal_size().columns if fits else None
            outputs[path or "-"] = rendered("json" if self.args.json else "text", result, width)
        with OutputFiles() as files:
            for path, text in outputs.items():
                if path != "-":
                    with naming(path):
                        stream = files.create(path, "w")
                        stream.write(text.encode(errors="replace").decode())
                        stream.flush()
        if "-" in outputs:
            encoding = sys.stdout.encoding or "utf-8"
            text = outputs["-"].encode(encoding, "replace").decode(encoding)
            print_result(text.removesuffix("\n"))
        return facts[0]

    # -- reading

    def load(self, index: int, path: str) -> tuple[FuncOp, list[str]]:
        """Return the function of a model, and warnings."""
        source = self.read(index, path, self.reading)
        return model_of(source.module), source.warnings

    def measure(self) -> list[str]:
        """Return the measurements on devices as lines of text. Raises `RunError`."""
        from ..driver.devices import measured_lines

        whole = replace(self.reading, structure_only=False)
        sources = [self.read(i, path, whole) for i, path in enumerate(self.paths)]
        self.set_shapes([model_of(source.module) for source in sources])
        return measured_lines(sources, self.args.on, lambda text: say(f"ncnn-report: {text}"))

    def read(self, index: int, path: str, reading: ReadOptions) -> Source:
        """Return a model."""
        self.process.input = path
        given: list[str] = self.args.weights
        common = len(given) == 1 and not names_weights(given[0])
        weights = given[0] if common else given[index] if index < len(given) else None
        pnnx = self.args.pnnx if index == 0 else None
        return read_repaired(path, replace(reading, weights=weights), pnnx)

    def set_shapes(self, functions: Sequence[FuncOp]) -> None:
        """Set the input shapes of each model by its input names, and infer all other shapes."""
        names = [[input_name(f, i) for i in range(len(f.args))] for f in functions]
        for i, (path, func) in enumerate(zip(self.paths, functions, strict=True)):
            self.process.input = path
            infer(func)
            # A name that is an input of no model is an error, reported for the first model.
            others = {name for each in names[1:] for name in each} if i == 0 else self.shapes
            given = {n: s for n, s in self.shapes.items() if n in names[i] or n not in others}
            if given:
                set_input_shapes(func, given)

    def read_errors(self, path: str, facts: ModelFacts) -> dict[str, float]:
        """Return the measured noise by layer. Raises `UsageError` for measurements of another
        model."""
        with open(path, "rb") as f:
            noise = read_noise(f.read(), path)
        known = {row.name for row in facts.rows}
        if lost := [name for name in noise if name not in known]:
            raise UsageError(f"{path} is of another model: {facts.path} has no layer '{lost[0]}'")
        if not noise:
            raise UsageError(f"{path}: no layer was measured")
        return noise

    def add_ranges(self, func: FuncOp, facts: ModelFacts) -> None:
        """Add the ranges of values for the samples to the facts."""
        from ..analysis.float16.ranges import ranges_of
        from ..driver.samples import read_arrays

        samples, warnings = read_arrays(func, self.args.data)
        for message in warnings:
            say(f"ncnn-report: warning: {message}")
        names = samples.names()
        named = ((name, samples.load(i)) for i, name in enumerate(names))
        facts.ranges, unused = ranges_of(func, named)
        for name in unused:
            say(f"ncnn-report: warning: {name} is not used: its float32 outputs are not finite")
        if len(unused) == len(names):
            raise UsageError(f"{self.args.data}: no sample has finite float32 outputs")
        facts.notes.append(f"ranges of {plural(len(names) - len(unused), 'sample')}")

    def collect(self, func: FuncOp, path: str, notes: Sequence[str]) -> ModelFacts:
        """Return the facts of a model, with advice on unknown shapes."""
        self.process.input = path
        facts = collect(func, path, notes, look=self.args.html is not None)
        facts.notes += shape_advice(facts, self.shapes)
        if self.args.device is not None:
            place(facts, func, self.release)
        return facts


def report_one(arguments: list[str]) -> Mapping[str, int]:
    """Write the report of one of many models. Raises one of `USER_ERRORS`."""
    from .ncnn_report_main import make_parser

    args = make_parser().parse_args(arguments)
    with quiet(args.quiet):
        return Report(args, Command("ncnn-report")).write().figures()


def _take_kind_from_name(args: argparse.Namespace) -> None:
    """Set the kind of report by the ending of the output. Raises `UsageError` for two pages."""
    path: str = (args.output_file or "").lower()
    if path.endswith(".json"):
        args.json = True
    if path.endswith((".html", ".htm")) and not args.json:
        if args.html is None:
            args.html, args.output_file = args.output_file, None
        elif os.path.realpath(args.html) != os.path.realpath(args.output_file):
            raise UsageError(f"'{args.output_file}' would be a page, as '{args.html}' is")


def _is_same(path: str, other: str) -> bool:
    return os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other)
