"""The way of a model to native code: shapes, the passes of `-O`, then what `native` does."""

from collections.abc import Mapping

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp

from ..analysis.shape_inference import infer, set_input_shapes
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.slots import Shape
from ..native.lowering import check_inputs
from ..native.options import Options
from ..transforms import OPTIMIZE
from .calls import passes_of_optimize
from .pipeline_options import PipelineOptions, specializing
from .pipelines import limited, run_pipeline, storing


def pipeline(options: Options, shapes: Mapping[str, Shape], optimize: bool = True) -> str:
    """Return the passes for a model whose inputs have these shapes, except those that depend on its
    operations."""
    fixed = {n: s for n, s in shapes.items() if optimize and DYNAMIC_INDEX not in s}
    passes = [storing(",".join(limited(OPTIMIZE)))] if optimize else []
    return ",".join([*specializing(fixed, {}), *passes, *options.pipeline()])


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
    options = PipelineOptions(fixed=fixed, hints="write")
    run_pipeline(module, options.around(passes_of_optimize(module)), path)
