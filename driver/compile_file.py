"""The way of a model to native code: shapes, the passes of `-O`, then lowering and compilation.

`native/` starts from IR. This file reads the model, prepares the IR, and prints messages for
`ncnn-compile`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp

from ..analysis.shape_inference import infer, set_input_shapes
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weight_file import scratch_file
from ..dialects.ncnn.weight_specs import Shape
from ..formats.errors import prefixed
from ..frontends import ReadOptions
from ..native.artifact import ENDING
from ..native.errors import NativeError
from ..native.form_tuning import Tuning
from ..native.iree_compile import find_compiler
from ..native.lowering import check_inputs
from ..native.options import CompileOptions
from ..native.outputs import OutputRequest, write
from ..targets.output_checks import check_unread
from ..transforms import OPTIMIZE
from .api_pipelines import passes_of_optimize
from .messages import print_note
from .pipelines import limited, named_passes, pipeline_text, run_pipeline, with_options
from .progress import Clock
from .sidecar_files import read_repaired
from .unsupported_layers import describe_missing, missing_layers


@dataclass(frozen=True)
class CompileRequest:
    """The options of `ncnn-compile`."""

    model: str
    output: str
    reading: ReadOptions
    options: CompileOptions
    shapes: Mapping[str, Shape]
    pnnx: str | None
    copy_weights: bool
    no_optimize: bool
    tuning: Tuning | None


def compile_file(request: CompileRequest) -> Sequence[str]:
    """Compile a model. Return the written files. Raises one of `USER_ERRORS`."""
    path, output = request.model, request.output
    source = read_repaired(path, request.reading, request.pnnx, request.shapes, compared=True)
    module = source.module
    for message in source.warnings:
        print_note(f"ncnn-compile: warning: {message}")
    check_unread(output, [path, *filter(None, [source.origin.weights, request.pnnx])])
    if missing := describe_missing(missing_layers(module), source.repaired):
        raise NativeError(f"{path}: {missing[0]}")
    with scratch_file(), Clock(f"compiling {path}") as clock:

        def note(text: str) -> None:
            clock.clear()
            print_note(f"ncnn-compile: {text}")

        with prefixed(NativeError, path):
            set_shapes(module, request.shapes)
        if output.endswith(ENDING):
            find_compiler()  # after all mistakes in the options, before all the work
        with prefixed(NativeError, path):
            if not request.no_optimize:
                run_passes(module, path)
            clock.tick()
            hooks = clock.tick, note, clock.stage
            copy, tuning = request.copy_weights, request.tuning
            return write(OutputRequest(module, output, request.options, copy, *hooks, tuning))


def pipeline(options: CompileOptions, shapes: Mapping[str, Shape], optimize: bool = True) -> str:
    """Return the passes for a model whose inputs have these shapes as text, except those that
    depend on its operations."""
    if not optimize:
        return ",".join(options.pipeline())
    fixed = {n: s for n, s in shapes.items() if DYNAMIC_INDEX not in s}
    passes = with_options(limited(named_passes(OPTIMIZE)), fixed=fixed)
    return ",".join([pipeline_text(passes), *options.pipeline()])


def set_shapes(module: ModuleOp, shapes: Mapping[str, Shape]) -> None:
    """Set the shapes of a model's inputs, and infer all others. Raises one of `USER_ERRORS`."""
    func = model_of(module)
    if shapes:
        set_input_shapes(func, shapes)
    else:
        infer(func)
    check_inputs(func)


def run_passes(module: ModuleOp, path: str) -> None:
    """Run the passes of `-O`, specialized to the static shapes of the inputs. Raises one of
    `USER_ERRORS`."""
    func = model_of(module)
    fixed = {
        input_name(func, i): shape
        for i, arg in enumerate(func.body.block.args)
        if (shape := static_shape_of(arg)) is not None
    }
    passes = with_options(passes_of_optimize(module), fixed=fixed, hints="write")
    run_pipeline(module, passes, path)
