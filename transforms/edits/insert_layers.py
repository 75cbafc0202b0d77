"""The pass that inserts layers, given as lines of a `.param`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..rewriting.remarks import remark
from .edit import Edit


@dataclass(frozen=True)
class InsertLayers(Edit):
    """Insert layers. Each of `lines` is a line of a `.param`: type, name, numbers of inputs and
    outputs, their blobs, and parameters.

    - A layer without inputs, such as the `SherpaMetaData` of speech recognizers, becomes the first
      layer.
    - Other layers follow the layers that they depend on. Outputs that no layer reads become outputs
      of the model.
    - An output with the name of an input of the layer replaces this blob: all later layers, and the
      model's outputs, read the new blob.

    A layer with weights cannot be inserted, because a line has no weights.
    """

    name = "insert-layers"
    LISTS: ClassVar[Sequence[str]] = ("lines",)
    lines: tuple[str, ...]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.ncnn.lookup import model_of
        from .insertion import insert, parse_line

        func = model_of(op)
        for record in [parse_line(line) for line in self.lines]:
            insert(func, record)
            remark(self.name, f"{record.type} '{record.name}'")
