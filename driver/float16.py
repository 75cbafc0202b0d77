"""Making a model safe in float16, as a part of `ncnn-opt`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from .requests import Float16Request

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


def make_float16_safe(
    module: "ModuleOp", request: Float16Request, release: str | None, note: Callable[[str], None]
) -> list[str]:
    """Rescale weights and set feature masks (see `transforms/float16_safety/`). Return the changes
    as lines; `note` receives warnings. Raises one of `USER_ERRORS`."""
    from ..dialects.ncnn.lookup import model_of
    from ..transforms.float16_safety.safety import make_safe
    from .samples import read_arrays

    func = model_of(module)
    samples, warnings = read_arrays(func, request.data)
    for message in warnings:
        note(f"warning: {message}")
    named = [(name, samples.load(i)) for i, name in enumerate(samples.names())]
    return make_safe(func, named, request.margin, request.max_error, release or "").lines()
