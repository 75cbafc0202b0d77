"""The work of `ncnn-run`."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp

from ..analysis.shape_inference import set_input_shapes
from ..dialects.ncnn.function import inputs_of
from ..dialects.ncnn.lookup import model_of
from ..driver.companions import read_repaired
from ..driver.errors import UsageError
from ..driver.files import Source
from ..driver.images import Preprocessing
from ..driver.input_values import read_inputs
from ..driver.output_values import read_labels, summary, top_classes, write_npz
from ..driver.running import names_of_blobs
from ..driver.timing import time_models, trace_of
from ..formats.columns import printable
from ..formats.file_names import is_source_model
from ..frontends import names_weights
from ..interpreters.errors import RunError
from ..interpreters.run import blobs_of
from ..report.comparison import compare as compare_reports
from ..report.saving import facts_of, save_report
from ..runtime import DEVICES, ENGINES, PRECISIONS
from ..runtime.agreement import agreement, check_comparable, shared_blobs
from ..runtime.comparison import compare, first_differences, table
from ..runtime.engines import check_runtime, run_iree, run_ncnn, run_numpy
from ..runtime.feeding import adopt_shapes, random_inputs, take_shapes
from ..targets.files import OutputFiles, check_writable
from ..targets.overwriting import check_unread
from .messages import print_result, say
from .ncnn_run_main import TOLERANCES
from .parsers import reading_options
from .pass_options import parse_input_shapes
from .process import Command
from .progress import Clock, Progress

Blobs = Mapping[str, NDArray[Any]]

RUNTIME = "ncnn"
"""The value of `--compare` for the runtime. Other values are names of engines or files."""

TIMED = ("ncnn", "iree")
"""The engines that `--repeat` measures."""


def check_meant(args: argparse.Namespace) -> None:
    """Raise `UsageError` for options without effect, and set the default tolerance."""
    if args.on:
        check_devices(args)
        return
    if args.tolerance is not None and args.compare is None:
        raise UsageError("--tolerance is for --compare and --on")
    if args.scheduler is not None:
        raise UsageError("--scheduler is for --on")
    if args.no_packing and args.compare is None and args.engine != "ncnn":
        raise UsageError("--no-packing is for the ncnn runtime: --engine ncnn or --compare")
    runs_ncnn = RUNTIME in (args.engine, args.compare) and args.repeat is None
    for option, default in (("precision", PRECISIONS[0]), ("device", DEVICES[0])):
        if getattr(args, option) != default and not runs_ncnn:
            raise UsageError(f"--{option} is for the ncnn runtime: --engine ncnn or --compare ncnn")
    if args.repeat is not None and args.engine not in TIMED:
        raise UsageError("--repeat measures the ncnn runtime or native code: --engine ncnn or iree")
    if args.trace is not None and args.engine != RUNTIME:
        raise UsageError("--trace is of layers in the ncnn runtime: --engine ncnn")
    for option in ("against", "threads", "report"):
        if getattr(args, option) is not None and args.repeat is None:
            raise UsageError(f"--{option} is for --repeat and --on")
    if args.trace is not None and args.repeat is None:
        raise UsageError("--trace is for --repeat")
    if args.repeat is not None and (args.compare or args.output or args.top):
        raise UsageError("--repeat only measures: give no --compare, --output or --top")
    if args.compare is not None and is_source_model(args.compare):
        if args.engine not in ("numpy", "ncnn"):
            raise UsageError(f"--compare {args.compare} is for the engines numpy and ncnn")
        if args.output or args.top or args.blob or args.all_blobs:
            raise UsageError(
                f"--compare {args.compare} only compares: give no --output, --blob or --top"
            )
    if args.tolerance is None:
        args.tolerance = TOLERANCES[args.precision]


def check_devices(args: argparse.Namespace) -> None:
    """Raise `UsageError` for options without effect on devices."""
    if args.compare or args.output or args.top or args.blob or args.all_blobs or args.no_packing:
        raise UsageError(
            "--on only measures: give no --compare, --output, --blob, --top or --no-packing"
        )
    if args.engine == "iree":
        raise UsageError("--on measures the ncnn runtime of a device: give no --engine iree")
    for option, default in (("precision", PRECISIONS[0]), ("device", DEVICES[0]), ("trace", None)):
        if getattr(args, option) != default:
            raise UsageError(f"--on measures the runtime as the device runs it: give no --{option}")


class Run:
    """A checked command line of `ncnn-run`. Raises `UsageError`."""

    def __init__(self, args: argparse.Namespace, process: Command) -> None:
        self.args = args
        if args.model is None:
            raise UsageError("there is no model; see --help")
        self.path: str = args.model
        self.fed = ""
        """The description of random inputs that the user did not request."""
        process.input = self.path
        self.reading = reading_options(args, args.weights)
        self.shapes = parse_input_shapes(args.input_shape)
        self.labels = [] if args.labels is None else read_labels(args.labels)
        if args.labels is not None and args.top is None:
            raise UsageError("--labels is for --top")
        if args.compare in ENGINES and args.compare == args.engine:
            raise UsageError(f"--compare {args.compare} is for another --engine")
        check_meant(args)
        if args.output is not None and not args.output.endswith(".npz"):
            raise UsageError(f"--output writes .npz, not '{args.output}'")
        if args.output is not None:
            # An input is `NAME=FILE` or a file.
            sources = [s for spec in args.input for s in (spec, spec.partition("=")[2])]
            beside = filter(None, [args.weights, args.pnnx])
            check_unread(args.output, [self.path, *beside, *sources])
            check_writable(args.output)
        if args.trace is not None:
            check_unread(args.trace, [self.path, *filter(None, [args.against, args.report])])
            check_writable(args.trace)

    def execute(self) -> bool:
        """Run, compare or measure the model. Return `False` if a comparison found errors."""
        source = self.read(self.path)
        func = model_of(source.module)
        how = Preprocessing(self.args.mean, self.args.norm, self.args.to_rgb)
        inputs = self.inputs(func, how)
        wanted = self.wanted(func)
        if self.args.on:
            return self.measure_on_devices(source, inputs)
        if RUNTIME in (self.args.compare, self.args.engine):
            check_runtime()  # after all checks of options, before the work
        if self.args.repeat is not None:
            self.measure(source, inputs)
            return True
        if self.args.compare is None:
            self.show(self.compute(self.args.engine, source, inputs, wanted))
            return True
        if is_source_model(self.args.compare):
            return self.compare_with_source(source, inputs)
        if self.args.compare not in ENGINES:
            other = self.read(self.args.compare)
            return self.compare_models(source, other, inputs, wanted)
        # Requesting every intermediate blob changes how native code is compiled.
        native = "iree" in (self.args.engine, self.args.compare)
        names = wanted if native else list(blobs_of(func))
        blobs = self.compute(self.args.engine, source, inputs, names)
        agree = self.compare(source, func, inputs, blobs)
        self.show({name: blobs[name] for name in wanted})
        return agree

    def read(self, path: str) -> Source:
        """Return the model in a file, with the shapes of `--input-shape` for its inputs.
        (`--weights FILE` is for the first model.)"""
        reading = self.reading
        if path != self.path:
            weights = None if names_weights(reading.weights) else reading.weights
            reading = replace(reading, weights=weights, custom_types_optional=True)
        pnnx = self.args.pnnx if path == self.path else None
        source = read_repaired(path, reading, pnnx)
        for message in source.warnings:
            say(f"ncnn-run: warning: {message}")
        func = model_of(source.module)
        known = {n: s for n, s in self.shapes.items() if n in inputs_of(func)}
        if shapes := self.shapes if path == self.path else known:
            set_input_shapes(func, shapes)
        return source

    def inputs(self, func: FuncOp, how: Preprocessing) -> Blobs:
        """Return the values of the inputs. Comparisons and measurements use random values by
        default."""
        if self.args.input or (self.args.compare is None and not self.measures):
            values = read_inputs(func, self.args.input, how, self.args.seed)
            try:
                warnings = adopt_shapes(func, {n: v.shape for n, v in values.items()})
            except RunError as e:
                if self.args.compare is not None and is_source_model(self.args.compare):
                    return values  # the comparison finds the layer that causes the contradiction
                raise RunError(f"{self.path}: {e}") from e
            for message in warnings:
                say(f"ncnn-run: warning: {message}")
            return values
        values, words = random_inputs(func, self.args.seed)
        self.fed = words
        take_shapes(func, values)
        return values

    @property
    def measures(self) -> bool:
        """Whether times are measured, here or on devices."""
        return self.args.repeat is not None or bool(self.args.on)

    def wanted(self, func: FuncOp) -> Sequence[str]:
        """Return the names of the requested blobs."""
        if self.args.all_blobs:
            return list(blobs_of(func))
        return names_of_blobs(func, [n for spec in self.args.blob for n in spec.split(",") if n])

    def compute(self, engine: str, source: Source, inputs: Blobs, names: Sequence[str]) -> Blobs:
        """Return these blobs, computed by one of `ENGINES`. Raises one of `USER_ERRORS`."""
        try:
            if engine == "ncnn":
                packing = not self.args.no_packing
                setting = packing, self.args.precision, self.args.device
                return run_ncnn(source.module, inputs, names, source.files(), *setting)
            if engine == "iree":
                with Clock(f"compiling {source.path}") as clock:
                    return run_iree(source.module, inputs, names, clock.tick)
            count = len(model_of(source.module).body.block.ops)
            with Progress(f"running {source.path}", count) as progress:
                return run_numpy(source.module, inputs, names, progress.update)
        except RunError as e:
            raise RunError(f"{source.path}: {e}") from e

    def compare_models(
        self, source: Source, other: Source, inputs: Blobs, wanted: Sequence[str]
    ) -> bool:
        """Print the differences of two models in their common blobs. Return whether their outputs
        agree."""
        one, two = model_of(source.module), model_of(other.module)
        check_comparable(one, two, other.path)
        take_shapes(two, inputs)
        names = shared_blobs(one, two)
        expected = self.compute(self.args.engine, source, inputs, [*{*names, *wanted}])
        theirs = {name: inputs[name] for name in inputs_of(two) if name in inputs}
        actual = self.compute(self.args.engine, other, theirs, names)
        common = {name: expected[name] for name in names}
        found = agreement(one, common, actual, self.args.tolerance, self.fed)
        print_result(str(found))
        self.show({name: expected[name] for name in wanted})
        return bool(found)

    def compare_with_source(self, source: Source, inputs: Blobs) -> bool:
        """Print the first difference from the model of PyTorch. Return whether there is none."""
        from ..driver.source_models import compare_with_file

        args = self.args
        found = compare_with_file(
            source.module,
            self.path,
            inputs,
            args.compare,
            tolerance=args.tolerance,
            engine=args.engine,
            files=source.files(),
        )
        found.inputs = self.fed
        print_result(str(found))
        return bool(found)

    def measure(self, source: Source, inputs: Blobs) -> None:
        """Print the latency of the model and of the model of `--against`; write the report."""
        sources = self.measured_sources(source)
        args = self.args
        with Clock("measuring") as clock:
            how = args.repeat, args.threads or 1, args.engine, clock.tick
            found = time_models(sources, inputs, *how)
        if args.trace is not None:
            with OutputFiles() as files:
                files.create(args.trace, "w").write(trace_of(found))
        self.print_measurement(sources, found.lines())

    def measure_on_devices(self, source: Source, inputs: Blobs) -> bool:
        """Print the latency on the devices of `--on`; write the report. Return whether the outputs
        there agree with the reference."""
        from ..driver.devices import TOLERANCE, Plan, lines_of, run_on_devices

        args = self.args
        plan = Plan(threads=args.threads or 1, by_layer=True)
        plan = plan if args.repeat is None else replace(plan, pairs=args.repeat)
        sources = self.measured_sources(source)
        tolerance = TOLERANCE if args.tolerance is None else args.tolerance
        found = run_on_devices(
            sources,
            inputs,
            args.on,
            plan,
            tolerance,
            lambda text: say(f"ncnn-run: {text}"),
            args.scheduler,
        )
        self.print_measurement(sources, lines_of(found))
        return all(each.agrees for each in found)

    def measured_sources(self, source: Source) -> list[Source]:
        """Return the model, and the model of `--against`."""
        against = self.args.against
        sources = [source] if against is None else [source, self.read(against)]
        for other in sources[1:]:
            check_comparable(model_of(source.module), model_of(other.module), other.path)
        return sources

    def print_measurement(self, sources: Sequence[Source], lines: list[str]) -> None:
        """Print a measurement and write it to the report."""
        args = self.args
        if self.fed:
            lines.append(f"measured with {self.fed}")
        print_result(printable("\n".join(lines)))
        if args.report is not None:
            facts = [facts_of(s.module, s.path, s.warnings) for s in sources]
            facts[-1].notes += [line for line in lines if line]
            save_report(args.report, facts[0] if len(facts) == 1 else compare_reports(*facts))
            say(f"ncnn-run: wrote {args.report}")

    def compare(self, source: Source, func: FuncOp, inputs: Blobs, blobs: Blobs) -> bool:
        """Print the differences of another engine's blobs. Return whether all are within the
        tolerance."""
        expected = self.compute(self.args.compare, source, inputs, list(blobs))
        rows = list(compare(func, expected, blobs))
        print_result(table(rows, self.args.tolerance))
        worst = max(rows, key=lambda row: row.error or 0)
        error, limit = worst.error or 0, self.args.tolerance
        print_result(printable(f"largest error: {error:.3g} at '{worst.blob}', limit {limit:g}"))
        if self.args.precision != PRECISIONS[0]:
            for line in first_differences(rows, limit):
                print_result(printable(line))
        if self.fed:
            print_result(printable(f"compared with {self.fed}"))
        return not any(row.exceeds(limit) for row in rows)

    def show(self, blobs: Blobs) -> None:
        """Write or print the results."""
        args = self.args
        if args.output is not None:
            with OutputFiles() as files:
                write_npz(files.create(args.output, "wb"), blobs)
        if args.top is not None:
            for name, value in blobs.items():
                print_result(top_classes(name, value, args.top, self.labels))
        elif args.output is None and args.compare is None:
            print_result(summary(blobs))
