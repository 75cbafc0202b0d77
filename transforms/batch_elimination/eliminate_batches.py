"""Batches of blobs that a model makes of its own, done without."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


class EliminateBatches(ModulePass):
    """Replace computation on a batch that the model makes from an axis of one blob (the windows or
    heads of attention) by computation on one blob. The batch becomes its outermost axis.

    The runtime computes the layers of a batch a blob at a time, and Reshape brings elements into a
    batch and out of it one after the other, with a dozen divisions for each (about 40 ns on x86,
    a Reshape without batches 0.3 ns). Windows and heads of attention are such batches.

    Conditions, and why:
    - how many blobs there are, and their extents, are certain numbers, wherever there is a batch;
    - each layer that a batch goes through, up to the Reshapes that make a blob of it, is one of
      which it is known what it does to the blob with one axis more. Where one of them is not, all
      that hang together by batches stay: a batch would have to be made for that one alone.
    """

    name = "eliminate-batches"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if all(each.name != "ncnn.reshape" for each in op.walk()):
            return  # what follows need not be imported

        from xdsl.dialects.func import FuncOp

        from ...analysis.batches import is_of_batch

        for func in op.ops:
            if isinstance(func, FuncOp) and any(map(is_of_batch, func.walk())):
                from .elimination import eliminate

                eliminate(func)
