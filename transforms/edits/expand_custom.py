"""The pass that replaces custom layers by equivalent layers of ncnn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..rewriting.remarks import remark
from .edit import Edit, repeated


@dataclass(frozen=True)
class ExpandCustom(Edit):
    """Replace each custom layer of some types by the layers of an equivalent model. `types` are the
    types of the further functions of the module, in order.

    - The inputs and outputs of the function are those of the layer, in order.
    - The new layers have the names of the function's, behind the name of the custom layer. The
      outputs keep their names.
    - All layers of a type have the same parameters, because the function stands for one set of
      them, and no weights.

    Then shapes behind the layers are known, the reference computes them, and `--dynamic` and all
    other passes work through them.
    """

    name = "expand-custom-layers"
    LISTS: ClassVar[Sequence[str]] = ("types",)
    types: tuple[str, ...]

    def __post_init__(self) -> None:
        """Raise `ValueError` for a type that is given twice."""
        if (twice := repeated(self.types)) is not None:
            raise ValueError(f"the layers of '{twice}' are given twice")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .expansion import expand

        for label in expand(op, self.types):
            remark(self.name, label)
