"""The pass that orders the inputs and outputs of a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..rewriting.remarks import remark
from .edit import Edit, repeated


@dataclass(frozen=True)
class ReorderModel(Edit):
    """Order the inputs and the outputs of a model. A list names all inputs, or all outputs.

    - Inputs: each has its own Input layer, at the head of the file. `a+b` is one Input layer with
      the blobs a and b.
    - Outputs: the file has no list of outputs; the runtime lists blobs that no layer reads in the
      order of their layers. So a layer that only writes outputs moves to the end; for any other
      output a Noop, which copies nothing, is added at the end.
    """

    name = "reorder-model"
    LISTS: ClassVar[Sequence[str]] = ("inputs", "outputs")
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise `ValueError` for a name that is given twice."""
        for what in self.LISTS:
            if (twice := repeated(getattr(self, what))) is not None:
                raise ValueError(f"{what}: '{twice}' is given twice")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.ncnn.lookup import model_of
        from .ordering import groups_of, order_inputs, order_outputs, output_order

        func = model_of(op)
        groups = groups_of(func, self.inputs) if self.inputs else []
        order = output_order(func, self.outputs) if self.outputs else []
        if groups:
            order_inputs(func, groups)
            remark(self.name, *self.inputs, note="the inputs")
        if order:
            order_outputs(func, order)
            remark(self.name, *self.outputs, note="the outputs")
