"""`ncnn` → `fused`."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


class ConvertNcnnToFused(ModulePass):
    """Convert layers to operations of the `fused` dialect, and fuse element-wise layers into the
    convolution, linear layer or pooling before them (docs/fused.md).

    - Convolutions, deconvolutions, InnerProduct, Gemm with a constant B and pooling become anchors;
      element-wise layers of any kind epilogues; Split, Dropout and Noop disappear.
    - The types are taken as true: SAME pads and the like are resolved for the shapes that they say.
    - What has no fused form stays, and a remark says why.
    """

    name = "convert-ncnn-to-fused"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .lowering import lower

        lower(op)
