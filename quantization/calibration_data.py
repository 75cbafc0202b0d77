"""The samples of a calibration, and their shapes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp

from ..analysis.shape_inference import infer
from ..dialects.ncnn.function import inputs_of
from ..dialects.ncnn.weight_specs import Shape
from ..formats.errors import prefixed
from ..interpreters.errors import RunError
from ..runtime.feeding import adopt_shapes
from .histograms import Array
from .statistics import digest_of

Shapes = Mapping[str, Shape]
"""The shapes of all inputs in one sample, by name."""


class Samples(Protocol):
    """Values for all inputs, several times. They are read on demand."""

    def names(self) -> Sequence[str]:
        """Return the name of each sample in messages."""
        ...

    def load(self, index: int) -> Mapping[str, Array]:
        """Return the inputs of a sample by name."""
        ...

    def digest(self) -> str:
        """Return a text that is equal for equal samples that are read in the same way."""
        ...


@dataclass(frozen=True)
class First:
    """The first samples of others."""

    samples: Samples
    count: int

    def names(self) -> Sequence[str]:
        return self.samples.names()[: self.count]

    def digest(self) -> str:
        return digest_of([self.samples.digest(), str(self.count)])

    def load(self, index: int) -> Mapping[str, Array]:
        return self.samples.load(index)


def with_sample_shapes(
    func: FuncOp, samples: Iterable[tuple[str, Shapes]]
) -> tuple[FuncOp, list[str]]:
    """Return a copy of a model with the shapes of named samples (extents in which the samples
    differ are dynamic), and warnings for inputs that the model declares with other shapes. Raises
    `RunError` with the name of a sample that the model's weights do not allow."""
    warnings: dict[str, None] = {}
    seen: list[Shapes] = []
    for name, shapes in samples:
        if shapes not in seen:
            seen.append(shapes)
            with prefixed(RunError, name):
                warnings |= dict.fromkeys(adopt_shapes(func.clone(), shapes, "samples"))
    copy = func.clone()
    args = inputs_of(copy)
    if seen:
        joined = {name: _joined([shapes[name] for shapes in seen]) for name in args}
        infer(copy, {args[name]: shape for name, shape in joined.items() if shape is not None})
    return copy, list(warnings)


def _joined(shapes: Sequence[Shape]) -> Shape | None:
    """Return the extents that shapes have in common; `None` for shapes of several ranks."""
    if len({len(shape) for shape in shapes}) > 1:
        return None
    axes = zip(*shapes, strict=True)
    return tuple(axis[0] if len(set(axis)) == 1 else DYNAMIC_INDEX for axis in axes)


def shard(total: int, part: int, parts: int) -> list[int]:
    """Return the indices of the samples in one of several parts, counted from 1."""
    return list(range(part - 1, total, parts))
