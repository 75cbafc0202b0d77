"""A pass that replaces Sigmoid by HardSigmoid, where less precision is enough."""

from dataclasses import dataclass

from ncnn_opt.dialects.ncnn.activation import HardSigmoidOp, SigmoidOp
from ncnn_opt.transforms.canonicalization.rewriting import replace_by_new
from ncnn_opt.transforms.rewriting.pattern_pass import PatternPass, Patterns
from ncnn_opt.transforms.rewriting.remarks import remark
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern


@dataclass(frozen=True)
class ReplaceSigmoid(RewritePattern):
    """Replace a Sigmoid by a HardSigmoid."""

    slope: float

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SigmoidOp, rewriter: PatternRewriter) -> None:
        remark("replace-sigmoid-with-hardsigmoid", op.label())
        params = {"alpha": self.slope, "beta": 0.5}
        replace_by_new(op, HardSigmoidOp, op.blobs_read(), {}, params, rewriter)


@dataclass(frozen=True)
class ReplaceSigmoidWithHardSigmoid(PatternPass):
    """Replace each Sigmoid by a HardSigmoid: `min(max(slope * x + 0.5, 0), 1)`.

    This changes the outputs: a Sigmoid by up to 0.08 with a slope of 0.2. Therefore the pass is not
    part of `-O`.
    """

    name = "replace-sigmoid-with-hardsigmoid"
    slope: float = 0.2

    def patterns(self) -> Patterns:
        return (ReplaceSigmoid(self.slope),)
