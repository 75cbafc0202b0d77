"""From a PyTorch module to a compared ncnn model: PNNX converts, then the result is repaired,
optimized, compared and written."""

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..analysis.float16.winograd import NO_WINOGRAD
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.convolution import ConvolutionOp
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.lookup import layers_of, model_of
from ..formats.displays import Displayed
from ..formats.verdicts import verdict
from ..formats.weight_storage import StorageOption
from ..frontends import ReadOptions
from ..interpreters.errors import RunError
from ..interpreters.source.callables import run_callable
from ..interpreters.source.source_steps import check_torch
from ..runtime.layerwise.comparison import SourceAgreement
from ..runtime.process import Runtime
from ..targets import Output
from ..targets.atomic_files import check_writable
from ..targets.output_checks import Origin
from .api_pipelines import passes_of_optimize
from .errors import USER_ERRORS, UsageError, describe
from .export_checks import EXAMPLE, ModuleSample, Reference, output_errors, problem_of
from .export_routes import Route, routes_of
from .model_files import InputModel, read_model, write_model
from .pipelines import make_pass, run_pipeline
from .pnnx_program import pnnx_program, run_pnnx, shape_argument
from .sidecar_files import read_converted, read_repaired
from .ultralytics_models import is_ultralytics, prepared
from .unsupported_layers import describe_missing, missing_layers

SECONDS = 1800.0
"""The default time limit of one run of PNNX in seconds."""

FLOAT16: StorageOption = "fp16"
"""The storage of float16 weights."""


@dataclass(repr=False)
class Exported(Displayed):
    """The result of an export. It is true if the model agrees with PyTorch."""

    path: str
    """The `.param` that was written."""
    steps: list[str] = field(default_factory=list[str])
    """A line for each thing that was done."""
    agreement: SourceAgreement | None = None
    """The comparison with PyTorch; `None` if it was not requested."""
    problem: str = ""
    """The reason why the model differs from PyTorch, if it was written nevertheless."""
    samples: Sequence[ModuleSample] = field(default=(), repr=False)
    """Inputs and outputs of the module, with which the model was compared."""

    def __bool__(self) -> bool:
        return not self.problem and (self.agreement is None or bool(self.agreement))

    def __str__(self) -> str:
        """Return the steps, and the comparison."""
        return "\n".join([*self.steps, *([] if self.agreement is None else [str(self.agreement)])])

    def heading(self) -> str:
        """Return the file and the verdict."""
        if self.problem:
            return f"{self.path}: {verdict(False, self.problem)}"
        if self.agreement is None:
            return f"{self.path}: not compared"
        return f"{self.path}: {self.agreement.heading()}"

    def table_rows(self) -> Sequence[Sequence[str]]:
        """Return the outputs, with the largest error first."""
        return [("output", "error")] if self.agreement is None else self.agreement.table_rows()


@dataclass
class _Attempt:
    """The result of one route through PNNX."""

    route: str
    steps: list[str] = field(default_factory=list[str])
    source: InputModel | None = None
    """The model, if there is one."""
    agreement: SourceAgreement | None = None
    problem: str = ""
    """The reason why the model, or the missing model, is not the result."""

    def rank(self) -> tuple[bool, bool, float]:
        """Return a key by which the best attempt is first."""
        errors = [] if self.agreement is None else [*self.agreement.errors.values()]
        return self.source is None, not errors, max(errors, default=0.0)


@dataclass(frozen=True)
class ExportOptions:
    """The options of an export."""

    optimize: bool = True
    fp16: bool = True
    compare: bool = True
    tolerance: float = 1e-3
    engine: str = "numpy"
    keep_going: bool = False
    timeout: float = SECONDS


def export_module(
    module: Any, inputs: Sequence[Any], path: str, options: ExportOptions | None = None
) -> Exported:
    """Convert a module of PyTorch, or a model of Ultralytics, and write it to `path`. Raises one of
    `USER_ERRORS`, also if the model differs from the module; nothing is written then."""
    options = options or ExportOptions()
    check_torch()
    if not path.endswith(".param"):
        raise UsageError(f"export writes a .param, not '{path}'")
    check_writable(path)
    pnnx_program()
    for tensor in inputs:
        shape_argument(tensor)
    result = Exported(path)
    if is_ultralytics(module):
        module = prepared(module, inputs)
        result.steps.append("prepared as Ultralytics prepares it for ncnn")
    # The first run fills caches of the module, which are constants for the tracer then.
    run_callable(module, inputs)
    reference = Reference(module, inputs) if options.compare else None
    result.samples = () if reference is None else reference.samples
    with ExitStack() as folders:
        attempts: list[_Attempt] = []
        for route in routes_of(module, inputs):
            scratch = tempfile.TemporaryDirectory(prefix="ncnn-opt-export-")
            folder = Path(folders.enter_context(scratch))
            attempts.append(_try(route, inputs, path, folder, reference, options))
            if not attempts[-1].problem:
                break
        best = min(attempts, key=lambda each: (bool(each.problem), *each.rank()))
        source = best.source
        if source is None or (best.problem and not options.keep_going):
            raise RunError(_message(path, best, attempts))
        result.steps += [f"{each.route}: {each.problem}" for each in attempts if each is not best]
        result.steps += best.steps
        result.agreement, result.problem = best.agreement, best.problem
        if best.problem:
            result.steps.append(f"the model differs from PyTorch: {best.problem}")
        if options.fp16:
            _store_float16(source, path, reference, result)
        write_model(source.module, Output(path, origin=Origin(path)))
        result.steps.append(f"wrote {path}")
        if reference is not None and not Runtime.is_there():
            result.steps.append(
                "outputs not compared in the ncnn runtime: needs pip install 'ncnn-opt[verify]'"
            )
    return result


def _message(path: str, best: _Attempt, attempts: Sequence[_Attempt]) -> str:
    reasons = "; ".join(f"{each.route}: {each.problem}" for each in attempts)
    if best.source is None:
        return f"the module was not converted, and {path} is not written: {reasons}"
    return (
        f"the model differs from PyTorch, and {path} is not written (keep_going=True writes it): "
        f"{reasons}"
    )


def _try(
    route: Route,
    inputs: Sequence[Any],
    path: str,
    folder: Path,
    reference: Reference | None,
    options: ExportOptions,
) -> _Attempt:
    """Convert a module by one route. A user's error is the attempt's problem."""
    found = _Attempt(route.name)
    try:
        param = run_pnnx(route.script(), inputs, folder, options.timeout)
        found.steps.append(f"converted with PNNX, {route.name}")
        source = _read(param)
        found.steps += source.warnings if source.kind == "pnnx.param" else []
        _describe_repairs(param, source, found.steps)
        if options.optimize:
            before = _count_layers(source)
            storage = FLOAT16 if options.fp16 else None
            passes = passes_of_optimize(source.module, storage=storage)
            run_pipeline(source.module, passes, param)
            after = _count_layers(source)
            found.steps.append(f"optimized with -O: {before} -> {after} layers")
        found.source = source
        missing = describe_missing(missing_layers(source.module), True)
        found.steps += missing
        if missing:
            # The operator without a form is the cause of each layer that is left.
            found.problem = source.unconverted or missing[0]
        elif reference is not None:
            found.agreement = reference.compare(
                source.module, path, options.tolerance, options.engine
            )
            found.problem = problem_of(reference, found.agreement, source.module, path)
            if found.problem and found.agreement:
                _exclude_winograd(found, source.module, path, reference)
    except USER_ERRORS as e:
        found.problem = describe(e, path)
    return found


def _exclude_winograd(found: _Attempt, module: ModuleOp, path: str, reference: Reference) -> None:
    """Exclude Winograd's algorithm where no operator differs, but an output does in the runtime,
    if the outputs agree then. The algorithm rounds more than a sum of products, and some models
    amplify it."""
    layers = [op for op in layers_of(model_of(module)) if isinstance(op, ConvolutionOp)]
    masks = [op.featmask for op in layers]
    for op in layers:
        op.featmask |= NO_WINOGRAD
    assert found.agreement is not None
    if reference.problem_in_runtime(module, path, found.agreement.tolerance):
        for op, mask in zip(layers, masks, strict=True):
            op.featmask = mask
        return
    found.steps.append(
        f"excluded Winograd's algorithm, whose rounding errors the model amplifies: {found.problem}"
    )
    found.problem = ""


def _read(param: str) -> InputModel:
    """Return the model of PNNX's graph. If an operator has no layers, repair the converter's model,
    which may have them. Raises one of `USER_ERRORS`."""
    try:
        return read_converted(param.removesuffix(".ncnn.param") + ".pnnx.param")
    except USER_ERRORS as e:
        reason = describe(e, param)
    try:
        return read_repaired(param, ReadOptions(), None)._replace(unconverted=reason)
    except USER_ERRORS:  # the reason names the operator
        raise RunError(reason) from None


def _store_float16(
    source: InputModel, path: str, reference: Reference | None, result: Exported
) -> None:
    """Store the weights as float16, and record the errors of the outputs with them."""
    run_pipeline(source.module, [make_pass("convert-storage", FLOAT16)], path)
    result.steps.append("stored the weights as float16")
    agreement = result.agreement
    if reference is None or agreement is None or agreement.failure:
        return
    example = next(each for each in reference.samples if each.name == EXAMPLE)
    try:
        rounded = output_errors(source.module, path, example)
    except RunError:  # the model that differs does not run
        return
    agreement.unrounded, agreement.errors = agreement.errors, rounded


def _count_layers(source: InputModel) -> int:
    """Return the number of layers other than constants."""
    ops = model_of(source.module).body.block.ops
    return sum(isinstance(op, LayerOp) and not isinstance(op, ConstantOp) for op in ops)


def _describe_repairs(param: str, source: InputModel, steps: list[str]) -> None:
    """Report the layers that ncnn lacks and their repair."""
    try:
        before = missing_layers(read_model(param, ReadOptions(custom_types_optional=True)).module)
    except USER_ERRORS:  # the converter wrote an invalid file
        return
    after = missing_layers(source.module)
    for type_, names in before.items():
        left = len(after.get(type_, []))
        if len(names) > left:
            layers = "1 layer" if len(names) - left == 1 else f"{len(names) - left} layers"
            steps.append(f"repaired {layers} {type_}, which ncnn lacks")
