"""The way of a model to native code: shapes, the passes of `-O`, then what `native` does."""

from xdsl.dialects.builtin import ModuleOp

from ..analysis.shape_inference import infer, set_input_shapes
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.lookup import model_of
from ..native.lowering import check_inputs
from ..native.options import Options
from ..transforms import OPTIMIZE
from .calls import Shapes, named_shapes, pipeline_for, shapes_in_ir
from .pipelines import limited, promising, run_pipeline, storing


def pipeline(options: Options, shapes: Shapes | None = None, optimize: bool = True) -> str:
    """The passes that a model goes through, its inputs of these shapes; without those that depend
    on what is in it."""
    first = storing(",".join(limited(OPTIMIZE))) if optimize else ""
    given = {n: s for n, s in (shapes or {}).items() if optimize and None not in s}
    return promising(
        ",".join([*filter(None, [first]), *options.pipeline()]), named_shapes(given), ()
    )


def prepare(
    module: ModuleOp, path: str, shapes: Shapes | None = None, optimize: bool = True
) -> None:
    """Set the shapes of a model's inputs, and run the passes of `-O`, which may rely on them:
    code is for one shape, unless an extent is dynamic. Raises one of `USER_ERRORS`."""
    set_shapes(module, shapes)
    run_passes(module, path, optimize)


def set_shapes(module: ModuleOp, shapes: Shapes | None = None) -> None:
    """Set the shapes of a model's inputs, and infer all others. Raises one of `USER_ERRORS`."""
    func = model_of(module)
    if given := shapes_in_ir(shapes):
        set_input_shapes(func, given)
    else:
        infer(func)
    check_inputs(func)


def run_passes(module: ModuleOp, path: str, optimize: bool = True) -> None:
    """Run the passes of `-O`, which may rely on the shapes of the inputs. Raises one of
    `USER_ERRORS`."""
    if not optimize:
        return
    func = model_of(module)
    fixed = {
        input_name(func, i): shape
        for i, arg in enumerate(func.body.block.args)
        if (shape := static_shape_of(arg)) is not None
    }
    run_pipeline(module, pipeline_for(module, fix_shapes=fixed), path)
