"""The pass that interpolates the weights of models with the same structure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.arg_spec import ArgSpec

from ..rewriting.remarks import remark
from .edit import Edit


@dataclass(frozen=True)
class InterpolateModels(Edit):
    """Replace the functions of a module by the first one, with weights between theirs: `(1 - a) * x
    + a * y`, where `fractions` has the fraction a of each further function; the first one has the
    rest to 1.

    - The functions have the same layers with the same parameters, connections, and shapes of
      weights; names may differ. The first difference is named.
    - Weights keep the storage type of the first function. Weights that are equal everywhere stay as
      they are.
    - Quantized weights, and integers that differ, are refused: interpolate the float models, and
      quantize the result.
    """

    name = "interpolate-models"
    LISTS: ClassVar[Sequence[str]] = ("fractions",)
    fractions: tuple[float, ...]

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Raise `ValueError` for unknown options, and for fractions that are no numbers."""
        values = spec.parameters.get("fractions", ())
        if spec.parameters.keys() - set(cls.LISTS) or not values:
            return super().from_spec(spec)
        if wrong := [value for value in values if type(value) not in (int, float)]:
            raise ValueError(f"a fraction is a number from 0 to 1, not '{wrong[0]}'")
        return cls(tuple(float(value) for value in values if isinstance(value, int | float)))

    def __post_init__(self) -> None:
        """Raise `ValueError` unless all are numbers from 0 to 1, and their sum is, too."""
        if wrong := [value for value in self.fractions if not 0 <= value <= 1]:
            raise ValueError(f"a fraction is a number from 0 to 1, not '{wrong[0]:g}'")
        if sum(self.fractions) > 1:
            numbers = " + ".join(f"{value:g}" for value in self.fractions)
            raise ValueError(f"the fractions are more than the whole: {numbers} > 1")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .interpolation import interpolate

        count = interpolate(op, self.fractions)
        remark(self.name, f"{count} weights", note=f"{len(self.fractions) + 1} models")
