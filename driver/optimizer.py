"""One run of `ncnn-opt`: read a model, run passes on it, write it."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ..analysis.required_release import requirement_of
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weight_specs import Shape
from ..frontends import Frontend, frontend_for, frontends, is_weight_path
from ..targets import Output, Summary, Target, Writing, targets
from ..targets.atomic_files import write_file
from ..targets.mlir.ir_printer import print_module
from ..transforms.rewriting.fold_limit import fold_limit
from ..transforms.tune import Tune
from .errors import UsageError
from .float16 import make_float16_safe
from .input_forms import stated_shapes, take_input_shapes
from .messages import print_note, print_requested, report, write_result
from .model_files import InputModel, ModelChange, compile_model, read_data, unreplaced
from .observers.of_request import lasting_observers, observers_of_model, reports_of_model
from .observers.rounded_weights import RoundedWeights
from .observers.run_observer import RunObserver
from .pipelines import pipeline_text, run_pipeline
from .progress import Progress
from .proposals import describe_shareable_caches
from .releases import Releases, watching_releases
from .requests import Request, writes_ncnn
from .sidecar_files import (
    attach_to_module,
    batches_in,
    conversion_of,
    describe_unconverted,
    has_graph,
    read_beside,
    read_found_pnnx,
    read_like,
    read_pnnx,
    reason_in,
)
from .unsupported_layers import check_complete, describe_missing, missing_layers, repairs_of

if TYPE_CHECKING:
    from ..dialects.pnnx.operations import GraphOp
    from .rewrite_proofs import RewriteProofs

SEPARATOR = "// -----"


class Optimizer:
    """Runs a request: one model, or several in one text."""

    def __init__(self, request: Request, proofs: "RewriteProofs | None" = None) -> None:
        """Read the files beside the model. `proofs` are the proofs of rewrites that the request
        wants, by default new ones. Raises one of `USER_ERRORS`."""
        self.request = request
        self.reading = request.reading
        if not self.reading.verify:
            from ..dialects.xdsl_extras.unverified_attributes import skip_attributes

            skip_attributes()
        self.proposals: Sequence[str] = ()
        self.comparison = ""
        self.proofs = proofs
        if proofs is None and (request.verify_rewrites or request.certificate is not None):
            from .rewrite_proofs import RewriteProofs

            self.proofs = RewriteProofs(print_note, request.counterexample)
        self.lasting = list(lasting_observers(request, self.proofs))
        self.observers: Sequence[RunObserver] = self.lasting
        """The observers of the last model."""
        self.batch_axes: Mapping[str, int] = {}
        self.pnnx = None if request.pnnx is None else self.read_pnnx(request.pnnx)
        self.other: FuncOp | None = None
        self.further: list[FuncOp] = []
        if request.further_inputs:
            from .parts import read_parts

            self.further = read_parts(request.further_inputs, self.reading)
        if request.like is not None:
            self.other = read_like(request.like, self.reading, request.like_shapes)

    def optimize(self) -> ModelChange:
        """Read, transform and write the model. Return a summary. Raises one of `USER_ERRORS`."""
        request, change = self.request, ModelChange()
        printed = TextTarget(partial(print_module, options=request.printing))
        data, frontend = self.read_input()
        chunks = data.split(SEPARATOR.encode()) if request.split_input_file else [data]
        target = None if request.target is None else targets()[request.target]
        target = printed if request.to_text else target
        if request.splits and not request.to_text:
            from .parts import PartsTarget

            target = PartsTarget(print_note)
        elif request.share_weights is not None:
            from .shared_weights import SharedWeightsTarget

            target = SharedWeightsTarget(request.share_weights, report)
        if target is not printed and len(chunks) > 1:
            raise UsageError("--split-input-file makes several models, which a .param cannot hold")
        offsets = accumulate([0, *(chunk.count(b"\n") for chunk in chunks)])
        for number, (chunk, offset) in enumerate(zip(chunks, offsets, strict=False), 1):
            self.reading = replace(self.reading, line_offset=offset)
            steps = request.folder_of_steps(number, len(chunks))
            try:
                source = self.parse(chunk, data, frontend)
                summarized = request.optimize or target is not printed
                with self.certifying(source):
                    change = compile_model(
                        source,
                        self.output(source),
                        partial(self.run_passes, path=source.path, steps=steps),
                        target=target,
                        summarized=summarized,
                        before=self.joined_size(source.module) if summarized else None,
                        in_memory=target is printed,
                    )
            except ParseError as e:
                e.span = replace(e.span, line_offset=offset)
                if not request.parsing_diagnostics:
                    raise
                printed.texts.append(f"{e}\n")
            except DiagnosticException as e:
                if not request.verify_diagnostics:
                    raise
                printed.texts.append("\n".join([str(e), *getattr(e, "__notes__", [])]) + "\n")
        if printed.texts and not (request.check and request.output_file is None):
            self.write_text(f"{SEPARATOR}\n".join(printed.texts))
        facts: dict[str, Any] = {}
        for each in self.observers:
            facts |= each.facts()
        return replace(change, proposals=self.proposals, comparison=self.comparison, **facts)

    def joined_size(self, module: ModuleOp) -> Summary | None:
        """Return the size of all models that one model is made of; `None` for a single model."""
        if not any(step.name == "join-models" for step in self.request.passes):
            return None
        from .parts import summarize_parts

        own = [op for op in module.ops if isinstance(op, FuncOp)]
        return summarize_parts([*own, *self.further])

    # -- input

    def read_input(self) -> tuple[bytes, Frontend]:
        """Return the content of the input and its kind. All of it is read, because the output may
        be the same file."""
        path = self.request.input_file
        if path is None:
            data, kind = sys.stdin.buffer.read(), frontends()["mlir"]
            found = frontend_for("", data).kind
            if found != kind.kind and self.request.frontend is None:
                raise UsageError(
                    f"standard input is a .{found} by its content: -f {found} reads it"
                )
        else:
            with open(path, "rb") as f:
                data = f.read()
            kind = frontend_for(path, data)
        given = self.request.frontend
        return data, kind if given is None else frontends()[given]

    def parse(self, chunk: bytes, data: bytes, frontend: Frontend) -> InputModel:
        """Return the model in a part of the input."""
        path = self.request.input_file
        if path is None:
            source = read_data(chunk, path, self.reading, frontend)
        else:
            with unreplaced(path, data):
                read = partial(read_data, chunk, path, self.reading, frontend)
                source = read_beside(read, path, self.pnnx)
        for message in source.warnings:
            print_note(f"warning: {message}")
        return source

    def read_pnnx(self, path: str) -> "GraphOp | None":
        """Return PNNX's graph. Its sizes of weights are used to read the model."""
        if self.request.pnnx_found:
            file = read_found_pnnx(path, report)
        else:
            file = read_pnnx(path)
        if file is None:
            return None
        for message in file.warnings:
            print_note(f"warning: {message}")
        self.reading = replace(self.reading, layer_weights=file.layer_weights)
        self.batch_axes = file.batch_axes
        return file.graph

    def certifying(self, source: InputModel) -> AbstractContextManager[None]:
        """Return the context that writes the certificate of a run, if one is wanted."""
        if self.request.certificate is None or self.proofs is None:
            return nullcontext()
        from .certificates import certifying

        return certifying(self.request, source, self.proofs)

    # -- passes

    def run_passes(self, module: ModuleOp, path: str, steps: str | None) -> None:
        """Run the passes on a module with the models beside it, and report. `steps` is the folder
        for the IR after each pass."""
        request = self.request._replace(print_to_dir=steps)
        if self.pnnx is not None and (request.dynamic or request.takes_shapes):
            take_input_shapes(module, self.pnnx, self.batch_axes, request.given_shapes)
        stated: dict[str, Shape] = {}
        if self.pnnx is not None and request.optimize and module.body.block.ops:
            given = request.given_shapes
            stated = stated_shapes(model_of(module), self.pnnx, self.batch_axes, given)
        attach_to_module(module, self.pnnx, self.other, *self.further)
        alone = request.optimize and self.pnnx is None
        if request.verify_roundtrip:
            from .roundtrip import verify_roundtrip

            verify_roundtrip(module, path, self.reading.allow_unregistered)
        tuning = self.tuned(module, path, alone) if request.on else []
        passes = [*(repairs_of(module) if alone else []), *tuning, *request.passes]
        to_ncnn = writes_ncnn(request.output_file, request.target)
        wanted = request.optimize or request.check or to_ncnn
        converting = conversion_of(module, path) if wanted else []
        for line in batches_in(module) if converting else ():
            report(line)
        passes = [*converting, *passes]
        releases = Releases(path, request.for_ncnn, requirement_of(module))
        rounding = RoundedWeights()
        observers = [*self.lasting, rounding, releases]
        check, weights = None, self.reading.weights
        own = weights is None or is_weight_path(weights)
        if to_ncnn and own and has_graph(module):
            from .conversion_checks import ConversionCheck

            check = ConversionCheck(module, request.pnnx or path, request.keep_going)
            observers.append(check)
        self.observers = [
            *observers_of_model(request, print_requested),
            *observers,
            *reports_of_model(request, print_requested),
        ]
        self.run_pipeline(module, path, passes)
        self.proposals = describe_shareable_caches(module) if request.optimize else ()
        if request.float16 is not None:
            for line in make_float16_safe(
                module, request.float16, request.for_ncnn, request.output_file
            ):
                report(line)
        reason, missing = reason_in(module) if request.pnnx else "", missing_layers(module)
        if self.pnnx is not None and to_ncnn and not request.keep_going:
            check_complete(missing, path, reason)
        if check is not None and not missing and not has_graph(module):
            rounded = rounding.counts()[0] > 0 or request.float16 is not None
            self.comparison = check.compare(module, path, rounded)
        if reason and request.pnnx:
            print_note(f"warning: {describe_unconverted(reason, request.pnnx)}")
        for each in self.observers:
            each.report(module)
        for line in describe_missing(missing, self.pnnx is not None):
            report(line)
        if request.check:
            from .check_option import check as check_model

            check_model(module, path, request, releases)
        elif request.optimize:
            from .faults import describe_faults

            for line in describe_faults(module, stated):
                report(line)

    def run_pipeline(self, module: ModuleOp, path: str, passes: Sequence[ModulePass]) -> None:
        """Run passes on a module with the observers, and write a reproducer if they fail."""
        request = self.request
        with ExitStack() as closing:
            for each in self.observers:
                closing.callback(each.close)
            with fold_limit(request.fold_limit), self.reproducing(module, passes):
                run_pipeline(
                    module,
                    passes,
                    path,
                    observers=self.observers,
                    verification=request.verification,
                )
            for each in self.observers:
                each.finish(module)

    def reproducing(
        self, module: ModuleOp, passes: Sequence[ModulePass]
    ) -> AbstractContextManager[None]:
        """Return the context that writes a reproducer if passes fail, if one is wanted."""
        if self.request.crash_reproducer is None:
            return nullcontext()
        from .reproducer import reproducing

        return reproducing(
            self.request.crash_reproducer, module, pipeline_text(passes), print_requested
        )

    def tuned(self, module: ModuleOp, path: str, alone: bool) -> list[ModulePass]:
        """Return the pass that tunes the model as measured on devices. Raises `RunError`."""
        from ..runtime.devices.address import parse_address
        from .device_tuning import DeviceTuner

        request = self.request

        def optimize(copy: ModuleOp) -> None:
            passes = [*(repairs_of(copy) if alone else []), *request.passes]
            with watching_releases(copy, path, request.for_ncnn), fold_limit(request.fold_limit):
                run_pipeline(copy, passes, path)

        addresses = [parse_address(text) for text in request.on]
        found = DeviceTuner(module, optimize, addresses, report, request.seed).tune()
        for line in found.lines:
            report(line)
        return [Tune(found.choices)] if found.choices else []

    # -- output

    def output(self, source: InputModel) -> Output:
        """Return the output of a model: the file and its weights, both or neither."""
        request = self.request
        return Output(
            request.output_file or "-",
            request.output_weights,
            source.origin,
            request.printing,
            Progress,
            lambda text: print_note(f"note: {text}"),
            self.reading.weights == "none",
        )

    def write_text(self, text: str) -> None:
        """Write a text to the output."""
        path = self.request.output_file
        if path is None or path == "-":
            write_result(text)
            return
        write_file(path, text)


class TextTarget(Target):
    """Models as text that is printed at the end of a run, one after the other."""

    kind = "text"

    def __init__(self, text_of: Callable[[ModuleOp], str]) -> None:
        self.texts: list[str] = []
        self.text_of = text_of

    def begin(self, module: ModuleOp, output: Output) -> Writing:
        target = self

        class Text(Writing):
            def finish(self) -> None:
                target.texts.append(target.text_of(self.module))

        return Text(module, output)
