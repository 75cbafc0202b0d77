"""The pass that replaces spelled-out computations by one layer, before fusions change them."""

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
    """Replace each group of layers that spells out one ncnn layer by that layer, for all layer
    types, also if redundant layers stand between them.

    In `conv, x + 3, clip(x, 0, 6), x / 6`, the convolution would absorb the addition and the Clip
    if all patterns ran at once, and the HardSigmoid would not be recognized. This pass applies all
    patterns of `canonicalize` except those that fuse two layers.
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
        from .canonicalization.patterns import recognition_patterns

        if isinstance(op, LayerOp):
            recognition_patterns(type(op)).match_and_rewrite(op, rewriter)
