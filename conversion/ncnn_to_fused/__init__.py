"""The conversion from the `ncnn` to the `fused` dialect."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


class ConvertNcnnToFused(ModulePass):
    """Convert layers to operations of the `fused` dialect, and fuse element-wise layers into the
    convolution, linear layer or pooling before them (docs/fused.md).

    - Convolutions, deconvolutions, InnerProduct, Gemm with a constant B and pooling become anchors.
      Element-wise layers become epilogues. Split, Dropout and Noop disappear.
    - Types are taken as true: SAME pads and similar parameters are resolved for the shapes of the
      types.
    - A layer without a fused form stays; a remark names the reason.
    """

    name = "convert-ncnn-to-fused"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .lowering import lower

        lower(op)
