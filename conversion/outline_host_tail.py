"""The end of a model that tensor operations cannot express, as a model of its own."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


@dataclass(frozen=True)
class OutlineHostTail(ModulePass):
    """Move layers that have no linalg form, and all layers that depend on them, into a separate
    model that runs on the host (docs/native.md). The separate model is a module `@host` in the
    module, with the function `@tail`. The rest is for native code.

    - The remaining model returns the outputs that it computes and the blobs that the tail reads,
      under their names.
    - `@tail` takes these blobs, and the inputs of the model that it reads. It returns all outputs
      of the model in their order, including outputs that it takes. So both functions together
      compute the model. NumPy computes the tail; no pass lowers it to linalg.
    - Constants that the tail reads are copied.

    `drop=true` leaves the tail out, for other tools, which do not read layers: the blobs that it
    would read are the outputs.

    A layer that depends on such a layer must not read weights: it would be slow in NumPy. The pass
    fails and names that layer. It also fails if no layer remains. A model without such layers is
    unchanged.
    """

    name = "outline-host-tail"

    drop: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .host_tail import outline, take_tail

        outline(op, self.name)
        if self.drop:
            take_tail(op)
