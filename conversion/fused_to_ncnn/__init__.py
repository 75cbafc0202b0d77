"""`fused` → `ncnn`."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


class ConvertFusedToNcnn(ModulePass):
    """Convert operations of the `fused` dialect back to layers (docs/fused.md): to one layer with a
    fused activation where ncnn has one, otherwise to several layers.

    Nothing but the epilogue says what the layers are: each value is the result of the layer whose
    scalar code takes the most of it. What cannot be said in layers stays, and a remark says why.
    """

    name = "convert-fused-to-ncnn"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .lifting import lift

        lift(op)
