"""Runs of a model for `ncnn-run`: computing, comparing and measuring."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import isdir
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp

from ..analysis.adopted_shapes import adopt_shapes
from ..analysis.shape_inference import set_input_shapes
from ..dialects.ncnn.function import inputs_of
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weight_specs import Shape
from ..formats.columns import printable
from ..formats.errors import prefixed
from ..formats.file_names import is_source_model
from ..formats.verdicts import verdict
from ..frontends import ReadOptions, is_weight_path
from ..interpreters.errors import RunError
from ..interpreters.run import blobs_of
from ..report.model_comparison import compare as compare_reports
from ..report.report_files import facts_of, save_report
from ..runtime import ENGINES, PRECISIONS
from ..runtime.agreement import check_comparable, compare_models
from ..runtime.blob_comparison import compare, excerpt, first_differences, omitted, table
from ..runtime.custom_layers import CustomLayers
from ..runtime.engines import check_runtime, run_iree, run_ncnn, run_numpy
from ..runtime.latency import Latency
from ..runtime.trial_shapes import GUESS, random_inputs, take_shapes
from ..samples.images import Preprocessing
from ..targets.atomic_files import write_file
from .input_values import RANDOM, are_random, check_preprocessing, read_inputs
from .latency import time_models, trace_of
from .messages import print_note, print_result
from .model_files import InputModel
from .progress import Clock, Progress
from .run_model import names_of_blobs
from .sidecar_files import read_repaired

Blobs = Mapping[str, NDArray[Any]]

RUNTIME = "ncnn"
"""The value of `compare` for the runtime. Other values are names of engines or files."""

ALL_BLOBS = "--all-blobs"
"""The option for all blobs: as results, and as rows of a comparison."""

FULL = "full"
"""The value of `compare` for one call with all tokens."""


@dataclass(frozen=True)
class RunRequest:
    """The options of `ncnn-run`, by their names."""

    model: str
    reading: ReadOptions
    pnnx: str | None
    shapes: Mapping[str, Shape]
    input: Sequence[str]
    how: Preprocessing
    seed: int
    engine: str
    compare: str | None
    tolerance: float
    default_tolerance: bool
    """Whether the user chose no tolerance."""
    precision: str
    device: str
    custom_layers: CustomLayers
    no_packing: bool
    repeat: int | None
    on: Sequence[str]
    scheduler: str | None
    against: str | None
    threads: int | None
    trace: str | None
    report: str | None
    blobs: Sequence[str]
    """The names of the requested blobs; none: the outputs."""
    all_blobs: bool
    decode: str | None = None
    """The numbers of tokens, as `PREFILL+STEPS`; for a bundle also `STEPS` alone."""
    tokens: str | None = None
    """The prompt of a bundle: ids with commas between them, or a `.npy`."""
    prompt: str | None = None
    """The prompt of a bundle as text."""


@dataclass(frozen=True)
class RunOutcome:
    """The result of a run."""

    agrees: bool = True
    """Whether no comparison found errors."""
    blobs: Blobs | None = None
    """The requested blobs, unless the run only measures or compares."""
    error: float | None = None
    """The largest error of a comparison of two models or engines."""


class ModelRun:
    """One run."""

    def __init__(self, request: RunRequest) -> None:
        self.request = request
        self.fed = ""
        """The description of random inputs that the user did not request."""

    def execute(self) -> RunOutcome:
        """Run, compare or measure the model. Raises one of `USER_ERRORS`."""
        if self.request.decode is not None and isdir(self.request.model):
            return self.decode_bundle(self.request.decode)
        source = self.read(self.request.model)
        func = model_of(source.module)
        if self.request.decode is not None:
            return self.decode(source, self.request.decode)
        inputs = self.inputs(func)
        wanted = self.wanted(func)
        if self.request.on:
            return RunOutcome(self.measure_on_devices(source, inputs))
        if RUNTIME in (self.request.compare, self.request.engine):
            check_runtime()  # after all checks of options, before the work
        if self.request.repeat is not None:
            self.measure(source, inputs, self.request.repeat)
            return RunOutcome()
        if self.request.compare is None:
            return RunOutcome(True, self.compute(self.request.engine, source, inputs, wanted))
        if is_source_model(self.request.compare):
            return RunOutcome(self.compare_with_source(source, inputs, self.request.compare))
        if self.request.compare not in ENGINES:
            other = self.read(self.request.compare)
            return self.compare_models(source, other, inputs, wanted)
        # Requesting every intermediate blob changes how native code is compiled.
        native = "iree" in (self.request.engine, self.request.compare)
        names = wanted if native else list(blobs_of(func))
        blobs = self.compute(self.request.engine, source, inputs, names)
        agrees, error = self.compare(source, self.request.compare, inputs, blobs)
        return RunOutcome(agrees, {name: blobs[name] for name in wanted}, error)

    def decode_bundle(self, decode: str) -> RunOutcome:
        """Decode with a bundle, and print tokens and figures. Raises one of `USER_ERRORS`."""
        from .bundles.token_generation import BundleRequest, decode_bundle

        request = self.request
        found = decode_bundle(
            BundleRequest(
                folder=request.model,
                decode=decode,
                tokens=request.tokens,
                prompt=request.prompt,
                input=request.input,
                seed=request.seed,
                repeat=request.repeat or 1,
                compare=request.compare,
                full=request.compare == FULL,
                tolerance=request.tolerance,
            )
        )
        for line in found.lines:
            print_result(line)
        return RunOutcome(found.agrees, found.blobs)

    def decode(self, source: InputModel, text: str) -> RunOutcome:
        """Decode with the model's caches, and print the figures. Raises one of `USER_ERRORS`."""
        from .decoder import decode, parse_tokens

        request, func = self.request, model_of(source.module)
        specs = [spec for spec in request.input if spec != RANDOM]
        given = read_inputs(func, specs, request.how, request.seed) if specs else {}
        full = request.compare == FULL
        other = None if full or request.compare is None else self.read(request.compare)
        found = decode(
            source,
            given,
            parse_tokens(text),
            seed=request.seed,
            repeat=request.repeat or 1,
            full=full,
            other=other,
            tolerance=request.tolerance,
        )
        print_result(printable("\n".join(found.lines)))
        return RunOutcome(found.agrees, found.blobs)

    def read(self, path: str) -> InputModel:
        """Return the model in a file, with the shapes of `--input-shape` for its inputs.
        (`--weights FILE` is for the first model.)"""
        reading = self.request.reading
        if path != self.request.model:
            weights = None if is_weight_path(reading.weights) else reading.weights
            reading = replace(reading, weights=weights, custom_types_optional=True)
        pnnx = self.request.pnnx if path == self.request.model else None
        source = read_repaired(path, reading, pnnx, self.request.shapes)
        for message in source.warnings:
            report(f"warning: {message}")
        func = model_of(source.module)
        known = {n: s for n, s in self.request.shapes.items() if n in inputs_of(func)}
        if shapes := self.request.shapes if path == self.request.model else known:
            set_input_shapes(func, shapes)
        return source

    def inputs(self, func: FuncOp) -> Blobs:
        """Return the values of the inputs. Comparisons and measurements use random values by
        default. Random values have shapes that the model determines where it declares none."""
        given, by_default = self.request.input, self.request.compare is not None or self.measures
        if not (are_random(func, given) if given else by_default):
            values = read_inputs(func, self.request.input, self.request.how, self.request.seed)
            try:
                warnings = adopt_shapes(func, {n: v.shape for n, v in values.items()})
            except RunError as e:
                if self.request.compare is not None and is_source_model(self.request.compare):
                    return values  # the comparison finds the layer that causes the contradiction
                raise RunError(f"{self.request.model}: {e}") from e
            for message in warnings:
                report(f"warning: {message}")
            return values
        if given:
            check_preprocessing(self.request.how, [RANDOM])
        values, words = random_inputs(func, self.request.seed)
        if not given or GUESS in words:  # what the user asked for needs no words
            self.fed = words
        if not by_default and self.fed:
            report(f"random values of {words}")
        take_shapes(func, values)
        return values

    @property
    def measures(self) -> bool:
        """Whether times are measured, here or on devices."""
        return self.request.repeat is not None or bool(self.request.on)

    def wanted(self, func: FuncOp) -> Sequence[str]:
        """Return the names of the requested blobs."""
        if self.request.all_blobs:
            return list(blobs_of(func))
        return names_of_blobs(func, self.request.blobs)

    def compute(
        self, engine: str, source: InputModel, inputs: Blobs, names: Sequence[str]
    ) -> Blobs:
        """Return these blobs, computed by one of `ENGINES`. Raises one of `USER_ERRORS`."""
        with prefixed(RunError, source.path):
            if engine == "ncnn":
                packing = not self.request.no_packing
                setting = packing, self.request.precision, self.request.device
                setting = *setting, self.request.custom_layers
                return run_ncnn(source.module, inputs, names, source.files(), *setting)
            if engine == "iree":
                with Clock(f"compiling {source.path}") as clock:
                    return run_iree(source.module, inputs, names, clock.tick)
            count = len(model_of(source.module).body.block.ops)
            with Progress(f"running {source.path}", count) as progress:
                return run_numpy(source.module, inputs, names, progress.update)

    def compare_models(
        self, source: InputModel, other: InputModel, inputs: Blobs, wanted: Sequence[str]
    ) -> RunOutcome:
        """Print the differences of two models in their common blobs."""
        one, two = model_of(source.module), model_of(other.module)
        check_comparable(one, two, other.path)
        take_shapes(two, inputs)
        theirs = {name: inputs[name] for name in inputs_of(two) if name in inputs}
        blobs: dict[str, NDArray[Any]] = {}
        engine = self.request.engine

        def run_first(names: Sequence[str]) -> Blobs:
            blobs.update(self.compute(engine, source, inputs, [*{*names, *wanted}]))
            return {name: blobs[name] for name in names}

        def run_second(names: Sequence[str]) -> Blobs:
            return self.compute(engine, other, theirs, names)

        request = self.request
        found = compare_models(
            one,
            two,
            run_first,
            run_second,
            request.tolerance,
            inputs=self.fed,
            all_blobs=True,
            by_default=request.default_tolerance,
        )
        whole = self.request.all_blobs
        print_result(str(found) if whole else found.excerpt(self.request.blobs, ALL_BLOBS))
        return RunOutcome(bool(found), {name: blobs[name] for name in wanted}, found.error)

    def compare_with_source(self, source: InputModel, inputs: Blobs, other: str) -> bool:
        """Print the first difference from the model of PyTorch. Return whether there is none."""
        from .source_models import compare_with_file

        request = self.request
        found = compare_with_file(
            source.module,
            self.request.model,
            inputs,
            other,
            tolerance=request.tolerance,
            engine=request.engine,
            files=source.files(),
        )
        found.inputs = self.fed
        print_result(str(found))
        return bool(found)

    def measure(self, source: InputModel, inputs: Blobs, repeat: int) -> None:
        """Print the latency of the model and of the model of `--against`; write the report."""
        sources = self.measured_sources(source)
        request = self.request
        with Clock("measuring") as clock:
            how = repeat, request.threads or 1, request.engine, clock.tick
            found = time_models(sources, inputs, *how)
        if request.trace is not None:
            write_file(request.trace, trace_of(found))
        self.print_measurement(sources, found.lines(), found)

    def measure_on_devices(self, source: InputModel, inputs: Blobs) -> bool:
        """Print the latency on the devices of `--on-device`; write the report. Return whether the
        outputs there agree with the reference."""
        from .devices import MeasuringOptions, lines_of, run_on_devices

        request = self.request
        plan = MeasuringOptions(threads=request.threads or 1, by_layer=True)
        plan = plan if request.repeat is None else replace(plan, pairs=request.repeat)
        sources = self.measured_sources(source)
        found = run_on_devices(
            sources, inputs, request.on, plan, request.tolerance, report, request.scheduler
        )
        agreeing = sum(each.agrees for each in found)
        reason = f"the outputs on {agreeing} of {len(found)} devices agree with the reference"
        agrees = agreeing == len(found)
        self.print_measurement(sources, [*lines_of(found), verdict(agrees, reason)])
        return agrees

    def measured_sources(self, source: InputModel) -> list[InputModel]:
        """Return the model, and the model of `--against`."""
        against = self.request.against
        sources = [source] if against is None else [source, self.read(against)]
        for other in sources[1:]:
            check_comparable(model_of(source.module), model_of(other.module), other.path)
        return sources

    def print_measurement(
        self, sources: Sequence[InputModel], lines: list[str], latency: Latency | None = None
    ) -> None:
        """Print a measurement and write it to the report, with the times of a latency."""
        request = self.request
        if self.fed:
            lines.append(f"measured with {self.fed}")
        print_result(printable("\n".join(lines)))
        if request.report is not None:
            facts = [facts_of(s.module, s.path, s.warnings) for s in sources]
            for each in facts:  # the lines are about both models
                each.notes += [line for line in lines if line]
            if latency is not None:
                for index, each in enumerate(facts):
                    each.latency, times = latency.median(index), latency.layer_medians(index)
                    each.times = {r.name: times[r.label] for r in each.rows if r.label in times}
            save_report(request.report, facts[0] if len(facts) == 1 else compare_reports(*facts))
            report(f"wrote {request.report}")

    def compare(
        self, source: InputModel, engine: str, inputs: Blobs, blobs: Blobs
    ) -> tuple[bool, float]:
        """Print the differences of another engine's blobs. Return whether all are within the
        tolerance, and the largest error."""
        expected = self.compute(engine, source, inputs, list(blobs))
        rows = list(compare(model_of(source.module), expected, blobs))
        limit = self.request.tolerance
        shown = excerpt(rows, limit, self.wanted(model_of(source.module)))
        print_result("\n".join([table(shown, limit), *omitted(rows, shown, ALL_BLOBS)]))
        worst = max(rows, key=lambda row: row.error or 0)
        error = worst.error or 0
        if self.request.precision != PRECISIONS[0]:
            for line in first_differences(rows, limit):
                print_result(printable(line))
        if self.fed:
            print_result(printable(f"compared with {self.fed}"))
        agrees = not any(row.exceeds(limit) for row in rows)
        reason = f"largest error: {error:.3g} at '{worst.blob}', limit {limit:g}"
        print_result(printable(verdict(agrees, reason)))
        return agrees, error


def report(text: str) -> None:
    """Print a message of the command."""
    print_note(f"ncnn-run: {text}")
