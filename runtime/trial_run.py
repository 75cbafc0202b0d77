"""A check that the ncnn runtime can run a model: write, load and run it on random inputs."""

from collections.abc import Callable, Iterator

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..analysis.faults import remedy
from ..dialects.ncnn.constant import ConstantOp, attached_constant
from ..dialects.ncnn.custom import CustomOp
from ..dialects.ncnn.function import output_names
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weight_specs import pattern_text
from ..dialects.xdsl_extras.warning import warn as warn_caller
from ..formats.errors import prefixed
from ..interpreters.errors import RunError
from .declared_layers import without_custom_layers
from .engines import check_runtime, run_ncnn
from .trial_shapes import faults_in_run, misfit_in_run, random_inputs

NAMED = 5
"""The number of weights that a warning names."""
CHUNK = 1 << 20
"""The number of values that are checked at a time."""


def check_model(
    module: ModuleOp, path: str, seed: int = 0, warn: Callable[[str], None] = warn_caller
) -> str:
    """Run a model in the runtime on random inputs, and return a summary of its outputs as text.

    If the shape of an input is unknown or contradicts weights, use a shape that its first layers
    accept. Warn of weights and outputs with infinities or NaNs. Raise `RunError` with the reason if
    the model does not run.
    """
    func = model_of(module)
    inputs, words = random_inputs(func, seed)
    on = f"with {words}"
    if any(isinstance(op, CustomOp) for op in func.body.block.ops):
        with prefixed(RunError, path):
            module, replacement = without_custom_layers(module)
        inputs, _ = random_inputs(model_of(module), seed)
        on += f" and {replacement}"
    if found := faults_in_run(func):
        raise RunError(f"{path}: {on}: {found[0]}; {remedy(found[0])}")
    if weights := list(_nonfinite_weights(func)):
        more = f" and {len(weights) - NAMED} more" if len(weights) > NAMED else ""
        warn(f"{path}: infinities or NaNs in {', '.join(weights[:NAMED])}{more}")
    check_runtime()
    with prefixed(RunError, f"{path}: {on}"):
        try:
            blobs = run_ncnn(module, inputs, output_names(model_of(module)), None, True)
        except RunError as e:
            if (misfit := misfit_in_run(func)) is None:
                raise
            raise RunError(f"{e}: {misfit}; {remedy(misfit)}") from e
    made = ", ".join(f"{name}={pattern_text(blob.shape)}" for name, blob in blobs.items())
    if odd := [name for name, blob in blobs.items() if not np.isfinite(blob).all()]:
        outputs = f"output{'s' * (len(odd) > 1)} {', '.join(map(repr, odd))}"
        warn(f"{path}: infinities or NaNs in {outputs}, {on}")
    return f"runs in ncnn {on}, and gives {made}"


def _nonfinite_weights(func: FuncOp) -> Iterator[str]:
    """Yield the weights and constant blobs with infinities or NaNs, and the number of these."""
    for op in func.body.block.ops:
        if not isinstance(op, LayerOp):
            continue
        if isinstance(op, ConstantOp):
            if op.is_layer() and (count := _nonfinite(op)):
                yield f"{op.label()} ({count} of its values)"
            continue
        for name, value in op.weight_operands().items():
            if value is not None and (constant := attached_constant(value)) is not None:
                if count := _nonfinite(constant):
                    yield f"{op.label()} ({count} of its {name})"


def _nonfinite(constant: ConstantOp) -> int:
    """Return the number of infinities and NaNs."""
    if not constant.has_values():
        return 0
    values = constant.read().reshape(-1)
    if values.dtype.kind != "f":
        return 0
    starts = range(0, values.size, CHUNK)
    return sum(int((~np.isfinite(values[i : i + CHUNK])).sum()) for i in starts)
