"""The pass that makes tables of positions inputs of the model."""

from dataclasses import dataclass
from typing import Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.arg_spec import ArgSpec

from ..rewriting.remarks import remark
from .edit import Edit


@dataclass(frozen=True)
class InputsForTables(Edit):
    """Make constant blobs that depend only on the number of steps inputs of the model. The
    application feeds them for the number of steps that it has; `--dynamic` then names this number.

    - `mask`, a causal mask `n x n`: 0 on and below the diagonal, a large negative number above it.
    - `cos` and `sin`, tables `n x k` of the positions 0, 1, … times k frequencies.
    - `positions`, the numbers 0, 1, … n-1.

    Equal tables are one input. A second table of a kind is `mask1`, `cos1` and so on. A remark says
    what to feed into each.
    """

    name = "inputs-for-tables"

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Raise `ValueError` for options: there are none."""
        if spec.parameters:
            raise ValueError(f"{cls.name} has no options, not '{next(iter(spec.parameters))}'")
        return cls()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.ncnn.lookup import model_of
        from .tables import feed_tables

        for name, meaning in feed_tables(model_of(op)).items():
            remark(self.name, f"'{name}': {meaning}")
