"""Whether a model runs in the ncnn runtime: it is written, loaded and run on random inputs."""

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.custom import CustomOp
from ..dialects.ncnn.function import output_names
from ..dialects.ncnn.slots import pattern_text
from ..interpreters.errors import RunError
from ..transforms.finding import model_of
from .engines import check_runtime, run_ncnn
from .feeding import misfit, random_inputs


def check_model(module: ModuleOp, path: str, seed: int = 0) -> str:
    """Runs a model in the runtime, on inputs of their own shapes, or where these are not known or
    cannot be meant, of shapes as its first layers take them. Returns what it gives, in words.
    Raises `RunError` if it does not come through, with the reason."""
    func = model_of(module)
    if types := missing_types(func):
        raise RunError(f"{path}: the model does not load: ncnn has no layer {', '.join(types)}")
    inputs, words = random_inputs(func, seed)
    on = f"with {words}"
    if (found := misfit(func)) is not None:
        raise RunError(f"{path}: {on}: {found}")
    check_runtime()
    try:
        blobs = run_ncnn(module, inputs, output_names(func), None, True)
    except RunError as e:
        raise RunError(f"{path}: {on}: {e}") from e
    made = ", ".join(f"{name}={pattern_text(blob.shape)}" for name, blob in blobs.items())
    if odd := [name for name, blob in blobs.items() if not np.isfinite(blob).all()]:
        made += f"; infinities or NaNs in {', '.join(odd)}"
    return f"runs in ncnn {on}, and gives {made}"


def missing_types(func: FuncOp) -> list[str]:
    """The types of layers that the runtime does not have."""
    ops = (op for op in func.body.block.ops if isinstance(op, CustomOp))
    return sorted({f"'{op.type.data}'" for op in ops})
