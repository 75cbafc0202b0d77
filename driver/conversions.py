"""`ncnn-export`: a model from its source to a compared and measured file, step by step."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..formats.columns import aligned, printable
from ..interpreters.errors import RunError
from ..quantization.blob_errors import snr_of
from ..runtime.process import Runtime
from ..targets import Output
from ..targets.atomic_files import check_writable
from ..targets.output_checks import Origin
from ..targets.param.export import summarize
from .api_pipelines import passes_of_optimize
from .errors import UsageError
from .export_checks import ModuleSample, blobs_of, output_errors, outputs_of
from .latency import time_models
from .model_files import InputModel, read_model, write_model
from .pipelines import make_pass, run_pipeline
from .pytorch_export import FLOAT16, ExportOptions, export_module
from .source_files import SourceFile

FLOAT16_LIMIT = 0.05
"""The largest error of an output by weights that are rounded to float16, relative to its largest
value. It is usually 0.001 to 0.01."""

RUNS = 20
"""The number of measured runs of each model."""


@dataclass(frozen=True)
class Wishes:
    """What is asked of a conversion."""

    output: str
    optimize: bool = True
    fp16: bool = True
    tolerance: float = 1e-3
    keep_going: bool = False
    measure: bool = True


@dataclass
class ConversionStage:
    """A model on the way."""

    name: str
    source: InputModel
    errors: Mapping[str, float] = field(default_factory=dict[str, float])
    """The largest error of each output against the source, relative to its largest value."""
    snr: float | None = None
    """The least signal-to-noise ratio of an output in dB, of an int8 model."""
    milliseconds: float | None = None

    def row(self) -> list[str]:
        summary = summarize(self.source.module)
        layers, weights = ("?", "?") if summary is None else (summary.layers, summary.weight_bytes)
        error = max(self.errors.values(), default=0.0)
        found = f"{error:.2g}" if self.snr is None else f"{self.snr:.1f} dB"
        ms = "" if self.milliseconds is None else f"{self.milliseconds:.2f}"
        return [self.name, f"{layers:,}", f"{weights:,}", found, ms]


@dataclass
class Conversion:
    """The result: stages, and the verdict."""

    stages: list[ConversionStage]
    steps: list[str]
    problem: str = ""
    """The reason why the result is not right, or empty."""

    def lines(self, name: str) -> list[str]:
        """Return the table and the verdict."""
        head = ["", "layers", "bytes of weights", f"error against {printable(name)}", "ms"]
        rows = [head, *(stage.row() for stage in self.stages)]
        if all(stage.milliseconds is None for stage in self.stages):
            rows = [row[:-1] for row in rows]
        return [*aligned(rows, 1), self.verdict()]

    def verdict(self) -> str:
        """Return the line that begins with `PASSED` or `FAILED`."""
        if self.problem:
            return f"FAILED: {self.problem}"
        last = self.stages[-1]
        where = "in the ncnn runtime" if Runtime.is_there() else "in NumPy"
        error = max(max(s.errors.values(), default=0.0) for s in self.stages if s.snr is None)
        words = f"PASSED: each output agrees {where}, largest error {error:.2g}"
        return words if last.snr is None else f"{words}; int8: {last.snr:.1f} dB at least"


Quantizer = Callable[[str, str], bool]
"""Writes the int8 model of a float model, given the names of both files. Returns whether its error
is within the limits of the user."""


def convert(
    source: SourceFile,
    wishes: Wishes,
    scratch: Path,
    say: Callable[[str], None],
    quantizer: Quantizer | None = None,
) -> Conversion:
    """Convert a model and write it. A model that is not right is written only to keep going. Raises
    one of `USER_ERRORS`."""
    if not wishes.output.endswith(".param"):
        raise UsageError(f"-o writes a .param, not '{wishes.output}'")
    check_writable(wishes.output)
    say(f"converting {source.name} with PNNX")
    plain = str(scratch / "converted.param")
    options = ExportOptions(
        optimize=False, fp16=False, tolerance=wishes.tolerance, keep_going=wishes.keep_going
    )
    exported = export_module(source.function, source.inputs, plain, options)
    samples = exported.samples
    steps = [step for step in exported.steps if not step.endswith(plain)]
    result = Conversion([], steps, exported.problem)

    def stage(name: str, source: InputModel) -> ConversionStage:
        return ConversionStage(name, source, _errors(source.module, wishes.output, samples))

    _check(stage("converted", read_model(plain)), wishes.tolerance, result)
    # (`repaired`: the module is no longer that of the file)
    model: InputModel = read_model(plain)._replace(path=wishes.output, repaired=True)
    storage = FLOAT16 if wishes.fp16 and quantizer is None else None
    if wishes.optimize:
        say("optimizing")
        passes = passes_of_optimize(model.module, storage=storage)
        run_pipeline(model.module, passes, wishes.output)
        _check(stage("-O", model), wishes.tolerance, result)
    if storage is not None:
        stored = model._replace(module=model.module.clone())
        run_pipeline(stored.module, [make_pass("convert-storage", FLOAT16)], wishes.output)
        advice = "; --fp32 keeps the weights in float32"
        _check(stage("fp16 weights", stored), FLOAT16_LIMIT, result, advice)
    if quantizer is not None:
        say("quantizing")
        _quantized(plain, scratch, samples, result, quantizer)
    final = result.stages[-1]
    if wishes.measure and Runtime.is_there():
        say("measuring")
        _measure(result.stages[0], final, samples[0])
    if not result.problem or wishes.keep_going:
        write_model(final.source.module, Output(wishes.output, origin=Origin(wishes.output)))
    return result


def _errors(module: ModuleOp, path: str, samples: Sequence[ModuleSample]) -> dict[str, float]:
    """Return the largest error of each output over the samples, infinite for a model that does not
    run."""
    found: dict[str, float] = {}
    for sample in samples:
        try:
            errors = output_errors(module, path, sample)
        except RunError:
            return {"": float("inf")}
        found = {name: max(error, found.get(name, 0.0)) for name, error in errors.items()}
    return found


def _check(stage: ConversionStage, limit: float, into: Conversion, advice: str = "") -> None:
    """Add a stage, and the problem if it is the first one."""
    into.stages.append(stage)
    wrong = {name: error for name, error in stage.errors.items() if not error <= limit}
    if wrong and not into.problem:
        name, error = max(wrong.items(), key=lambda item: item[1])
        into.problem = (
            f"{stage.name}: output '{name}' differs by {error:.2g}, limit {limit:g}{advice}"
        )


def _quantized(
    plain: str,
    scratch: Path,
    samples: Sequence[ModuleSample],
    into: Conversion,
    quantizer: Quantizer,
) -> None:
    path = str(scratch / "int8.param")
    within = quantizer(plain, path)
    stage = ConversionStage("int8", read_model(path))
    into.stages.append(stage)
    stage.snr = min(_least_snr(stage.source.module, path, sample) for sample in samples)
    if not within:
        into.problem = into.problem or "the error of int8 exceeds the limit"
    elif not np.isfinite(stage.snr):
        into.problem = into.problem or "the int8 model has outputs that are not finite"


def _least_snr(module: ModuleOp, path: str, sample: ModuleSample) -> float:
    """Return the least signal-to-noise ratio of an output in dB, -inf if an output is not finite or
    has another shape."""
    found: list[float] = []
    for exact, made in outputs_of(module, path, sample).values():
        if exact.shape != made.shape or not np.isfinite(made).all():
            return -np.inf
        a, b = exact.astype("f8"), made.astype("f8")
        noise = float(((a - b) ** 2).sum())
        found.append(snr_of(noise / float((a * a).sum() or 1.0)))
    return min(found)


def _measure(first: ConversionStage, last: ConversionStage, sample: ModuleSample) -> None:
    """Measure two models in turn."""
    inputs = blobs_of(last.source.module, last.source.path, sample.inputs)
    several = [first.source] if first is last else [first.source, last.source]
    with suppress(RunError):  # the model is wrong, which its errors say
        found = time_models(several, inputs, RUNS)
        first.milliseconds = found.median(0)
        last.milliseconds = found.median(len(several) - 1)
