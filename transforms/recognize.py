"""What a graph spells out, before fusions take pieces of it away."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
)


class Recognize(ModulePass):
    """Make one layer of several that spell it out, of all kinds, wherever nothing but what is
    superfluous stands between them.

    Of `conv, x + 3, clip(x, 0, 6), x / 6` the addition and the Clip would go into the convolution
    first if all patterns ran at once, and no HardSigmoid would be left to be seen. This pass has
    all that `canonicalize` has but what joins two layers of any kind.
    """

    name = "ncnn-recognize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .canonicalization.recognition import may_be_recognized

        if any(may_be_recognized(layer) for layer in op.walk()):
            applier = GreedyRewritePatternApplier([_Recognizing()])
            PatternRewriteWalker(applier).rewrite_module(op)


class _Recognizing(RewritePattern):
    """The patterns of each layer's type."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        from ..dialects.ncnn.layer import LayerOp
        from .canonicalization import recognition_patterns

        if isinstance(op, LayerOp):
            recognition_patterns(type(op)).match_and_rewrite(op, rewriter)
