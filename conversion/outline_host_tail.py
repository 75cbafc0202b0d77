"""The end of a model that no tensor operation can say, as a model of its own."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


@dataclass(frozen=True)
class OutlineHostTail(ModulePass):
    """Move layers that have no linalg form, and all layers that depend on them, into a separate
    model that runs on the host (docs/native.md). The separate model is a module `@host` in the
    module, with the function `@tail`. The rest is for native code.

    - The model returns what it makes itself: its outputs, and the blobs that the tail needs, under
      their names.
    - `@tail` takes these, and inputs of the model that it reads. It returns all outputs of the
      model in their order, also those that it is given, so that both together are what the model
      was. No pass makes linalg of it: it is computed in NumPy.
    - Constants that the tail reads are copied.

    What follows such a layer must read no weights: that would be most of the work, and slow in
    NumPy. Then, and if no layer is left in front, the pass fails and names the layer. A model
    without such layers stays as it is.
    """

    name = "outline-host-tail"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ..dialects.ncnn.lookup import model_of
        from ..transforms.rewriting.remarks import remark
        from .host_tail import outline

        for label, reason in outline(op, model_of(op)):
            remark(self.name, label, note=f"on the host: {reason}")
