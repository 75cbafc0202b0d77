"""The work of `ncnn-optimize`."""

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.lookup import model_of
from ..driver.files import compile_model, read_model
from ..driver.missing import describe_missing, missing_layers, repairs_of
from ..driver.optimizer_log import StepLog
from ..driver.pipelines import run_pipeline
from ..driver.releases import watching_releases
from ..report.model import collect
from ..targets import Output, targets
from ..transforms.rewriting.remarks import listening
from .messages import say
from .progress import Progress

if TYPE_CHECKING:
    from .ncnn_optimize_main import Request


def optimize(request: "Request") -> None:
    """Read, optimize and write a model. Raises one of `USER_ERRORS`."""
    source = read_model(request.in_param, request.reading)
    for message in source.warnings:
        say(f"warning: {message}")
    output = Output(request.out_param, request.out_bin, source.origin, progress=Progress)

    def transform(module: ModuleOp) -> None:
        with watching_releases(module, source.path, request.release) as releases:
            run_pipeline(module, [*repairs_of(module), *request.preparation], source.path)
            log = StepLog(model_of(module), say)
            with listening(log):
                run_pipeline(module, request.optimization, source.path)
        log.finish()
        say_estimate(module)
        for line in describe_missing(missing_layers(module)):
            say(line)
        for line in releases.lines():
            say(line)

    compile_model(source, output, transform, target=targets()["param"])


def say_estimate(module: ModuleOp) -> None:
    """Print the peak memory and the multiply-adds of a model, if all shapes are static."""
    facts = collect(model_of(module), "")
    if facts.unknown_shapes():
        say("no estimates: some shapes are not known")
        return
    peak, macs = facts.peak.known, facts.macs.known
    say(f"estimated memory footprint = {peak / 1024:.2f} KB = {peak / 1024**2:.2f} MB")
    if macs:
        say(f"mac = {macs} = {macs / 1e6:.2f} M")
