"""A source model as a list of steps that can be computed one by one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RunError

Array = NDArray[Any]


class StepError(Exception):
    """The reason why PyTorch does not compute a step."""


@dataclass(frozen=True)
class SourceStep:
    """One operator, or one function of an expression."""

    type: str
    """`nn.Conv2d`, `aten.relu`."""
    name: str
    inputs: tuple[str, ...]
    """The names of operands, in the order of `compute`."""
    outputs: tuple[str, ...]
    compute: Callable[[Sequence[Any]], Sequence[Any]]
    """From the values of the inputs to the values of the outputs. Raises `StepError`."""
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    """The shapes of outputs, where the source model contains them."""

    def label(self) -> str:
        """Return the name for messages: `nn.Conv2d 'conv1'`."""
        return f"{self.type} '{self.name}'" if self.name else self.type


@dataclass(frozen=True)
class SourceModel:
    """A source model."""

    origin: str
    """Its description for messages: a path, or the name of a class."""
    inputs: Sequence[str]
    steps: Sequence[SourceStep]
    outputs: Sequence[str]
    input_types: Sequence[tuple[tuple[int | None, ...] | None, str | None]] = ()
    """The shape and PyTorch's name of the element type of each input, where they are known."""


def import_torch(name: str = "torch") -> Any:
    """Return PyTorch or one of its modules. Its annotations are incomplete, and it may be
    absent."""
    return import_module(name)


class _Torch:
    """PyTorch, imported on the first use of one of its names."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_torch(), name)


torch: Any = _Torch()


def is_sequence(value: Any) -> bool:
    """Whether a value is a tuple or a list."""
    return isinstance(value, tuple | list)


def check_torch() -> None:
    """Raise `RunError` if PyTorch is not installed."""
    if find_spec("torch") is None:
        raise RunError(
            "PyTorch is not installed: pip install 'ncnn-opt[export]' (a CPU build is enough, see "
            "https://pytorch.org/get-started/locally/)"
        )


def as_array(value: Any) -> Array | None:
    """Return a tensor as an array; `None` for other values and complex numbers."""
    if not isinstance(value, torch.Tensor) or value.is_complex():
        return None
    plain = value.detach().cpu()
    return (plain.float() if plain.dtype is torch.bfloat16 else plain).numpy()


def as_tensor(array: Array, like: Any = None, dtype: str | None = None) -> Any:
    """Return an array as a tensor with the element type of `like`, or with PyTorch's `dtype`."""
    found = like.dtype if isinstance(like, torch.Tensor) else None
    wanted = getattr(torch, dtype) if dtype else found
    tensor = torch.from_numpy(np.array(array))
    return tensor if wanted is None else tensor.to(wanted)
