"""The passes on PNNX's own IR that are more than patterns."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..rewriting.pattern_pass import PatternPass


class RestorePnnx(ModulePass):
    """Replace layers that the runtime does not have by the operators of the PNNX graph in the
    module, and remove that graph.

    The name of a layer, or its neighbours, determine the operator. Layers that read or make blobs
    of more than four dims, which the converter cannot express, are replaced as well. All other
    layers stay unchanged.
    """

    name = "restore-pnnx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from xdsl.rewriter import Rewriter

        from ...dialects.ncnn.lookup import model_of
        from ...dialects.pnnx.operations import graph_in
        from .restore_operators import restore

        graph = graph_in(op)
        if graph is not None:
            restore(model_of(op), graph)
            Rewriter.erase_op(graph)


class LegalizePnnxCast(PatternPass):
    """Convert the remaining casts between blobs to Reshape. The last of the legalizations: raises
    an error if an operator of PNNX's is still there, or a cast that no Reshape can be."""

    name = "legalize-pnnx-cast"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from xdsl.utils.exceptions import PassFailedException

        from ...dialects.pnnx.cast import CastOp
        from ...dialects.pnnx.operations import GraphOp, OperatorOp
        from .arithmetic import refusal
        from .casts import describe_left

        super().apply(ctx, op)
        for left in op.walk():
            if isinstance(left, OperatorOp) and not isinstance(left.parent_op(), GraphOp):
                reason = refusal(left)
                raise PassFailedException(
                    f"{left.label()} has no form in ncnn's layers"
                    + (f": {reason}" if reason else "")
                )
            if isinstance(left, CastOp) and (reason := describe_left(left)) is not None:
                raise PassFailedException(reason)
