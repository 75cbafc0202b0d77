"""The conversion from the `fused` to the `ncnn` dialect."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


class ConvertFusedToNcnn(ModulePass):
    """Convert operations of the `fused` dialect back to layers (docs/fused.md): to one layer with a
    fused activation where ncnn has one, otherwise to several layers.

    The epilogue alone determines the layers: each value becomes the result of the layer whose
    formula covers the most operations. An operation that no layers compute stays; a remark names
    the reason.
    """

    name = "convert-fused-to-ncnn"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .lifting import lift

        lift(op)
