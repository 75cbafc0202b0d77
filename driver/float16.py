"""Making a model safe in float16, as a part of `ncnn-opt`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.dialects.func import FuncOp

NamedSamples: TypeAlias = "Sequence[tuple[str, Mapping[str, NDArray[Any]]]]"
"""Samples: a name for messages, and the values of all inputs."""


@dataclass(frozen=True)
class Float16Request:
    """The options of `--fp16-safe`."""

    read: "Callable[[FuncOp], NamedSamples]"
    """Reads the samples for a model. Raises one of `USER_ERRORS`."""
    margin: float
    max_error: float


MARGIN = 4.0
"""The default of `--margin`."""

MAX_ERROR = 1e-2
"""The default of `--max-error`."""


def make_float16_safe(
    module: "ModuleOp", request: Float16Request, release: str | None
) -> list[str]:
    """Rescale weights and set feature masks (see `transforms/float16_safety/`). Return the changes
    as lines. Raises one of `USER_ERRORS`."""
    from ..dialects.ncnn.lookup import model_of
    from ..transforms.float16_safety.safety import make_safe

    func = model_of(module)
    samples = request.read(func)
    return make_safe(func, samples, request.margin, request.max_error, release or "").lines()
