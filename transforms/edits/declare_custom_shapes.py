"""The pass that declares the shape functions of custom layers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..rewriting.remarks import remark
from .edit import Edit, repeated


@dataclass(frozen=True)
class DeclareCustomShapes(Edit):
    """Give custom layers shape functions, by type. Each of `shapes` is `TYPE=FUNCTION`, as
    `"MyLayer=*(0w,2),*(0h,2),0c"`: the extents of the output in the order w, h, d, c, in the
    notation of expressions in Reshape.

    - `0w` is the w of input 0, and `p3` the layer's parameter 3.
    - `in0` alone is the shape of input 0.
    - `;` separates the functions of several outputs.

    The application guarantees these shapes: other passes rely on them.
    """

    name = "declare-custom-shapes"
    LISTS: ClassVar[Sequence[str]] = ("shapes",)
    shapes: tuple[str, ...]

    def __post_init__(self) -> None:
        """Raise `ValueError` for a text that is no shape function."""
        from ...dialects.ncnn.shape_functions import InvalidShape, check_function

        for text in self.shapes:
            type_, _, function = text.partition("=")
            if not type_ or not function:
                raise ValueError(f"'{text}' is not TYPE=FUNCTION, as MyLayer=*(0w,2),*(0h,2),0c")
            try:
                check_function(function)
            except InvalidShape as e:
                raise ValueError(f"{type_}: {e}") from e
        if (twice := repeated([text.partition("=")[0] for text in self.shapes])) is not None:
            raise ValueError(f"the shape of '{twice}' is declared twice")

    def functions(self) -> Mapping[str, str]:
        """Return the functions by type."""
        pairs = (text.partition("=") for text in self.shapes)
        return {type_: function for type_, _, function in pairs}

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.ncnn.lookup import functions_of
        from .custom_shapes import declare

        for label in declare(functions_of(op), self.functions()):
            remark(self.name, label)
