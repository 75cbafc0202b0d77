"""The data that a model is looked at with."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp

from ..analysis.shape_inference import infer
from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.slots import Shape
from ..interpreters.errors import RunError
from ..runtime.feeding import adopt_shapes
from .histograms import Array

Shapes = Mapping[str, Shape]
"""Those of all inputs in one sample, by name."""


class Samples(Protocol):
    """Values for all inputs, several times. They are read when they are needed."""

    def names(self) -> Sequence[str]:
        """What messages call each sample."""
        ...

    def load(self, index: int) -> Mapping[str, Array]:
        """The inputs of a sample by name."""
        ...

    def digest(self) -> str:
        """The same for the same samples, read in the same way."""
        ...


def fed_with(func: FuncOp, samples: Iterable[tuple[str, Shapes]]) -> tuple[FuncOp, list[str]]:
    """Return a copy of a model whose inputs have the shapes of samples, each with its name (extents
    in which the samples differ are unknown), and warnings for inputs that the model declares with
    other shapes. Raise `RunError` with the sample that the model's weights do not allow."""
    warnings: dict[str, None] = {}
    seen: list[Shapes] = []
    for name, shapes in samples:
        if shapes not in seen:
            seen.append(shapes)
            try:
                warnings |= dict.fromkeys(adopt_shapes(func.clone(), shapes, "samples"))
            except RunError as e:
                raise RunError(f"{name}: {e}") from e
    copy = func.clone()
    args = {input_name(copy, arg.index): arg for arg in copy.body.block.args}
    if seen:
        joined = {name: _joined([shapes[name] for shapes in seen]) for name in args}
        infer(copy, {args[name]: shape for name, shape in joined.items() if shape is not None})
    return copy, list(warnings)


def _joined(shapes: Sequence[Shape]) -> Shape | None:
    """The extents that shapes have in common; `None` for shapes of several numbers of dims."""
    if len({len(shape) for shape in shapes}) > 1:
        return None
    axes = zip(*shapes, strict=True)
    return tuple(axis[0] if len(set(axis)) == 1 else DYNAMIC_INDEX for axis in axes)


def shard(total: int, part: int, parts: int) -> list[int]:
    """The samples of one of several parts, counted from 1."""
    return list(range(part - 1, total, parts))
