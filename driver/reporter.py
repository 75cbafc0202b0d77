"""Reports of one model or of two: reading, the facts of each, and the files."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING

from xdsl.dialects.func import FuncOp

from ..analysis.shape_inference import infer, set_input_shapes
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.function import inputs_of
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weight_specs import Shape
from ..frontends import ReadOptions, is_weight_path
from ..report.device import place
from ..report.model import ModelFacts, collect
from ..report.model_comparison import ModelComparison
from ..report.noise import Int8Measurements, read_measured
from ..report.ranges import first_overflow
from ..report.report_files import rendered
from ..report.shared_texts import plural, shape_advice
from ..runtime.trial_shapes import Feed, by_name, feeds_of, words_for
from ..targets.atomic_files import OutputFiles, naming
from .errors import UsageError
from .model_files import InputModel
from .sidecar_files import read_repaired

if TYPE_CHECKING:
    from ..samples.sources import Samples

Say = Callable[[str], None]

TOLERANCE = 1e-3
"""The largest difference of two models' outputs, relative to an output's largest value."""


@dataclass(frozen=True)
class ReportRequest:
    """The options of a report."""

    paths: Sequence[str]
    """One model, or a model before and after changes."""
    reading: ReadOptions
    weights: Sequence[str]
    """The weights of the models in order, or `none` or `random` for both."""
    pnnx: str | None
    """The `.pnnx.param` of the first model."""
    shapes: Mapping[str, Shape]
    """Shapes of inputs by name."""
    data: str | None
    """The samples for ranges of values."""
    on: Sequence[str]
    """The addresses of devices that measure the models."""
    errors: str | None
    """The evaluation with the noise of each layer."""
    release: str | None
    """The release whose layers on a Vulkan device are listed."""
    look: bool
    """Whether facts include statistics of weights."""
    repeat: int | None = None
    """The number of measured runs in the runtime."""


class Reporter:
    """Collects the facts of a report."""

    def __init__(self, request: ReportRequest, say: Say, at: Say) -> None:
        """`say` receives warnings; `at` receives the path of a model when work on it begins."""
        self.request = request
        self.say = say
        self.at = at
        self.samples: Samples | None = None
        self.of_samples: dict[str, Feed] = {}
        """The shapes of inputs that the samples have, and the file does not."""

    def collect(self) -> list[ModelFacts]:
        """Return the facts of each model. Raises one of `USER_ERRORS`."""
        request = self.request
        sources, guesses = self._read_and_guess(request.reading)
        functions = [model_of(source.module) for source in sources]
        facts = [
            self._facts(func, path, source.warnings, guessed)
            for path, func, source, guessed in zip(
                request.paths, functions, sources, guesses, strict=True
            )
        ]
        if self.samples is not None:
            unused = add_ranges(functions[0], facts[0], self.samples)
            for name in unused:
                self.say(f"warning: {name} is not used: its float32 outputs are not finite")
            if len(unused) == len(self.samples.names()):
                raise UsageError(f"{request.data}: no sample has finite float32 outputs")
        if request.on:
            from .devices import measured_lines

            whole = self._read(replace(request.reading, structure_only=False))
            lines = measured_lines(whole, request.on, self.say)
            for each in facts:
                each.notes += lines
        if request.errors is not None:
            with open(request.errors, "rb") as f:
                found = read_measured(f.read(), request.errors)
            add_measured(facts, found, request.errors)
        if request.repeat is not None:
            self._measure(facts, request.repeat)
        return facts

    def _measure(self, facts: Sequence[ModelFacts], repeat: int) -> None:
        """Add the times of runs on random inputs to the facts, and the difference of two models'
        outputs. Raises one of `USER_ERRORS`."""
        from ..runtime.agreement import check_comparable
        from ..runtime.engines import check_runtime
        from ..runtime.trial_shapes import random_inputs, take_shapes
        from .latency import time_models
        from .run_model import verify_model

        check_runtime()
        sources = self._read(replace(self.request.reading, structure_only=False))
        first, *others = sources
        inputs, words = random_inputs(model_of(first.module))
        for other in others:
            check_comparable(model_of(first.module), model_of(other.module), other.path)
            modules = first.module, other.module
            found = verify_model(
                *modules, other.path, tolerance=TOLERANCE, engine="ncnn", by_default=True
            )
            facts[-1].error, facts[-1].agrees = found.error, bool(found)
            for each in facts:
                each.notes += [found.heading(), *replace(found, inputs="").explanations()]
        for source in sources:
            take_shapes(model_of(source.module), inputs)
        latency = time_models(sources, inputs, repeat)
        for index, each in enumerate(facts):
            times = latency.layer_medians(index)
            each.latency = latency.median(index)
            each.times = {row.name: times[row.label] for row in each.rows if row.label in times}
            each.notes += [*takewhile(bool, latency.lines()), f"measured with {words}"]

    def _read(self, reading: ReadOptions) -> list[InputModel]:
        return self._read_and_guess(reading)[0]

    def _read_and_guess(
        self, reading: ReadOptions
    ) -> tuple[list[InputModel], list[Mapping[str, Feed]]]:
        """Return the models, with shapes, and the guesses among these shapes."""
        sources: list[InputModel] = []
        given = self.request.weights
        for index, path in enumerate(self.request.paths):
            self.at(path)
            common = len(given) == 1 and not is_weight_path(given[0])
            weights = given[0] if common else given[index] if index < len(given) else None
            pnnx = self.request.pnnx if index == 0 else None
            sources.append(
                read_repaired(path, replace(reading, weights=weights), pnnx, self.request.shapes)
            )
        return sources, self._set_shapes([model_of(source.module) for source in sources])

    def _set_shapes(self, functions: Sequence[FuncOp]) -> list[Mapping[str, Feed]]:
        """Set the input shapes of each model by its input names, and infer all other shapes. Return
        the shapes of each model that are guesses (`runtime/trial_shapes.py`)."""
        names, shapes = [list(inputs_of(func)) for func in functions], self.request.shapes
        guesses: list[Mapping[str, Feed]] = []
        for i, (path, func) in enumerate(zip(self.request.paths, functions, strict=True)):
            self.at(path)
            infer(func)
            # A name that is an input of no model is an error, reported for the first model.
            others = {name for each in names[1:] for name in each} if i == 0 else shapes
            given = {n: s for n, s in shapes.items() if n in names[i] or n not in others}
            if given:
                set_input_shapes(func, given)
        if self.request.data is not None:
            self._take_samples(functions[0], self.request.data)
        for func in functions:
            guesses.append(self._guess_shapes(func, functions, guesses))
        return guesses

    def _take_samples(self, func: FuncOp, path: str) -> None:
        """Read the samples, and set the shapes of inputs that have no `--input-shape` to theirs."""
        from ..samples.reader import read_arrays

        if self.samples is None:
            self.samples = read_arrays(func, path, lambda text: self.say(f"warning: {text}"))
        args, chosen = inputs_of(func), self.request.shapes
        self.of_samples = {
            name: Feed(shape, "the shape of the samples")
            for name, shape in shapes_of(self.samples).items()
            if name not in chosen and static_shape_of(args[name]) != shape
        }
        set_shapes(func, self.of_samples)

    def _guess_shapes(
        self,
        func: FuncOp,
        functions: Sequence[FuncOp],
        earlier: Sequence[Mapping[str, Feed]],
    ) -> Mapping[str, Feed]:
        """Set and return the shapes of inputs that the file lacks or contradicts: the shape in the
        other model, the guess for it, or a guess."""
        chosen = self.request.shapes
        args = {name: arg for name, arg in inputs_of(func).items() if name not in chosen}
        known: dict[str, Feed] = {name: feed for each in earlier for name, feed in each.items()}
        for path, other in zip(self.request.paths, functions, strict=True):
            for name, arg in inputs_of(other).items():
                if name not in known and (shape := static_shape_of(arg)) is not None:
                    known[name] = Feed(shape, f"the shape in {os.path.basename(path)}")
        vague = [name for name, arg in args.items() if static_shape_of(arg) is None]
        found = {name: known[name] for name in vague if name in known}
        set_shapes(func, found)
        more = {name: f for name, f in by_name(func, feeds_of(func)).items() if name in args}
        set_shapes(func, more)
        return {**found, **more}

    def _facts(
        self, func: FuncOp, path: str, notes: Sequence[str], guessed: Mapping[str, Feed]
    ) -> ModelFacts:
        """Return the facts of a model, with advice on unknown shapes."""
        self.at(path)
        facts = collect(func, path, notes, look=self.request.look)
        facts.guessed = words_for({name: feed.shape for name, feed in guessed.items()}, {})
        if assumed := {**self.of_samples, **guessed}:
            shapes = {name: feed.shape for name, feed in assumed.items()}
            facts.notes.append(f"figures for {words_for(shapes, assumed)}")
        facts.notes += shape_advice(facts, self.request.shapes)
        if self.request.release is not None:
            place(facts, func, self.request.release)
        return facts


def set_shapes(func: FuncOp, feeds: Mapping[str, Feed]) -> None:
    """Set the shapes of inputs, and infer all other shapes."""
    args = inputs_of(func)
    if feeds:
        infer(func, {args[name]: feed.shape for name, feed in feeds.items()})


def shapes_of(samples: "Samples") -> Mapping[str, Shape]:
    """Return the shapes of the first sample by input name. Raises `UsageError`, `FormatError` and
    `OSError`."""
    return {name: values.shape for name, values in samples.load(0).items()}


def add_ranges(func: FuncOp, facts: ModelFacts, samples: "Samples") -> Sequence[str]:
    """Add the ranges of values for samples to the facts, with a note. Return the names of samples
    that are not used, because their float32 outputs are not finite."""
    from ..analysis.float16.ranges import ranges_of

    names = samples.names()
    named = ((name, samples.load(i)) for i, name in enumerate(names))
    facts.ranges, unused = ranges_of(func, named)
    if len(unused) < len(names):
        facts.notes.append(f"ranges of {plural(len(names) - len(unused), 'sample')}")
        if (label := first_overflow(facts)) is not None:
            facts.notes.append(f"first overflow: {label}")
    return unused


def add_measured(facts: Sequence[ModelFacts], found: Int8Measurements, path: str) -> None:
    """Add measurements to the facts of an int8 model, and to those of its float model if there are
    two. `path` names the measurements in messages. Raises `UsageError` for measurements of another
    model."""
    int8 = facts[-1]
    known = {row.name for row in int8.rows}
    if lost := [name for name in found.noise if name not in known]:
        raise UsageError(f"{path} is of another model: {int8.path} has no layer '{lost[0]}'")
    if not found.noise:
        raise UsageError(f"{path}: no layer was measured")
    int8.noise, int8.output_noise, int8.times = found.noise, found.outputs, found.int8_times
    if found.latency is not None:
        int8.latency = found.latency[1]
    if len(facts) > 1:
        facts[0].times = found.float_times
        facts[0].latency = None if found.latency is None else found.latency[0]


def write_reports(
    result: ModelFacts | ModelComparison,
    html: str | None,
    path: str | None,
    json: bool,
    width: int | None,
) -> str | None:
    """Write a report to the files that are given: as a page, and as text or JSON. Return the text
    for standard output, if the text has no file. `width` limits the lines of text."""
    outputs = {} if html is None else {html: rendered("page", result)}
    if html is None or json or path is not None:
        outputs[path or "-"] = rendered("json" if json else "text", result, width)
    with OutputFiles() as files:
        for name, text in outputs.items():
            if name != "-":
                with naming(name):
                    stream = files.create(name, "w")
                    stream.write(text.encode(errors="replace").decode())
                    stream.flush()
    return outputs.get("-")
