"""The passes."""

from collections.abc import Callable

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..pattern_pass import PatternPass, Patterns, pattern_pass


class RestorePnnx(ModulePass):
    """Put operators of the PNNX graph in the module in the place of layers that the runtime does
    not have, and drop the graph.

    An operator is found by the layer's name, or from its neighbours. Layers that read or make blobs
    of more than four dims, which the converter could not write down, are replaced as well; all
    others stay as they are.
    """

    name = "restore-pnnx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from xdsl.rewriter import Rewriter

        from ...dialects.pnnx.operations import graph_in
        from ..finding import model_of
        from .restore import restore

        graph = graph_in(op)
        if graph is not None:
            restore(model_of(op), graph)
            Rewriter.erase_op(graph)


class LegalizePnnxCast(PatternPass):
    """Make Reshape of the casts that are left between blobs. The last of the legalizations: raises
    an error if an operator of PNNX's is still there."""

    name = "legalize-pnnx-cast"

    def patterns(self) -> Patterns:
        from .casts import LegalizeCast

        return [LegalizeCast()]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from xdsl.utils.exceptions import PassFailedException

        from ...dialects.pnnx.operations import GraphOp, OperatorOp

        super().apply(ctx, op)
        for left in op.walk():
            if isinstance(left, OperatorOp) and not isinstance(left.parent_op(), GraphOp):
                raise PassFailedException(f"{left.label()} has no form in ncnn's layers")


def _one(name: str) -> Callable[[], Patterns]:
    def make() -> Patterns:
        from .all import LEGALIZATIONS

        return [cls() for cls in LEGALIZATIONS if cls.NAME == name]

    return make


_DOCS = {
    "legalize-pnnx-unbind": "`unbind` of PNNX as Slice.",
    "legalize-pnnx-split": "`chunk` and `split` of PNNX as Slice.",
    "legalize-pnnx-slice": "`x[a:b:step]` and `select` of PNNX as Crop and Reshape.",
    "legalize-pnnx-join": "`cat` and `stack` of PNNX as Concat.",
    "legalize-pnnx-permute": "`permute` and `transpose` of PNNX, of any rank, as Reshape and "
    "Permute of at most four dims.",
    "legalize-pnnx-reshape": "`reshape`, `flatten`, `squeeze`, … of PNNX as Reshape.",
    "legalize-pnnx-addcmul": "`addcmul` of PNNX as BinaryOp.",
    "legalize-pnnx-expression": "Expressions of PNNX as BinaryOp and UnaryOp.",
    "legalize-pnnx-normalize": "`normalize` of PNNX along any axis as Reduction and BinaryOp.",
    "legalize-pnnx-convolution": "`conv2d` of PNNX whose weights are operands as Convolution.",
}

LEGALIZE = {name: pattern_pass(name, doc, _one(name)) for name, doc in _DOCS.items()}
"""The passes for operators, by name."""
