"""Making a model safe in float16, as a part of `ncnn-opt`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class Float16Request(NamedTuple):
    """The options of `--fp16-safe`."""

    data: str
    """The file of the samples."""
    margin: float
    max_error: float


MARGIN = 4.0
"""The default of `--margin`."""

MAX_ERROR = 1e-2
"""The default of `--max-error`."""


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
