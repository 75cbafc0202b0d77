"""The work of `ncnn-optimize`, with the files and the messages of ncnnoptimize.

A build script that calls ncnnoptimize keeps its arguments.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..analysis.input_shapes import shape_faults
from ..dialects.ncnn.lookup import model_of
from ..frontends import ReadOptions
from ..report.model import ModelFacts, collect
from ..targets import Output, targets
from ..transforms.rewriting.remarks import listening
from .faults import describe_faults
from .messages import Figures, print_note
from .model_files import compile_model, read_model
from .optimizer_log import StepLog
from .pipelines import run_pipeline
from .progress import Progress
from .releases import watching_releases
from .unsupported_layers import describe_missing, missing_layers, repairs_of


@dataclass(frozen=True)
class DropInRequest:
    """The options of ncnnoptimize, and ours."""

    in_param: str
    out_param: str
    out_bin: str
    reading: ReadOptions
    preparation: Sequence[ModulePass]
    """The first passes: release, tuning, specialization, cutting, shapes."""
    optimization: Sequence[ModulePass]
    """The passes of `-O`, shapes and storage."""
    release: str | None = None
    """The release that must run the result, if one is given."""


def optimize(request: DropInRequest) -> None:
    """Read, optimize and write a model. Raises one of `USER_ERRORS`."""
    source = read_model(request.in_param, request.reading)
    for message in source.warnings:
        print_note(f"warning: {message}")
    output = Output(request.out_param, request.out_bin, source.origin, progress=Progress)

    def transform(module: ModuleOp) -> None:
        with watching_releases(module, source.path, request.release) as releases:
            run_pipeline(module, [*repairs_of(module), *request.preparation], source.path)
            log = StepLog(model_of(module), print_note)
            with listening(log):
                run_pipeline(module, request.optimization, source.path)
        log.finish()
        for line, figures in describe_estimate(module):
            print_note(line, figures)
        for line in describe_missing(missing_layers(module)):
            print_note(line)
        for line in describe_faults(module):
            print_note(line)
        for line in releases.lines():
            print_note(line)

    compile_model(source, output, transform, target=targets()["param"])


def describe_estimate(module: ModuleOp) -> list[tuple[str, Figures]]:
    """Return the peak memory and the multiply-adds of a model as lines with their figures, if all
    shapes are static."""
    func = model_of(module)
    if (fault := next(shape_faults(func), None)) is not None:
        return [(f"no estimate of memory and MACs, and no shape hints: {fault}", {})]
    facts = collect(func, "")
    if facts.unknown_shapes():
        return [(f"no estimate of memory and MACs: {_unknown(facts)}", {})]
    peak, macs = facts.peak.known, facts.macs.known
    memory = f"estimated memory footprint = {peak / 1024:.2f} KB = {peak / 1024**2:.2f} MB"
    lines: list[tuple[str, Figures]] = [(memory, {"peak_bytes": peak})]
    if macs:
        lines.append((f"mac = {macs} = {macs / 1e6:.2f} M", {"macs": macs}))
    return lines


def _unknown(facts: ModelFacts) -> str:
    """Return the reason for unknown shapes, and the remedy."""
    vague = [blob.name for blob in facts.inputs if not blob.is_known()]
    if not vague:
        return f"the output shape of {facts.unknown_shapes()[0].label} is not known"
    options = " ".join(f"--fix-shapes {name}=…" for name in vague[:3])
    names = ", ".join(f"'{name}'" for name in vague[:3]) + (", …" if len(vague) > 3 else "")
    what = "the shape of input" if len(vague) == 1 else "the shapes of inputs"
    verb, them = ("is", "it") if len(vague) == 1 else ("are", "them")
    return f"{what} {names} {verb} not known; if the model has one size, give {them} with {options}"
