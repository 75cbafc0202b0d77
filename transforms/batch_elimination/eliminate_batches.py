"""The pass that eliminates batches."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


class EliminateBatches(ModulePass):
    """Replace computation on a batch that the model makes from an axis of one blob (the windows or
    heads of attention) by computation on one blob. The batch becomes its outermost axis.

    The runtime computes layers of a batch one blob at a time. A Reshape into or out of a batch
    computes about a dozen divisions per element: about 40 ns on x86, and 0.3 ns without a batch.
    The windows and heads of attention are such batches.

    Conditions, and why:
    - The number of blobs and their extents are statically known, wherever there is a batch.
    - An equivalent with one more axis is known for each layer of a batch, up to the Reshapes that
      create a blob from the batch. If it is missing for one layer, all layers connected by the
      batch stay: this one layer would need the batch again.
    """

    name = "eliminate-batches"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if all(each.name != "ncnn.reshape" for each in op.walk()):
            return  # saves the imports below

        from xdsl.dialects.func import FuncOp

        from ...analysis.batches import is_batched

        for func in op.ops:
            if isinstance(func, FuncOp) and any(map(is_batched, func.walk())):
                from .elimination import eliminate

                eliminate(func)
